"""How many preference tests drawing by need saves against drawing evenly.

    python benchmarks/drawing_by_need.py [--collections 100] [--mode individual] [--folder F]
    python docs/make_pdp_compare.py

The world is that of `pdp_compare.py`: three assessors with 4 grades and with 7, 25 topics of 20
docs. A pair of docs has one answer, however it is drawn. After a first round of 10 tests a pair of
grades, the next are drawn evenly (to 20, 40, 80, 160), or as many as even drawing took to 20, 40
and 80 by need, or of all pairs of docs at random. The truth is p over all pairs of docs of 2,000
topics. `rmse` is the error against it, `rmse_tests` that against the PDP of the same topics with p
known, so that what topics spread is left out, and `bias` the mean of the latter. `held` is the
share of intervals that held the truth. The difference is 7 grades less 4; `middle` is the middle of
its interval, which is unsmoothed.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path
from typing import get_args

import numpy as np

from qrelsmith.discrimination import DocLists, Setting, compare_each
from qrelsmith.discrimination.drawing_by_need import draw_by_need
from qrelsmith.discrimination.preferences.drawing import draw_tests
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix, grade_matrix
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

DOCS, ASSESSORS, TOP, LEVELS, TOPICS = 20, 3, 5, (4, 7), 25
FIRST, EVEN, BY_NEED = 10, (20, 40, 80, 160), (20, 40, 80)
MEASURES = ("4 grades", "7 grades", "difference", "middle")
TRUE_TOPICS, TRUE_DRAWS = 2000, 4
KEPT = Path(__file__).parents[1] / "docs" / "measured" / "drawing_by_need.csv"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--collections", type=int, default=100)
    parser.add_argument("--resamples", type=int, default=80)
    parser.add_argument("--folder", type=Path, help="where collections that are done are kept")
    parser.add_argument("--mode", nargs="*", default=get_args(Mode), choices=get_args(Mode))
    options = parser.parse_args()
    for mode in options.mode:
        keep(mode, rows(mode, options.collections, options.resamples, options.folder))
    print(KEPT.read_text(encoding="utf-8"))


def keep(mode: Mode, made: list[dict[str, str | int]]) -> None:
    """Keep the rows of a mode in place of those that there were."""
    found = []
    if KEPT.exists():
        with KEPT.open(encoding="utf-8", newline="") as file:
            found = [row for row in csv.DictReader(file) if row["mode"] != mode]
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(made[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted([*found, *made], key=lambda row: str(row["mode"])))


def rows(
    mode: Mode, collections: int, resamples: int, folder: Path | None
) -> list[dict[str, str | int]]:
    """A row for each way of drawing, number of tests and measure."""
    matrices, truth, error = true_values(mode)
    found: dict[tuple[str, int], list[np.ndarray]] = {}
    for number in range(collections):
        done = folder / f"{mode}-{number}.npz" if folder else None
        if done is not None and done.exists():
            kept = dict(np.load(done))
        else:
            kept = collection(mode, number, resamples, matrices)
            if done is not None:
                np.savez(done, **kept)
        for key, values in kept.items():
            way, per_pair = key.split()
            found.setdefault((way, int(per_pair)), []).append(values)
    made = []
    for (way, per_pair), parts in found.items():
        tests, values, of_tests, lows, highs = np.moveaxis(np.array(parts), 1, 0)
        held = (lows <= truth) & (truth <= highs)
        for place, measure in enumerate(MEASURES):
            figures = {
                "tests": tests[:, place].mean(),
                "truth": truth[place], "truth_se": error[place],
                "bias": of_tests[:, place].mean(),
                "rmse": np.sqrt(np.mean((values[:, place] - truth[place]) ** 2)),
                "rmse_tests": np.sqrt(np.mean(of_tests[:, place] ** 2)),
                "half_width": np.mean(highs[:, place] - lows[:, place]) / 2,
                "held": held[:, place].mean(),
            }  # fmt: skip
            row = {"mode": mode, "way": way, "per_pair": per_pair, "measure": measure}
            row |= {"collections": len(parts), "resamples": resamples}
            made.append(row | {name: f"{value:.4f}" for name, value in figures.items()})
    return made


def collection(
    mode: Mode, number: int, resamples: int, matrices: list[np.ndarray]
) -> dict[str, np.ndarray]:
    """Of each drawing of a collection: tests, measures, their errors with p known, intervals."""
    rng = np.random.default_rng([5, len(mode), number])
    relevance, scales = labels(rng, TOPICS)
    answers = answers_of(rng, relevance)
    four, seven = means(scales, matrices, mode)
    known = np.array([four, seven, seven - four, seven - four])
    found = {}
    for (way, per_pair), drawn in drawings(scales, answers, mode, number).items():
        values, lows, highs = interval_of(scales, drawn, mode, resamples, number)
        counted = np.full(len(MEASURES), len(drawn))
        found[f"{way} {per_pair}"] = np.array([counted, values, values - known, lows, highs])
    return found


def drawings(
    scales: list[np.ndarray], answers: np.ndarray, mode: Mode, seed: int
) -> dict[tuple[str, int], PreferenceTests]:
    """The tests by way of drawing and tests a pair; those by need are as many as the even ones."""
    medians = [np.median(grades, axis=2) for grades in scales]
    made = {}
    for per_pair in (FIRST, *EVEN):
        drawn = draw_tests(
            medians, per_pair=per_pair, seed=seed, levels=[np.arange(count) for count in LEVELS]
        )
        made["even", per_pair] = answered(drawn.topics, drawn.left, drawn.right, answers)
    first = made.pop(("even", FIRST))
    more = draw_by_need(
        settings(scales, first, mode),
        contrasts=np.array([[-1.0, 1.0]]),
        grades=medians[0],
        budget=len(made["even", BY_NEED[-1]]) - len(first),
        rng=np.random.default_rng(seed),
    )
    for way, order in (("need", more), ("random", at_random(first, seed))):
        for per_pair in BY_NEED:
            next_ = order[: len(made["even", per_pair]) - len(first)].T
            together = [
                np.concatenate([old, new])
                for old, new in zip((first.topics, first.left, first.right), next_, strict=True)
            ]
            made[way, per_pair] = answered(*together, answers)
    return made


def at_random(first: PreferenceTests, seed: int) -> np.ndarray:
    """All other pairs of docs [pair, 3] in random order."""
    free = np.triu(np.ones((TOPICS, DOCS, DOCS), dtype=bool), 1)
    free[first.topics, np.minimum(first.left, first.right), np.maximum(first.left, first.right)] = 0
    return np.random.default_rng([seed, 1]).permutation(np.argwhere(free))


def interval_of(
    scales: list[np.ndarray], tests: PreferenceTests, mode: Mode, resamples: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The measures with the ends of their intervals."""
    four, seven = compare_each(
        settings(scales, tests, mode), against=[0, 0], rng=np.random.default_rng(seed),
        resamples=resamples,
    )  # fmt: skip
    apart = seven.comparison
    middle = (apart.low + apart.high) / 2
    lows = np.array([four.pdp.low, seven.pdp.low, apart.low, apart.low])
    highs = np.array([four.pdp.high, seven.pdp.high, apart.high, apart.high])
    return np.array([four.pdp.mean, seven.pdp.mean, apart.difference, middle]), lows, highs


