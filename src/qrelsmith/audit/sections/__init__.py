"""The sections of the audit; importing a module registers its section."""

from qrelsmith.audit.sections import (  # noqa: I001 - the order of the report
    inventory,
    distributions,
    agreement,
    rankings,
    significance,
    compatibility,
)

__all__ = ["agreement", "compatibility", "distributions", "inventory", "rankings", "significance"]
