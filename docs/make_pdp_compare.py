"""Write the tables of docs/comparing-settings.md from what the benchmarks measured.

Run `python docs/make_pdp_compare.py` after `benchmarks/pdp_compare.py` and
`benchmarks/drawing_by_need.py`; a test compares.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from page_tables import DOCS, Pages, Row, markdown, measured_rows, short, write

from qrelsmith.stats.proportions import wilson_interval

_HEADS = (
    "topics", "tests", "collections", "right setting better", "wrong setting better",
    "bias, difference", "bias, interval's middle", "half-width", "coverage",
)  # fmt: skip


def coverage_table(rows: Sequence[Row]) -> str:
    """A line for each size: what the intervals said, and how often they held the truth."""
    lines = []
    for row in rows:
        tests = f"{float(row['tests']):,.0f}"
        shares = [short(row[name]) for name in ("right", "wrong")]
        biases = [f"{float(row[name]):+.3f}" for name in ("bias", "bias_of_middle")]
        cells = [
            row["topics"], tests, row["collections"], *shares, *biases,
            short(row["half_width"]), _held(row),
        ]  # fmt: skip
        lines.append(cells)
    return f"{_in_words(rows)}\n\n{markdown(_HEADS, lines, words=0)}"


def need_table(rows: Sequence[Row]) -> str:
    """A line for each mode, way of drawing and number of tests, and what it takes evenly."""
    heads = [
        "mode", "drawn", "tests", "error", "bias", "half-width", "coverage",
        "even tests, same error",
    ]  # fmt: skip
    lines = []
    for mode in dict.fromkeys(row["mode"] for row in rows):
        of_mode = [row for row in rows if row["mode"] == mode]
        even = [row for row in of_mode if (row["way"], row["measure"]) == ("even", "middle")]
        for row in (row for row in of_mode if row["measure"] == "middle"):
            cells = [
                mode, _WAYS[row["way"]], f"{float(row['tests']):,.0f}", short(row["rmse_tests"]),
                f"{float(row['bias']):+.3f}", short(row["half_width"]), _held(row),
            ]  # fmt: skip
            cells.append("" if row["way"] == "even" else _even_tests(even, "rmse_tests", row))
            lines.append(cells)
    return f"{_need_in_words(rows)}\n\n{markdown(heads, lines, words=2)}"


_WAYS = {"even": "evenly", "need": "by need", "random": "at random"}


TABLES = {"pdp_compare": coverage_table, "drawing_by_need": need_table}


def pages() -> Pages:
    """The page with its tables."""
    tables = {name: table(measured_rows(name)) for name, table in TABLES.items()}
    return {DOCS / "comparing-settings.md": tables}


def _in_words(rows: Sequence[Row]) -> str:
    """The truth, and how intervals were made."""
    row = rows[0]
    counts = sorted({int(each["resamples"]) for each in rows})
    resamples = " or ".join(map(str, counts))
    return (
        f"The true PDP of the finer scale is better by {-float(row['truth']):.3f} nats"
        f" (standard error {float(row['truth_se']):.3f}). Intervals are from {resamples}"
        " resamples; the 95% interval of the coverage is in brackets."
    )


def _need_in_words(rows: Sequence[Row]) -> str:
    """How many collections there are, and the truth."""
    parts = []
    for mode in dict.fromkeys(row["mode"] for row in rows):
        row = next(row for row in rows if (row["mode"], row["measure"]) == (mode, "difference"))
        parts.append(
            f"In {mode} mode, there are {row['collections']} collections with {row['resamples']}"
            f" resamples, and the true difference is {float(row['truth']):+.3f} (standard error"
            f" {short(row['truth_se'])})."
        )
    return " ".join(parts)


def _even_tests(even: Sequence[Row], name: str, row: Row) -> str:
    """How many tests drawn evenly have the same figure, between those that were measured."""
    points = sorted((float(each[name]), float(each["tests"])) for each in even)
    value = float(row[name])
    if value < points[0][0]:
        return f"over {max(tests for _, tests in points):,.0f}"
    if value > points[-1][0]:
        return f"under {min(tests for _, tests in points):,.0f}"
    return f"{np.interp(value, *zip(*points, strict=True)):,.0f}"


def _held(row: Row) -> str:
    """The share with the 95% interval that so many collections leave it (Wilson)."""
    count = int(row["collections"])
    ends = wilson_interval(round(float(row["held"]) * count), count)
    return f"{short(row['held'])} [{', '.join(short(str(end)) for end in ends)}]"


if __name__ == "__main__":
    write(pages())
