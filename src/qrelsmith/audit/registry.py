"""The registry of the audit's sections."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.base.content import Section
from qrelsmith.base.registry import REQUIRED, Registry

SectionFunction = Callable[[AuditInputs], Section]

# `place` is the position of a section in the report: a number, ascending. A section that is `apart`
# takes long and shares little with other sections, so a second process may compute it
# (`section_processes`). `of` is `docs` or `answers` for a section on only one of the two.
SECTIONS: Registry[SectionFunction] = Registry(
    "section of the audit",
    arguments=("inputs",),
    facts={"place": REQUIRED, "apart": False, "of": ""},
)


def section_names(of: str = "docs") -> tuple[str, ...]:
    """Return the names of the sections on docs, or on answers, in the order of the report."""
    entries = (entry for entry in SECTIONS.entries() if entry.about["of"] in ("", of))
    return tuple(entry.name for entry in sorted(entries, key=lambda entry: entry.about["place"]))
