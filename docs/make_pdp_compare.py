"""Write the tables of docs/comparing-settings.md from what the benchmarks measured.

Run `python docs/make_pdp_compare.py` after `benchmarks/pdp_compare.py` and
`benchmarks/drawing_bound.py`; a test compares.
"""

from __future__ import annotations

from collections.abc import Sequence

from page_tables import DOCS, Pages, Row, markdown, measured_rows, short, write

from qrelsmith.stats.proportions import wilson_interval

_HEADS = (
    "topics", "tests", "collections", "said the right one is better", "said the other",
    "bias of the difference", "of the interval's middle", "half-width", "interval holds the truth",
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


def bound_table(rows: Sequence[Row]) -> str:
    """A line for each world and scale: the most that could be saved."""
    drawn = [name for name in rows[0] if name.startswith("drawn_")]
    heads = ["grades from", "levels", "pairs of grades", "of even tests", "of the tests' width"]
    heads += [f"of those drawn, {name.removeprefix('drawn_')} a pair" for name in drawn]
    lines = [
        [row["world"], row["levels"], row["pairs"]]
        + [f"{float(row[name]):.0%}" for name in ("saved", "saved_width", *drawn)]
        for row in rows
    ]
    return markdown(heads, lines)


TABLES = {"pdp_compare": coverage_table, "drawing_bound": bound_table}


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
        f"The finer scale tells docs apart better by {-float(row['truth']):.3f} nats (standard"
        f" error {float(row['truth_se']):.3f}). Intervals are of {resamples} resamples;"
        " behind the share that holds the truth stands its own 95 % interval."
    )


def _held(row: Row) -> str:
    """The share with the 95 % interval that so many collections leave it (Wilson)."""
    count = int(row["collections"])
    ends = wilson_interval(round(float(row["held"]) * count), count)
    return f"{short(row['held'])} [{', '.join(short(str(end)) for end in ends)}]"


if __name__ == "__main__":
    write(pages())
