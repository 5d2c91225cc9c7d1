"""PDP directly from the paper's formulas over all permutations, to check the program."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from scipy import optimize


def pdp_by_hand(path: Path, answers: list[dict[str, str]], levels: int, mode: str) -> float:
    """Return the mean PDP of the topics, from the paper's formulas over all permutations."""
    grades: dict[str, dict[str, dict[str, int]]] = {}
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
        topic = grades.setdefault(row["topic"], {})
        topic.setdefault(row["doc"], {})[row["assessor"]] = int(row["grade"])
    said: dict[tuple[str, str, str], list[int]] = {}
    for answer in answers:
        pair = answer["topic"], answer["left"], answer["right"]
        sign = 1 if pair[1] < pair[2] else -1
        key = (pair[0], *sorted(pair[1:]))
        said.setdefault(key, []).append(sign * int(answer["outcome"]))
    wins = np.zeros((levels, levels))
    for (topic, first, second), outcomes in said.items():
        better, worse = (first, second) if np.median(outcomes) < 0 else (second, first)
        for a, b in samples(grades[topic][better], grades[topic][worse], mode):
            if a != b:
                wins[a, b] += 1
    total = wins + wins.T
    p = np.where(total > 0, (wins + 0.5) / (total + 1), 0.5)
    means = []
    for docs in grades.values():
        names = sorted(docs)
        matrix = np.array(
            [[np.mean([p[a, b] for a, b in samples(docs[x], docs[y], mode)]) for y in names]
             for x in names]
        )  # fmt: skip
        means.append(entropy_by_hand(matrix))
    return float(np.mean(means))


def samples(one: Mapping[str, int], two: Mapping[str, int], mode: str) -> list[tuple[int, int]]:
    """Return the pairs of grades of two docs: of each assessor, or of the medians of three."""
    if mode == "individual":
        return [(one[name], two[name]) for name in sorted(one)]
    return [(int(np.median([*one.values()])), int(np.median([*two.values()])))]


def entropy_by_hand(p: np.ndarray) -> float:
    """Return the entropy of the Plackett–Luce distribution that fits a matrix best (Eq. 5)."""
    count = len(p)

    def loss(scores: np.ndarray) -> float:
        apart = scores[:, None] - scores
        return float(np.sum(p * np.logaddexp(0, -apart)))

    scores = optimize.minimize(loss, np.zeros(count), tol=1e-12).x
    strength = np.exp(scores - scores.max())
    entropy = 0.0
    for order in itertools.permutations(range(count)):
        left = strength[list(order)]
        chance = math.prod(left[n] / left[n:].sum() for n in range(count))
        entropy -= chance * math.log(chance)
    return entropy
