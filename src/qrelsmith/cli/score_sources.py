"""Where the scores of a command come from: qrels and runs, or a file of scores."""

from __future__ import annotations

from collections.abc import Sequence

import click

from qrelsmith.cli.options import Common
from qrelsmith.cli.scoring import Scoring
from qrelsmith.data.text import FilePath
from qrelsmith.data.topic_set import read_topic_set
from qrelsmith.errors import InputError
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.measures import MEASURES
from qrelsmith.score_files import read_scores


def score_matrices(
    files: Sequence[FilePath],
    scores: FilePath | None,
    topic_set: FilePath | None,
    scoring: Scoring,
    common: Common,
) -> tuple[ScoreMatrix, ...]:
    """The score matrices that a command is to look at, one a measure.

    Parameters
    ----------
    files : sequence of path
        Qrels and runs; empty if scores are named.
    scores : path or None
        A file of scores.
    topic_set : path or None
        A file of the topics that count.
    scoring, common
        The command's options.

    Raises
    ------
    click.UsageError
        If neither or both are named, or runs without a measure.
    """
    if scores is not None:
        if files:
            raise click.UsageError("either --scores or QRELS RUN..., not both")
        return _chosen(read_scores(scores), scores, topic_set, scoring)
    if len(files) < 2:
        raise click.UsageError("expected QRELS RUN..., or --scores FILE")
    if not scoring.measures:
        raise click.UsageError("expected a measure: -m nDCG@10")
    qrels = scoring.read(files[0], topic_set=topic_set)
    result = scoring.scores(qrels, files[1:], common)
    common.say(result.notes)
    return tuple(result.matrix(measure) for measure in result.measures)


def _chosen(
    matrices: Sequence[ScoreMatrix], path: FilePath, topic_set: FilePath | None, scoring: Scoring
) -> tuple[ScoreMatrix, ...]:
    """The matrices of the measures and topics that were asked for."""
    known = {matrix.measure: matrix for matrix in matrices}
    wanted = [name if name in known else MEASURES.label(name) for name in scoring.measures]
    for name in wanted:
        if name not in known:
            raise InputError(
                f"there are no scores of {name} (there are: {', '.join(known)})", path=path
            )
    chosen = [known[name] for name in wanted] or list(matrices)
    if topic_set is None:
        return tuple(chosen)
    topics = set(read_topic_set(topic_set))
    return tuple(_of_topics(matrix, topics, topic_set) for matrix in chosen)


def _of_topics(matrix: ScoreMatrix, topics: set[str], path: FilePath) -> ScoreMatrix:
    if topics.isdisjoint(matrix.topics):
        raise InputError("none of its topics has a score", path=path)
    return matrix.restricted_to(topics)
