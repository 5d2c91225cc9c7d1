"""Results that are computed from the events, kept as long as no event is newer.

What took long is not computed anew at every judgment: for a time that grows with what it took, the
result before is shown, and the page says how many events are newer.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.utils import timezone

from qrelsmith.web.tables.event_table import EventTable, all_events, database_place

T = TypeVar("T")
# What was computed within these seconds is computed anew whenever an event is newer.
QUICK_S = 2.0
# Longer computations take at most this share of the time of a page that is always looked at.
_PATIENCE = 20
_KEPT = 24


@dataclass(frozen=True, slots=True)
class Computed(Generic[T]):
    """A result, and of when it is.

    Attributes
    ----------
    value : object
        The result.
    newest, events : int
        The number of the newest event that it knows, and how many events it knows.
    at : datetime
        When it was computed.
    seconds : float
        How long that took.
    newer : int
        How many events have come since.
    """

    value: T
    newest: int
    events: int
    at: datetime
    seconds: float
    newer: int = 0


def computed(
    name: str, compute: Callable[[EventTable], T], *options: Hashable, is_wanted_now: bool = False
) -> Computed[T]:
    """Return a result for the events as they are now, or not long ago.

    Parameters
    ----------
    name : str
        What is computed; with the options it must say all that the result depends on besides the
        events, what never changes, and the campaign's settings.
    compute : callable
        Makes the result of all events.
    *options : hashable
        What else the result depends on.
    is_wanted_now : bool
        Whether to compute it anew if any event is newer, however long it takes.
    """
    key = (database_place(), name, *options)
    events = all_events()
    with _lock_of(key):
        held = _HELD.get(key)
        if held is not None and _serves(held, events, is_wanted_now=is_wanted_now):
            return replace(held, newer=len(events) - held.events)
        started = time.perf_counter()
        value = compute(events)
        seconds = time.perf_counter() - started
        result = Computed(value, events.newest, len(events), timezone.now(), seconds)
        with _LOCK:
            _HELD[key] = result
            _HELD.move_to_end(key)
            while len(_HELD) > _KEPT:
                _LOCKS.pop(_HELD.popitem(last=False)[0], None)
        return result


def _serves(held: Computed[Any], events: EventTable, *, is_wanted_now: bool) -> bool:
    if (held.newest, held.events) == (events.newest, len(events)):
        return True
    if is_wanted_now or held.seconds <= QUICK_S or held.events > len(events):
        return False
    age = (timezone.now() - held.at).total_seconds()
    return age < _PATIENCE * held.seconds


def _lock_of(key: tuple[Hashable, ...]) -> threading.Lock:
    """One who waits for a result does not compute it a second time."""
    with _LOCK:
        return _LOCKS.setdefault(key, threading.Lock())


_HELD: OrderedDict[tuple[Hashable, ...], Computed[Any]] = OrderedDict()
_LOCKS: dict[tuple[Hashable, ...], threading.Lock] = {}
_LOCK = threading.Lock()
