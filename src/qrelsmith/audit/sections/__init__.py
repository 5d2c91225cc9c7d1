"""The sections of the audit; importing a module registers its section."""

from qrelsmith.audit.sections import (  # noqa: I001 - the order of the report
    inventory,
    distributions,
    efficiency,
    agreement,
    disagreements,
    rankings,
    consistency,
    leave_team_out,
    significance,
    pools,
)

__all__ = ["agreement", "distributions", "inventory", "pools", "rankings", "significance"]
__all__ = [
    "agreement",
    "consistency",
    "disagreements",
    "distributions",
    "efficiency",
    "inventory",
    "leave_team_out",
    "rankings",
    "significance",
]
