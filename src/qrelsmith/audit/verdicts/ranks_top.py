"""The scorecard's question `ranks-top`: does the top rank the same."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell


@VERDICTS.add("ranks-top", place=40, asks="does the top rank the same", of="others")
def ranks_top(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Not computed yet."""
    return no_cell(name, "ranks-top", f"not computed against {inputs.reference} yet")
