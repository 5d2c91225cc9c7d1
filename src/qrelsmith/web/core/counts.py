"""Counts of an import, done or planned."""

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
    digests : dict of str to str
        What was met, new or not, by its name; of docs the SHA-256, of others nothing.
    """

    what: str
    new: int = 0
    changed: int = 0
    same: int = 0
    digests: dict[str, str] = field(default_factory=dict, repr=False)
