"""The scorecard's question `fair-to-new`: fairness to a new system."""

from __future__ import annotations

import math

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.sections.leave_team_out import teams_left_out
from qrelsmith.audit.verdicts.cells import JudgedFigure, no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import count
from qrelsmith.base.content import ScorecardCell

_KEY = "fair-to-new"


@VERDICTS.add(_KEY, place=70, asks="Reliable for new systems?", section="leave-team-out")
def fair_to_new(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Compute the lowest τ between the full ranking and a ranking without a team's unique docs."""
    if len(inputs.runs) < 2:
        return no_cell(name, _KEY, "there are fewer than two runs to rank")
    if inputs.teams_guessed:
        return no_cell(name, _KEY, "campaign.toml names no teams of the runs (in [teams])")
    if len(set(inputs.teams.values())) < 2:
        return no_cell(name, _KEY, "all runs are by the same team")
    answer = teams_left_out(inputs)
    rows = [
        row
        for row in answer.rankings
        if (row.qrels, row.measure) == (name, inputs.measures[0])
        and not math.isnan(row.comparison.tau_b)
    ]
    if not rows:
        return no_cell(
            name,
            _KEY,
            f"τ is computed only for {inputs.reference}; for all label sets, run qrelsmith loto",
        )
    worst = min(rows, key=lambda row: (row.comparison.tau_b, -row.fall, row.team))
    one = worst.comparison
    found = JudgedFigure(
        name, _KEY, inputs.reference, one.tau_b, one.low, one.high, one.topics, one.over
    )
    dropped = count(worst.dropped, "judged doc", "judged docs")
    fall = count(max(worst.fall, 0), "place", "places")
    return found.cell(
        also=f"Without the {dropped} that only {worst.team} contributed, a run of {worst.team}"
        f" falls by {fall}"
    )
