"""The draws of `verdicts.py` counted: how often each verdict was given, and how often it was wrong.

    python benchmarks/verdict_tables.py verdicts.jsonl …    # counts anew: benchmarks/verdicts.csv
    python benchmarks/verdict_tables.py                     # writes docs/audit.md from that file

Sizes of which the files hold no draws keep their counts.

A verdict is wrong if it is good where the damage changes the answer, or bad where nothing is
wrong. The damage changes the answer where the mean of the question's figure over all draws of it
lies below the good bound; for `fair-to-teams` the figure is the places that a run gains by the
planted favour, for `undamaged` it is whether another damage is planted. Either may be said of
`undamaged` where a team is favoured, the other question's matter, or where all is shuffled.

Whether a favour changes the answer may depend on whose it is. So its draws are two cells where
`verdicts.py` says what is true of each (`truths`): those that change the answer, and the others.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from qrelsmith.audit.verdicts import bounds
from qrelsmith.stats.proportions import wilson_interval

HERE = Path(__file__).parent
COUNTS, PAGE = HERE / "verdicts.csv", HERE.parent / "docs" / "audit.md"
BEGIN, END = "<!-- verdicts: benchmarks/verdict_tables.py -->", "<!-- end of verdicts -->"
VERDICTS = ("good", "doubtful", "bad", "undecided", "none")
BROKEN = ("shift", "swap", "favour", "drift", "tail", "constant", "reversed")
MOST_WRONG = 0.05
# Draws of a damage that is for one question are of the reference or leave docs unjudged.
SIZES = ("10x10", "25x20", "53x63")


@dataclass(frozen=True)
class Count:
    """A cell: a damage, a size and a question; `figure` is the mean that says what is true.

    `part` is `changing` or `harmless` where the draws are parted by what is true of each.
    """

    damage: str
    size: str
    question: str
    part: str
    draws: int
    good: int
    doubtful: int
    bad: int
    undecided: int
    none: int
    figure: float

    @property
    def is_changed(self) -> bool | None:
        """Whether the damage changes the answer; None: either may be said."""
        kind = self.damage.partition(":")[0]
        if self.question == "undamaged":
            return None if kind in ("shuffled", "favour") else kind in BROKEN
        if self.question == "fair-to-teams":
            return self.figure > bounds.MOST_UNSEEN * int(self.size.partition("x")[2])
        return bool(self.figure < bounds.RULES[self.question].good)

    @property
    def said(self) -> int:
        """How many verdicts could be right or wrong."""
        return self.draws - self.none

    @property
    def wrong(self) -> int:
        """How many were wrong."""
        changed = self.is_changed
        return 0 if changed is None else self.good if changed else self.bad


def counted(lines: Iterable[dict[str, object]]) -> Iterator[Count]:
    """The cells of some draws."""
    cells: dict[tuple[str, str, str, str], list[tuple[str, float]]] = defaultdict(list)
    for line in lines:
        damage, size = str(line["damage"]), str(line["size"])
        for asked, verdict in line["verdicts"].items():  # type: ignore[attr-defined]
            value = line["values"].get(asked, float("nan"))  # type: ignore[attr-defined]
            value = float(line["gained"]) if asked == "fair-to-teams" else value  # type: ignore[arg-type]
            part = ""
            truths = line.get("truths", {})
            if asked in truths and verdict != "none":  # type: ignore[operator]
                value = float(truths[asked])  # type: ignore[index]
                part = "changing" if value < bounds.RULES[asked].good else "harmless"
            cells[damage, size, asked, part].append((verdict, value))
    for (damage, size, asked, part), drawn in sorted(cells.items()):
        known = [value for _, value in drawn if value == value]
        often = [sum(verdict == word for verdict, _ in drawn) for word in VERDICTS]
        figure = round(float(np.mean(known)), 4) if known else float("nan")
        yield Count(damage, size, asked, part, len(drawn), *often, figure)


def read_counts() -> list[Count]:
    """The cells of the kept file."""
    with COUNTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [
        Count(damage, size, asked, part, *map(int, numbers), float(figure))
        for damage, size, asked, part, *numbers, figure in rows
    ]


def write_counts(cells: Sequence[Count]) -> None:
    """Keep the cells."""
    names = [field.name for field in fields(Count)]
    with COUNTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([getattr(cell, name) for name in names] for cell in cells)


def pages(cells: Sequence[Count]) -> str:
    """The tables of docs/audit.md."""
    tables = [*_by("question", cells), "", *_by("damage", cells), "", *_parted(cells)]
    return "\n".join([*tables, "", _exceptions(cells)])


def _by(what: str, cells: Sequence[Count]) -> Iterator[str]:
    """A row for each question (or damage) and size."""
    groups: dict[tuple[str, str], list[Count]] = defaultdict(list)
    for cell in cells:
        groups[getattr(cell, what), cell.size].append(cell)
    yield f"| {what} | topics × systems | draws | {' | '.join(VERDICTS)} | wrong |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (name, size), group in sorted(groups.items(), key=lambda item: _place(item[0])):
        draws = sum(cell.draws for cell in group)
        shares = " | ".join(
            f"{sum(getattr(cell, word) for cell in group) / draws:.2f}" for word in VERDICTS
        )
        wrong = sum(cell.wrong for cell in group) / max(sum(cell.said for cell in group), 1)
        yield f"| `{name}` | {size.replace('x', ' × ')} | {draws:,} | {shares} | {wrong:.3f} |"


def _parted(cells: Sequence[Count]) -> Iterator[str]:
    """The verdicts where a favour changes the answer, and where it does not, by size."""
    yield f"| question | favour | topics × systems | | draws | {' | '.join(VERDICTS)} |"
    yield f"| --- | --- | --- | --- |{' ---: |' * (1 + len(VERDICTS))}"
    parted = [cell for cell in cells if cell.part]
    for cell in sorted(
        parted, key=lambda cell: (cell.question, cell.damage, SIZES.index(cell.size), cell.part)
    ):
        numbers = " | ".join(str(getattr(cell, word)) for word in ("draws", *VERDICTS))
        size = cell.size.replace("x", " × ")
        yield f"| `{cell.question}` | `{cell.damage}` | {size} | {cell.part} | {numbers} |"


def _place(key: tuple[str, str]) -> tuple[str, int]:
    name, size = key
    return name, SIZES.index(size)


def _exceptions(cells: Sequence[Count]) -> str:
    """The cells with more than 5 % wrong, and how many draws the others have."""
    sums: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0])
    for cell in cells:  # a favour that changes the top is one, whatever its p
        damage = f"{cell.damage.partition(':')[0]} ({cell.part})" if cell.part else cell.damage
        both = sums[cell.question, damage, cell.size]
        both[0] += cell.wrong
        both[1] += cell.said
    above = {name: both for name, both in sums.items() if both[0] > MOST_WRONG * both[1]}
    told = []
    for (asked, damage, size), (wrong, said) in sorted(
        above.items(), key=lambda item: -item[1][0] / item[1][1]
    ):
        low = float(wilson_interval(wrong, said)[0])
        sure = ", its 95 % lower bound above 5 %" if low > MOST_WRONG else ""
        told.append(
            f"`{asked}` on {damage} at {size.replace('x', ' × ')} ({wrong} of {said}{sure})"
        )
    drawn = Counter[tuple[str, str, str]]()
    for cell in cells:
        drawn[cell.size, cell.damage, cell.question] += cell.draws
    least = {
        size: (min(numbers), max(numbers))
        for size in SIZES
        if (numbers := [number for (of, *_), number in drawn.items() if of == size])
    }
    draws = "; ".join(
        f"{size.replace('x', ' × ')}: {low if low == high else f'{low} to {high}'}"
        for size, (low, high) in least.items()
    )
    single = f"Single cells with more than 5 % wrong: {', '.join(told)}." if told else (
        "No single cell has more than 5 % wrong."
    )  # fmt: skip
    return f"Draws of each damage: {draws}. {single}"


def main() -> None:
    """Count the draws of some files, and write the page."""
    if len(sys.argv) > 1:
        texts = [Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]]
        cells = list(counted(json.loads(line) for text in texts for line in text.splitlines()))
        anew = {cell.size for cell in cells}
        kept = [cell for cell in read_counts() if cell.size not in anew]
        write_counts(sorted([*kept, *cells], key=lambda c: (c.damage, c.size, c.question, c.part)))
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{pages(read_counts())}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
