"""How much a preference test costs less if pairs of grades get tests by need instead of evenly.

    python benchmarks/drawing_bound.py
    python docs/make_pdp_compare.py

With n tests of a pair of grades, p of the pair has the variance p(1 − p)/n. What that does to the
mean PDP is g², the squared slope of PDP in p: Var = Σ g² p(1 − p)/n. Of N tests, even drawing gives
each of k pairs N/k, and Var = k Σ g² p(1 − p)/N. The least is reached with n in proportion to
|g| √(p(1 − p)) (Neyman's allocation): (Σ |g| √(p(1 − p)))²/N. So no drawing of tests, with p known
beforehand or not, saves more than `saved` = 1 − (Σ |g| √…)²/(k Σ g² p(1 − p)) of the tests.
Grades are aggregated, so that a test is one of one pair. Slopes are central differences.

`drawn` is what could be saved at most of the tests that `plan preferences --per-pair 10` (40, 160)
draws for both scales in 25 simulated topics of 20 docs, where a pair of grades has only so many
pairs of docs: the least variance from as many tests, n never above the pairs of docs there are,
against that of the tests drawn. Pairs of grades that got no test are left out.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from scipy.linalg import toeplitz
from scipy.special import ndtr

from qrelsmith.discrimination.preferences.doc_matrix import doc_matrix
from qrelsmith.discrimination.preferences.drawing import draw_tests
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix
from qrelsmith.discrimination.topics import topic_pdp

KEPT = Path(__file__).parents[1] / "docs" / "measured" / "drawing_bound.csv"
TOPICS, TOP, STEP = 2000, 5, 1e-3
LEVELS, PER_PAIR, COLLECTIONS = (4, 7), (10, 40, 160), 10
# pdp, Eq. 13 and 14: p falls with the distance of two grades.
PAPER = ((0.15, 0.10, 0.05), (0.20, 0.15, 0.10, 0.06, 0.03, 0.01))


def main() -> None:
    rng = np.random.default_rng(1)
    rows = []
    shape = rng.uniform(2, 5, size=(2, TOPICS, 1))
    relevance = rng.beta(shape[0], shape[1], size=(TOPICS, TOP))
    seen = np.median(relevance[..., None] + 0.1 * rng.normal(size=(TOPICS, TOP, 3)), axis=2)
    for levels in LEVELS:
        grades = np.clip(np.floor(seen * levels), 0, levels - 1)
        rows.append(["simulated", levels, *saving(preferred(relevance, grades, levels), grades)])
    for worse in PAPER:
        levels = len(worse) + 1
        grades = np.clip(np.floor(seen * levels), 0, levels - 1)
        matrix = toeplitz([0.5, *(1 - p for p in worse)], [0.5, *worse])
        rows.append(["pdp, Eq. 13 and 14", levels, *saving(matrix, grades)])
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(
            ["world", "levels", "pairs", "saved", "saved_width", *(f"drawn_{n}" for n in PER_PAIR)]
        )
        writer.writerows(rows)
    print(KEPT.read_text(encoding="utf-8"))


def preferred(relevance: np.ndarray, grades: np.ndarray, levels: int) -> np.ndarray:
    """p(a doc of the row's grade is preferred), as in `pdp_compare.py`, by all pairs of docs."""
    wins = np.zeros((levels, levels))
    for left in range(TOP):
        for right in range(TOP):
            chance = ndtr((relevance[:, left] - relevance[:, right]) / 0.08)
            places = (grades[:, left].astype(int), grades[:, right].astype(int))
            if left != right:
                np.add.at(wins, places, chance)
    total = wins + wins.T
    p = np.divide(wins, total, out=np.full(wins.shape, 0.5), where=total > 0)
    np.fill_diagonal(p, 0.5)
    return p


def saving(p: np.ndarray, grades: np.ndarray) -> tuple[int, str, str, str]:
    """How many pairs there are, and the most that can be saved: of even tests, of drawn ones."""
    weight = weights_of_pairs(p, grades)
    ratio = weight.sum() ** 2 / (weight.size * np.sum(weight**2))
    drawn = [f"{drawn_saving(weight, len(p), per_pair):.4f}" for per_pair in PER_PAIR]
    return weight.size, f"{1 - ratio:.4f}", f"{1 - np.sqrt(ratio):.4f}", *drawn


def drawn_saving(weight: np.ndarray, levels: int, per_pair: int) -> float:
    """The mean share of the tests of some simulated collections that could be saved."""
    rng = np.random.default_rng([levels, per_pair])
    upper = np.triu_indices(levels, 1)
    saved = []
    for _ in range(COLLECTIONS):
        shape = rng.uniform(2, 5, size=(2, 25, 1))
        relevance = rng.beta(shape[0], shape[1], size=(25, 20))
        seen = np.median(relevance[..., None] + 0.1 * rng.normal(size=(25, 20, 3)), axis=2)
        scales = [np.clip(np.floor(seen * count), 0, count - 1) for count in LEVELS]
        of_scale = [np.arange(count) for count in LEVELS]
        drawn = draw_tests(scales, per_pair=per_pair, seed=0, levels=of_scale)
        counts = drawn.scales[LEVELS.index(levels)]
        made, most = counts.drawn[upper], counts.possible[upper]
        kept = made > 0
        best = allotted(weight[kept], most[kept], int(made.sum()))
        least, had = (np.sum(weight[kept] ** 2 / n) for n in (best, made[kept]))
        saved.append(1 - least / had)
    return float(np.mean(saved))


def allotted(weight: np.ndarray, most: np.ndarray, tests: int) -> np.ndarray:
    """Tests in proportion to the weights, no more than there are pairs of docs."""
    full = np.zeros(weight.size, dtype=bool)
    while True:
        left = tests - most[full].sum()
        share = np.where(full, most, left * weight / max(weight[~full].sum(), 1e-300))
        if (share <= most + 1e-9).all():
            return share
        full |= share > most


def weights_of_pairs(p: np.ndarray, grades: np.ndarray) -> np.ndarray:
    """|g| √(p(1 − p)) of each pair of different grades, lower ones first."""
    weights = []
    for low in range(len(p)):
        for high in range(low + 1, len(p)):
            ends = [mean_pdp(moved(p, low, high, step), grades) for step in (-STEP, STEP)]
            slope = abs(ends[1] - ends[0]) / (2 * STEP)
            weights.append(slope * np.sqrt(p[low, high] * p[high, low]))
    return np.array(weights)


def moved(p: np.ndarray, low: int, high: int, step: float) -> np.ndarray:
    """The matrix with one pair of grades moved by a step."""
    other = p.copy()
    other[low, high] += step
    other[high, low] -= step
    return other


def mean_pdp(p: np.ndarray, grades: np.ndarray) -> float:
    """The mean PDP of topics."""
    matrix = GradeMatrix.from_values(np.clip(p, 0, 1), mode="aggregate")
    return float(np.nanmean(topic_pdp(doc_matrix(matrix, grades[..., None])).value))


if __name__ == "__main__":
    main()
