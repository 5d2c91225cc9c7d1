"""The sections of the audit; importing a module registers its section."""

from qrelsmith.audit.sections import (  # noqa: I001 - the order of the report
    inventory,
    distributions,
    agreement,
    phi,
    pdp,
    rankings,
    significance,
    discriminative_power,
)

__all__ = [
    "agreement",
    "discriminative_power",
    "distributions",
    "inventory",
    "pdp",
    "phi",
    "rankings",
    "significance",
]
