"""The registry of the audit's sections."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.base.content import Section
from qrelsmith.base.registry import REQUIRED, Registry

SectionFunction = Callable[[AuditInputs], Section]

# An entry's `place` says where in the report it stands: a number, ascending. One that is `apart`
# takes long and shares little with the others: a second process may make it (`section_processes`).
# `of`: `docs` or `answers`, where it is about one of the two only.
SECTIONS: Registry[SectionFunction] = Registry(
    "section of the audit",
    arguments=("inputs",),
    facts={"place": REQUIRED, "apart": False, "of": ""},
)


def section_names(of: str = "docs") -> tuple[str, ...]:
    """Return the names of the sections on docs, or on answers, in the order of the report."""
    entries = (entry for entry in SECTIONS.entries() if entry.about["of"] in ("", of))
    return tuple(entry.name for entry in sorted(entries, key=lambda entry: entry.about["place"]))
