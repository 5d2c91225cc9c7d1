"""The scorecard's question `complete`: is what the rankings need judged."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell


@VERDICTS.add("complete", place=10, asks="is what the rankings need judged", of="all")
def complete(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Not computed yet."""
    return no_cell(name, "complete", f"not computed against {inputs.reference} yet")
