"""Would new systems be ranked fairly (Tables 16 to 18 of ordering-gold-bronze)."""

from __future__ import annotations

import math

from qrelsmith.analyses.leave_team_out import Contributors, TeamLeftOut, leave_teams_out
from qrelsmith.audit.inputs import ALL, TOP, AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import NEW_SYSTEMS
from qrelsmith.audit.tau_bounds import tau_bounds
from qrelsmith.audit.wording import GUESSED_TEAMS, count, figure, thresholds
from qrelsmith.content import Figure, Finding, Intervals, NamedTable, Section, Verdict
from qrelsmith.tables import Table

_KEY = "leave-team-out"
_TITLE = "Leaving a team out"
_MOST = 120  # label sets times teams that are looked at


@SECTIONS.add("leave-team-out", place=85)
def leave_team_out(inputs: AuditInputs) -> Section:
    """τ of the rankings without the docs that one team alone brought, to the full ranking."""
    depth = inputs.pool_depth
    if len(set(inputs.teams.values())) < 2:
        return Section(
            key=_KEY,
            title=_TITLE,
            missing="runs of two teams or more; there " + _there(len(inputs.runs)),
        )
    runs = inputs.runs_to(depth) if depth > TOP else inputs.runs
    contributors = Contributors.of(runs, inputs.teams, depth=depth)
    every = len(inputs.label_sets) * len(contributors.teams) <= _MOST
    names = list(inputs.label_sets) if every else [inputs.reference]
    found = [
        row
        for name in names
        for row in leave_teams_out(
            [(name, inputs.label_sets[name].restricted_to(inputs.topics))],
            runs,
            contributors,
            inputs.measures,
            topic_sets=inputs.topic_sets,
            gmax=inputs.top(name),
        )
    ]
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            "A new system was not there when the docs were pooled. To see what that does, the docs"
            f" that only one team's runs have in their top {depth} are dropped, team by team, and"
            " all systems are ranked again. "
            f"The {len(contributors.teams)} teams are read from {inputs.teams_source}."
            + ("" if every else f" Only {inputs.reference} is looked at; qrelsmith loto does all."),
        ),
        tables=(_contributions(inputs, found), *_rankings(inputs, found)),
        figures=(_figure(inputs, found),),
        findings=(_finding(inputs, found, depth=depth),),
    )


def _there(runs: int) -> str:
    return "is one team" if runs > 1 else ("is one run" if runs else "are none")


def _contributions(inputs: AuditInputs, found: list[TeamLeftOut]) -> NamedTable:
    rows = {
        (row.topic_set, row.team): (
            row.topic_set, row.team, row.runs, row.unique, row.dropped, row.dropped_relevant,
            row.left,
        )
        for row in found
        if row.qrels == inputs.reference
    }  # fmt: skip
    columns = ("topics", "team", "runs", "unique docs", "judged", "relevant", "pairs left")
    return NamedTable(
        "leave-team-out-docs",
        f"What each team alone contributed, judged by {inputs.reference}",
        Table.of(columns, list(rows.values())),
        "Judged and relevant: how many of the unique docs are so and are dropped.",
    )


def _rankings(inputs: AuditInputs, found: list[TeamLeftOut]) -> list[NamedTable]:
    columns = ("label set", "topics", "team left out", "tau_b", "low", "high", "fall")
    return [
        NamedTable(
            f"leave-team-out-{number}",
            f"τ to the full {measure} ranking without a team's unique docs",
            Table.of(
                columns,
                [
                    (
                        r.qrels,
                        r.topic_set,
                        r.team,
                        r.comparison.tau_b,
                        r.comparison.low,
                        r.comparison.high,
                        r.fall,
                    )
                    for r in found
                    if r.measure == measure
                ],
            ),
            "Fieller's interval. Fall: ranks that the team's run loses which falls most.",
        )
        for number, measure in enumerate(inputs.measures, start=1)
    ]


def _of_reference(inputs: AuditInputs, found: list[TeamLeftOut]) -> list[TeamLeftOut]:
    """The reference by the first measure, the lowest τ first."""
    wanted = (inputs.reference, inputs.measures[0], ALL)
    rows = [row for row in found if (row.qrels, row.measure, row.topic_set) == wanted]
    return sorted(
        rows,
        key=lambda row: (
            not math.isnan(row.comparison.tau_b), row.comparison.tau_b, -row.fall, row.team
        ),
    )  # fmt: skip


def _bounds(row: TeamLeftOut) -> tuple[float, float, float]:
    """τ-b with its interval."""
    one = row.comparison
    return one.tau_b, *tau_bounds(one.tau_b, one.low, one.high, systems=one.systems)


def _figure(inputs: AuditInputs, found: list[TeamLeftOut]) -> Figure:
    rows = _of_reference(inputs, found)
    ends = [_bounds(row) for row in rows]
    return Figure(
        "leave-team-out",
        f"τ to the full {inputs.measures[0]} ranking of {inputs.reference}",
        Intervals(
            names=[row.team for row in rows],
            values=[value for value, _, _ in ends],
            lows=[low for _, low, _ in ends],
            highs=[high for _, _, high in ends],
            label="Kendall's τ-b without the team's unique docs, 95 % interval (Fieller)",
            reference=NEW_SYSTEMS.good,
        ),
        f"The line is at {NEW_SYSTEMS.good}: from there on rankings count as the same.",
    )


def _finding(inputs: AuditInputs, found: list[TeamLeftOut], *, depth: int) -> Finding:
    """What becomes of the worst case; no verdict where the teams are a guess."""
    worst = _of_reference(inputs, found)[0]
    value, low, high = _bounds(worst)
    verdict = Verdict.FACT if inputs.teams_guessed else NEW_SYSTEMS.verdict(low, high)
    words = {
        Verdict.GOOD: "Systems that did not contribute would be ranked as if they had",
        Verdict.DOUBTFUL: "Systems that did not contribute would be ranked somewhat lower than they"
        " should be",
        Verdict.BAD: "Systems that did not contribute would be ranked unfairly; judge what they"
        " return before they are compared",
        Verdict.CANNOT_TELL: "Whether systems that did not contribute would be ranked fairly cannot"
        f" be told ({thresholds(NEW_SYSTEMS, 'τ')[Verdict.CANNOT_TELL]})",
        Verdict.FACT: f"Leaving a team out ({GUESSED_TEAMS}, so without a verdict)",
    }
    sentence = (
        f"{words[verdict]}: without the {count(worst.dropped, 'judged doc', 'judged docs')} that no"
        f" team but {worst.team} has within its top {depth}, the worst case, τ to the full ranking"
        f" is {figure(value, low, high)}, and a run of that team falls"
        f" {count(max(worst.fall, 0), 'rank', 'ranks')}."
    )
    return Finding(NEW_SYSTEMS.name, verdict, sentence, _KEY)
