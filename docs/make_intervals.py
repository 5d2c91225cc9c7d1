"""Write the tables of docs/intervals.md from what `benchmarks/intervals.py` measured.

Run `python docs/make_intervals.py` after its parts, whose rows docs/measured/interval-*.csv hold; a
test compares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from page_tables import DOCS, Pages, Row, markdown, measured_rows, short, write

# What each set's z may be, and its mean over the sets.
EACH, MEAN = (0.65, 1.35), (0.85, 1.2)
SUMMARY = ("mean", "least", "largest")
# Names on the page of figures that the files name otherwise.
SHOWN = {
    "place of a run": "rank of a run",
    "place of the best run": "rank of the best run",
    "share turned": "share reversed",
    "loss of the choice": "loss when choosing",
}


def check_table(rows: Sequence[Row]) -> str:
    """The standard deviation of z: mean over label sets, and how many sets are out of bounds."""
    sets = [row for row in rows if row["set"] not in SUMMARY]
    mean, least, largest = (next(r for r in rows if r["set"] == word) for word in SUMMARY)
    lines = []
    for figure in mean:
        if figure == "set":
            continue
        out = [row["set"] for row in sets if not EACH[0] <= float(row[figure]) <= EACH[1]]
        mark = "" if MEAN[0] <= float(mean[figure]) <= MEAN[1] else " ✗"
        lines.append(
            [
                figure,
                f"{_short(mean[figure])}{mark}",
                _short(least[figure]),
                _short(largest[figure]),
                f"{len(out)} of {len(sets)}",
            ]
        )
    heads = ("figure", "mean", "least", "largest", "sets outside [.65, 1.35]")
    return markdown(heads, lines)


def rankings_table(rows: Sequence[Row]) -> str:
    """By figure and number of topics: mean over worlds and systems, lowest and highest."""
    return _by_topics(rows, lambda row: SHOWN.get(row["interval"], row["interval"]))


def labels_table(rows: Sequence[Row]) -> str:
    """By coefficient, and whether some topics have random grades."""
    return _by_topics(
        rows, lambda row: row["interval"] + (", 3 of 53 random" if "broken" in row["world"] else "")
    )


def pdp_table(rows: Sequence[Row]) -> str:
    """By mode and interval, of the tests for each pair of grades that all sizes have."""
    some = [row for row in rows if row["coverage"] and row["interval"] != "topics only"]
    sizes = {
        row["world"]: {r["topics"] for r in some if r["world"] == row["world"]} for row in some
    }
    most = max(map(len, sizes.values()))
    kept = [row for row in some if len(sizes[row["world"]]) == most]
    return _by_topics(kept, lambda row: f"{row['world']}: {row['interval']}")


def _by_topics(rows: Sequence[Row], name_of: Callable[[Row], str]) -> str:
    measured = [row for row in rows if row["coverage"]]
    sizes = sorted({int(row["topics"]) for row in measured})
    lines = []
    for name in dict.fromkeys(map(name_of, measured)):
        cells = []
        for size in sizes:
            of = [
                float(row["coverage"])
                for row in measured
                if name_of(row) == name and int(row["topics"]) == size
            ]
            cells.append(_ranged(of))
        lines.append([name, *cells])
    heads = ("figure", *(f"{size} topics" for size in sizes))
    return markdown(heads, lines)


def _ranged(values: Sequence[float]) -> str:
    if not values:
        return "–"
    mean = _short(sum(values) / len(values))
    return mean if len(values) == 1 else f"{mean} [{_short(min(values))}, {_short(max(values))}]"


def _short(value: float | str) -> str:
    return short(value, 2)


def pages() -> Pages:
    """The page with its tables."""
    rankings, labels, pdp, choice = (
        measured_rows(f"interval-{part}") for part in ("rankings", "labels", "pdp", "choice")
    )
    return {
        DOCS / "intervals.md": {
            "self-check": check_table(measured_rows("interval-check")),
            "coverage of rankings": rankings_table([*rankings, *choice]),
            "coverage of labels": labels_table(labels),
            "coverage of PDP": pdp_table(pdp),
        }
    }


if __name__ == "__main__":
    write(pages())
