"""The draws of `verdicts.py` counted: which words were given, and how often they were wrong.

    python benchmarks/verdict_tables.py verdicts.jsonl …    # counts anew: benchmarks/verdicts.csv
    python benchmarks/verdict_tables.py                     # writes docs/audit.md from that file

Error rates are given the truth, since the share of good judges differs by collection: of the draws
whose truth is not good, the share called good, and called good or probably good; likewise for bad,
and for the two union words. `open` counts the draws that 0.2.0 left doubtful or undecided by the
same intervals, `near` the share of worlds whose truth lies within .03 of a bound (of the loss .01).
"""

from __future__ import annotations

import csv
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from qrelsmith.audit.verdicts.bounds import MOST_TURNED, RULES, word_of
from qrelsmith.audit.verdicts.cells import JudgedFigure

HERE = Path(__file__).parent
# A thousandth: a reversed judge has an α of -.9995 on ten topics and of -1 in the limit.
SHOWN = 1e-3
COUNTS, PAGE = HERE / "verdicts.csv", HERE.parent / "docs" / "audit.md"
BEGIN, END = "<!-- verdicts: benchmarks/verdict_tables.py -->", "<!-- end of verdicts -->"
ASKED = ("picks-the-best", "agrees", "ranks-all", "ranks-top", "finds-differences")
NEAR, NEAR_LOSS = 0.03, 0.01
# The columns of errors, each with the counts that are divided.
ERRORS = {
    "not good: good": ("called_good", "not_good"),
    "not good: good or probably good": ("called_probably_good", "not_good"),
    "not bad: bad": ("called_bad", "not_bad"),
    "not bad: bad or probably bad": ("called_probably_bad", "not_bad"),
    "bad: fair or better": ("called_fair_or_better", "is_bad"),
    "good: fair or worse": ("called_fair_or_worse", "is_good"),
}
ENOUGH = 100


@dataclass
class Count:
    """Draws of one question, collection, size and judge."""

    question: str
    collection: str
    size: str
    judge: str
    draws: int = 0
    held: int = 0
    near: int = 0
    open: int = 0
    unclear: int = 0
    not_good: int = 0
    called_good: int = 0
    called_probably_good: int = 0
    not_bad: int = 0
    called_bad: int = 0
    called_probably_bad: int = 0
    is_bad: int = 0
    called_fair_or_better: int = 0
    is_good: int = 0
    called_fair_or_worse: int = 0

    def add(self, truth: str, word: str, *, was_open: bool, held: bool, near: bool) -> None:
        """Count a draw."""
        self.draws += 1
        self.held += held
        self.near += near
        self.open += was_open
        self.unclear += word == "unclear"
        if truth != "good":
            self.not_good += 1
            self.called_good += word == "good"
            self.called_probably_good += word in ("good", "probably good")
        if truth != "bad":
            self.not_bad += 1
            self.called_bad += word == "bad"
            self.called_probably_bad += word in ("bad", "probably bad")
        if truth == "bad":
            self.is_bad += 1
            self.called_fair_or_better += word == "fair or better"
        if truth == "good":
            self.is_good += 1
            self.called_fair_or_worse += word == "fair or worse"


def counted(lines: Iterable[dict[str, Any]]) -> list[Count]:
    """Count lines of draws."""
    counts: dict[tuple[str, ...], Count] = {}
    for line in lines:
        topics = int(line["size"].partition("x")[0])
        truths = line["truths"]
        for asked in ASKED:
            rule, truth = RULES[asked], truths[asked]
            word_of_truth: str = rule.plain(truth)
            if asked == "finds-differences" and truths["turned"] > MOST_TURNED:
                word_of_truth = "bad"
            within = NEAR_LOSS if asked == "picks-the-best" else NEAR
            near = min(abs(truth - rule.good), abs(truth - rule.bad)) <= within
            key = asked, line["collection"], line["size"], line["judge"]
            count = counts.setdefault(key, Count(*key))
            for drawn in line["draws"]:
                if asked not in drawn or drawn[asked][0] != drawn[asked][0]:
                    continue
                ends = drawn[asked]
                value, low, high = ends[:3]
                sign = -1 if rule.lower_is_better else 1
                best, worst = (low, high) if sign < 0 else (high, low)
                is_good = sign * worst >= sign * rule.good
                is_bad = sign * best < sign * rule.bad
                if asked == "finds-differences":
                    chances = ends[6], ends[7]
                    is_good = is_good and ends[5] <= MOST_TURNED
                    is_bad = is_bad or ends[4] > MOST_TURNED
                else:
                    figure = JudgedFigure("", asked, "", value, low, high, topics)
                    chances = figure.probabilities
                    if len(ends) == 6:  # systems are lifted to the top
                        either = JudgedFigure("", asked, "", *ends[3:6], topics)
                        chances = min(chances[0], either.probabilities[0]), chances[1]
                held = low - SHOWN <= truth <= high + SHOWN
                count.add(
                    word_of_truth, word_of(*chances), was_open=not (is_good or is_bad),
                    held=held, near=near,
                )  # fmt: skip
    return [counts[key] for key in sorted(counts)]


