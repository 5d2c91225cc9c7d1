"""`pdp compare` of two ways of labelling, confirmed from its files by the formulas of the paper."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from tests.discrimination.pdp_by_hand import pdp_by_hand

from qrelsmith.cli import run

TOPICS, DOCS, ASSESSORS = 8, 5, ("a01", "a02", "a03")


def test_pdp_of_four_and_seven_grades_is_as_computed_by_hand(tmp_path: Path) -> None:
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
            # The third assessor contradicts the others now and then: the median decides.
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
