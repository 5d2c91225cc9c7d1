"""The scorecard's question `fair-to-new`: would a new system be ranked fairly."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell


@VERDICTS.add("fair-to-new", place=70, asks="would a new system be ranked fairly", of="all")
def fair_to_new(inputs: AuditInputs, name: str) -> ScorecardCell:
    """Not computed yet."""
    return no_cell(name, "fair-to-new", f"not computed against {inputs.reference} yet")
