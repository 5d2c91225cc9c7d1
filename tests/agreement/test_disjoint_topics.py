"""Assessors without a common topic: swapped columns are suggested only if they are likely."""

from __future__ import annotations

import pytest

from qrelsmith import agree


@pytest.mark.parametrize(("topics", "docs", "is_swapped"), [(10, 30, False), (30, 10, True)])
def test_swapped_columns_are_suggested_only_if_likely(
    topics: int, docs: int, is_swapped: bool
) -> None:
    rows = {
        "topic": [f"t{n % topics}" for n in range(30)],
        "doc": [f"d{n % docs}" for n in range(30)],
        "assessor": [f"a{n % topics % 2}" for n in range(30)],
        "grade": [n % 3 for n in range(30)],
    }
    notes = " ".join(agree(rows, by="assessor").notes)
    assert "no topic is in two label sets" in notes
    assert ("columns swapped" in notes) == is_swapped
