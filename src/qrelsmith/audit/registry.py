"""The registry of the audit's sections."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.base.content import Section
from qrelsmith.base.registry import REQUIRED, Registry

SectionFunction = Callable[[AuditInputs], Section]

# An entry's `place` says where in the report it stands: a number, ascending. One that is `apart`
# takes long and shares little with the others: a second process may make it (`section_processes`).
SECTIONS: Registry[SectionFunction] = Registry(
    "section of the audit", arguments=("inputs",), facts={"place": REQUIRED, "apart": False}
)


def section_names() -> tuple[str, ...]:
    """The names of the sections, in the order of the report."""
    return tuple(
        entry.name for entry in sorted(SECTIONS.entries(), key=lambda entry: entry.about["place"])
    )
