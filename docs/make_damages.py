"""Write the tables of docs/damages.md from the counts that `benchmarks/damages.py` made.

Run `python docs/make_damages.py` after `benchmarks/damages.py summary`; a test compares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from page_tables import DOCS, Pages, Row, markdown, measured_rows, write

from qrelsmith.damages import DAMAGES

_SIZES = {"53": "53 × 63", "25": "25 × 20", "10": "10 × 10"}
_CLEAN = {
    "0": "no errors",
    ".1": "10% errors",
    ".2": "20% errors",
    ".3": "30% errors",
    "lenient": "10% errors, half of the labels one level higher",
    "people": "three assessors, random orders",
    "pool": "three assessors, prioritised order",
    "two": "two assessors on every doc, 20% errors each",
    "llm": "two real label sets by models",
    "simulated": "In simulated campaigns (10 or 24 topics × 12 runs), the number of findings is",
}
_LABELS = {
    ".1": "10% errors",
    ".2": "20% errors",
    "gpt": "gpt-4o's labels",
    "gold": "Gold",
    "two": "two assessors",
}
_PLANTED = {
    "shift:1": "1 topic shifted",
    "shift:2": "2 topics shifted",
    "shift:10": "10 topics shifted",
    "swap": "two topics swapped",
    "reverse": "a topic reversed",
    "constant": "a topic constant",
    "drift:1": "drift of one grade",
    "tail:30": "tail from doc 30",
    "favour:.4": "bias toward a team, .4",
    "favour:.2": "bias toward a team, .2",
    "favour:.1": "bias toward a team, .1",
    "misread": "a topic judged as another",
    "interleave": "two topics' lists interleaved",
    "lost:.5": "half of the positives lost",
    "swap+constant": "swapped and constant",
    "shift:1+reverse": "shifted and reversed",
    "reverse+drift:1": "reversed and drift",
    "position:1": "position, one grade",
    "position:.5": "position, half a grade",
    "anchoring:.4": "anchoring, .4",
    "anchoring:.2": "anchoring, .2",
    "copied:1": "copied, all",
    "copied:.5": "copied, half",
    "outlying": "one of three assessors grades at random",
    "hurried": "0.7 s per doc",
    "capped": "one of three assessors never uses the top grade",
}
_NEARLY_ALL, _NO_GOALS = 0.95, "10"
_OF_MODELS = ("shift:2", "shift:10", "swap", "tail:30", "favour:.4", "drift:1")


def goal(damage: str, labels: str, size: str) -> float | None:
    """The share of the culprits that is to be found; None where none is set."""
    if size == _NO_GOALS or damage == "favour:.1":
        return None
    if labels == "gold":
        favour = {"favour:.4": 0.85}.get(damage)
        return favour if damage.startswith("favour") else 0.9
    if labels == "gpt":
        return 0.9 if size == "53" and damage in _OF_MODELS else None
    if labels == ".2" and damage == "favour:.2":
        return 0.8 if size == "53" else None
    return 0.9


def tables(rows: Sequence[Row]) -> str:
    """Clean labels, then the problems that are missed in a part of the draws, where goals are."""
    cases = {row["case"]: row for row in rows}
    lines, missed = [], set[str]()
    for size, head in _SIZES.items():
        if size == _NO_GOALS:
            continue
        for kind, words in _PLANTED.items():
            cells = {of: cases.get(f"{kind},{of},{size}") for of in _LABELS}
            if any(row and _share(row) < _NEARLY_ALL for row in cells.values()):
                missed.add(kind)
                shown = (_cell(row, goal(kind, of, size)) for of, row in cells.items())
                lines.append([head, words, *shown])
    found = [words for kind, words in _PLANTED.items() if kind not in missed]
    told = (
        f"The following problems are found in at least {_NEARLY_ALL:.0%} of the draws of each size:"
        f" {'; '.join(found)}. The table shows the other problems, at each size at which at least"
        f" one column has a share below {_NEARLY_ALL:.0%}:"
    )
    heads = ["size", "simulated problem", *_LABELS.values()]
    return "\n\n".join(
        [_clean_table(cases), told, markdown(heads, lines, words=2), _in_words(rows)]
    )


def _clean_table(cases: dict[str, Row]) -> str:
    lines, draws, simulated = dict[tuple[str, ...], list[str]](), set[str](), ""
    total, wrong = Counter[bool](), Counter[bool]()  # of real label sets, and of all others
    for labels, words in _CLEAN.items():
        found = {size: cases.get(f"none,{labels},{size}") for size in (*_SIZES, "24")}
        for row in filter(None, found.values()):
            draws.add(row["draws"])
            total[labels == "llm"] += int(row["draws"])
            wrong[labels == "llm"] += int(row["others_in"])
        if one := found.pop("24"):
            simulated = f"{words} {_reports(one)}"
        else:
            cells = tuple(_reports(row) for row in found.values())
            lines.setdefault(cells, []).append(words)
    each = " or ".join(sorted(draws, key=int))
    together = (
        f"Each cell has {each} draws. {simulated}. In all, {wrong.total()} of {total.total():,}"
        f" campaigns ({wrong.total() / max(total.total(), 1):.1%}) reported a problem. Among the"
        f" campaigns without label sets by models, {wrong[False]} of {total[False]:,} reported one."
    )
    body = [["; ".join(words), *cells] for cells, words in lines.items()]
    return f"{markdown(['clean labels', *_SIZES.values()], body, words=4)}\n\n{together}"


def _reports(row: Row | None) -> str:
    if row is None:
        return "–"
    found = _what(row["others"])
    return row["others_in"] + (f" ({found})" if found else "")


def _what(others: str) -> str:
    """Return the kinds found and their numbers; empty if nothing was found."""
    counts: dict[str, int] = {}
    for part in others.split():
        name, _, times = part.rpartition(":")
        kind = name.partition("@")[0]
        counts[kind] = counts.get(kind, 0) + int(times)
    return ", ".join(f"`{kind}` {times}" for kind, times in sorted(counts.items()))


def _cell(row: Row | None, least: float | None) -> str:
    if row is None:
        return "–"
    share = _share(row)
    others = f" ({row['others_in']})" if row["others_in"] != "0" else ""
    missed = " ↓" if least is not None and share < least else ""
    return f"{share:.2f}{others}{missed}"


def _share(row: Row) -> float:
    return int(row["hits"]) / int(row["planted"])


def _in_words(rows: Sequence[Row]) -> str:
    """How many draws a cell has, and how many findings name the planted culprit."""
    damaged = [row for row in rows if not row["case"].startswith("none")]
    draws = sorted({int(row["draws"]) for row in damaged})
    hits = sum(int(row["hits"]) for row in damaged)
    wrong = sum(int(part.rpartition(":")[2]) for row in damaged for part in row["others"].split())
    people = sum(
        int(part.rpartition(":")[2])
        for row in rows
        for part in row["others"].split()
        if "assessor" in str(DAMAGES.get(part.partition("@")[0]).entry.about["culprit"])
    )
    campaigns = sum(int(row["draws"]) for row in rows)
    each = f"{draws[0]}" if len(draws) == 1 else f"{draws[0]} to {draws[-1]}"
    return (
        f"Each cell has {each} draws. Of {hits + wrong:,} findings,"
        f" {hits / max(hits + wrong, 1):.1%} name the correct problem and source. In"
        f" {campaigns:,} simulated campaigns,"
        f" {people or 'no'} {'person was' if people in (0, 1) else 'people were'} wrongly named."
    )


def pages() -> Pages:
    """The page with its tables."""
    return {DOCS / "damages.md": {"damages": tables(measured_rows("damages"))}}


if __name__ == "__main__":
    write(pages())
