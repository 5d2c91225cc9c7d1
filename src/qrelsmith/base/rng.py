"""Random numbers whose seeds follow from what they are for, never from the order of the work.

Two kinds are kept apart. Monte Carlo work takes a numpy generator from `rng_for`; its streams may
differ between numpy versions, so its results are tested within their error. Whatever is a record
(pool orders, sides, assignments, HITs) is sorted by `digest_key`, whose meaning never changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
Key = str | int


def digest_key(seed: int, *keys: Key) -> bytes:
    """Return the SHA-256 of a seed and the keys; the same for ever, on every system.

    Keys are written one a line as `type:length:text`, so that no two lists of keys share bytes.
    """
    parts = [f"i:{len(str(seed))}:{seed}"]
    for key in keys:
        kind = "s" if isinstance(key, str) else "i"
        text = str(key)
        parts.append(f"{kind}:{len(text)}:{text}")
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()


def rng_for(seed: int, *keys: Key) -> np.random.Generator:
    """Return a generator for one piece of work, named by its keys.

    >>> rng_for(0, "pool", "topic-7").integers(9) == rng_for(0, "pool", "topic-7").integers(9)
    np.True_
    """
    return np.random.default_rng(int.from_bytes(digest_key(seed, *keys)[:16], "big"))


def shuffle(items: Iterable[T], *, seed: int, keys: Sequence[Key] = ()) -> list[T]:
    """Return the items in an order that the seed, the keys and each item's text decide.

    >>> shuffle(["a", "b", "c"], seed=1, keys=["topic-7"])
    ['a', 'c', 'b']
    """
    return sorted(items, key=lambda item: (digest_key(seed, *keys, str(item)), str(item)))
