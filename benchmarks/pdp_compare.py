"""Whether `pdp compare` chooses the better of two ways of labelling, and its intervals hold.

    python benchmarks/pdp_compare.py [--collections 150] [--minutes 20] [--only 25x40 …]
    python docs/make_pdp_compare.py

Two ways of labelling the same docs by three assessors: 4 grades, and 7 grades of which the second
is better, since its assessors see as well and have finer words. The truth is the mean difference of
several draws of 2,000 topics with far more tests than anyone would pay for, so that its own error
is small beside the intervals. Then small collections are drawn, with new topics, new assessors'
noise and new tests, which err. `right` is the share in which the interval says that the better one
is better, `wrong` that it says the other, `sign` in which the difference points the right way,
`held` in which the interval holds the truth. Rows are kept in docs/measured/pdp_compare.csv as they
are done; the second command writes the table of docs/comparing-settings.md from them.
"""

from __future__ import annotations

import argparse
import csv
import time
from functools import cache
from pathlib import Path
from typing import get_args

import numpy as np

from qrelsmith.discrimination import DocLists, Setting, compare_each
from qrelsmith.discrimination.preferences.drawing import draw_tests
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

DOCS, ASSESSORS, TOP, LEVELS = 20, 3, 5, (4, 7)
TRUE_DRAWS = 4
SIZES = ("25x10", "25x40", "25x160", "53x40")
KEPT = Path(__file__).parents[1] / "docs" / "measured" / "pdp_compare.csv"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--collections", type=int, default=150)
    parser.add_argument("--resamples", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--only", nargs="*", default=list(SIZES), help="topics x tests per pair")
    parser.add_argument("--mode", nargs="*", default=["individual"], choices=get_args(Mode))
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    for mode in options.mode:
        for size in options.only:
            topics, per_pair = map(int, size.split("x"))
            made = row(mode, topics, per_pair, options.collections, options.resamples, end)
            keep({"mode": mode, "topics": topics, "per_pair": per_pair} | made)
            print(mode, size, made, flush=True)


def keep(made: dict[str, str | int]) -> None:
    """Keep a row in place of the one of its mode and size."""
    key = [str(made[name]) for name in ("mode", "topics", "per_pair")]
    rows = []
    if KEPT.exists():
        with KEPT.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))[1:]
    rows = [each for each in rows if each[:3] != key] + [[str(value) for value in made.values()]]
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows(
            [list(made), *sorted(rows, key=lambda each: (each[0], *map(int, each[1:3])))]
        )


def row(
    mode: Mode, topics: int, per_pair: int, collections: int, resamples: int, end: float
) -> dict[str, str | int]:
    """The shares of some collections, and the mean of their tests and differences."""
    rng = np.random.default_rng([topics, per_pair])
    truth, error = true_difference(mode)
    counts, values, tests, widths = np.zeros(4), [], [], []
    for _ in range(collections):
        if time.monotonic() > end:
            break
        made, found = difference(rng, mode, topics=topics, per_pair=per_pair, resamples=resamples)
        values.append(found.difference)
        tests.append(made)
        widths.append((found.low, found.high))
        counts += [
            found.high < 0, found.low > 0, found.difference < 0, found.low <= truth <= found.high,
        ]  # fmt: skip
    middle, half = (np.mean(widths) - truth, np.mean(np.diff(widths, axis=1)) / 2)
    figures = {
        "tests": np.mean(tests), "truth": truth, "truth_se": error,
        "bias": np.mean(values) - truth, "bias_of_middle": middle, "half_width": half,
    }  # fmt: skip
    shares = dict(zip(("right", "wrong", "sign", "held"), counts / len(values), strict=True))
    told: dict[str, str | int] = {name: f"{value:.4f}" for name, value in figures.items()}
    told |= {"collections": len(values), "resamples": resamples}
    return told | {name: f"{share:.4f}" for name, share in shares.items()}


@cache
def true_difference(mode: Mode) -> tuple[float, float]:
    """The difference that any number of topics and tests would show, and its standard error."""
    rng = np.random.default_rng([99, len(mode)])
    draws = [
        difference(rng, mode, topics=2000, per_pair=3000, resamples=0)[1].difference
        for _ in range(TRUE_DRAWS)
    ]
    return float(np.mean(draws)), float(np.std(draws, ddof=1) / np.sqrt(TRUE_DRAWS))


def difference(rng: np.random.Generator, mode: Mode, *, topics: int, per_pair: int, resamples: int):
    """How many tests there are, and the PDP of 7 grades less that of 4."""
    shape = rng.uniform(2, 5, size=(2, topics, 1))
    relevance = rng.beta(shape[0], shape[1], size=(topics, DOCS))
    seen = relevance[..., None] + 0.1 * rng.normal(size=(topics, DOCS, ASSESSORS))
    scales = [np.clip(np.floor(seen * levels), 0, levels - 1) for levels in LEVELS]
    drawn = draw_tests(
        [np.median(grades, axis=2) for grades in scales],
        per_pair=per_pair,
        seed=int(rng.integers(2**31)),
        levels=[np.arange(levels) for levels in LEVELS],
    )
    apart = relevance[drawn.topics, drawn.left] - relevance[drawn.topics, drawn.right]
    outcomes = -np.sign(apart + 0.08 * rng.normal(size=apart.size))
    tests = PreferenceTests(drawn.topics, drawn.left, drawn.right, outcomes)
    lists = DocLists(np.arange(topics), np.tile(np.arange(TOP), (topics, 1)))
    settings = [
        Setting(grades, tests, levels=np.arange(levels), mode=mode, untested="half", lists=lists)
        for grades, levels in zip(scales, LEVELS, strict=True)
    ]
    compared = compare_each(settings, against=[0, 0], rng=rng, resamples=resamples)
    return len(tests), compared[1].comparison


if __name__ == "__main__":
    main()
