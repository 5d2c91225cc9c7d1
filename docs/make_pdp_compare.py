"""Write the tables of docs/comparing-settings.md from what the benchmarks measured.

Run `python docs/make_pdp_compare.py` after `benchmarks/pdp_compare.py` and
`benchmarks/drawing_bound.py`; a test compares.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

from qrelsmith.stats.proportions import wilson_interval

DOCS = Path(__file__).parent
PAGE = DOCS / "comparing-settings.md"
_END = "<!-- end of what was measured -->\n"
_HEADS = (
    "topics", "tests", "collections", "said the right one is better", "said the other",
    "bias of the difference", "of the interval's middle", "half-width", "interval holds the truth",
)  # fmt: skip
Row: TypeAlias = dict[str, str]


def coverage_table(rows: Sequence[Row]) -> str:
    """A line for each size: what the intervals said, and how often they held the truth."""
    lines = [
        _in_words(rows),
        "",
        f"| {' | '.join(_HEADS)} |",
        f"|{' ---: |' * len(_HEADS)}",
    ]
    for row in rows:
        tests = f"{float(row['tests']):,.0f}"
        shares = [_short(row[name]) for name in ("right", "wrong")]
        biases = [f"{float(row[name]):+.3f}" for name in ("bias", "bias_of_middle")]
        cells = [
            row["topics"], tests, row["collections"], *shares, *biases,
            _short(row["half_width"]), _held(row),
        ]  # fmt: skip
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def bound_table(rows: Sequence[Row]) -> str:
    """A line for each world and scale: the most that could be saved."""
    drawn = [name for name in rows[0] if name.startswith("drawn_")]
    heads = ["grades from", "levels", "pairs of grades", "of even tests", "of the tests' width"]
    heads += [f"of those drawn, {name.removeprefix('drawn_')} a pair" for name in drawn]
    lines = [f"| {' | '.join(heads)} |", f"| --- |{' ---: |' * (len(heads) - 1)}"]
    for row in rows:
        shares = [f"{float(row[name]):.0%}" for name in ("saved", "saved_width", *drawn)]
        lines.append(f"| {' | '.join([row['world'], row['levels'], row['pairs'], *shares])} |")
    return "\n".join(lines) + "\n"


TABLES = {"pdp_compare": coverage_table, "drawing_bound": bound_table}


def page_with_tables(text: str) -> str:
    """The text of the page with its tables as they should be."""
    for name, table in TABLES.items():
        start = f"<!-- measured: docs/measured/{name}.csv -->\n"
        before, found, rest = text.partition(start)
        _, end, after = rest.partition(_END)
        if not (found and end):
            raise ValueError(f"{PAGE.name} has no place for {name}.csv")
        with (DOCS / "measured" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        text = f"{before}{start}\n{table(rows)}\n{_END}{after}"
    return text


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
    return f"{_short(row['held'])} [{', '.join(_short(str(end)) for end in ends)}]"


def _short(share: str) -> str:
    return f"{float(share):.3f}".removeprefix("0")


if __name__ == "__main__":
    PAGE.write_text(page_with_tables(PAGE.read_text("utf-8")), "utf-8")
