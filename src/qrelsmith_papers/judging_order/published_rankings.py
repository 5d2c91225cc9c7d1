"""The paper's numbers about rankings of its 18 systems: Tables 9 to 12 and 16 to 18."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

SYSTEMS = 18
TEAMS = ("ORG", "KASYS", "SLWWW", "THUIR")


class Tau(NamedTuple):
    """Kendall's τ and the ends of its 95 % interval."""

    tau: float
    low: float = float("nan")
    high: float = float("nan")


# Tables 9 and 10, for each measure the columns (a), (b) and (c).
TABLE_9: Mapping[str, tuple[Tau, Tau, Tau]] = {
    "nDCG": (Tau(0.621, 0.363, 0.791), Tau(0.503, 0.204, 0.716), Tau(0.686, 0.457, 0.830)),
    "Q": (Tau(0.608, 0.345, 0.783), Tau(0.490, 0.188, 0.708), Tau(0.686, 0.457, 0.830)),
    "nERR": (Tau(0.490, 0.188, 0.708), Tau(0.327, -0.007, 0.595), Tau(0.660, 0.419, 0.814)),
    "iRBU": (Tau(0.542, 0.255, 0.741), Tau(0.294, -0.043, 0.571), Tau(0.634, 0.381, 0.798)),
}
TABLE_10: Mapping[str, tuple[Tau, Tau, Tau]] = {
    "nDCG": (Tau(0.490, 0.188, 0.708), Tau(0.739, 0.538, 0.860), Tau(0.516, 0.221, 0.725)),
    "Q": (Tau(0.438, 0.123, 0.673), Tau(0.804, 0.643, 0.897), Tau(0.477, 0.171, 0.699)),
    "nERR": (Tau(0.314, -0.021, 0.586), Tau(0.516, 0.221, 0.725), Tau(0.327, -0.007, 0.595)),
    "iRBU": (Tau(0.248, -0.093, 0.537), Tau(0.549, 0.264, 0.746), Tau(0.307, -0.029, 0.581)),
}


class Consistent(NamedTuple):
    """A row of Tables 11 and 12: environment, measure, mean τ, its deviation, outperformed rows."""

    environment: str
    measure: str
    tau: float
    deviation: float
    outperforms: str = ""


TABLE_11_VARIANCE, TABLE_12_VARIANCE = 0.0175, 0.0185
TABLE_11 = (
    Consistent("RND-Gold", "nDCG", 0.5414, 0.1286, "b,c,d,e,f,g,h"),
    Consistent("RND-Gold", "Q", 0.4980, 0.0907, "c,d,e,f,g,h"),
    Consistent("RND-Gold", "nERR", 0.4548, 0.1299, "d,e,f,g,h"),
    Consistent("PRI-Gold", "nDCG", 0.4165, 0.1264, "e,f,g,h"),
    Consistent("PRI-Gold", "Q", 0.3726, 0.1391, "f,g,h"),
    Consistent("RND-Gold", "iRBU", 0.2946, 0.1676),
    Consistent("PRI-Gold", "iRBU", 0.2909, 0.1817),
    Consistent("PRI-Gold", "nERR", 0.2878, 0.1673),
)
TABLE_12 = (
    Consistent("PRI-BronzeT", "Q", 0.5121, 0.1490, "c,d,e,f,g,h,i,j,k,l"),
    Consistent("PRI-BronzeT", "nDCG", 0.4934, 0.1385, "c,d,e,f,g,h,i,j,k,l"),
    Consistent("PRI-Gold", "nDCG", 0.4165, 0.1264, "d,e,f,g,h,i,j,k,l"),
    Consistent("PRI-Gold", "Q", 0.3726, 0.1391, "f,g,h,i,j,k,l"),
    Consistent("PRI-BronzeT", "iRBU", 0.3473, 0.1620, "f,g,h,i,j,k,l"),
    Consistent("PRI-Gold", "iRBU", 0.2909, 0.1817, "k,l"),
    Consistent("PRI-Gold", "nERR", 0.2878, 0.1673, "k,l"),
    Consistent("PRI-BronzeT", "nERR", 0.2802, 0.1647, "k,l"),
    Consistent("PRI-BronzeW", "nDCG", 0.2697, 0.1721, "k,l"),
    Consistent("PRI-BronzeW", "Q", 0.2571, 0.1616, "k,l"),
    Consistent("PRI-BronzeW", "iRBU", -0.1084, 0.1429),
    Consistent("PRI-BronzeW", "nERR", -0.1131, 0.1571),
)


class Contributed(NamedTuple):
    """A row of Table 16; the last two have the 25 PRI-Gold and the 25 RND-Gold topics apart."""

    team: str
    runs: int
    unique: int
    left: int
    unique_apart: tuple[int, int]
    left_apart: tuple[int, int]


