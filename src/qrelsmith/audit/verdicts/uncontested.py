"""The scorecard's question `uncontested`: do independent judges contest its zeros."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell


@VERDICTS.add(
    "uncontested", place=90, asks="do independent judges contest its zeros", of="reference"
)
def uncontested(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Not computed yet."""
    return no_cell(name, "uncontested", f"not computed against {inputs.reference} yet")
