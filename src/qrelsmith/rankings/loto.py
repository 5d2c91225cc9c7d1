"""The command `loto`: fairness of rankings to systems outside the pools."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Annotated, Any, TypeAlias, Unpack

from qrelsmith.base.content import Figure, Intervals
from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.base.options import Option, Seed
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation.compared_sets import ComparedSets, compared_sets
from qrelsmith.evaluation.held_runs import runs_in_memory
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.evaluation.ranking_options import QRELS, EmptyTopics, RankingScope, ranking_source
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.run_options import Measures, Runs, Teams
from qrelsmith.pooling.found_docs import read_found_docs
from qrelsmith.pooling.run_teams import run_teams
from qrelsmith.rankings.leave_team_out import Contributors, TeamLeftOut, leave_teams_out
from qrelsmith.rankings.ranking_comparison import POPULATIONS
from qrelsmith.stats.tau_intervals import INTERVALS

# A file, or {topic: docs}.
FoundLike: TypeAlias = Any
Found = Annotated[
    FoundLike,
    Option("Docs from other sources, as in `pool` (lines: topic doc); they belong to no team.",
           metavar="FILE", file=True, many=False),
]  # fmt: skip

_COLUMNS = (
    "measure", "qrels", "topic_set", "team", "runs", "unique", "dropped", "dropped_relevant",
    "left", "fall", "systems", "tau_a", "tau_b", "tau_low", "tau_high", "interval", "over",
)  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class LeaveTeamOut(Result):
    """The rankings without each team's unique docs.

    Attributes
    ----------
    rankings : tuple of TeamLeftOut
        One per measure, label set, topic set and team, sorted.
    reference : str
        The label set that comes first.
    measures : tuple of str
        The requested measures.
    teams : tuple of str
        The teams, sorted.
    depth : int
        The depth of the pools.
    guessed : bool
        Whether the teams were inferred from prefixes of run names.
    """

    rankings: tuple[TeamLeftOut, ...]
    reference: str
    measures: tuple[str, ...]
    teams: tuple[str, ...]
    depth: int
    guessed: bool

    def table(self) -> Table:
        """Return one row per measure, label set, topic set and team."""
        rows = [
            (
                row.measure, row.qrels, row.topic_set, row.team, row.runs, row.unique, row.dropped,
                row.dropped_relevant, row.left, row.fall, row.comparison.systems,
                row.comparison.tau_a, row.comparison.tau_b, row.comparison.low,
                row.comparison.high, row.comparison.interval, row.comparison.over,
            )
            for row in self.rankings
        ]  # fmt: skip
        return Table.of(_COLUMNS, rows, notes=self.notes)

    def of_reference(self) -> list[TeamLeftOut]:
        """Return the rows of the reference for the first measure and topic set, lowest τ first."""
        (topic_set, *_) = dict.fromkeys(row.topic_set for row in self.rankings)
        wanted = (self.reference, self.measures[0], topic_set)
        rows = [row for row in self.rankings if (row.qrels, row.measure, row.topic_set) == wanted]
        return sorted(rows, key=_lowest_first)

    def figure(self) -> Figure | None:
        """Return a chart of τ to the reference's ranking without each team."""
        rows = self.of_reference()
        over = rows[0].comparison.over
        return Figure(
            "leave-team-out",
            f"τ with the full {self.measures[0]} ranking under {self.reference}",
            Intervals.of(
                ((row.team, *row.comparison.of_tau_b) for row in rows),
                f"Kendall's τ-b without the team's unique docs, 95% interval over {over}",
            ),
            "The closer to 1, the less the ranking depends on the unique docs of the team.",
        )


