"""The paper's numbers with types: the tables of `published/`, and numbers in the text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from qrelsmith_papers.published import Row, printed_table


def _rows(number: int) -> list[Row]:
    return printed_table("judging_order", f"table{number}")[1]


# Section 3.3: docs in all pools, and in the smallest pool; 18 runs of four teams.
POOLED, SMALLEST_POOL, SYSTEMS = 10_333, 140, 18
TEAMS = ("ORG", "KASYS", "SLWWW", "THUIR")


class AssignedTopic(NamedTuple):
    """A row of Table 1: docs, Gold's assessor and pool, and the Bronze assessors, as printed."""

    topic: str
    docs: int
    gold: int | str
    pool: str
    hasty: int | str
    careful: int | str


TABLE_1 = [AssignedTopic(*row) for row in _rows(1)]
# Table 2: L2, L1, L0 and their sum.
LEVELS: Mapping[str, tuple[int, ...]] = {name: tuple(counts) for name, *counts in _rows(2)}


class TwoOrderings(NamedTuple):
    """A row of Table 3: means and sizes under PRI and RND, p, SD under RND, Glass's Δ."""

    pri: float
    pri_size: int
    rnd: float
    rnd_size: int
    p: float
    deviation: float
    delta: float


TABLE_3 = {name: TwoOrderings(*row) for name, *row in _rows(3)}


class ThreeGroups(NamedTuple):
    """A row of Table 4; `p` and `effects` compare Gold and BronzeW with BronzeT.

    p is 0 if "≈ 0" is printed.
    """

    means: Sequence[float]
    sizes: Sequence[int]
    variance: float
    p: Sequence[float]
    effects: Sequence[float]


TABLE_4 = {
    name: ThreeGroups(row[:3], row[3:6], row[6], [float(p) for p in row[7:9]], row[9:])
    for name, *row in _rows(4)
}
# Table 5: topics and mean κ between two environments; its V_E1, and the effect size in the text.
TABLE_5: Mapping[tuple[str, str], tuple[int, float]] = {(a, b): (n, k) for a, b, n, k in _rows(5)}
TABLE_5_VARIANCE, TABLE_5_EFFECT = 0.03511, 0.469
# Tables 6 and 7: mean κ of each assessor with two other groups.
TABLE_6: Sequence[tuple[float, float]] = [(one, other) for one, other in _rows(6)]
TABLE_7: Mapping[str, Sequence[tuple[float, float]]] = {
    group: [(one, other) for of, one, other in _rows(7) if of == group]
    for group in ("BronzeW", "BronzeT")
}


class Disagreement(NamedTuple):
    """A row of Table 8: Gold's level, Bronze's labels, and docs under PRI and RND."""

    gold_says: str
    gold: float | None
    bronze: str
    pri: int
    rnd: int


TABLE_8 = [Disagreement(says, n if n == n else None, *row) for says, n, *row in _rows(8)]
# Docs with Gold's level, under PRI and RND.
TABLE_8_TOTALS = {"relevant": (1_592, 1_587), "not relevant": (3_537, 3_617)}


class Tau(NamedTuple):
    """Kendall's τ and the ends of its 95% interval."""

    tau: float
    low: float = float("nan")
    high: float = float("nan")


Taus = Mapping[str, Mapping[str, Tau]]
"""τ with its interval, by measure and compared rankings"""


def _taus(number: int) -> Taus:
    found: dict[str, dict[str, Tau]] = {}
    for measure, rankings, *tau in _rows(number):
        found.setdefault(measure, {})[rankings] = Tau(*tau)
    return found


TABLE_9, TABLE_10 = _taus(9), _taus(10)


class Consistent(NamedTuple):
    """A row of Tables 11 and 12: environment, measure, mean τ, its SD, outperformed rows."""

    environment: str
    measure: str
    tau: float
    deviation: float
    outperforms: str = ""


TABLE_11, TABLE_12 = (
    [
        Consistent(where, m, tau, sd, "" if beaten != beaten else beaten)
        for where, m, tau, sd, beaten in _rows(number)
    ]
    for number in (11, 12)
)
TABLE_11_VARIANCE, TABLE_12_VARIANCE = 0.0175, 0.0185
# Table 15: for each Gold assessor and topic the new labels L0, L1, L2; Table 14 has its sums.
TABLE_15: Mapping[tuple[str, str], tuple[int, ...]] = {
    (who, topic): tuple(counts) for who, topic, *counts in _rows(15)
}


class Contributed(NamedTuple):
    """A row of Table 16; the last two fields are for the 25 PRI-Gold and RND-Gold topics."""

    team: str
    runs: int
    unique: int
    left: int
    unique_apart: tuple[int, int]
    left_apart: tuple[int, int]


TABLE_16 = [
    Contributed(team, runs, unique, left, (apart[0], apart[1]), (apart[2], apart[3]))
    for team, runs, unique, left, *apart in _rows(16)
]

LeftOut = Mapping[tuple[str, str, str], Tau]
"""τ to the full ranking by environment, measure and left-out team"""

# The fourth row of Table 17 is also labelled nDCG in print; it is Q.
TABLE_17, TABLE_18 = ({(e, m, t): Tau(*tau) for e, m, t, *tau in _rows(n)} for n in (17, 18))


class Printed(NamedTuple):
    """A τ with its interval, and its place in the paper."""

    table: str
    row: str
    column: str
    value: Tau


def printed_intervals() -> Iterator[Printed]:
    """Return every τ printed with an interval; values in two tables occur twice."""
    for table, rows in (("9", TABLE_9), ("10", TABLE_10)):
        for measure, values in rows.items():
            for column, value in values.items():
                yield Printed(table, measure, column, value)
    for table, taus in (("17", TABLE_17), ("18", TABLE_18)):
        for (environment, measure, team), value in taus.items():
            if value.tau < 1:
                yield Printed(table, f"{environment}-{measure}", f"lo-{team}", value)
