"""`qrelsmith evaluate`."""

from __future__ import annotations

from typing import Any

import click

from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.ranking_sources import (
    ordering_option,
    reference_option,
    sources,
    topic_set_option,
)
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import ScoringOptions, scoring_options
from qrelsmith.cli.sweeping import Sweeper, dask_option


@click.command(
    name="evaluate",
    epilog="Example: qrelsmith evaluate nist.qrels runs/*.run -m nDCG@10 -m AP -o scores.csv",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, required=True, metavar="QRELS RUN...|CAMPAIGN",
    callback=folders_of_runs,
)  # fmt: skip
@click.option("--per-topic", is_flag=True, help="Every topic's score, not only the means.")
@click.option(
    "--intervals", is_flag=True, help="Add a 95 % t interval of each mean: columns low, high."
)
@click.option(
    "--topics", type=click.Choice(["qrels", "intersection"]), default="qrels", show_default=True,
    help="qrels: a topic that a run lacks scores 0. intersection: it does not count.",
)  # fmt: skip
@topic_set_option
@ordering_option
@click.option(
    "--label-set", "chosen", metavar="NAME|FILE",
    help="Of a campaign this label set, not its reference; else the qrels.",
)  # fmt: skip
@reference_option
@click.option("--ties", is_flag=True, help="Say how many score ties reach over the cutoffs.")
@dask_option
@scoring_options
@common_options
def command(
    common: Common,
    scoring: ScoringOptions,
    files: tuple[str, ...],
    chosen: str | None,
    ties: bool,
    dask: str | None,
    **options: Any,
) -> None:
    """Scores of runs against qrels.

    Columns: run, topic, measure, score; the mean over the topics has the topic `all`. On a terminal
    (and with --format table) runs stand below each other, the best first, with a column for each
    measure. Files may be compressed. A topic that a run lacks scores 0 and unjudged docs have gain
    0 unless you say otherwise. A campaign folder stands for its reference, runs and measures.
    """
    from qrelsmith.evaluation.scored_runs import evaluate

    named = sources(files, () if chosen is None else (chosen,))
    with progress("evaluating", None, quiet=common.quiet or dask is not None) as advance:
        result = evaluate(
            named.labels,
            named.runs,
            scoring.measures,
            label_set=None if named.label_set is None else named.label_set[0],
            jobs=common.jobs,
            sweep=None if dask is None else Sweeper(None, common.jobs, dask, common.quiet),
            advance=advance,
            **scoring.keywords,
            **options,
        )
    common.say(result.notes)
    if ties:
        common.say(result.tie_notes())
    short = None if options["per_topic"] or options["intervals"] else result.by_run()
    common.emit(result.table(), on_terminal=short)
