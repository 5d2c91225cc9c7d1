"""The scorecard's question `ranks-all`: do systems rank the same."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell


@VERDICTS.add("ranks-all", place=30, asks="do systems rank the same", of="others")
def ranks_all(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Not computed yet."""
    return no_cell(name, "ranks-all", f"not computed against {inputs.reference} yet")
