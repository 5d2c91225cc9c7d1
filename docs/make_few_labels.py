"""Write the table of docs/few-labels.md from what `benchmarks/estimation.py` measured.

Run `python docs/make_few_labels.py` after `coverage`, whose rows docs/measured/few-labels.csv
holds; several rows of one label set, measure and budget are several draws. A test compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from page_tables import DOCS, Pages, Row, markdown, measured_rows, short, write

_HEAD = (
    "measure", "labels", "interval of a score holds", "of a difference holds", "width, score",
    "pairs decided", "wrong among them", "… by intervals alone", "… with `--looks 5`",
)  # fmt: skip
_REFUSED = "nDCG"


def table(rows: Sequence[Row]) -> str:
    """Means over label sets, with the lowest and the highest one, of each measure and budget."""
    cells: dict[tuple[str, int], dict[str, list[Row]]] = {}
    for row in rows:
        of_sets = cells.setdefault((row["measure"], int(row["budget"])), {})
        of_sets.setdefault(row["labels"], []).append(row)
    draws = {
        sum(int(row["draws"]) for row in of) for sets in cells.values() for of in sets.values()
    }
    sets = {name for of_sets in cells.values() for name in of_sets}
    each = f"{min(draws)}" if len(draws) == 1 else f"{min(draws)} to {max(draws)}"
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
        f"Mean over {len(sets)} label sets, {each} draws each; lowest and highest set in"
        f" brackets:\n\n{markdown(_HEAD, lines)}"
    )


def _place(cell: tuple[tuple[str, int], dict[str, list[Row]]]) -> tuple[str, int]:
    (measure, budget), _ = cell
    return (measure if not measure.startswith(_REFUSED) else f"~{measure}", budget)


def _over_sets(of_sets: Iterable[Sequence[Row]], name: str) -> tuple[float, float, float]:
    """Mean, lowest and highest of the label sets, each the mean of its draws."""
    means = []
    for rows in of_sets:
        draws = [int(row["draws"]) for row in rows]
        values = [float(row[name]) for row in rows]
        means.append(sum(v * n for v, n in zip(values, draws, strict=True)) / sum(draws))
    return sum(means) / len(means), min(means), max(means)


def _ranged(values: tuple[float, float, float], digits: int) -> str:
    mean, low, high = (short(value, digits) for value in values)
    return f"{mean} [{low}, {high}]"


def pages() -> Pages:
    """The page with its table."""
    return {DOCS / "few-labels.md": {"few-labels": table(measured_rows("few-labels"))}}


if __name__ == "__main__":
    write(pages())
