"""The messages of a kind of judgment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class KindWords:
    """The messages of a kind of judgment, translated when they are shown.

    Attributes
    ----------
    not_yours, twice : str
        The refusals of another assessor's item, and of an item that is twice in a batch.
    no_scale, stale : str
        The refusals of an unknown version of the scale, and of a label that changed meanwhile.
    event, unit, stream : str
        Formats for an event, an item, and a stream by its names, in the messages of checks.
    """

    not_yours: Any
    twice: Any
    no_scale: Any
    stale: Any
    event: str
    unit: str
    stream: str
