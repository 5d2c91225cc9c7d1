"""`qrelsmith compare`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import click

from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.scoring import Scoring, scoring_options
from qrelsmith.data.qrels import Qrels, stem
from qrelsmith.errors import InputError
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.ranking_comparison import compared_rankings
from qrelsmith.score_files import read_scores
from qrelsmith.tables import Table

Named = tuple[str, tuple[ScoreMatrix, ...]]


@click.command(
    name="compare",
    epilog="Example: qrelsmith compare --qrels nist.qrels --qrels llm.qrels -m nDCG@10 runs/*.run",
)
@click.argument("runs", type=click.Path(), nargs=-1, metavar="[RUN...]")
@click.option("--qrels", "label_sets", type=click.Path(), multiple=True, help="Qrels; repeat.")
@click.option(
    "--scores", "score_files", type=click.Path(), multiple=True,
    help="Scores in place of qrels and runs; repeat.",
)  # fmt: skip
@click.option(
    "--topic-set", "topic_sets", type=click.Path(), multiple=True,
    help="A file of topics, one a line. Once: only these. Twice or more, with one --qrels: compare"
    " the rankings over these sets of topics.",
)  # fmt: skip
@scoring_options(required=False)
@common_options
def command(
    common: Common,
    scoring: Scoring,
    runs: tuple[str, ...],
    label_sets: tuple[str, ...],
    score_files: tuple[str, ...],
    topic_sets: tuple[str, ...],
) -> None:
    """Compare the rankings of the systems under several sets of labels.

    Columns: measure, qrels_a, qrels_b, systems, tau_a, tau_b, tau_ap, tau_low, tau_high, interval;
    a row for each kind of interval (fieller: of tau_b; consistent, Long and Cliff 1997: of tau_a).
    Label sets are compared on the topics that they all have. tau_ap takes qrels_a as the reference.
    """
    if score_files:
        if runs or label_sets:
            raise click.UsageError("either --scores or --qrels and RUN..., not both")
        sources = [(stem(path), read_scores(path)) for path in score_files]
        sources = _shared_scores(sources, common)
    else:
        if not runs or not label_sets or not scoring.measures:
            raise click.UsageError("expected --qrels A --qrels B -m MEASURE RUN..., or --scores")
        sources = _scored(label_sets, topic_sets, runs, scoring, common)
    if len(sources) < 2:
        raise click.UsageError("expected two --qrels or more (or --topic-set twice)")
    rows = []
    shared = [m.measure for m in sources[0][1] if all(_has(s, m.measure) for s in sources[1:])]
    for measure in shared:
        named = [(name, _of(matrices, measure)) for name, matrices in sources]
        rows += [
            (
                one.measure, one.first, one.second, one.systems, one.tau_a, one.tau_b, one.tau_ap,
                one.low, one.high, one.interval,
            )
            for one in compared_rankings(named)
        ]  # fmt: skip
    columns = (
        "measure", "qrels_a", "qrels_b", "systems", "tau_a", "tau_b", "tau_ap", "tau_low",
        "tau_high", "interval",
    )  # fmt: skip
    common.emit(Table.of(columns, rows).sorted())


def _scored(
    label_sets: Sequence[str],
    topic_sets: Sequence[str],
    runs: Sequence[str],
    scoring: Scoring,
    common: Common,
) -> list[Named]:
    """The scores under each set of labels, or over each set of topics."""
    if len(topic_sets) > 1:
        if len(label_sets) > 1:
            raise click.UsageError("several --topic-set go with one --qrels")
        parts = [scoring.read(label_sets[0], topic_set=path) for path in topic_sets]
        named = list(zip(_names(topic_sets), parts, strict=True))
    else:
        only = topic_sets[0] if topic_sets else None
        sets = [scoring.read(path, topic_set=only) for path in label_sets]
        named = list(zip(_names(label_sets), _shared_topics(sets, common), strict=True))
    results = []
    for name, qrels in named:
        evaluation = scoring.scores(qrels, runs, common)
        common.say(f"{name}: {note}" for note in evaluation.notes)
        results.append((name, tuple(evaluation.matrix(m) for m in evaluation.measures)))
    return results


def _shared_topics(sets: Sequence[Qrels], common: Common) -> list[Qrels]:
    """The sets on the topics that they all have."""
    shared = reduce(set[str].intersection, [set(qrels.topics) for qrels in sets])
    if not shared:
        raise InputError("the qrels have no topic in common; expected at least one")
    dropped = sorted(reduce(set[str].union, [set(qrels.topics) for qrels in sets]) - shared)
    if dropped:
        common.say(
            [f"{len(dropped)} topics are not in all qrels and do not count: {', '.join(dropped)}"]
        )
    return [qrels.restricted_to(shared) if dropped else qrels for qrels in sets]


def _shared_scores(sources: Sequence[Named], common: Common) -> list[Named]:
    """The matrices on the topics and measures that all files have."""
    every = [matrix for _, matrices in sources for matrix in matrices]
    shared = reduce(set[str].intersection, [set(matrix.topics) for matrix in every])
    dropped = sorted(reduce(set[str].union, [set(matrix.topics) for matrix in every]) - shared)
    if not shared:
        raise InputError("the score files have no topic in common; expected at least one")
    if dropped:
        common.say(
            [f"{len(dropped)} topics are not in all files and do not count: {', '.join(dropped)}"]
        )
    return [(name, tuple(m.restricted_to(shared) for m in ms)) for name, ms in sources]


def _names(paths: Sequence[str]) -> list[str]:
    """Short names of the files, or their whole paths where those would be alike."""
    names = [stem(path) for path in paths]
    return names if len(set(names)) == len(names) else list(paths)


def _has(source: Named, measure: str) -> bool:
    return any(matrix.measure == measure for matrix in source[1])


def _of(matrices: Sequence[ScoreMatrix], measure: str) -> ScoreMatrix:
    return next(matrix for matrix in matrices if matrix.measure == measure)
