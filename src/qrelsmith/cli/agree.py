"""`qrelsmith agree`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import click

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.analyses.agreement_tables import agreement_rows, agreement_table, scale_notes
from qrelsmith.analyses.group_agreement import (
    GROUP_BREAKDOWNS,
    TopicValues,
    compared_scopes,
    topic_values,
)
from qrelsmith.analyses.label_agreement import (
    BREAKDOWNS,
    AgreementOptions,
    LabelAgreement,
    ScopedAgreement,
    Undefined,
)
from qrelsmith.cli.judgment_source import read_source
from qrelsmith.cli.options import (
    Common,
    common_options,
    scale_options,
    split_names,
    topic_set_option,
)
from qrelsmith.cli.progress import progress
from qrelsmith.tables import Cell, Table

_TESTED = (
    "coefficient", "a", "b", "topics_a", "topics_b", "mean_a", "mean_b", "difference", "p",
    "effect_size",
)  # fmt: skip


@click.command(
    name="agree",
    epilog="Example: qrelsmith agree nist.qrels llm-1.qrels llm-2.qrels --coefficient alpha-ordinal"
    " --coefficient light-quadratic --by pair",
)
@click.argument("files", type=click.Path(), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--coefficient", "coefficients", multiple=True, default=("alpha-ordinal",), show_default=True,
    help=f"A coefficient; repeat for more: {', '.join(COEFFICIENTS.names())}.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice([*BREAKDOWNS, *GROUP_BREAKDOWNS]),
    help="Add a row for each topic, pair, …; environment: group and ordering.",
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
    help="Bootstrap samples (of docs) behind an interval; 0: no intervals.",
)  # fmt: skip
@topic_set_option
@scale_options
@common_options
def command(
    common: Common,
    files: tuple[str, ...],
    coefficients: tuple[str, ...],
    by: str | None,
    test: bool,
    undefined: Undefined,
    errors: Literal["missing", "nonrelevant"],
    resamples: int,
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Agreement between assessors: a judgments FILE, a campaign, or qrels, a FILE per assessor.

    Columns: scope, coefficient, value, low, high, units, assessors; the first row of a coefficient
    has the scope `all`. low and high are a 95 % interval from a bootstrap over docs (of the mean
    over topics, over topics). By assessor, and between groups, the value is the mean of the
    coefficient over pairs of assessors. What has no value is nan, and a note says why: one
    assessor, no doc with two labels, all labels equal. Cohen's kappa of more than two assessors is
    nan, but has its pairs. Of several revisions the latest counts. By group-pair, environment-pair
    and assessor-group it is the mean over topics of the coefficient between assessors of the two.
    --test compares such rows: coefficient, a, b, topics_a, topics_b, mean_a, mean_b, difference, p,
    effect_size (ES_E1).
    """
    if test and by not in GROUP_BREAKDOWNS:
        raise click.UsageError(f"--test goes with --by {'|'.join(GROUP_BREAKDOWNS)}")
    judgments, levels, _, _ = read_source(files, scale, off_scale, topic_set)
    rows: list[ScopedAgreement] = []
    tests: list[tuple[Cell, ...]] = []
    for coefficient in dict.fromkeys(map(COEFFICIENTS.label, split_names(coefficients))):
        options = AgreementOptions(
            coefficient=coefficient,
            scale=levels,
            undefined=undefined,
            errors=errors,
            resamples=resamples,
            seed=common.seed,
        )
        agreement = LabelAgreement(judgments, options)
        if test and by is not None:
            tests += _tested(topic_values(agreement, judgments, by), coefficient, common)
            continue
        total = 0 if by is None else agreement.parts(by)
        with progress(f"agreement by {by}", total, quiet=common.quiet) as advance:
            rows += agreement_rows(agreement, judgments, options, by, advance=advance)
    table = agreement_table(rows, scale_notes(judgments, levels))
    common.say(table.notes)
    common.emit(Table.of(_TESTED, tests) if test else table)


def _tested(
    values: Sequence[TopicValues], coefficient: str, common: Common
) -> list[tuple[Cell, ...]]:
    """The scopes compared, a row for every two."""
    compared, variance = compared_scopes(values)
    common.say([f"{coefficient}: residual variance V_E1 = {variance:.4g}"])
    return [
        (
            coefficient, row.first, row.second, *row.topics, *row.means, row.difference, row.p,
            row.effect_size,
        )
        for row in compared
    ]  # fmt: skip
