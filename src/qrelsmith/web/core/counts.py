"""Counts of an import, whether completed or planned."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Counts:
    """Numbers of new, changed and unchanged items of one kind.

    Attributes
    ----------
    what : str
        The kind, in the plural.
    new, changed, same : int
        The numbers.
    digests : dict of str to str
        All items found, by name, with the SHA-256 of docs and an empty text for other items.
    """

    what: str
    new: int = 0
    changed: int = 0
    same: int = 0
    digests: dict[str, str] = field(default_factory=dict, repr=False)
