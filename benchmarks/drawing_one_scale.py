"""How many preference tests drawing by need saves where one scale is asked about alone.

    python benchmarks/drawing_one_scale.py [--collections 40]
    python docs/make_pdp_compare.py

The world is that of `drawing_by_need.py`, with aggregated grades, so that a test is of one pair of
grades and drawing evenly stands for all docs: what is left to save is the spread that
`drawing_bound.py` is about. `rmse` is the error of the mean PDP against that of the same topics
with p known, `unsmoothed` the same freed of smoothing.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np

from drawing_by_need import (
    BY_NEED,
    EVEN,
    FIRST,
    LEVELS,
    TOPICS,
    answered,
    answers_of,
    labels,
    lists,
    means,
    true_values,
)
from qrelsmith.discrimination import Setting
from qrelsmith.discrimination.drawing_by_need import draw_by_need
from qrelsmith.discrimination.estimate import estimate
from qrelsmith.discrimination.preferences.drawing import draw_tests
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.resampling import Resampler

KEPT = Path(__file__).parents[1] / "docs" / "measured" / "drawing_one_scale.csv"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--collections", type=int, default=40)
    options = parser.parse_args()
    matrices, _, _ = true_values("aggregate")
    rows = []
    for place, levels in enumerate(LEVELS):
        errors: dict[tuple[str, int], list[tuple[float, ...]]] = {}
        for number in range(options.collections):
            rng = np.random.default_rng([7, number])
            relevance, scales = labels(rng, TOPICS)
            answers = answers_of(rng, relevance)
            known = means(scales, matrices, "aggregate")[place]
            for key, tests in drawings(scales[place], answers, levels, number).items():
                found = [value - known for value in values(setting(scales[place], tests, levels))]
                errors.setdefault(key, []).append((len(tests), *found))
        for (way, per_pair), parts in errors.items():
            tests, *found = np.array(parts).T
            figures = [f"{np.sqrt(np.mean(error**2)):.4f}" for error in found]
            rows.append([levels, way, per_pair, len(parts), f"{tests.mean():.1f}", *figures])
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        heads = ["levels", "way", "per_pair", "collections", "tests", "rmse", "unsmoothed"]
        writer.writerows([heads, *rows])
    print(KEPT.read_text(encoding="utf-8"))


def drawings(
    grades: np.ndarray, answers: np.ndarray, levels: int, seed: int
) -> dict[tuple[str, int], PreferenceTests]:
    """The tests by way of drawing and tests a pair of grades."""
    medians = np.median(grades, axis=2)
    made = {}
    for per_pair in (FIRST, *EVEN):
        drawn = draw_tests([medians], per_pair=per_pair, seed=seed, levels=[np.arange(levels)])
        made["even", per_pair] = answered(drawn.topics, drawn.left, drawn.right, answers)
    first = made.pop(("even", FIRST))
    more = draw_by_need(
        [setting(grades, first, levels)],
        contrasts=np.ones((1, 1)),
        grades=medians,
        budget=len(made["even", BY_NEED[-1]]) - len(first),
        rng=np.random.default_rng(seed),
    )
    for per_pair in BY_NEED:
        rest = more[: len(made["even", per_pair]) - len(first)].T
        parts = zip((first.topics, first.left, first.right), rest, strict=True)
        made["need", per_pair] = answered(*map(np.concatenate, parts), answers)
    return made


def setting(grades: np.ndarray, tests: PreferenceTests, levels: int) -> Setting:
    return Setting(
        grades, tests, levels=np.arange(levels), mode="aggregate", untested="half",
        lists=lists(len(grades)),
    )  # fmt: skip


def values(one: Setting) -> tuple[float, float]:
    """The mean PDP, and the same freed of smoothing."""
    sampling = {"exact_docs": 5, "samples": 2, "rng": np.random.default_rng(0)}
    estimated = estimate(one, **sampling)
    again = Resampler.of(estimated, exact_docs=5)
    return float(estimated.topics.mean()), float(again.unsmooth_estimate(**sampling).mean())


if __name__ == "__main__":
    main()
