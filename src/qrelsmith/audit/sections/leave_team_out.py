"""Fairness of rankings to new systems (ordering-gold-bronze, Tables 16 to 18)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.verdicts.bounds import FAIR_TO_NEW
from qrelsmith.audit.wording import GUESSED_TEAMS, count, figure
from qrelsmith.base.content import Figure, Finding, Intervals, NamedTable, Section, Verdict
from qrelsmith.base.tables import Table
from qrelsmith.rankings.leave_team_out import TeamLeftOut
from qrelsmith.rankings.loto import LeaveTeamOut, loto

_KEY = "leave-team-out"
_TITLE = "Leaving a team out"
_MOST = 120  # limit of label sets times teams


@SECTIONS.add("leave-team-out", place=85, apart=True, of="docs")
def leave_team_out(inputs: AuditInputs) -> Section:
    """Compute τ between the full ranking and the ranking without each team's unique docs."""
    teams = set(inputs.teams.values())
    if len(teams) < 2:
        return Section(
            key=_KEY,
            title=_TITLE,
            missing="runs from at least two teams; there " + _team_count_text(len(inputs.runs)),
        )
    every = _looks_at_all(inputs)
    result = teams_left_out(inputs)
    answers = [result]
    if len(inputs.orderings) > 1:
        answers.append(inputs.ask(loto, ordering=tuple(inputs.orderings), **_options(inputs)))
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            f"For each team, the docs that only this team has in the top {result.depth} are"
            f" removed, and all systems are ranked again. The {len(result.teams)} teams are read"
            f" from {inputs.teams_source}."
            + (
                ""
                if every
                else f" Only {inputs.reference} is shown; for all label sets, run qrelsmith loto."
            ),
        ),
        tables=(_contributions(inputs, answers), *_rankings(inputs, answers)),
        figures=_figures(result),
        findings=(_finding(inputs, result),),
    )


def teams_left_out(inputs: AuditInputs) -> LeaveTeamOut:
    """Return the rankings without each team: for all label sets or, if many, for the reference."""
    return inputs.ask(loto, **_options(inputs))


def _looks_at_all(inputs: AuditInputs) -> bool:
    return len(inputs.label_sets) * len(set(inputs.teams.values())) <= _MOST


def _options(inputs: AuditInputs) -> dict[str, Any]:
    depth = {"depth": inputs.pool_depth} if inputs.pools is None else {}
    return depth if _looks_at_all(inputs) else {**depth, "label_set": inputs.reference}


def _team_count_text(runs: int) -> str:
    return "is one team" if runs > 1 else ("is one run" if runs else "are none")


def _contributions(inputs: AuditInputs, answers: list[LeaveTeamOut]) -> NamedTable:
    rows = {
        (row.topic_set, row.team): (
            row.topic_set, row.team, row.runs, row.unique, row.dropped, row.dropped_relevant,
            row.left,
        )
        for found in answers
        for row in found.rankings
        if row.qrels == inputs.reference
    }  # fmt: skip
    columns = ("topics", "team", "runs", "unique docs", "judged", "relevant", "pairs left")
    return NamedTable(
        "leave-team-out-docs",
        f"Unique contributions of each team, judged by {inputs.reference}",
        Table.of(columns, list(rows.values())),
        "",
        answer=answers[0],
    )


def _rankings(inputs: AuditInputs, answers: list[LeaveTeamOut]) -> list[NamedTable]:
    columns = ("label set", "topics", "team left out", "tau_b", "low", "high", "fall", "over")
    return [
        NamedTable(
            f"leave-team-out-{number}",
            f"τ between the {measure} rankings with and without a team's unique docs",
            Table.of(
                columns,
                [
                    (row.qrels, row.topic_set, row.team, *_tau(row), row.fall, row.comparison.over)
                    for found in answers
                    for row in found.rankings
                    if row.measure == measure
                ],
            ),
            "Fall: the largest drop in rank among the team's runs.",
            answer=answers[0],
        )
        for number, measure in enumerate(inputs.measures, start=1)
    ]


def _tau(row: TeamLeftOut) -> tuple[float, float, float]:
    """Return τ-b with its interval."""
    return row.comparison.tau_b, row.comparison.low, row.comparison.high


def _figures(found: LeaveTeamOut) -> tuple[Figure, ...]:
    """Return the answer's chart, with a line at the threshold of the verdict."""
    figure = found.figure()
    if figure is None or not isinstance(figure.drawing, Intervals):
        return ()
    caption = f"Rankings with τ at or above the line ({FAIR_TO_NEW.good}) count as equal."
    drawing = replace(figure.drawing, reference=FAIR_TO_NEW.good)
    return (replace(figure, drawing=drawing, caption=caption),)


def _finding(inputs: AuditInputs, result: LeaveTeamOut) -> Finding:
    """Return a finding on the worst case: the lowest τ without a team, and ranks lost by a run."""
    worst = result.of_reference()[0]
    value, low, high = _tau(worst)
    teams = f" ({GUESSED_TEAMS})" if inputs.teams_guessed else ""
    dropped = count(worst.dropped, "judged doc", "judged docs")
    sentence = (
        f"The team with the lowest τ{teams} is {worst.team}. Without the {dropped} that only"
        f" {worst.team} has in the top {result.depth}, τ with the full ranking is"
        f" {figure(value, low, high)}. Runs of {worst.team} fall by at most"
        f" {count(max(worst.fall, 0), 'rank', 'ranks')}."
    )
    return Finding(_KEY, Verdict.FACT, sentence, _KEY)
