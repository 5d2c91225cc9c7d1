"""The scorecard's question `fair-to-teams`: is some team favoured."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell


@VERDICTS.add("fair-to-teams", place=60, asks="is some team favoured", of="all")
def fair_to_teams(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Not computed yet."""
    return no_cell(name, "fair-to-teams", f"not computed against {inputs.reference} yet")
