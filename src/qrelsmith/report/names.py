"""Names of files and anchors, derived from arbitrary keys."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from qrelsmith.base.errors import UsageError, quoted

# Short enough for every file system, including a suffix and part of the digest.
_LONGEST = 60
# Names reserved for devices on Windows.
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)


def stem(key: str) -> str:
    """Return a name for files and anchors that is safe on every system and unique to the key.

    If the name differs from the key, part of the key's digest is appended. Names of different keys
    differ even if upper and lower case are ignored.

    >>> stem("agreement-pairs"), stem("../nDCG@10")
    ('agreement-pairs', 'ndcg-10-16fae2cf')
    """
    words = re.sub(r"[^a-z0-9]+", "-", key.lower())[:_LONGEST].strip("-")
    if words and words == key and words not in _DEVICES:
        return words
    digest = hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return f"{words or 'x'}-{digest}"


def check_unique(kind: str, keys: Iterable[str]) -> None:
    """Check that no two items of a kind have the same file name and anchor.

    Raises
    ------
    UsageError
        If a key occurs twice.
    """
    seen: set[str] = set()
    for key in keys:
        if stem(key) in seen:
            raise UsageError(f"two {kind}s have the key {quoted(key)}; expected different keys")
        seen.add(stem(key))
