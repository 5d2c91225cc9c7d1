"""Points in time, read as ISO 8601 or milliseconds since 1970, written as ISO 8601 in UTC.

In memory, times are numpy's datetime64 in microseconds, UTC; NaT is a missing time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

TimeArray = NDArray[np.datetime64]

EXPECTED = "expected a time such as 2024-05-01T12:00:00Z, or milliseconds since 1970"

_ISO = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ](?:[01][0-9]|2[0-3]):[0-9]{2}(:[0-9]{2}([.,][0-9]{1,6})?)?"
    r"(Z|[+-][0-9]{2}(:?[0-9]{2})?)"
)
# Fewer digits could be seconds, or a date without hyphens.
_EPOCH = re.compile(r"[0-9]{12,13}")
_MICROSECOND = timedelta(microseconds=1)
_START = datetime(1970, 1, 1, tzinfo=UTC)


def microseconds(text: str) -> int | None:
    """Parse a text as microseconds since 1970; return None if it is not a point in time.

    >>> microseconds("1970-01-01T01:00:01+01:00"), microseconds("2024-05-01T12:00")
    (1000000, None)
    """
    if _EPOCH.fullmatch(text):
        return int(text) * 1000
    if _ISO.fullmatch(text) is None:
        return None
    try:
        return (datetime.fromisoformat(text).astimezone(UTC) - _START) // _MICROSECOND
    except (ValueError, OverflowError):
        return None


def time_array(values: Iterable[int | None]) -> TimeArray:
    """Convert microseconds since 1970 to an array; None becomes NaT."""
    missing = np.iinfo(np.int64).min
    stamps = np.array([missing if value is None else value for value in values], dtype=np.int64)
    return stamps.view("datetime64[us]")


def time_texts(times: TimeArray) -> Sequence[str]:
    """Format times as ISO 8601 in UTC, with fractions of a second only if they are not 0.

    >>> time_texts(time_array([1_500_000, None]))
    ['1970-01-01T00:00:01.500Z', '']
    """
    written = np.datetime_as_string(times, unit="us").tolist()
    texts = []
    for text in written:
        whole = text.removesuffix(".000000")
        shown = whole if whole != text or not text.endswith("000") else text[:-3]
        texts.append("" if text == "NaT" else shown + "Z")
    return texts