def true_values(mode: Mode) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    """The p between grades, the four measures with all pairs of docs tested, and their errors."""
    rng = np.random.default_rng([6, len(mode)])
    pairs = np.triu_indices(DOCS, 1)
    drawn, values = [], []
    for _ in range(TRUE_DRAWS):
        relevance, scales = labels(rng, TRUE_TOPICS)
        topics = np.repeat(np.arange(TRUE_TOPICS), pairs[0].size)
        sides = [np.tile(side, TRUE_TOPICS) for side in pairs]
        tests = answered(topics, *sides, answers_of(rng, relevance))
        matrices = [
            grade_matrix(tests, grades, levels=np.arange(count), mode=mode, untested="half").p[0]
            for grades, count in zip(scales, LEVELS, strict=True)
        ]
        four, seven = means(scales, matrices, mode)
        drawn.append(matrices)
        values.append([four, seven, seven - four, seven - four])
    matrices = [np.mean(parts, axis=0) for parts in zip(*drawn, strict=True)]
    error = np.std(values, axis=0, ddof=1) / np.sqrt(TRUE_DRAWS)
    return matrices, np.mean(values, axis=0), error


def means(scales: list[np.ndarray], matrices: list[np.ndarray], mode: Mode) -> list[float]:
    """The mean PDP of each scale where p is known."""
    known = [GradeMatrix.from_values(matrix, mode=mode) for matrix in matrices]
    given = [
        Setting(grades, matrix, lists=lists(len(grades)))
        for grades, matrix in zip(scales, known, strict=True)
    ]
    found = compare_each(given, against=[0, 0], rng=np.random.default_rng(0), resamples=0)
    return [each.pdp.mean for each in found]


def labels(rng: np.random.Generator, topics: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """The relevance of docs, and their grades on each scale."""
    shape = rng.uniform(2, 5, size=(2, topics, 1))
    relevance = rng.beta(shape[0], shape[1], size=(topics, DOCS))
    seen = relevance[..., None] + 0.1 * rng.normal(size=(topics, DOCS, ASSESSORS))
    return relevance, [np.clip(np.floor(seen * levels), 0, levels - 1) for levels in LEVELS]


def answers_of(rng: np.random.Generator, relevance: np.ndarray) -> np.ndarray:
    """The outcome [topic, left, right] of a test of each pair of docs, whichever is on the left."""
    noise = np.triu(0.08 * rng.normal(size=(*relevance.shape, DOCS)), 1)
    apart = relevance[:, :, None] - relevance[:, None, :]
    return -np.sign(apart + noise - noise.swapaxes(1, 2))


def answered(
    topics: np.ndarray, left: np.ndarray, right: np.ndarray, answers: np.ndarray
) -> PreferenceTests:
    return PreferenceTests(topics, left, right, answers[topics, left, right])


def settings(scales: list[np.ndarray], tests: PreferenceTests, mode: Mode) -> list[Setting]:
    return [
        Setting(
            grades, tests, levels=np.arange(levels), mode=mode, untested="half",
            lists=lists(len(grades)),
        )
        for grades, levels in zip(scales, LEVELS, strict=True)
    ]  # fmt: skip


def lists(topics: int) -> DocLists:
    return DocLists(np.arange(topics), np.tile(np.arange(TOP), (topics, 1)))


if __name__ == "__main__":
    main()
