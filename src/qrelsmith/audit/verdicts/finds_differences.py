"""The scorecard's question `finds-differences`: are real differences still found."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell


@VERDICTS.add("finds-differences", place=50, asks="are real differences still found", of="others")
def finds_differences(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Not computed yet."""
    return no_cell(name, "finds-differences", f"not computed against {inputs.reference} yet")
