"""`qrelsmith cut`."""

from __future__ import annotations

from typing import Any, Literal

import click

from qrelsmith.cli.options import (
    Common,
    common_options,
    label_set_option,
    parse_scale,
    scale_options,
    topic_set_option,
)
from qrelsmith.cli.progress import progress
from qrelsmith.cli.run_files import label_files
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.cuts import AGGREGATED_BY, ASSESSOR, CUT_METHODS, LEVELS_OF_MEASUREMENT, TIE_RULES
from qrelsmith.cuts.label_cuts import SELECTIONS
from qrelsmith.io.writing import write_together


@click.command(
    name="cut",
    epilog="Example: qrelsmith cut s100.csv --levels 4 --method doc-at --target sormunen.qrels"
    " --runs runs/ --reference sormunen.qrels --write s4.qrels",
)
@click.argument("files", type=click.Path(), nargs=-1, metavar="CAMPAIGN|FILE...")
@click.option(
    "--levels", type=click.IntRange(min=2), required=True, help="Levels of the target scale."
)
@click.option(
    "--method", required=True, type=click.Choice(CUT_METHODS.names()),
    help="What α is taken of; hit2, doc-at and doc-ta need --target.",
)  # fmt: skip
@click.option(
    "--target", type=click.Path(),
    help="A second data set in the target scale, 0 to LEVELS-1: qrels, or judgments to aggregate;"
    " of a campaign also the name of a label set.",
)  # fmt: skip
@click.option(
    "--alpha", type=click.Choice(LEVELS_OF_MEASUREMENT), default="ordinal",
    show_default=True, help="Level of measurement of Krippendorff's α.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice((*AGGREGATED_BY, ASSESSOR)), default="median", show_default=True,
    help="How several labels become one; assessor: each assessor has cuts of their own.",
)  # fmt: skip
@click.option(
    "--undefined", type=click.Choice(["nan", "one", "zero"]), default="nan", show_default=True,
    help="What stands for 0/0: every label equal, no disagreement expected.",
)  # fmt: skip
@click.option(
    "--select", type=click.Choice(SELECTIONS), default="max", show_default=True,
    help="The highest α, the α closest to that in the source scale, or the highest tau.",
)  # fmt: skip
@click.option(
    "--ties", type=click.Choice(TIE_RULES), default="middle", show_default=True,
    help="Which of equally good cuts are taken.",
)  # fmt: skip
@click.option("--single", is_flag=True, help="One set of cuts: the best mean over topics.")
@click.option("--pooled", is_flag=True, help="One set of cuts: the best for all labels as one.")
@click.option(
    "--validate", type=click.IntRange(min=1), metavar="REPEATS",
    help="Choose one set of cuts on random halves of the topics, and look at it on the others.",
)  # fmt: skip
@click.option(
    "--unjudged", type=click.Choice(["missing", "nonrelevant"]), default="missing",
    show_default=True, help="What docs are that one data set lacks.",
)  # fmt: skip
@click.option(
    "--docs", type=click.Path(), multiple=True,
    help="With --unjudged nonrelevant: labels whose docs count as well; repeat for more.",
)  # fmt: skip
@click.option(
    "--candidates", type=click.IntRange(min=1), metavar="N",
    help="At most N values to cut at, spread over the labels; default: every level.",
)  # fmt: skip
@click.option(
    "--runs", type=click.Path(), multiple=True, metavar="RUN",
    help="A run, or a folder of runs, to be ranked under the cut labels; repeat for more.",
)  # fmt: skip
@click.option(
    "--reference", type=click.Path(),
    help="Qrels whose ranking of the runs is right; of a campaign also the name of a label set.",
)  # fmt: skip
@click.option(
    "-m", "--measure", default="nDCG@10", show_default=True, help="The measure that ranks them."
)
@click.option(
    "--order", type=click.Choice(RUN_ORDERS.names()), default="trec", show_default=True,
    help="How the docs of a run are ranked.",
)  # fmt: skip
@click.option(
    "--all-cuts", type=click.Path(), help="Write α under every set of cuts here (.parquet)."
)
@click.option("--write", type=click.Path(), help="Write the labels under the cuts here, as qrels.")
@click.option(
    "--errors", type=click.Choice(["missing", "nonrelevant"]), default="missing",
    show_default=True, help="What the code -2 (could not be displayed) is.",
)  # fmt: skip
@label_set_option
@topic_set_option
@scale_options
@common_options
@write_together()
def command(
    common: Common,
    files: tuple[str, ...],
    label_set: str | None,
    validate: int | None,
    runs: tuple[str, ...],
    all_cuts: str | None,
    write: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
    **options: Any,
) -> None:
    """Find the cuts that turn a scale into one of fewer levels.

    From one judgments FILE, qrels, one FILE per assessor, or a CAMPAIGN. Every ascending set of
    LEVELS-1 cuts is tried; a label above a cut goes up. Columns: topic, cuts (28:58:82), alpha,
    tied (how many sets are as good), degenerate (topics left with one level), units (HITs or docs
    with a value).
    By topic, or with the topic `all` for --single and --pooled. With --by assessor the first column
    is assessor: the cuts under which that assessor's labels agree best with --target. `transform
    --cuts` takes the result, for these labels or others.

    With --runs and --reference there are three more: tau, Kendall's tau-b of the ranking of the
    systems under the cut labels to that under the reference (of a topic: by their scores there),
    measure, systems; and a row `all` over topics that each have their own cuts.

    With --validate the columns are repeat, cuts, alpha_chosen, alpha_held_out, optimism (their
    difference), alpha_best (of any cuts on the other half), tau_chosen, tau_held_out; first the
    mean.
    """
    from qrelsmith.collection.qrels import write_qrels
    from qrelsmith.cuts.cut import cut
    from qrelsmith.io.array_tables import check_parquet_name, write_parts

    if validate is not None and (all_cuts or write):
        raise click.UsageError("--validate writes neither --all-cuts nor --write")
    labels, names = label_files(files, [] if label_set is None else [label_set])
    if all_cuts is not None:
        check_parquet_name(all_cuts)
    with progress("trying cuts", validate, quiet=common.quiet) as advance:
        result = cut(
            labels[0] if len(labels) == 1 else labels,
            label_set=names[0] if names else None,
            runs=list(runs) or None,
            validate=validate,
            scale=parse_scale(scale, off_scale),
            off_scale=off_scale,
            seed=common.seed,
            jobs=common.jobs,
            advance=advance,
            **options,
        )
    if all_cuts is not None:
        write_parts(all_cuts, result.all_cuts())
    if write is not None:
        write_qrels(result.qrels, write)
    common.say(result.notes)
    common.emit(result.table())
