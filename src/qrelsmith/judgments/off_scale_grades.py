"""Grades of a label set that are no levels of the campaign's scale."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.base.scales import Scale


@dataclass(frozen=True, slots=True)
class OffScaleGrades:
    """Grades of a label set that are no level of its scale.

    Attributes
    ----------
    count, total : int
        How many of how many grades.
    first : str
        Where the first one stands: a file and a line of it.
    """

    count: int
    total: int
    first: str

    def sentence(self, name: str, scale: Scale) -> str:
        """A note on them."""
        return (
            f"{name}: {self.count:,} of {self.total:,} grades are off the scale {scale} and count"
            f" as missing (first: {self.first})"
        )
