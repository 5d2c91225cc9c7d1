"""The scorecard's question `fair-to-teams`: is some team favoured."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.cells import no_cell
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import ScorecardCell


@VERDICTS.add("fair-to-teams", place=60, asks="Is some team favoured?")
def fair_to_teams(inputs: AuditInputs, name: str) -> ScorecardCell:
    """No verdict as long as no damages are looked for: their findings enter here."""
    topics = len(inputs.label_sets[name].topics)
    return no_cell(name, "fair-to-teams", "no damages have been looked for", topics=topics)
