"""Judgments whose disagreements are those of Table 8 of ordering-gold-bronze."""

from __future__ import annotations

import pytest

from qrelsmith.judgments.judgment_files import Judgments

# Gold's grade, the two Bronze grades, number of docs from PRI-Gold topics and from RND-Gold topics.
TABLE_8 = (
    (2, (0, 0), 10, 22), (2, (0, 1), 78, 106), (1, (0, 0), 76, 127), (1, (2, 0), 219, 358),
    (0, (2, 2), 51, 50), (0, (2, 1), 167, 184), (0, (1, 1), 221, 222),
)  # fmt: skip
# Docs without disagreement, so that Gold calls 1,592 and 1,587 docs relevant, and 3,537 and 3,617
# not relevant.
AGREED = ((1, (1, 2), 1592 - 383, 1587 - 613), (0, (0, 1), 3537 - 439, 3617 - 456))
# Table 15: Gold's assessor, topic, and how many of the 218 docs got each new label.
TABLE_15 = """G1 0201 0 1 0
G1 0204 3 0 0
G1 0205 1 0 0
G1 0208 9 1 0
G2 0209 0 2 0
G2 0212 1 3 2
G2 0213 5 16 2
G2 0214 1 2 0
G3 0217 1 1 0
G3 0218 32 5 5
G3 0219 27 7 5
G3 0222 5 3 2
G4 0223 1 1 0
G4 0225 1 1 0
G4 0228 2 3 1
G4 0229 5 7 4
G5 0231 0 1 2
G5 0236 0 0 1
G6 0239 6 0 0
G6 0242 6 2 1
G7 0245 0 0 2
G7 0246 9 5 0
G7 0248 1 7 7"""


@pytest.fixture(scope="session")
def table_15() -> tuple[tuple[str, str, int, int, int], ...]:
    rows = [line.split() for line in TABLE_15.splitlines()]
    return tuple((who, topic, *map(int, counts)) for who, topic, *counts in rows)


@pytest.fixture(scope="session")
def first_round(table_15) -> Judgments:
    columns: dict[str, list[str]] = {
        name: [] for name in ("topic", "doc", "assessor", "grade", "group", "ordering", "position")
    }
    # The docs in serious disagreement are spread over the topics as in Table 15.
    serious = [(who, topic) for who, topic, *counts in table_15 for _ in range(sum(counts))]
    number = 0
    for gold, bronze, *sides in (*TABLE_8, *AGREED):
        for ordering, docs in zip(("prioritised", "randomised"), sides, strict=True):
            for _ in range(docs):
                number += 1
                who, topic = ("G9", f"1-{ordering}")
                if (gold, max(bronze), min(bronze) > 0, ordering) == (0, 2, True, "prioritised"):
                    who, topic = serious.pop()
                # Docs were shown in descending order of their names.
                for assessor, group, grade in (
                    (who, "Gold", gold), ("W1", "BronzeW", bronze[0]), ("T1", "BronzeT", bronze[1]),
                ):  # fmt: skip
                    row = (
                        topic, f"d{number:05d}", assessor, str(grade), group,
                        ordering if group == "Gold" else "prioritised", str(20_000 - number),
                    )  # fmt: skip
                    for column, cell in zip(columns.values(), row, strict=True):
                        column.append(cell)
    assert not serious
    return Judgments.from_columns(columns)
