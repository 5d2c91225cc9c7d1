"""`qrelsmith compare`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import click

from qrelsmith.analyses.ranking_comparison import RankingComparison, compared_rankings
from qrelsmith.analyses.ranking_tables import comparison_table, undefined_notes
from qrelsmith.cli.compared_sets import (
    ComparedSets,
    campaign_folder,
    campaign_options,
    compared_sets,
)
from qrelsmith.cli.label_sets import named_files, reused_runs, shared_topics
from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.score_sources import matrices_of_file
from qrelsmith.cli.scoring import Scoring, scoring_options
from qrelsmith.data.qrels import Qrels
from qrelsmith.errors import InputError
from qrelsmith.evaluation import ScoreMatrix


class Asked(NamedTuple):
    """A side of the comparison: its name, its file, and the set of topics that count there."""

    name: str
    path: str
    topic_set: str | None


class Source(NamedTuple):
    """The scores of one side, by measure."""

    name: str
    matrices: dict[str, ScoreMatrix]


@click.command(
    name="compare",
    epilog="Example: qrelsmith compare --qrels nist.qrels --qrels llm.qrels -m nDCG@10 runs/*.run",
)
@click.argument(
    "runs", type=click.Path(), nargs=-1, metavar="[RUN...|CAMPAIGN]",
    callback=folders_of_runs,
)  # fmt: skip
@campaign_options
@click.option("--qrels", "label_sets", type=click.Path(), multiple=True, help="Qrels; repeat.")
@click.option(
    "--scores", "score_files", type=click.Path(), multiple=True,
    help="Scores in place of qrels and runs (as for significance); repeat.",
)  # fmt: skip
@click.option(
    "--topic-set", "topic_sets", type=click.Path(), multiple=True,
    help="A file of topics, one a line. Once: only these. Twice or more, with one --qrels or"
    " --scores: compare the rankings over these sets of topics.",
)  # fmt: skip
@scoring_options(required=False)
@common_options
def command(
    common: Common,
    scoring: Scoring,
    runs: tuple[str, ...],
    chosen_sets: tuple[str, ...],
    orderings: tuple[str, ...],
    label_sets: tuple[str, ...],
    score_files: tuple[str, ...],
    topic_sets: tuple[str, ...],
) -> None:
    """Compare the rankings of the systems under several sets of labels.

    Columns: measure, qrels_a, qrels_b, systems, tau_a, tau_b, tau_ap, tau_low, tau_high, interval;
    a row for each kind of interval (fieller: of tau_b; consistent, Long and Cliff 1997: of tau_a).
    There is no interval, and nan stands there, for fewer than 5 systems and where tau is 1 or -1;
    tau_b is nan where one side ties all systems, and all are nan for one system. Label sets are
    compared on the topics that they all have. tau_ap takes qrels_a as the reference: the one that
    was named first. Files of scores must hold the same systems, in any order. A campaign folder in
    place of the runs stands for its runs, measures and label sets, the reference first; with one
    --label-set and several --ordering, the rankings over these topics are compared.
    """
    sources, disjoint = (
        _campaign_sources(
            compared_sets(runs, (), topic_sets, chosen_sets, orderings, scoring, common), common
        )
        if not score_files and not label_sets and campaign_folder(runs) is not None
        else _file_sources(
            runs, chosen_sets, orderings, label_sets, score_files, topic_sets, scoring, common
        )
    )
    found: list[RankingComparison] = []
    for measure in _shared_measures(sources, common):
        named = [(source.name, source.matrices[measure]) for source in sources]
        if disjoint:
            common.say(_overlaps(named))
        elif score_files:
            shared = shared_topics([m.topics for _, m in named], f"files with {measure}", common)
            named = [(name, matrix.restricted_to(shared)) for name, matrix in named]
        found += compared_rankings(named)
    table = comparison_table(found, undefined_notes(found))
    common.say(table.notes)
    common.emit(table)


def _campaign_sources(compared: ComparedSets, common: Common) -> tuple[list[Source], bool]:
    """The label sets of a campaign, or one of them on several sets of topics."""
    disjoint = len(compared.topic_sets) > 1
    if disjoint and len(compared.sets) > 1:
        raise click.UsageError("several --ordering or --topic-set go with one --label-set")
    if not disjoint and len(compared.sets) < 2:
        raise click.UsageError("expected two label sets or more (or --ordering twice)")
    runs = reused_runs(compared.runs, compared.first_scoring, common)
    sources = []
    for name, qrels in compared.sets:
        evaluation = compared.scoring[name].scores(qrels, runs, common)
        common.say(f"{name}: {note}" for note in evaluation.notes)
        for topic_set, topics in compared.topic_sets:
            matrices = {m: evaluation.matrix(m).restricted_to(topics) for m in evaluation.measures}
            sources.append(Source(topic_set if disjoint else name, matrices))
    return sources, disjoint


def _file_sources(
    runs: Sequence[str],
    chosen_sets: Sequence[str],
    orderings: Sequence[str],
    label_sets: Sequence[str],
    score_files: Sequence[str],
    topic_sets: Sequence[str],
    scoring: Scoring,
    common: Common,
) -> tuple[list[Source], bool]:
    """The label sets or score files that are named, or one of them on several sets of topics."""
    if chosen_sets or orderings:
        raise click.UsageError("--label-set and --ordering are for a campaign folder")
    if score_files and (runs or label_sets):
        raise click.UsageError("either --scores or --qrels and RUN..., not both")
    if not score_files and not (runs and label_sets and scoring.measures):
        raise click.UsageError("expected --qrels A --qrels B -m MEASURE RUN..., or --scores")
    asked = _asked(score_files or label_sets, topic_sets)
    disjoint = len(topic_sets) > 1
    if not score_files:
        return _scored(asked, runs, scoring, common, disjoint=disjoint), disjoint
    sources = []
    for one in asked:
        matrices = matrices_of_file(one.path, one.topic_set, scoring)
        sources.append(Source(one.name, {matrix.measure: matrix for matrix in matrices}))
    return sources, disjoint


def _asked(files: Sequence[str], topic_sets: Sequence[str]) -> list[Asked]:
    """What is to be compared."""
    if len(topic_sets) > 1:
        if len(files) > 1:
            raise click.UsageError("several --topic-set go with one --qrels or --scores")
        return [Asked(name, files[0], one) for name, one in named_files(topic_sets)]
    if len(files) < 2:
        raise click.UsageError("expected two --qrels or --scores or more (or --topic-set twice)")
    return [
        Asked(name, path, topic_sets[0] if topic_sets else None)
        for name, path in named_files(files)
    ]


def _scored(
    asked: Sequence[Asked],
    runs: Sequence[str],
    scoring: Scoring,
    common: Common,
    *,
    disjoint: bool,
) -> list[Source]:
    """The scores of the runs under each set of labels, or over each set of topics."""
    sets: list[Qrels] = []
    for one in asked:
        sets.append(scoring.read(one.path, topic_set=one.topic_set))
        if not len(sets[-1]):
            raise InputError("there are no judgments; expected at least one", path=one.path)
    if not disjoint:
        shared = shared_topics([qrels.topics for qrels in sets], "qrels", common)
        sets = [
            qrels if shared == set(qrels.topics) else qrels.restricted_to(shared) for qrels in sets
        ]
    sources = []
    for one, qrels in zip(asked, sets, strict=True):
        evaluation = scoring.scores(qrels, runs, common)
        common.say(f"{one.name}: {note}" for note in evaluation.notes)
        sources.append(Source(one.name, {m: evaluation.matrix(m) for m in evaluation.measures}))
    return sources


def _overlaps(named: Sequence[tuple[str, ScoreMatrix]]) -> list[str]:
    """Which sets of topics share some: their rankings are alike for that alone."""
    return [
        f"the topic sets {first} and {second} share {shared} topics"
        for (first, a), (second, b) in combinations(named, 2)
        if (shared := len(set(a.topics) & set(b.topics)))
    ]


def _shared_measures(sources: Sequence[Source], common: Common) -> list[str]:
    """The measures that all sources have; what is not in all is said."""
    every = list(dict.fromkeys(measure for source in sources for measure in source.matrices))
    shared = [measure for measure in every if all(measure in source.matrices for source in sources)]
    if not shared:
        first, *_ = sources
        raise InputError(
            f"no measure is in all files ({first.name} has {', '.join(first.matrices)});"
            " expected at least one in common"
        )
    dropped = [measure for measure in every if measure not in shared]
    if dropped:
        common.say([f"measures that are not in all files: {', '.join(dropped)}, passed over"])
    return shared
