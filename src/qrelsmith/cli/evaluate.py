"""`qrelsmith evaluate`."""

from __future__ import annotations

import click
import numpy as np

from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import Scoring, scoring_options
from qrelsmith.evaluation import ALL_TOPICS, Evaluation, ScoreMatrix, TopicRule
from qrelsmith.tables import Cell, Table


@click.command(
    name="evaluate",
    epilog="Example: qrelsmith evaluate nist.qrels runs/*.run -m nDCG@10 -m AP -o scores.csv",
)
@click.argument("qrels", type=click.Path())
@click.argument(
    "runs", type=click.Path(), nargs=-1, required=True, metavar="RUN...",
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
@click.option("--topic-set", type=click.Path(), help="A file of topics, one a line: only these.")
@click.option("--ties", is_flag=True, help="Say how many score ties reach over the cutoffs.")
@scoring_options(required=True)
@common_options
def command(
    common: Common,
    scoring: Scoring,
    qrels: str,
    runs: tuple[str, ...],
    per_topic: bool,
    intervals: bool,
    topics: TopicRule,
    topic_set: str | None,
    ties: bool,
) -> None:
    """Score runs against qrels.

    Columns: run, topic, measure, score; the mean over the topics has the topic `all`. Files may be
    compressed. A topic that a run lacks scores 0 and unjudged docs have gain 0 unless you say
    otherwise.
    """
    result = scoring.scores(scoring.read(qrels, topic_set=topic_set), runs, common, topics=topics)
    common.say(result.notes)
    if ties:
        common.say(result.tie_notes())
    if per_topic and ALL_TOPICS in result.topics:
        common.say(
            [f"a topic is called {ALL_TOPICS}, and its rows cannot be told from those of the means"]
        )
    table = result.table(per_topic=per_topic)
    common.emit(_with_intervals(result, table) if intervals else table)


def _with_intervals(result: Evaluation, table: Table) -> Table:
    """The table with the columns low and high, which rows of means have."""
    bounds = {
        (system, measure): bound
        for measure in result.measures
        for system, bound in zip(result.systems, _bounds(result.matrix(measure)), strict=True)
    }
    empty: tuple[Cell, ...] = (None, None)
    return Table.of(
        (*table.columns, "low", "high"),
        (
            (*row, *(bounds[str(row[0]), str(row[2])] if row[1] == ALL_TOPICS else empty))
            for row in table.rows
        ),
    )


def _bounds(matrix: ScoreMatrix) -> list[tuple[Cell, ...]]:
    """Low and high of each system's mean, over the topics that count for it."""
    from qrelsmith.stats.intervals import t_interval

    ends = [t_interval(scores[~np.isnan(scores)]) for scores in matrix.scores]
    return [(float(low), float(high)) for low, high in ends]
