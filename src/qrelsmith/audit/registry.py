"""The registry of the audit's sections."""

from __future__ import annotations

from collections.abc import Callable

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.content import Section
from qrelsmith.registry import Registry

SectionFunction = Callable[[AuditInputs], Section]

# In the order of the report.
SECTIONS: Registry[SectionFunction] = Registry("section of the audit")
