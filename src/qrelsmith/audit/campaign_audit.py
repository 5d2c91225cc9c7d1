"""The audit of a campaign: all sections, in the order of the report."""

from __future__ import annotations

from collections.abc import Callable

import qrelsmith.audit.sections  # noqa: F401 - fills the registry
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS, section_names
from qrelsmith.audit.rules import RULES
from qrelsmith.content import Report
from qrelsmith.data.manifest import manifest_for, manifest_text

_NOTICE_SUFFIX = "simulated"


def audited(inputs: AuditInputs, *, advance: Callable[[], None] | None = None) -> Report:
    """Compute every section.

    Parameters
    ----------
    inputs : AuditInputs
        The campaign.
    advance : callable, optional
        Called after each section, to show progress.
    """
    sections = []
    for name in section_names():
        sections.append(SECTIONS.get(name)(inputs))
        if advance is not None:
            advance()
    manifest = manifest_for(
        ("qrelsmith", "audit", str(inputs.campaign.folder)),
        parameters={
            "measures": list(inputs.measures),
            "reference": inputs.reference,
            "order": inputs.order,
            "rules": {rule.name: [rule.good, rule.bad] for rule in RULES},
        },
        seed=inputs.seed,
        inputs=inputs.inputs(),
        folder=inputs.campaign.folder,
    )
    return Report(
        title=inputs.campaign.title or inputs.campaign.folder.name,
        subtitle=f"{len(inputs.label_sets)} label sets, {len(inputs.runs)} runs,"
        f" {len(inputs.topics)} common topics; ranked by {inputs.measures[0]}",
        notices=_notices(inputs),
        sections=tuple(sections),
        manifest=manifest_text(manifest),
    )


def _notices(inputs: AuditInputs) -> tuple[str, ...]:
    """What must stand at the top: which labels no person gave."""
    simulated = [name for name in inputs.label_sets if _NOTICE_SUFFIX in name.lower()]
    if not simulated:
        return ()
    return (f"Simulated, not given by people: {', '.join(simulated)}.",)
