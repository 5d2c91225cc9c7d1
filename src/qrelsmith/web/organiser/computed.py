"""A cache of results computed from the events, valid until a newer event.

Slow results are not recomputed after every judgment. The previous result is shown for a time that
grows with its computation time, and the page shows the number of newer events.
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
# Results that took at most this number of seconds are recomputed after every newer event.
QUICK_S = 2.0
# Other results are kept for this multiple of their computation time.
_PATIENCE = 20
_KEPT = 24


@dataclass(frozen=True, slots=True)
class Computed(Generic[T]):
    """A result, with its time.

    Attributes
    ----------
    value : object
        The result.
    newest, events : int
        Id of the newest event included, and number of events included.
    at : datetime
        When it was computed.
    seconds : float
        Its computation time.
    newer : int
        Number of newer events.
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
    """Return a result for the current or recent events.

    Parameters
    ----------
    name : str
        Name of the result. Together with the options it must identify everything on which the
        result depends, except the events, constants, and the campaign's settings.
    compute : callable
        Function that computes the result from all events.
    *options : hashable
        Further inputs of the result.
    is_wanted_now : bool
        Whether to recompute the result if any event is newer, however long that takes.
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
    """Return the lock that prevents concurrent computations of the same result."""
    with _LOCK:
        return _LOCKS.setdefault(key, threading.Lock())


_HELD: OrderedDict[tuple[Hashable, ...], Computed[Any]] = OrderedDict()
_LOCKS: dict[tuple[Hashable, ...], threading.Lock] = {}
_LOCK = threading.Lock()
