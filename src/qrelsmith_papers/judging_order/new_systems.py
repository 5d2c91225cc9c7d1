"""Rankings without the docs that one team alone brought, which Tables 16 to 18 show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qrelsmith.base.tables import Cell, Table
from qrelsmith.rankings.leave_team_out import Contributors, TeamLeftOut, leave_teams_out
from qrelsmith_papers.judging_order.collection import MEASURES, JudgedCollection
from qrelsmith_papers.judging_order.published_rankings import TEAMS, Tau

Printed = Mapping[tuple[str, str], Sequence[Tau]]


def compare_without_teams(
    collection: JudgedCollection,
    groups: Sequence[str],
    topic_sets: Mapping[str, Sequence[str]],
    measures: Sequence[str] = tuple(MEASURES),
) -> list[TeamLeftOut]:
    """Leave out each team under some label sets, over some sets of topics."""
    contributors = Contributors.of(collection.runs, collection.teams, depth=collection.depth)
    return list(
        leave_teams_out(
            [(name, collection.label_sets[name]) for name in groups],
            collection.runs,
            contributors,
            [MEASURES[measure] for measure in measures],
            topic_sets=list(topic_sets.items()),
            gmax=collection.scale.top,
            jobs=1,
        )
    )


def environment_of(row: TeamLeftOut) -> tuple[str, str]:
    """Environment and measure of a row, as the paper names them."""
    measure = next(short for short, name in MEASURES.items() if row.measure.startswith(short))
    name = row.qrels if row.topic_set == "all" else f"{row.topic_set}-{row.qrels}"
    return name, measure


def printed_taus(printed: Printed) -> Table:
    """The paper's table, a row for each environment, measure and team."""
    rows = [
        (environment, measure, team, *tau)
        for (environment, measure), taus in printed.items()
        for team, tau in zip(TEAMS, taus, strict=True)
    ]
    return Table.of(("environment", "measure", "team left out", "tau_b", "low", "high"), rows)


def obtained_taus(found: Sequence[TeamLeftOut]) -> Table:
    """The same for what came out here, and how far a run of the team falls."""
    rows: list[tuple[Cell, ...]] = []
    for row in found:
        one = row.comparison
        rows.append(
            (*environment_of(row), row.team, row.dropped, one.tau_b, one.low, one.high, row.fall)
        )
    columns = (
        "environment", "measure", "team left out", "docs dropped", "tau_b", "low", "high", "fall",
    )  # fmt: skip
    return Table.of(columns, rows)


def wins(found: Sequence[TeamLeftOut], environments: Sequence[str]) -> dict[str, int]:
    """In how many (measure, team) each environment alone has the highest τ."""
    taus: dict[tuple[str, str], dict[str, float]] = {}
    for row in found:
        environment, measure = environment_of(row)
        taus.setdefault((measure, row.team), {})[environment] = row.comparison.tau_b
    counts = dict.fromkeys(environments, 0)
    for of in taus.values():
        best = max(of.values())
        winners = [name for name, tau in of.items() if tau == best]
        if len(winners) == 1:
            counts[winners[0]] += 1
    return counts


def printed_wins(printed: Printed, environments: Sequence[str]) -> dict[str, int]:
    """The same for the paper's table."""
    counts = dict.fromkeys(environments, 0)
    for measure in MEASURES:
        for team in range(len(TEAMS)):
            of = {name: printed[name, measure][team].tau for name in environments}
            winners = [name for name, tau in of.items() if tau == max(of.values())]
            if len(winners) == 1:
                counts[winners[0]] += 1
    return counts


def no_winner(counts: Mapping[str, int]) -> bool:
    """Whether no environment is ahead throughout: two of them are somewhere."""
    return sum(count > 0 for count in counts.values()) > 1


def counts_in_words(counts: Mapping[str, int]) -> str:
    """The counts as a sentence has them."""
    return ", ".join(f"{name} {count}" for name, count in counts.items())
