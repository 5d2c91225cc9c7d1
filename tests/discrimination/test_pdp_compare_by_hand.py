"""`pdp compare` of two ways of labelling, confirmed from its files by the formulas of the paper."""

from __future__ import annotations

import csv
import itertools
import math
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize

from qrelsmith.cli import run

TOPICS, DOCS, ASSESSORS = 8, 5, ("a01", "a02", "a03")


def test_three_assessors_with_four_and_seven_grades(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    quality = rng.uniform(size=(TOPICS, DOCS))
    seen = quality + rng.normal(scale=0.08, size=(len(ASSESSORS), TOPICS, DOCS))
    files = {levels: tmp_path / f"grades-{levels}.csv" for levels in (4, 7)}
    for levels, path in files.items():
        grades = np.clip(seen * levels, 0, levels - 1).astype(int)
        rows = (
            f"t{topic},d{doc},{ASSESSORS[assessor]},{grade}\n"
            for (assessor, topic, doc), grade in np.ndenumerate(grades)
        )
        path.write_text("topic,doc,assessor,grade\n" + "".join(rows), encoding="utf-8")
    tests, preferences = tmp_path / "tests.csv", tmp_path / "preferences.csv"
    names = [str(path) for path in files.values()]
    assert run(["plan", "preferences", *names, "--per-pair", "2", "-o", str(tests), "--quiet"]) == 0
    rows = ["topic,left,right,outcome,assessor"]
    for test in csv.DictReader(tests.read_text(encoding="utf-8").splitlines()):
        topic, left, right = (int(test[name][1:]) for name in ("topic", "left", "right"))
        apart = quality[topic, left] - quality[topic, right]
        for assessor in ASSESSORS:
            # The third one contradicts the others now and then: the median settles it.
            errs = assessor == "a03" and (topic + left + right) % 3 == 0
            outcome = int(np.sign(apart)) * (2 if abs(apart) > 0.4 else 1) * (1 if errs else -1)
            rows.append(f"{test['topic']},{test['left']},{test['right']},{outcome},{assessor}")
    preferences.write_text("\n".join(rows) + "\n", encoding="utf-8")
    out = tmp_path / "compared.csv"
    told = ["--preferences", str(preferences), "--untested", "half", "--quiet", "-o", str(out)]
    assert run(["pdp", "compare", *names, *told]) == 0
    answers = list(csv.DictReader(preferences.read_text(encoding="utf-8").splitlines()))
    rows_found = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert len(rows_found) == 4
    for row in rows_found:
        levels = int(row["levels"])
        by_hand = pdp_by_hand(files[levels], answers, levels, row["mode"])
        assert float(row["pdp"]) == pytest.approx(by_hand, abs=1e-6)


def pdp_by_hand(path: Path, answers: list[dict[str, str]], levels: int, mode: str) -> float:
    """The mean PDP of the topics, straight from the paper's formulas over all permutations."""
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
    """The pairs of grades of two docs: of each assessor, or of the medians of three."""
    if mode == "individual":
        return [(one[name], two[name]) for name in ASSESSORS]
    return [(int(np.median([*one.values()])), int(np.median([*two.values()])))]


def entropy_by_hand(p: np.ndarray) -> float:
    """The entropy of the Plackett–Luce distribution whose scores fit a matrix best (Eq. 5)."""
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
