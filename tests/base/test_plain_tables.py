"""Tables as plain text that fit the terminal."""

from __future__ import annotations

import pytest

from qrelsmith.base.tables import Table

LONG = "the labels of topic 7 fit their docs better when moved by one place"
WIDE = Table.of(
    ["run", "score", "sentence", *(f"column {n}" for n in range(12))],
    [[f"a-run-with-a-long-name-{n}", n / 3, LONG, *range(12)] for n in range(2)],
)


def test_a_table_that_fits_is_unchanged() -> None:
    table = Table.of(["run", "score"], [["a", 0.5]])
    assert table.plain(width=80) == table.text("table") == str(table) + "\n"
    assert max(map(len, WIDE.text("table").splitlines())) > 200


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal_and_nothing_is_lost(width: int) -> None:
    text = WIDE.plain(width=width)
    assert max(map(len, text.splitlines())) <= width
    assert all(word in text.split() for word in LONG.split())
    assert all(text.split().count(str(n)) >= 2 for n in range(12))
    assert text.count("0.3333") == 1


def test_words_wrap_and_numbers_are_right_aligned() -> None:
    table = Table.of(["run", "sentence", "score"], [["a", "one two three four", 0.5]])
    assert table.plain(width=26).splitlines() == [
        "run  sentence        score",
        "───  ─────────────  ──────",
        "a    one two three  0.5000",
        "     four",
    ]


def test_truth_values_are_booleans_for_programs() -> None:
    table = Table.of(["decided", "low"], [[True, None], [False, 0.5]])
    assert table.text("csv") == "decided,low\ntrue,\nfalse,0.5\n"
    assert table.text("jsonl").splitlines()[0] == '{"decided": true, "low": null}'
    frame = table.to_pandas()
    assert frame["decided"].dtype == bool
    assert frame["low"].dtype == float
    assert not table.to_polars()["decided"][1]
