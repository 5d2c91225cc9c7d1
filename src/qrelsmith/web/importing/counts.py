"""What an import did, or would do."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Counts:
    """How many of one kind of thing were new, changed, or there already.

    Attributes
    ----------
    what : str
        The kind, in the plural.
    new, changed, same : int
        The numbers.
    names : set of str
        What was met, new or not.
    """

    what: str
    new: int = 0
    changed: int = 0
    same: int = 0
    names: set[str] = field(default_factory=set, repr=False)
