"""How often it is said that tests compare docs that lie too far apart.

    python benchmarks/tests_too_far.py [--collections 100]
    python docs/make_pdp_compare.py

The collections, and the ways of drawing, are those of `drawing_by_need.py` (aggregate mode); `pairs
at random` have no even first round. `told` is the share of collections in which `pdp compare` says
so; `apart` and `all_apart` are mean distances in grades of seven of the docs of the tests of four,
and of all pairs of docs with these grades of four.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np

from drawing_by_need import DOCS, TOPICS, answered, answers_of, drawings, labels
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.discrimination.tests_too_far import measure_distances, note_tests_too_far

KEPT = Path(__file__).parents[1] / "docs" / "measured" / "tests_too_far.csv"
WAYS = {"even": "evenly", "need": "by need", "random": "at random after an even round"}
RANDOM = "pairs at random"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--collections", type=int, default=100)
    found: dict[tuple[str, int], list[tuple[float, ...]]] = {}
    collections = parser.parse_args().collections
    for number in range(collections):
        rng = np.random.default_rng([5, 9, number])
        relevance, scales = labels(rng, TOPICS)
        answers = answers_of(rng, relevance)
        drawn = drawings(scales, answers, "aggregate", number)
        by_way = {(WAYS[way], per_pair): tests for (way, per_pair), tests in drawn.items()}
        by_way[RANDOM, 40] = pairs_at_random(answers, len(drawn["even", 40]), number)
        grades = {"four": scales[0], "seven": scales[1]}
        for key, tests in by_way.items():
            four = next(each for each in measure_distances(tests, grades) if each.setting == "four")
            is_told = bool(note_tests_too_far(tests, grades))
            found.setdefault(key, []).append((len(tests), is_told, four.tested, four.all))
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["drawn", "tests", "collections", "told", "apart", "all_apart"])
        for (way, _), rows in found.items():
            tests, told, tested, of_all = np.mean(rows, axis=0)
            writer.writerow(
                [way, round(tests), collections, f"{told:.3f}", f"{tested:.3f}", f"{of_all:.3f}"]
            )
    print(KEPT.read_text(encoding="utf-8"))


def pairs_at_random(answers: np.ndarray, count: int, seed: int) -> PreferenceTests:
    """As many of all pairs of docs."""
    pairs = np.argwhere(np.triu(np.ones((TOPICS, DOCS, DOCS), dtype=bool), 1))
    return answered(*np.random.default_rng([seed, 2]).permutation(pairs)[:count].T, answers)


if __name__ == "__main__":
    main()
