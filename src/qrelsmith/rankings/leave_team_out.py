"""Leave-one-team-out test of fairness to systems outside the pools.

Docs that only one team's runs contributed to the pools are removed from the qrels, as if that team
had not participated. All systems are then ranked again. The method is that of ordering-gold-bronze,
appendix (Tables 16 to 18), after Sakai 2014.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.base.scales import Gains
from qrelsmith.collection.pools import pool_rankings
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.collection.teams import team_numbers
from qrelsmith.evaluation import Evaluation, ScoreMatrix, score_runs
from qrelsmith.io.text import FilePath
from qrelsmith.pooling.contributions import contributions
from qrelsmith.rankings.ranking_comparison import RankingComparison, comparisons_of_pairs
from qrelsmith.stats.ties import tied_ranks

_SEVERAL = -1  # contributor of a doc: several teams, or no team


@dataclass(frozen=True, slots=True)
class TeamLeftOut:
    """A ranking without one team's unique docs, compared with the full ranking.

    Attributes
    ----------
    qrels, topic_set, measure, team : str
        The label set, topic set, measure and team.
    runs : int
        The team's runs.
    unique : int
        Number of pooled docs that only this team's runs returned.
    dropped, dropped_relevant : int
        Number of these docs in the qrels, and of these with a gain above 0.
    left : int
        Number of remaining topic–doc pairs.
    fall : int
        Largest drop in rank of one of the team's runs.
    comparison : RankingComparison
        The full ranking (the reference of τ_AP) and the ranking without these docs.
    """

    qrels: str
    topic_set: str
    measure: str
    team: str
    runs: int
    unique: int
    dropped: int
    dropped_relevant: int
    left: int
    fall: int
    comparison: RankingComparison


@dataclass(frozen=True, slots=True, eq=False)
class Contributors:
    """The contributors of each doc of the pools.

    Attributes
    ----------
    teams : tuple of str
        The teams, sorted.
    members : tuple of frozenset of str [team]
        The names of each team's runs.
    depth : int
        The depth of the pools.
    sole : mapping of str to mapping of str to int
        Index of the only contributing team, by topic and doc.
    """

    teams: tuple[str, ...]
    members: tuple[frozenset[str], ...]
    depth: int
    sole: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(
        cls,
        runs: Sequence[Run],
        teams: Mapping[str, str],
        *,
        depth: int,
        found: Mapping[str, Collection[str]] | None = None,
    ) -> Contributors:
        """Determine the contributors of each doc.

        Parameters
        ----------
        runs : sequence of Run
            All runs, at least `depth` docs deep, in the order of pooling.
        teams : mapping of str to str
            The team of each run by name; a run without a team counts as a separate team.
        depth : int
            The depth of the pools.
        found : mapping of str to collection of str, optional
            Docs of topics found in other ways, such as while writing the topics; these do not
            depend on a team.

        Raises
        ------
        UsageError
            If the depth is below 1.
        UndefinedError
            If all runs belong to one team, because without this team there are no pools.
        """
        if depth < 1:
            raise UsageError(f"depth={depth}; expected 1 or more")
        names, team_of = team_numbers([run.name for run in runs], teams)
        if len(names) < 2:
            raise UndefinedError(
                f"all runs are from the team {names[0]}; expected runs from at least two teams"
                if names
                else "there are no runs; expected runs from at least two teams"
            )
        sole = {}
        for topic in sorted({topic for run in runs for topic in run.docs}):
            rankings = [run.docs.get(topic, ()) for run in runs]
            pool = pool_rankings(rankings, depth=depth, found=(found or {}).get(topic, ()))
            of = contributions(pool, team_of=team_of, teams=len(names)).sole
            alone = np.flatnonzero(of >= 0).tolist()
            sole[topic] = {pool.docs[doc]: int(of[doc]) for doc in alone}
        members = [
            frozenset(
                run.name for run, of in zip(runs, team_of.tolist(), strict=True) if of == team
            )
            for team in range(len(names))
        ]
        return cls(names, tuple(members), depth, sole)

    def of_judgments(self, qrels: Qrels) -> IntArray:
        """Return the only contributing team of each judged doc, or −1 [judgment]."""
        return np.array(
            [self.sole.get(topic, {}).get(doc, _SEVERAL) for topic, doc, _ in qrels.rows()],
            dtype=np.int64,
        )

    def unique(self, team: int, topics: Sequence[str]) -> int:
        """Return the number of docs that only this team contributed."""
        return sum(list(self.sole.get(topic, {}).values()).count(team) for topic in topics)


def leave_teams_out(
    label_sets: Sequence[tuple[str, Qrels]],
    runs: Sequence[Run | FilePath],
    contributors: Contributors,
    measures: Sequence[str],
    *,
    topic_sets: Sequence[tuple[str, Sequence[str]]],
    interval: str = "fieller",
    seed: int = 0,
    order: str = "trec",
    gains: Gains | None = None,
    gmax: float | None = None,
    condensed: bool = False,
    jobs: int | None = None,
    advance: Callable[[], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> Iterator[TeamLeftOut]:
    """Rank the systems without each team's unique docs, under every label set.

    Parameters
    ----------
    label_sets : sequence of (str, Qrels)
        Label sets by name, none empty.
    runs : sequence of Run or path
        All systems.
    contributors : Contributors
        The contributors of each doc.
    measures : sequence of str
        Measure that ranks the systems.
    topic_sets : sequence of (str, sequence of str)
        The topic sets by name.
    interval : str
        As in `compared_rankings`: a name in `INTERVALS`, or the population `topics` or `systems`.
    seed : int
        Seed of the draws of topics.
    order, gains, gmax, condensed, jobs
        As for `score_runs`. The top of the scale is taken from the full qrels.
    advance : callable, optional
        Called after each ranking, to show progress.
    say : callable, optional
        Receives notes for the reader.

    Notes
    -----
    A topic without remaining judged docs still counts: all systems score 0, which does
    not change the ranking. If no judgments are left, τ is nan.
    """
    for name, qrels in label_sets:
        top = gmax
        if gains is None and gmax is None:
            top = float(max(qrels.grade.max(), 0.0))

        def score(part: Qrels, top: float | None) -> Evaluation:
            comparisons = score_runs(
                part, runs, measures, order=order, gains=gains, gmax=top, condensed=condensed,
                jobs=jobs,
            )  # fmt: skip
            if advance is not None:
                advance()
            return comparisons

        full = score(qrels, gmax)
        if say is not None:
            for note in full.notes:
                say(f"{name}: {note}")
        sole = contributors.of_judgments(qrels)
        worth = qrels.grade if gains is None else gains.of(qrels.grade)
        left = []
        for team in range(len(contributors.teams)):
            rest = _without(qrels, sole == team)
            left.append(score(rest, top) if len(rest) else None)
        comparisons = _compare(full, left, topic_sets, interval, seed)
        for team in range(len(contributors.teams)):
            gone = sole == team
            for topic_set, topics in topic_sets:
                inside = np.isin(qrels.topic, [qrels.topic_index[topic] for topic in topics])
                for measure in full.measures:
                    before, after, comparison = comparisons[team, topic_set, measure]
                    yield TeamLeftOut(
                        qrels=name,
                        topic_set=topic_set,
                        measure=measure,
                        team=contributors.teams[team],
                        runs=len(contributors.members[team]),
                        unique=contributors.unique(team, topics),
                        dropped=int((gone & inside).sum()),
                        dropped_relevant=int((gone & inside & (worth > 0)).sum()),
                        left=int((~gone & inside).sum()),
                        fall=_fall(before, after, contributors.members[team]),
                        comparison=comparison,
                    )


def _without(qrels: Qrels, gone: BoolArray) -> Qrels:
    """Return the qrels without the given judgments, keeping topics without judgments."""
    kept = ~gone
    return replace(qrels, topic=qrels.topic[kept], doc=qrels.doc[kept], grade=qrels.grade[kept])


def _or_zero(found: Evaluation | None, full: ScoreMatrix) -> ScoreMatrix:
    """Return the scores of one measure; all are 0 if no judgments remain."""
    if found is None:
        return replace(full, scores=np.zeros_like(full.scores))
    return found.matrix(full.measure)


def _compare(
    full: Evaluation,
    left: Sequence[Evaluation | None],
    topic_sets: Sequence[tuple[str, Sequence[str]]],
    interval: str,
    seed: int,
) -> dict[tuple[int, str, str], tuple[ScoreMatrix, ScoreMatrix, RankingComparison]]:
    """Compare scores with and without a team's unique docs, by team, topics and measure."""
    by_key = {}
    for topic_set, topics in topic_sets:
        for measure in full.measures:
            before = full.matrix(measure).restricted_to(topics)
            sides = [(before, _or_zero(rest, before).restricted_to(topics)) for rest in left]
            named = [(("all", "left"), matrices) for matrices in sides]
            comparisons = comparisons_of_pairs(named, intervals=[interval], seed=seed)
            for team, (matrices, one) in enumerate(zip(sides, comparisons, strict=True)):
                by_key[team, topic_set, measure] = (*matrices, one)
    return by_key


def _fall(before: ScoreMatrix, after: ScoreMatrix, runs: Collection[str]) -> int:
    """Return the largest drop in rank among the given runs; negative if all ranks improve."""
    ranks = [_systems_above(matrix.means()) for matrix in (before, after)]
    return max(
        int(ranks[1][place] - ranks[0][place])
        for place, system in enumerate(before.systems)
        if system in runs
    )


def _systems_above(means: FloatArray) -> IntArray:
    """Return the number of systems with a higher mean [system]."""
    ranks = tied_ranks(means, name="means")
    return np.asarray((ranks[None, :] > ranks[:, None]).sum(axis=1))
