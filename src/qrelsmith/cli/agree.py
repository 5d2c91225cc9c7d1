"""`qrelsmith agree`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from qrelsmith.agreement import COEFFICIENTS, POPULATIONS
from qrelsmith.agreement.group_agreement import GROUP_BREAKDOWNS
from qrelsmith.agreement.label_agreement import BREAKDOWNS
from qrelsmith.cli.options import (
    Common,
    common_options,
    parse_scale,
    scale_options,
    split_names,
    topic_set_option,
)
from qrelsmith.cli.progress import progress
from qrelsmith.cli.run_files import campaign_folder, label_files

if TYPE_CHECKING:
    from qrelsmith.agreement.agree import By
    from qrelsmith.agreement.compared_labels import Common as CommonTopics


@click.command(
    name="agree",
    epilog="Example: qrelsmith agree nist.qrels llm-1.qrels llm-2.qrels --coefficient alpha-ordinal"
    " --coefficient light-quadratic --by pair",
)
@click.argument("files", type=click.Path(), nargs=-1, metavar="FILE...")
@click.option(
    "--coefficient", "coefficients", multiple=True, default=("alpha-ordinal",), show_default=True,
    help=f"A coefficient; repeat for more: {', '.join(COEFFICIENTS.names())}.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice([*BREAKDOWNS, *GROUP_BREAKDOWNS]),
    help="Add a row for each topic, pair, …; environment: group and ordering.",
)  # fmt: skip
@click.option(
    "--over", type=click.Choice(POPULATIONS), default="topics", show_default=True,
    help="Whom the intervals are for: topics like these, docs like these of the same topics,"
    " assessors like these, or both.",
)  # fmt: skip
@click.option(
    "--label-set", "label_set", multiple=True, metavar="NAME|FILE",
    help="Of a campaign, only this label set (qrels file or group); else one more file; repeat.",
)  # fmt: skip
@click.option("--reference", metavar="NAME", help="With --by pair, only pairs with this label set.")
@click.option(
    "--common", "common_topics", type=click.Choice(["pair", "all"]), default="pair",
    show_default=True, help="Compare every two on the topics that they have, or that all have.",
)  # fmt: skip
@click.option(
    "--test", is_flag=True,
    help=f"Print the unpaired Tukey HSD test of every two rows of --by {'|'.join(GROUP_BREAKDOWNS)}"
    " instead.",
)  # fmt: skip
@click.option(
    "--undefined", type=click.Choice(["nan", "one", "zero"]), default="nan", show_default=True,
    help="What stands for 0/0: every label equal, no disagreement expected.",
)  # fmt: skip
@click.option(
    "--errors", type=click.Choice(["missing", "nonrelevant"]), default="missing",
    show_default=True, help="What the code -2 (could not be displayed) is.",
)  # fmt: skip
@click.option(
    "-B", "--resamples", type=click.IntRange(min=0), default=1000, show_default=True,
    help="Bootstrap samples behind an interval over docs; 0: no intervals at all.",
)  # fmt: skip
@topic_set_option
@scale_options
@common_options
def command(
    common: Common,
    files: tuple[str, ...],
    coefficients: tuple[str, ...],
    by: By | None,
    label_set: tuple[str, ...],
    common_topics: CommonTopics,
    scale: str | None,
    off_scale: Literal["error", "missing"],
    **options: Any,
) -> None:
    """Agreement between assessors or label sets, with intervals.

    FILE: a judgments file, or qrels, a FILE per assessor. Of a CAMPAIGN with several label sets
    (qrels files, groups of assessors) these are compared; --by assessor, group, group-pair,
    environment-pair and assessor-group compare its assessors.

    Columns: scope, coefficient, value, low, high, units, assessors, over; the first row of a
    coefficient has the scope `all`. low and high are a 95 % interval for topics like these (from 8
    topics on), or, as the column over says, for docs. By assessor, and between groups, the value is
    the mean of the coefficient over pairs of assessors. What has no value is nan, and a note says
    why: one assessor, no doc with two labels, all labels equal. Cohen's kappa of more than two
    assessors is nan, but has its pairs. Of several revisions the latest counts. By group-pair,
    environment-pair and assessor-group it is the mean over topics of the coefficient between
    assessors of the two. --test compares such rows: coefficient, a, b, topics_a, topics_b, mean_a,
    mean_b, difference, p, effect_size (ES_E1).
    """
    from qrelsmith.agreement.agree import agree

    levels = parse_scale(scale, "error" if campaign_folder(files) else off_scale)
    labels, names = label_files(files, label_set)
    if options["test"] and by not in GROUP_BREAKDOWNS:
        raise click.UsageError(f"--test goes with --by {'|'.join(GROUP_BREAKDOWNS)}")
    with progress(f"agreement by {by}", None, quiet=common.quiet) as advance:
        result = agree(
            labels[0] if len(labels) == 1 else labels,
            split_names(coefficients),
            by=by,
            label_set=names,
            common=common_topics,
            scale=levels,
            off_scale=off_scale,
            seed=common.seed,
            advance=advance,
            **options,
        )
    common.say(result.notes)
    common.emit(result.table())
