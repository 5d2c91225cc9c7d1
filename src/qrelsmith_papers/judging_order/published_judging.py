"""The paper's numbers about assessors: Tables 2 to 8, 14 and 15."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from qrelsmith.judging_times import CRITERIA

# Section 3.3: docs in all pools, and in the smallest one.
POOLED, SMALLEST_POOL = 10_333, 140

# Table 2: L2, L1, L0 and their sum.
LEVELS: Mapping[str, tuple[int, int, int, int]] = {
    "Gold": (1_373, 1_806, 7_154, 10_333),
    "PRI-Gold": (674, 918, 3_537, 5_129),
    "RND-Gold": (699, 888, 3_617, 5_204),
    "PRI-BronzeW": (1_591, 3_158, 5_584, 10_333),
    "PRI-BronzeT": (1_776, 1_986, 6_571, 10_333),
}


class TwoOrderings(NamedTuple):
    """A row of Table 3: means and sizes under PRI and RND, p, deviation under RND, Glass's Δ."""

    pri: float
    pri_size: int
    rnd: float
    rnd_size: int
    p: float
    deviation: float
    delta: float


TABLE_3: Mapping[str, TwoOrderings] = {
    "TJ1D": TwoOrderings(41.7, 21, 65.4, 25, 0.0531, 47.5, 0.499),
    "TF1RH": TwoOrderings(79.9, 24, 120.7, 22, 0.0364, 58.2, 0.702),
    "TF1H": TwoOrderings(127.7, 23, 210.8, 20, 0.0499, 154.3, 0.538),
    "ATBJ": TwoOrderings(25.7, 25, 27.4, 25, 0.664, 15.0, 0.110),
    "NREJ": TwoOrderings(8.04, 25, 3.44, 25, 0.102, 4.66, 0.986),
}


class ThreeGroups(NamedTuple):
    """A row of Table 4: Gold, BronzeW and BronzeT, V_E1, and p and ES_E1 of the first two with (c).

    p is as it is printed; `0` stands for "≈ 0".
    """

    means: tuple[float, float, float]
    sizes: tuple[int, int, int]
    variance: float
    p: tuple[str, str]
    effects: tuple[float, float]


TABLE_4: Mapping[str, ThreeGroups] = dict(
    zip(
        CRITERIA,
        (
            ThreeGroups(
                (41.7, 41.6, 69.7), (21, 48, 20), 1373, ("0.0463", "0.0153"), (0.756, 0.758)
            ),
            ThreeGroups(
                (79.9, 63.3, 214.6), (24, 47, 30), 12433, ("0.0000777", "0.0000002"), (1.21, 1.36)
            ),
            ThreeGroups(
                (127.7, 119.5, 226.9), (23, 36, 27), 19423, ("0.0373", "0.00919"), (0.712, 0.771)
            ),
            ThreeGroups((25.7, 20.8, 40.7), (25, 50, 50), 139, ("0.0000024", "0"), (1.27, 1.69)),
            ThreeGroups(
                (8.04, 5.08, 17.0), (25, 50, 50), 169.5, ("0.0153", "0.0000317"), (0.688, 0.916)
            ),
        ),
        strict=True,
    )
)

# Table 5: topics and mean κ between two environments; its V_E1, and the effect size of the text.
TABLE_5: Mapping[tuple[str, str], tuple[int, float]] = {
    ("PRI-Gold", "PRI-BronzeT"): (25, 0.5324),
    ("PRI-BronzeW", "PRI-BronzeT"): (50, 0.4575),
    ("RND-Gold", "PRI-BronzeT"): (25, 0.4568),
    ("PRI-Gold", "PRI-BronzeW"): (25, 0.4445),
    ("RND-Gold", "PRI-BronzeW"): (25, 0.4350),
}
TABLE_5_VARIANCE, TABLE_5_EFFECT = 0.03511, 0.469

# Table 6: mean κ of each Gold assessor with BronzeW and with BronzeT.
TABLE_6 = (
    (0.393, 0.473), (0.438, 0.583), (0.329, 0.366), (0.504, 0.473), (0.453, 0.486),
    (0.414, 0.463), (0.554, 0.623),
)  # fmt: skip
# Table 7: mean κ of each Bronze assessor with Gold and with the other Bronze group.
TABLE_7: Mapping[str, tuple[tuple[float, float], ...]] = {
    "BronzeW": ((0.395, 0.450), (0.460, 0.459), (0.490, 0.444), (0.426, 0.428), (0.428, 0.507)),
    "BronzeT": ((0.549, 0.476), (0.480, 0.485), (0.462, 0.395), (0.481, 0.500), (0.501, 0.432)),
}


class Disagreement(NamedTuple):
    """A row of Table 8: Gold's level, what Bronze says, and docs under PRI and RND."""

    gold_says: str
    gold: float | None
    bronze: str
    pri: int
    rnd: int


TABLE_8 = (
    Disagreement("relevant", 2, "2 of 2 not relevant", 10, 22),
    Disagreement("relevant", 2, "1 of 2 not relevant", 78, 106),
    Disagreement("relevant", 1, "2 of 2 not relevant", 76, 127),
    Disagreement("relevant", 1, "1 of 2 not relevant", 219, 358),
    Disagreement("relevant", None, "any", 383, 613),
    Disagreement("not relevant", 0, "2 of 2 highly relevant", 51, 50),
    Disagreement("not relevant", 0, "1 of 2 highly relevant", 167, 184),
    Disagreement("not relevant", 0, "0 of 2 highly relevant", 221, 222),
    Disagreement("not relevant", None, "any", 439, 456),
)
# Docs that Gold calls so, under PRI and RND.
TABLE_8_TOTALS = {"relevant": (1_592, 1_587), "not relevant": (3_537, 3_617)}

# Table 15: for each Gold assessor the topics, and the new labels L0, L1, L2; Table 14 has its sums.
TABLE_15: Mapping[str, Mapping[str, tuple[int, int, int]]] = {
    "AssessorG1": {"0201": (0, 1, 0), "0204": (3, 0, 0), "0205": (1, 0, 0), "0208": (9, 1, 0)},
    "AssessorG2": {"0209": (0, 2, 0), "0212": (1, 3, 2), "0213": (5, 16, 2), "0214": (1, 2, 0)},
    "AssessorG3": {"0217": (1, 1, 0), "0218": (32, 5, 5), "0219": (27, 7, 5), "0222": (5, 3, 2)},
    "AssessorG4": {"0223": (1, 1, 0), "0225": (1, 1, 0), "0228": (2, 3, 1), "0229": (5, 7, 4)},
    "AssessorG5": {"0231": (0, 1, 2), "0236": (0, 0, 1)},
    "AssessorG6": {"0239": (6, 0, 0), "0242": (6, 2, 1)},
    "AssessorG7": {"0245": (0, 0, 2), "0246": (9, 5, 0), "0248": (1, 7, 7)},
}
