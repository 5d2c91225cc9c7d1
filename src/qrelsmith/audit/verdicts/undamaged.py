"""The scorecard's question `undamaged`: is anything broken."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell


@VERDICTS.add("undamaged", place=80, asks="is anything broken", of="all")
def undamaged(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Not computed yet."""
    return no_cell(name, "undamaged", f"not computed against {inputs.reference} yet")
