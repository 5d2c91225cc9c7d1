"""Assessors without a topic in common: swapped columns are named only where they are likely."""

from __future__ import annotations

import pytest

from qrelsmith import agree


@pytest.mark.parametrize(
    ("assessors", "topics", "is_swapped"), [(2, 10, False), (10, 10, False), (10, 2, True)]
)
def test_swapped_columns(assessors: int, topics: int, is_swapped: bool) -> None:
    pairs = [(n % topics, n % assessors) for n in range(max(assessors, topics))]
    rows = {
        "topic": [f"t{topic}" for topic, _ in pairs],
        "doc": [f"d{n}" for n in range(len(pairs))],
        "assessor": [f"a{who}" for _, who in pairs],
        "grade": [n % 2 for n in range(len(pairs))],
    }
    notes = " ".join(agree(rows, by="assessor").notes)
    assert ("columns swapped" in notes) == is_swapped
