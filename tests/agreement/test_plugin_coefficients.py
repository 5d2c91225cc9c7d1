"""Coefficients of plug-ins may return a number; any other result gives a one-line error."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from qrelsmith import COEFFICIENTS, agree
from qrelsmith.base.errors import UsageError

ROWS = {"topic": ["t", "t", "u", "u"], "doc": ["d", "d", "e", "e"],
        "assessor": ["a", "b", "a", "b"], "grade": [1, 1, 0, 1]}  # fmt: skip


@pytest.fixture
def returning() -> Iterator[Any]:
    """Register the coefficient `mine`, which returns the test's value."""
    box: dict[str, object] = {}

    @COEFFICIENTS.add("mine")
    def mine(ratings: np.ndarray) -> object:
        return box["value"]

    def register(value: object) -> None:
        box["value"] = value

    yield register
    del COEFFICIENTS._entries["mine"], COEFFICIENTS._aliases["mine"]


def value_of(**options: Any) -> Any:
    table = agree(ROWS, "mine", **options).table()
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["units"], row["assessors"]) == (2, 2)
    return row["value"]


@pytest.mark.parametrize("value", [0.25, np.float64(0.25), 0])
def test_a_number_is_accepted(returning: Any, value: float) -> None:
    returning(value)
    assert value_of() == value


def test_nan_is_undefined(returning: Any) -> None:
    returning(math.nan)
    assert math.isnan(value_of())
    assert value_of(undefined="zero") == 0


@pytest.mark.parametrize("value", ["high", None, True, np.array([1.0, 2.0])])
def test_any_other_result_is_a_one_line_error(returning: Any, value: object) -> None:
    returning(value)
    with pytest.raises(UsageError, match=r"mine of a plug-in returned .*; expected a number, or"):
        agree(ROWS, "mine")
