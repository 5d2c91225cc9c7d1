"""Write the tables of docs/few-labels.md from what `benchmarks/estimation.py` measured.

Run `python docs/make_few_labels.py` after `coverage`, `spoiled` and `plans`, whose rows
docs/measured holds as few-labels.csv, few-labels-spoiled.csv and few-labels-plans.csv; several rows
of one label set, measure and budget are several draws. A test compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from page_tables import DOCS, Pages, Row, markdown, measured_rows, short, write

_HEAD = (
    "measure", "labels", "draws", "coverage, score", "coverage, difference", "width, score",
    "pairs decided", "wrong decisions", "wrong by intervals alone", "wrong with `--looks 5`",
)  # fmt: skip
_REFUSED = "nDCG"


def table(rows: Sequence[Row]) -> str:
    """Return means over label sets, with the lowest and highest, by measure and budget."""
    cells: dict[tuple[str, int], dict[str, list[Row]]] = {}
    for row in rows:
        of_sets = cells.setdefault((row["measure"], int(row["budget"])), {})
        of_sets.setdefault(row["labels"], []).append(row)
    sets = {name for of_sets in cells.values() for name in of_sets}
    lines = []
    for (measure, budget), of_sets in sorted(cells.items(), key=_place):
        held, apart, width, decided, wrong, outside, looks = (
            _over_sets(of_sets.values(), name)
            for name in (
                "score", "difference", "width", "decided", "wrong", "wrong outside",
                "wrong at 5 looks",
            )
        )  # fmt: skip
        is_refused = measure.startswith(_REFUSED)
        shown = [
            measure,
            f"{budget:,}",
            str(min(sum(int(row["draws"]) for row in of) for of in of_sets.values())),
            f"refused ({_ranged(held, 3)})" if is_refused else _ranged(held, 3),
            _ranged(apart, 3),
            "" if is_refused else short(width[0], 3),
            short(decided[0], 3),
            _ranged(wrong, 4),
            short(outside[0], 4),
            short(looks[0], 4),
        ]
        lines.append(shown)
    return (
        f"The values are means over {len(sets)} label sets, with the lowest and highest value in"
        f" brackets:\n\n{markdown(_HEAD, lines)}\n\nWith {_upper_ends(rows)}."
    )


def _upper_ends(rows: Sequence[Row]) -> str:
    """Return, where errors are known, the lowest upper end of a label set's 95% interval."""
    known = [row for row in rows if row["score error"]]
    ((budget, draws),) = {(row["budget"], row["draws"]) for row in known}
    low = {"score": 1.0, "difference": 1.0}
    for row in known:
        for name in low if not row["measure"].startswith(_REFUSED) else ("difference",):
            low[name] = min(low[name], float(row[name]) + 1.96 * float(row[f"{name} error"]))
    return (
        f"{budget} labels and {draws} draws, the upper 95% limit of the coverage is at least"
        f" {short(low['score'], 3)} (scores) and {short(low['difference'], 3)} (differences) for"
        " every label set"
    )


def _place(cell: tuple[tuple[str, int], object]) -> tuple[str, int]:
    (measure, budget), _ = cell
    return (measure if not measure.startswith(_REFUSED) else f"~{measure}", budget)


def _over_sets(of_sets: Iterable[Sequence[Row]], name: str) -> tuple[float, float, float]:
    """Return mean, lowest and highest of the label sets, each the mean of its draws."""
    means = []
    for rows in of_sets:
        draws = [int(row["draws"]) for row in rows]
        values = [float(row[name]) for row in rows]
        means.append(sum(v * n for v, n in zip(values, draws, strict=True)) / sum(draws))
    return sum(means) / len(means), min(means), max(means)


def _ranged(values: tuple[float, float, float], digits: int) -> str:
    mean, low, high = (short(value, digits) for value in values)
    return f"{mean} [{low}, {high}]"


def spoiled_table(rows: Sequence[Row]) -> str:
    """Return, by useless judge and measure, the share decided with most labels, and the wrong."""
    cells: dict[tuple[str, str, int], tuple[float, float]] = {}
    for key in dict.fromkeys((row["labels"], row["measure"], int(row["budget"])) for row in rows):
        of = [row for row in rows if (row["labels"], row["measure"], int(row["budget"])) == key]
        draws = sum(int(row["draws"]) for row in of)
        sure = sum(float(row["decided"]) * int(row["draws"]) for row in of)
        wrong = sum(float(row["wrong"]) * float(row["decided"]) * int(row["draws"]) for row in of)
        cells[key] = sure / draws, wrong / sure if sure else 0.0
    few, many = min(key[2] for key in cells), max(key[2] for key in cells)
    measures = list(dict.fromkeys(measure for _, measure, _ in cells))
    lines = [
        [judge]
        + [
            text
            for measure in measures
            for sure, wrong in [cells[judge, measure, many]]
            for text in (short(sure, 3), short(wrong, 4))
        ]
        for judge in dict.fromkeys(judge for judge, _, _ in cells)
    ]
    heads = [head for measure in measures for head in (f"{measure}, decided", "wrong")]
    worst = max(wrong for _, wrong in cells.values())
    return (
        f"With {few} to {many} labels, at most {short(worst, 4)} of the decided pairs are wrong"
        f" ({_draws(rows)} per cell). With {many} labels:\n\n{markdown(['judge', *heads], lines)}"
    )


def plans_table(rows: Sequence[Row]) -> str:
    """Return forecast and actual shares of pairs decided, means over label sets."""
    cells: dict[tuple[str, int], list[Row]] = {}
    for row in rows:
        cells.setdefault((row["measure"], int(row["budget"])), []).append(row)
    lines = []
    for (measure, budget), of in sorted(cells.items(), key=_place):
        shown = []
        for name in ("forecast", "came"):
            total = sum(float(row[name]) * int(row["draws"]) for row in of)
            shown.append(short(total / sum(int(row["draws"]) for row in of), 3))
        lines.append([measure, f"{budget:,}", *shown])
    heads = ("measure", "labels", "forecast", "decided")
    sets = len({row["labels"] for row in rows})
    return f"The values are means over {sets} label sets, each with {_draws(rows)}.\n\n" + (
        markdown(heads, lines)
    )


def _draws(rows: Sequence[Row]) -> str:
    """Return how many draws each cell rests on."""
    counts: dict[tuple[str, str, str], int] = {}
    for row in rows:
        cell = row["labels"], row["measure"], row["budget"]
        counts[cell] = counts.get(cell, 0) + int(row["draws"])
    few, many = min(counts.values()), max(counts.values())
    return f"{few} draws" if few == many else f"{few} to {many} draws"


def pages() -> Pages:
    """Return the page with its tables."""
    rows = {name: measured_rows(name) for name in ("few-labels-spoiled", "few-labels-plans")}
    tables = {
        "few-labels": table(measured_rows("few-labels")),
        "few-labels-spoiled": spoiled_table(rows["few-labels-spoiled"]),
        "few-labels-plans": plans_table(rows["few-labels-plans"]),
    }
    return {DOCS / "few-labels.md": tables}


if __name__ == "__main__":
    write(pages())
