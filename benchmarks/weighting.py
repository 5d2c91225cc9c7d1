"""Whether weighting tests by kind mends intervals of evenly drawn tests.

    python benchmarks/weighting.py [--collections 100] [--first 0] [--mode aggregate]

The world and the truth are those of `drawing_by_need.py`. Tests are drawn evenly, 20 and 80 a pair
of grades; `held` is the share of intervals of the difference (7 grades less 4) that hold the truth,
`bias` the mean of their middles less the difference of the same topics with p known.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

import drawing_by_need as world
from qrelsmith.discrimination import compare_each
from qrelsmith.discrimination.preferences.drawing import draw_tests
from qrelsmith.discrimination.preferences.kinds import weight_by_kind
from qrelsmith.discrimination.preferences.options import Mode

PER_PAIR = (20, 80)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--collections", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--resamples", type=int, default=80)
    parser.add_argument("--mode", default="aggregate", choices=("aggregate", "individual"))
    options = parser.parse_args()
    matrices, truth, _ = world.true_values(options.mode)
    found: dict[tuple[str, int], list[tuple[float, ...]]] = {}
    for number in range(options.first, options.first + options.collections):
        for key, row in rows(options.mode, number, options.resamples, matrices).items():
            found.setdefault(key, []).append(row)
    print("weighting,per_pair,tests,held,bias,half_width,collections")
    for (weighting, per_pair), every in found.items():
        low, high, error, tests = np.array(every).T
        held = ((low <= truth[2]) & (truth[2] <= high)).mean()
        figures = (tests.mean(), held, error.mean(), (high - low).mean() / 2)
        print(weighting, per_pair, *(f"{each:.3f}" for each in figures), len(every), sep=",")


def rows(
    mode: Mode, number: int, resamples: int, matrices: list[np.ndarray]
) -> dict[tuple[str, int], tuple[float, ...]]:
    """The interval of a collection, the error of its middle, and tests, by weighting and draw."""
    rng = np.random.default_rng([5, len(mode), number])
    relevance, scales = world.labels(rng, world.TOPICS)
    answers = world.answers_of(rng, relevance)
    four, seven = world.means(scales, matrices, mode)
    medians = [np.median(grades, axis=2) for grades in scales]
    levels = [np.arange(count) for count in world.LEVELS]
    found = {}
    for per_pair in PER_PAIR:
        drawn = draw_tests(medians, per_pair=per_pair, seed=number, levels=levels)
        tests = world.answered(drawn.topics, drawn.left, drawn.right, answers)
        weighted = weight_by_kind(tests, scales)
        kinds = world.settings(scales, weighted.tests, mode)
        for weighting, settings in (
            ("none", world.settings(scales, tests, mode)),
            ("kinds", [replace(one, weights=weighted) for one in kinds]),
        ):
            apart = compare_each(
                settings, against=[0, 0], rng=np.random.default_rng(number), resamples=resamples
            )[1].comparison
            error = (apart.low + apart.high) / 2 - (seven - four)
            found[weighting, per_pair] = (apart.low, apart.high, error, float(len(tests)))
    return found


if __name__ == "__main__":
    main()
