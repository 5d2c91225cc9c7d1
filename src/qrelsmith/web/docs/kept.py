"""The newest results of work on docs, made once for the requests that follow one another."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Kept(Generic[Value]):
    """The newest results, as many as there is room for.

    Parameters
    ----------
    room : int
        How large all of them may be together; one that is larger is not kept.
    size : callable
        How large a result is.
    """

    def __init__(self, room: int, size: Callable[[Value], int]) -> None:
        self._room = room
        self._size = size
        self._lock = threading.Lock()
        self._results: OrderedDict[Hashable, Future[Value]] = OrderedDict()
        self._sizes: dict[Hashable, int] = {}

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """Return the result under a key; who asks while it is made waits for it."""
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
