"""The scorecard's question `agrees`: do the grades mean the same."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell


@VERDICTS.add("agrees", place=20, asks="do the grades mean the same", of="others")
def agrees(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Not computed yet."""
    return no_cell(name, "agrees", f"not computed against {inputs.reference} yet")