def read_counts() -> list[Count]:
    """Read the kept file."""
    with COUNTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return [Count(*row[:4], *map(int, row[4:])) for row in rows]


def write_counts(counts: Sequence[Count]) -> None:
    """Keep the counts."""
    names = [field.name for field in fields(Count)]
    with COUNTS.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([getattr(count, name) for name in names] for count in counts)


def pages(counts: Sequence[Count]) -> str:
    """The table of docs/audit.md."""
    by_size = _table(counts, ("question", "size"))
    draws = {count.draws for count in counts if count.question == "ranks-all"}
    each = f"{min(draws)}" + (f" to {max(draws)}" if len(draws) > 1 else "")
    told = (
        f"Each judge has {each} draws for each collection and size (topics × systems). The table"
        " pools judges and collections; `benchmarks/verdicts.csv` separates them."
        f" {_lowest(counts)}"
    )
    return "\n".join([told, "", *by_size, "", _worst(counts)])


def _lowest(counts: Sequence[Count]) -> str:
    """Return a sentence about the lowest coverage in one collection."""
    groups: dict[tuple[str, str, str], list[Count]] = defaultdict(list)
    for count in counts:
        groups[count.question, count.collection, count.size].append(count)
    shares = {
        key: sum(count.held for count in group) / sum(count.draws for count in group)
        for key, group in groups.items()
    }
    question, collection, size = min(shares, key=lambda key: shares[key])
    share = f"{shares[question, collection, size]:.3f}".removeprefix("0")
    return (
        f"The lowest *held* in one collection is {share} (`{question}`, {collection},"
        f" {size.replace('x', ' × ')})."
    )


def _worst(counts: Sequence[Count]) -> str:
    """Return a sentence about the highest error rates of a judge and question."""
    groups: dict[tuple[str, str], list[Count]] = defaultdict(list)
    for count in counts:
        groups[count.judge, count.question].append(count)
    rates = [
        max(
            sum(getattr(count, part) for count in group) / whole
            for group in groups.values()
            if (whole := sum(getattr(count, of) for count in group)) >= ENOUGH
        )
        for part, of in ERRORS.values()
    ]
    shown = [f"{rate:.3f}".removeprefix("0") for rate in rates]
    return (
        "For a single judge and question, the highest error rates (among those of at least"
        f" {ENOUGH} draws) are {', '.join(shown[:-1])} and {shown[-1]}, in the order of the"
        " columns."
    )


def _table(counts: Sequence[Count], keys: tuple[str, ...]) -> Iterator[str]:
    groups: dict[tuple[str, ...], list[Count]] = defaultdict(list)
    for count in counts:
        groups[tuple(getattr(count, key) for key in keys)].append(count)
    heads = ("held", "near", "unclear", *ERRORS)
    yield f"| {' | '.join((*keys, *heads))} |"
    yield f"|{' --- |' * len(keys)}{' ---: |' * len(heads)}"
    for key, group in sorted(groups.items(), key=lambda item: _place(keys, item[0])):
        total = {
            field.name: sum(getattr(count, field.name) for count in group)
            for field in fields(Count)[4:]
        }
        cells = [_share(total[name], total["draws"]) for name in ("held", "near", "unclear")]
        cells += [_share(total[part], total[of]) for part, of in ERRORS.values()]
        named = [
            name.replace("x", " × ") if k == "size" else name
            for k, name in zip(keys, key, strict=True)
        ]
        yield f"| {' | '.join((*named, *cells))} |"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.3f}".removeprefix("0") if whole else "–"


def _place(keys: tuple[str, ...], names: tuple[str, ...]) -> tuple[object, ...]:
    return tuple(
        ASKED.index(name) if key == "question" else name
        for key, name in zip(keys, names, strict=True)
    )


def main() -> None:
    """Count the draws of some files, and write the page."""
    if len(sys.argv) > 1:
        texts = [Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]]
        write_counts(counted(json.loads(line) for text in texts for line in text.splitlines()))
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n{pages(read_counts())}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
