"""Cache of the latest results computed from docs, for consecutive requests."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """A cache of the latest results, limited by size.

    Parameters
    ----------
    room : int
        Maximum total size; larger single results are not cached.
    size : callable
        A function that returns the size of a result.
    """

    def __init__(self, room: int, size: Callable[[Value], int]) -> None:
        self._room = room
        self._size = size
        self._lock = threading.Lock()
        self._results: OrderedDict[Hashable, Future[Value]] = OrderedDict()
        self._sizes: dict[Hashable, int] = {}

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the result for a key; simultaneous requests wait until it is computed."""
        with self._lock:
            future = self._results.get(key)
            is_ours = future is None
            if future is None:
                future = self._results[key] = Future()
            self._results.move_to_end(key)
        if not is_ours:
            return future.result()
        try:
            value = make()
        except BaseException as error:
            with self._lock:
                del self._results[key]
            future.set_exception(error)
            raise
        future.set_result(value)
        with self._lock:
            self._sizes[key] = self._size(value)
            while sum(self._sizes.values()) > self._room:
                oldest = next(each for each in self._results if each in self._sizes)
                del self._results[oldest], self._sizes[oldest]
        return value
