"""Where the scores of a command come from: qrels and runs, or a file of scores."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import click

from qrelsmith.analyses.score_files import read_scores
from qrelsmith.cli.options import Common
from qrelsmith.cli.scoring import Scoring
from qrelsmith.data.text import FilePath
from qrelsmith.data.topic_set import read_topic_set
from qrelsmith.errors import InputError, InputWarning, UsageError, quoted
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.measures import MEASURES


def score_matrices(
    files: Sequence[FilePath],
    scores: FilePath | None,
    topic_set: FilePath | None,
    scoring: Scoring,
    common: Common,
) -> tuple[ScoreMatrix, ...]:
    """The score matrices that a command is to look at, one a measure.

    Systems and topics come sorted by their names, so that what is random about a test does not
    depend on the order of files or rows.

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
        return matrices_of_file(scores, topic_set, scoring)
    if len(files) < 2:
        raise click.UsageError("expected QRELS RUN..., or --scores FILE")
    if not scoring.measures:
        raise click.UsageError("expected a measure: -m nDCG@10")
    qrels = scoring.read(files[0], topic_set=topic_set)
    result = scoring.scores(qrels, files[1:], common)
    common.say(result.notes)
    return tuple(result.matrix(measure).sorted() for measure in result.measures)


def matrices_of_file(
    path: FilePath, topic_set: FilePath | None, scoring: Scoring
) -> tuple[ScoreMatrix, ...]:
    """The matrices of a file of scores, of the measures and topics that were asked for, sorted.

    Raises
    ------
    click.UsageError
        If an option says how runs are to be scored.
    InputError
        If there is no score of a measure or of any of the topics.
    """
    if scoring.says_how():
        raise click.UsageError(
            "--order, --gains, --scale, --off-scale and --condensed say how runs are scored; the"
            " scores of a file are scored already"
        )
    matrices = {matrix.measure: matrix.sorted() for matrix in read_scores(path)}
    chosen = []
    for name in dict.fromkeys(_in_file(name, matrices) for name in scoring.measures) or matrices:
        if name not in matrices:
            raise InputError(
                f"there are no scores of {name} (there are: {', '.join(matrices)})", path=path
            )
        chosen.append(matrices[name])
    if topic_set is None:
        return tuple(chosen)
    topics = read_topic_set(topic_set)
    return tuple(_of_topics(matrix, topics, topic_set, path) for matrix in chosen)


def _in_file(name: str, matrices: dict[str, ScoreMatrix]) -> str:
    """The name under which a file may hold a measure: as it was asked for, or in full."""
    try:
        return name if name in matrices else MEASURES.label(name)
    except UsageError:
        # Another program may have measures that we do not know.
        return name


def _of_topics(
    matrix: ScoreMatrix, topics: Sequence[str], topic_set: FilePath, path: FilePath
) -> ScoreMatrix:
    known = set(matrix.topics)
    lacking = [topic for topic in topics if topic not in known]
    if len(lacking) == len(topics):
        raise InputError(f"none of its {len(topics)} topics has a score in {path}", path=topic_set)
    if lacking:
        warnings.warn(
            f"{topic_set}: {len(lacking)} of {len(topics)} topics have no score of"
            f" {matrix.measure} in {path} (first: {quoted(lacking[0])}); they do not count",
            InputWarning,
            stacklevel=2,
        )
    return matrix.restricted_to(set(topics))
