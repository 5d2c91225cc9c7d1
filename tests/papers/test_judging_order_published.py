"""The study's copies of published numbers equal the paper's print, number by number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from qrelsmith_papers.judging_order.printed_tables import (
    LEVELS,
    TABLE_1,
    TABLE_3,
    TABLE_4,
    TABLE_5,
    TABLE_6,
    TABLE_7,
    TABLE_8,
    TABLE_9,
    TABLE_10,
    TABLE_11,
    TABLE_12,
    TABLE_15,
    TABLE_16,
    TABLE_17,
    TABLE_18,
    Tau,
)

_NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?![\w])")


@pytest.fixture(scope="module")
def paper(shared: Path) -> dict[int, list[list[str]]]:
    """Return the rows of every table in the text of the paper, split at tabs."""
    path = shared / "papers" / "ordering-gold-bronze.txt"
    if not path.is_file():
        pytest.skip("needs the text of the paper, which is not here")
    tables: dict[int, list[list[str]]] = {}
    number = 0
    for line in path.read_text("utf-8").splitlines():
        caption = re.match(r"Table (\d+)\. ", line)
        number = int(caption[1]) if caption else number
        if "\t" in line and number:
            tables.setdefault(number, []).append(line.split("\t"))
    return tables


def numbers(cells: Iterable[str]) -> list[float]:
    text = " ".join(cells).replace("(L2", "(").replace("/", " ").replace("$", " ")
    return [float(found.replace(",", "")) for found in _NUMBER.findall(text)]


def starting(rows: Sequence[list[str]], word: str) -> Iterator[list[str]]:
    yield from (row for row in rows if row[0].startswith(word))


def taus(values: Iterable[Tau]) -> list[float]:
    return [n for tau in values for n in (tau if tau.tau < 1 else (1.0,))]


def test_table_2_is_copied_correctly(paper) -> None:
    for place, level in enumerate(("L2", "L1", "L0", "Total")):
        (row,) = starting(paper[2], level)
        assert numbers(row[1:]) == [float(of[place]) for of in LEVELS.values()]


def test_table_3_is_copied_correctly(paper) -> None:
    for criterion, printed in TABLE_3.items():
        (row,) = starting(paper[3], criterion)
        assert numbers(row[1:]) == list(printed)


def test_table_4_is_copied_correctly(paper) -> None:
    for criterion, printed in TABLE_4.items():
        (row,) = starting(paper[4], criterion)
        *groups, variance = row[1:]
        assert float(variance) == printed.variance
        found = [numbers([cell]) for cell in groups]
        assert [one[:2] for one in found] == [
            list(pair) for pair in zip(printed.means, printed.sizes, strict=True)
        ]
        for one, p, effect in zip(found, printed.p, printed.effects, strict=False):
            assert one[2:] in ([p, effect], [effect])  # "p ≈ 0" contains a number, too
            assert one[-1] == effect


def test_table_5_is_copied_correctly(paper) -> None:
    rows = {
        tuple(part.strip(" .") for part in row[0].split("vs")): numbers(row[1:])
        for row in paper[5]
        if "vs" in row[0]
    }
    assert rows == {pair: [float(n), kappa] for pair, (n, kappa) in TABLE_5.items()}


def test_tables_6_and_7_are_copied_correctly(paper) -> None:
    assert [numbers(row[1:]) for row in starting(paper[6], "AssessorG")] == list(map(list, TABLE_6))
    for group, printed in TABLE_7.items():
        rows = starting(paper[7], f"Assessor{group[-1]}")
        assert [numbers(row[1:]) for row in rows] == list(map(list, printed))


def test_table_8_is_copied_correctly(paper) -> None:
    counts = [
        tuple(float(cell) for cell in (row[2], row[5] if row[0] != "Total" else row[-1]))
        for row in paper[8]
        if row[0] in ("L2", "L1", "L0")
    ]
    totals = [numbers(row) for row in starting(paper[8], "Total")]
    assert counts == [(r.pri, r.rnd) for r in TABLE_8 if r.gold is not None]
    assert totals == [[r.pri, r.rnd] for r in TABLE_8 if r.gold is None]


@pytest.mark.parametrize(("number", "printed"), [(9, TABLE_9), (10, TABLE_10)])
def test_tables_9_and_10_are_copied_correctly(paper, number: int, printed) -> None:
    for measure, values in printed.items():
        (row,) = (row for row in paper[number] if row[0] == measure)
        assert numbers(row[1:]) == taus(values.values())


@pytest.mark.parametrize(("number", "printed"), [(11, TABLE_11), (12, TABLE_12)])
def test_tables_11_and_12_are_copied_correctly(paper, number: int, printed) -> None:
    rows = [row for row in paper[number] if re.match(r"[a-l]\. ", row[0])]
    assert [row[0].split(". ")[1] for row in rows] == [
        f"{r.environment}-{r.measure}" for r in printed
    ]
    assert [float(row[1]) for row in rows] == [r.tau for r in printed]
    assert [row[2].strip() for row in rows] == [r.outperforms for r in printed]
    assert [float(row[3]) for row in rows] == [r.deviation for r in printed]


def test_table_15_and_its_sums_in_table_14_are_copied_correctly(paper) -> None:
    assessor, found = "", {}
    for row in paper[15]:
        assessor = row[0] or assessor
        if assessor.startswith("AssessorG"):
            found[assessor, row[1]] = tuple(map(int, row[3:]))
            assert int(row[2]) == sum(map(int, row[3:]))
    assert found == TABLE_15
    for name in {who for who, _ in TABLE_15}:
        (row,) = starting(paper[14], name)
        counts = [int(re.search(r"\((\d+)\)", cell)[1]) for cell in row[2:]]
        of_assessor = [of for (who, _), of in TABLE_15.items() if who == name]
        assert counts == [sum(of) for of in zip(*of_assessor, strict=True)]


def test_table_16_is_copied_correctly(paper) -> None:
    for one in TABLE_16:
        (row,) = starting(paper[16], one.team)
        expected = [one.runs, one.unique, *one.unique_apart, one.left, *one.left_apart]
        assert numbers(cell.strip("()") for cell in row[1:]) == expected


@pytest.mark.parametrize(("number", "printed"), [(17, TABLE_17), (18, TABLE_18)])
def test_tables_17_and_18_are_copied_correctly(paper, number: int, printed) -> None:
    rows = [(row[0], numbers(row[1:])) for row in paper[number] if "-" in row[0] and len(row) == 5]
    expected: dict[str, list[float]] = {}
    for (name, measure, _), tau in printed.items():
        expected.setdefault(f"{name}-{measure}", []).extend(taus([tau]))
    if number == 17:
        # The fourth row is Q, printed as nDCG.
        assert [name for name, _ in rows].count("RND-Gold-nDCG") == 2
        rows[3] = ("RND-Gold-Q", rows[3][1])
    assert dict(rows) == expected


def test_table_1_is_copied_correctly(paper) -> None:
    found = [
        (row[0], int(row[1]), int(row[2][-1]), row[3], int(row[4][-1]), int(row[5][-1]))
        for row in starting(paper[1], "02")
    ]
    assert found == [tuple(row) for row in TABLE_1]