@question(
    command="loto",
    heading="trust",
    audit=("leave-team-out",),
    example="qrelsmith loto gold.qrels runs/*.run --teams teams.txt --depth 30 -m nDCG@10",
    doing="leaving teams out",
)
def loto(
    labels: Annotated[Any, ranking_source("[QRELS] RUN...|CAMPAIGN", qrels=QRELS)],
    runs: Runs = None,
    measures: Measures = None,
    *,
    teams: Teams = None,
    depth: Annotated[int | None, Option(
        "Depth of the pools; default: the depth of the campaign's pool files.", least=1)] = None,
    found: Found = None,
    interval: Annotated[str, Option(
        "95% interval of tau_b over similar topics or systems, or a published interval over "
        "similar systems: fieller for tau_b, consistent for tau_a.",
        choices=lambda: [*POPULATIONS, *INTERVALS.names()])] = "topics",
    empty_topics: EmptyTopics = "zero",
    seed: Seed = 0,
    **scope: Unpack[RankingScope],
) -> LeaveTeamOut:  # fmt: skip
    """Leave each team out, to test whether a system outside the pool would be ranked fairly.

    Docs that only one team's runs return in the top --depth are dropped from the qrels, and all
    systems are ranked again. Columns: measure, qrels, topic_set, team, runs, unique (docs from this
    team only), dropped (unique docs in the qrels), dropped_relevant, left (remaining lines of the
    qrels), fall (largest drop in rank of the team's runs), systems, tau_a, tau_b, tau_low,
    tau_high, interval, over. The columns with tau compare the full ranking with the ranking without
    the team's unique docs. `tau_low` and `tau_high` are nan with fewer than 8 topics or 5 systems;
    `fieller` and `consistent` intervals are also nan if tau is 1. Each label set uses the topics
    that it shares with the first label set. If you pass a campaign folder, its label sets, runs,
    teams, measures and pool depth are used.

    Returns
    -------
    LeaveTeamOut
        A row for each measure, label set, topic set and team.

    Raises
    ------
    UsageError
        If no depth is given.
    UndefinedError
        If all runs are of one team.
    InputError
        If no depth is given, and the campaign has no pools; further errors as of `compare`.

    Examples
    --------
    >>> from qrelsmith import loto
    >>> qrels = {"t1": {"d1": 1, "d2": 1}}
    >>> runs = {"x-1": {"t1": {"d1": 1.0}}, "y-1": {"t1": {"d2": 1.0}}}
    >>> [(one.team, one.dropped) for one in loto(qrels, runs, "P@1", depth=1).rankings]
    [('x', 1), ('y', 1)]
    """
    compared = compared_sets(labels, runs, measures, empty_topics=empty_topics, **scope)
    jobs = scope["jobs"]
    if depth is None and compared.campaign is not None and compared.campaign.pools is not None:
        depth = compared.campaign.pools.depth
    if depth is None and compared.campaign is not None:
        raise InputError(
            "no pools with a depth found; expected files in pools/, or a depth",
            path=compared.campaign.campaign.folder,
        )
    if depth is None:
        raise UsageError("no depth given; expected the depth to which the runs were judged")
    held = runs_in_memory(compared, depth=depth, jobs=jobs)
    tops = [run for run in held if isinstance(run, Run)]
    if len(tops) < len(held):
        tops = list(load_runs(held, depth=depth, order=scope["order"], jobs=jobs))
    notes = list(compared.notes)
    table = None if compared.campaign is None else compared.campaign.campaign.teams
    owners, guessed = run_teams([run.name for run in tops], teams, table=table)
    notes += guessed
    contributors = Contributors.of(tops, owners, depth=depth, found=_as_found_docs(found))
    rankings: list[TeamLeftOut] = []
    for name in compared.label_sets:
        rankings += _without_teams(
            compared, name, held, contributors, interval=interval, seed=seed, jobs=jobs,
            advance=scope["advance"], notes=notes,
        )  # fmt: skip
    if not rankings:
        raise InputError("no topic is in all label sets; expected at least one in common")
    ordered = sorted(rankings, key=lambda row: (row.measure, row.qrels, row.topic_set, row.team))
    return LeaveTeamOut(
        rankings=tuple(ordered),
        reference=compared.reference,
        measures=compared.measures,
        teams=contributors.teams,
        depth=depth,
        guessed=bool(guessed),
        notes=(*notes, *_undefined_notes(rankings)),
    )


def _without_teams(
    compared: ComparedSets,
    name: str,
    runs: Sequence[Run | FilePath],
    contributors: Contributors,
    *,
    interval: str,
    seed: int,
    jobs: int | None,
    advance: Callable[[], None] | None,
    notes: list[str],
) -> Iterator[TeamLeftOut]:
    """Yield the rankings without each team, on the topics common to label set and reference."""
    topics = compared.topics
    sets = [
        (topic_set, shared)
        for topic_set in topics.set_names
        if (shared := topics.of(compared.reference, name, topic_set=topic_set))
    ]
    if not sets:
        notes.append(
            f"{name} is left out, because it has no topic in common with {compared.reference}"
        )
        return
    counted = {topic for _, shared in sets for topic in shared}
    qrels = compared.label_sets[name]
    yield from leave_teams_out(
        [(name, qrels if counted >= set(qrels.topics) else qrels.restricted_to(counted))],
        runs,
        contributors,
        compared.measures,
        topic_sets=sets,
        interval=interval,
        seed=seed,
        order=compared.scoring.order,
        gains=compared.scoring.gains,
        gmax=compared.gmax(name),
        condensed=compared.scoring.condensed,
        jobs=jobs,
        advance=advance,
        say=notes.append,
    )


def _as_found_docs(found: FoundLike | None) -> Mapping[str, Sequence[str]] | None:
    if isinstance(found, str | PathLike):
        return read_found_docs(found)
    return None if found is None else {str(topic): tuple(docs) for topic, docs in found.items()}


def _undefined_notes(rankings: Sequence[TeamLeftOut]) -> Iterator[str]:
    for row in rankings:
        if math.isnan(row.comparison.tau_b):
            single = row.comparison.systems < 2
            why = "there is only one system" if single else "one ranking ties all systems"
            yield (
                f"{row.measure} {row.qrels} {row.topic_set} without {row.team}: {why}; tau_b is"
                " undefined"
            )


def _lowest_first(row: TeamLeftOut) -> tuple[bool, float, int, str]:
    tau = row.comparison.tau_b
    return not math.isnan(tau), tau, -row.fall, row.team
