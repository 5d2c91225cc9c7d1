"""Random numbers with seeds determined by their purpose, not by the order of computation.

There are two kinds. Monte Carlo computations use a numpy generator from `rng_for`. The streams may
differ between numpy versions, so tests allow for the Monte Carlo error of results. Permanent
records (pool orders, sides, assignments, HITs) are sorted by `digest_key`, which never changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
Key = str | int


def digest_key(seed: int, *keys: Key) -> bytes:
    """Return the SHA-256 of a seed and the keys, the same in all versions and on all systems.

    Keys are encoded one per line as `type:length:text`, so that different lists have different
    bytes.
    """
    parts = [f"i:{len(str(seed))}:{seed}"]
    for key in keys:
        kind = "s" if isinstance(key, str) else "i"
        text = str(key)
        parts.append(f"{kind}:{len(text)}:{text}")
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).digest()


def rng_for(seed: int, *keys: Key) -> np.random.Generator:
    """Return a generator for one computation, identified by its keys.

    >>> rng_for(0, "pool", "topic-7").integers(9) == rng_for(0, "pool", "topic-7").integers(9)
    np.True_
    """
    return np.random.default_rng(int.from_bytes(digest_key(seed, *keys)[:16], "big"))


def shuffle(items: Iterable[T], *, seed: int, keys: Sequence[Key] = ()) -> list[T]:
    """Return the items in an order determined by the seed, the keys and each item's text.

    >>> shuffle(["a", "b", "c"], seed=1, keys=["topic-7"])
    ['a', 'c', 'b']
    """
    return sorted(items, key=lambda item: (digest_key(seed, *keys, str(item)), str(item)))
