"""`qrelsmith evaluate`."""

from __future__ import annotations

import math
from typing import Literal

import click
import numpy as np

from qrelsmith.cli.options import (
    Common,
    common_options,
    parse_scale,
    scale_options,
    split_names,
)
from qrelsmith.cli.progress import progress
from qrelsmith.data.qrels import read_qrels
from qrelsmith.data.run_order import RUN_ORDERS
from qrelsmith.data.topic_set import read_topic_set, restricted
from qrelsmith.errors import UsageError
from qrelsmith.evaluation import Evaluation, ScoreMatrix, TopicRule, evaluate
from qrelsmith.scales import Gains
from qrelsmith.tables import Cell, Table

_ALL = "all"


@click.command(
    name="evaluate",
    epilog="Example: qrelsmith evaluate nist.qrels runs/*.run -m nDCG@10 -m AP -o scores.csv",
)
@click.argument("qrels", type=click.Path())
@click.argument("runs", type=click.Path(), nargs=-1, required=True, metavar="RUN...")
@click.option(
    "-m", "--measure", "measures", multiple=True, required=True,
    help="A measure, such as nDCG@10; repeat for more. See qrelsmith measures.",
)  # fmt: skip
@click.option("--per-topic", is_flag=True, help="Every topic's score, not only the means.")
@click.option(
    "--intervals", is_flag=True, help="Add a 95 % t interval of each mean: columns low, high."
)
@click.option(
    "--order", type=click.Choice(RUN_ORDERS.names()), default="trec", show_default=True,
    help="How the docs of a run are ranked.",
)  # fmt: skip
@click.option(
    "--topics", type=click.Choice(["qrels", "intersection"]), default="qrels", show_default=True,
    help="qrels: a topic that a run lacks scores 0. intersection: it does not count.",
)  # fmt: skip
@click.option("--topic-set", type=click.Path(), help="A file of topics, one a line: only these.")
@click.option(
    "--gains", metavar="G1:G2:…", help="Gains of the grades 1, 2, …; default: the grades."
)
@click.option("--condensed", is_flag=True, help="Remove unjudged docs from the runs first.")
@click.option("--ties", is_flag=True, help="Say how many score ties reach over the cutoffs.")
@scale_options
@common_options
def command(
    common: Common,
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    per_topic: bool,
    intervals: bool,
    order: str,
    topics: TopicRule,
    topic_set: str | None,
    gains: str | None,
    condensed: bool,
    ties: bool,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Score runs against qrels.

    Columns: run, topic, measure, score; the mean over the topics has the topic `all`. Files may be
    compressed. A topic that a run lacks scores 0 and unjudged docs have gain 0 unless you say
    otherwise.
    """
    worth = None if gains is None else Gains.parse(gains)
    levels = parse_scale(scale)
    if worth is not None:
        if levels is not None and levels.top != worth.scale.top:
            raise UsageError(
                f"the gains {worth} do not fit the scale {levels}: one gain a level above 0"
            )
        levels = levels or worth.scale
    judged = read_qrels(qrels, scale=levels, off_scale=off_scale)
    if topic_set is not None:
        judged = restricted(judged, read_topic_set(topic_set), path=topic_set)
    top = None if levels is None or worth is not None else levels.top
    with progress("evaluating", len(runs), quiet=common.quiet) as advance:
        result = evaluate(
            judged,
            runs,
            split_names(measures),
            order=order,
            topics=topics,
            gains=worth,
            gmax=top,
            condensed=condensed,
            jobs=common.jobs,
            advance=advance,
        )
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