TABLE_16 = (
    Contributed("ORG", 2, 24, 10_309, (10, 14), (5_119, 5_190)),
    Contributed("KASYS", 6, 185, 10_148, (93, 92), (5_036, 5_112)),
    Contributed("SLWWW", 5, 2_932, 7_401, (1_467, 1_465), (3_662, 3_739)),
    Contributed("THUIR", 5, 1_793, 8_540, (854, 939), (4_275, 4_265)),
)

_SAME = Tau(1.0)
_OfTeams = tuple[Tau, Tau, Tau, Tau]
_PRI_GOLD: dict[tuple[str, str], _OfTeams] = {
    ("PRI-Gold", "nDCG"): (_SAME, _SAME, Tau(0.647, 0.400, 0.806), _SAME),
    ("PRI-Gold", "Q"): (_SAME, _SAME, Tau(0.569, 0.291, 0.758), Tau(0.922, 0.850, 0.960)),
    ("PRI-Gold", "nERR"): (
        Tau(0.869, 0.754, 0.932), _SAME, Tau(0.882, 0.777, 0.939), _SAME,
    ),
    ("PRI-Gold", "iRBU"): (
        Tau(0.993, 0.986, 0.996), Tau(0.993, 0.986, 0.996), Tau(0.797, 0.632, 0.893),
        Tau(0.954, 0.910, 0.977),
    ),
}  # fmt: skip
# Tables 17 and 18, with τ for each of `TEAMS`. The fourth row of Table 17 is printed as nDCG again.
TABLE_17: Mapping[tuple[str, str], _OfTeams] = _PRI_GOLD | {
    ("RND-Gold", "nDCG"): (_SAME, _SAME, Tau(0.869, 0.754, 0.932), Tau(0.961, 0.925, 0.981)),
    ("RND-Gold", "Q"): (_SAME, _SAME, Tau(0.752, 0.559, 0.868), Tau(0.817, 0.665, 0.904)),
    ("RND-Gold", "nERR"): (
        Tau(0.908, 0.824, 0.953), _SAME, Tau(0.987, 0.974, 0.993), Tau(0.987, 0.974, 0.993),
    ),
    ("RND-Gold", "iRBU"): (
        Tau(0.993, 0.986, 0.996), Tau(0.993, 0.986, 0.996), Tau(0.941, 0.885, 0.970),
        Tau(0.993, 0.986, 0.996),
    ),
}  # fmt: skip
TABLE_18: Mapping[tuple[str, str], _OfTeams] = _PRI_GOLD | {
    ("PRI-BronzeW", "nDCG"): (_SAME, _SAME, Tau(0.804, 0.643, 0.897), Tau(0.935, 0.874, 0.967)),
    ("PRI-BronzeT", "nDCG"): (_SAME, _SAME, Tau(0.595, 0.327, 0.775), Tau(0.948, 0.899, 0.974)),
    ("PRI-BronzeW", "Q"): (_SAME, _SAME, Tau(0.817, 0.665, 0.904), Tau(0.908, 0.824, 0.953)),
    ("PRI-BronzeT", "Q"): (_SAME, _SAME, Tau(0.575, 0.299, 0.762), Tau(0.948, 0.899, 0.974)),
    ("PRI-BronzeW", "nERR"): (
        Tau(0.980, 0.960, 0.990), Tau(0.993, 0.986, 0.996), Tau(0.824, 0.677, 0.908),
        Tau(0.993, 0.986, 0.996),
    ),
    ("PRI-BronzeT", "nERR"): (
        Tau(0.961, 0.924, 0.980), _SAME, Tau(0.778, 0.601, 0.882), Tau(0.987, 0.974, 0.993),
    ),
    ("PRI-BronzeW", "iRBU"): (_SAME, _SAME, Tau(0.752, 0.559, 0.868), Tau(0.974, 0.949, 0.987)),
    ("PRI-BronzeT", "iRBU"): (_SAME, _SAME, Tau(0.503, 0.204, 0.716), _SAME),
}  # fmt: skip


class Printed(NamedTuple):
    """A τ with its interval, and where it is printed."""

    table: str
    row: str
    column: str
    value: Tau


def printed_intervals() -> Iterator[Printed]:
    """Return every τ that is printed with an interval; those that two tables share count twice."""
    for table, rows, columns in (
        ("9", TABLE_9, ("Gold", "BronzeW", "BronzeT")),
        ("10", TABLE_10, ("Gold, BronzeW", "Gold, BronzeT", "BronzeW, BronzeT")),
    ):
        for measure, values in rows.items():
            for column, value in zip(columns, values, strict=True):
                yield Printed(table, measure, column, value)
    for table, of_teams in (("17", TABLE_17), ("18", TABLE_18)):
        for (environment, measure), taus in of_teams.items():
            for team, value in zip(TEAMS, taus, strict=True):
                if value.tau < 1:
                    yield Printed(table, f"{environment}-{measure}", f"lo-{team}", value)
