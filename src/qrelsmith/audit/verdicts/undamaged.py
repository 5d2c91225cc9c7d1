"""The scorecard's question `undamaged`: is anything broken."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell


@VERDICTS.add("undamaged", place=80, asks="Is anything broken?")
def undamaged(inputs: AuditInputs, name: str) -> ScorecardCell:
    """No verdict as long as no damages are looked for: their findings enter here."""
    topics = len(inputs.label_sets[name].topics)
    return no_cell(name, "undamaged", "no damages have been looked for", topics=topics)
