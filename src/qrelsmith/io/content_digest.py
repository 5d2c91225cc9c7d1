"""The digest of an object's content, which is equal for equal content from any source."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Column = Sequence[Any] | np.ndarray[Any, Any] | None


def content_digest(columns: Mapping[str, Column]) -> str:
    """Return the SHA-256 of columns of text and numbers, ignoring columns that are None.

    Parameters
    ----------
    columns : mapping of str to sequence or array
        Text, numbers, or points in time, in an order determined by the content.

    Examples
    --------
    >>> content_digest({"topic": ["1"], "note": None}) == content_digest({"topic": ("1",)})
    True
    """
    known = {name: _plain_list(values) for name, values in columns.items() if values is not None}
    text = json.dumps(known, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _plain_list(values: Sequence[Any] | np.ndarray[Any, Any]) -> list[Any]:
    if not isinstance(values, np.ndarray):
        return list(values)
    plain: list[Any] = (values.astype(np.int64) if values.dtype.kind == "M" else values).tolist()
    return plain
