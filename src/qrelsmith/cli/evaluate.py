"""`qrelsmith evaluate`."""

from __future__ import annotations

import math

import click
import numpy as np

from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import Scoring, scoring_options
from qrelsmith.evaluation import Evaluation, ScoreMatrix, TopicRule
from qrelsmith.tables import Cell, Table

_ALL = "all"


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
    common.emit(_table(result, per_topic=per_topic, intervals=intervals))


def _table(result: Evaluation, *, per_topic: bool, intervals: bool) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for measure in result.measures:
        matrix = result.matrix(measure)
        means = matrix.means().tolist()
        bounds = _bounds(matrix) if intervals else [()] * len(means)
        for system, mean, bound in zip(matrix.systems, means, bounds, strict=True):
            rows.append((system, _ALL, measure, mean, *bound))
        if per_topic:
            empty: tuple[Cell, ...] = (None, None) if intervals else ()
            for system, scores in zip(matrix.systems, matrix.scores.tolist(), strict=True):
                rows += [
                    (system, topic, measure, score, *empty)
                    for topic, score in zip(matrix.topics, scores, strict=True)
                    if not math.isnan(score)  # else the topic does not count for the run
                ]
    columns = ["run", "topic", "measure", "score", *(("low", "high") if intervals else ())]
    return Table.of(columns, rows).sorted()


def _bounds(matrix: ScoreMatrix) -> list[tuple[Cell, ...]]:
    """Low and high of each system's mean, over the topics that count for it."""
    from qrelsmith.stats.intervals import t_interval

    ends = [t_interval(scores[~np.isnan(scores)]) for scores in matrix.scores]
    return [(float(low), float(high)) for low, high in ends]
