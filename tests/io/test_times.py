"""Points in time as written in files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.io.times import microseconds, time_array, time_texts

NOON = 1_714_564_800_000_000


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-05-01T12:00:00Z", NOON),
        ("2024-05-01 12:00Z", NOON),
        ("2024-05-01T14:00:00+02:00", NOON),
        ("2024-05-01T14:00:00+0200", NOON),
        ("2024-05-01T14:00:00+02", NOON),
        ("2024-05-01T06:30:00.25-05:30", NOON + 250_000),
        ("2024-05-01T12:00:00,000001Z", NOON + 1),
        ("1714564800000", NOON),
        ("999999999999", 999_999_999_999_000),
    ],
)
def test_times_are_read_in_iso_8601_and_in_milliseconds(text: str, value: int) -> None:
    assert microseconds(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-01T12:00:00",  # no offset, so the time zone is unknown
        "2024-05-01",
        "20240501T120000Z",
        "1714564800",  # seconds
        "20240501",
        "1714564800.5",
        "-171456480000",
        "2024-02-30T12:00:00Z",
        "2024-05-01T24:00:00Z",
        "2024-05-01T12:00:60Z",
        "2024-05-01T12:00:00.1234567Z",
        "2024-05-01T12:00:00+24:00",
        "0001-01-01T00:00:00+01:00",  # before the first year
        "9999-12-31T23:59:59-01:00",
        "٢٠٢٤-05-01T12:00:00Z",
        "noon",
        "",
    ],
)
def test_a_text_that_is_not_a_point_in_time_gives_none(text: str) -> None:
    assert microseconds(text) is None


def test_times_are_written_in_utc_with_the_fewest_digits() -> None:
    times = time_array([NOON, NOON + 500_000, NOON + 1, None])
    assert time_texts(times) == [
        "2024-05-01T12:00:00Z",
        "2024-05-01T12:00:00.500Z",
        "2024-05-01T12:00:00.000001Z",
        "",
    ]
    assert times.dtype == "datetime64[us]"
    assert np.isnat(times).tolist() == [False, False, False, True]
    assert time_texts(time_array([])) == []


@given(
    st.datetimes(
        datetime(2, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
        datetime(9998, 12, 31),  # noqa: DTZ001
        timezones=st.builds(timezone, st.timedeltas(-timedelta(hours=23), timedelta(hours=23))),
    )
)
def test_written_times_are_read_as_the_same_point(moment: datetime) -> None:
    value = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    assert microseconds(time_texts(time_array([value]))[0]) == value
