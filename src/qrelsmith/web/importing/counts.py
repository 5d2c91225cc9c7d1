"""What an import did."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Counts:
    """How many of one kind of thing were new, changed, or there already."""

    what: str
    new: int = 0
    changed: int = 0
    same: int = 0

    def __str__(self) -> str:
        parts = {"new": self.new, "changed": self.changed, "as before": self.same}
        shown = ", ".join(f"{count} {name}" for name, count in parts.items() if count)
        return f"{self.what}: {shown or 'none'}"
