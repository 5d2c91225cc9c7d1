"""Names of files and anchors from keys of any kind."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from qrelsmith.base.errors import UsageError, quoted

# Short enough for every file system, with room for a suffix and a part of the digest.
_LONGEST = 60
# What Windows takes for a device.
_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))]
)


def stem(key: str) -> str:
    """Return a name for files and anchors that is safe on every system; other keys, other names.

    A key that must be changed gets a part of its digest, so that two such keys stay apart, and so
    that names differ in more than the case of their letters.

    >>> stem("agreement-pairs"), stem("../nDCG@10")
    ('agreement-pairs', 'ndcg-10-16fae2cf')
    """
    words = re.sub(r"[^a-z0-9]+", "-", key.lower())[:_LONGEST].strip("-")
    if words and words == key and words not in _DEVICES:
        return words
    digest = hashlib.sha256(key.encode("utf-8", "backslashreplace")).hexdigest()[:8]
    return f"{words or 'x'}-{digest}"


def check_unique(kind: str, keys: Iterable[str]) -> None:
    """Refuse two things of one kind whose files or anchors would have one name.

    Raises
    ------
    UsageError
        If a key comes twice.
    """
    seen: set[str] = set()
    for key in keys:
        if stem(key) in seen:
            raise UsageError(f"two {kind}s have the key {quoted(key)}; expected different keys")
        seen.add(stem(key))
