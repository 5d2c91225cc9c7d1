"""The data problems that a campaign's verdicts detect, planted in copies of its reference."""

from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.audit import calibration
from qrelsmith.audit import calibration_section as calibration_section_module
from qrelsmith.audit.calibration import (
    CalibratedVerdict,
    calibrate,
    calibrated_questions,
    calibrated_scale,
    least_seen,
)
from qrelsmith.audit.calibration_section import calibration_section
from qrelsmith.audit.held_inputs import HeldInputs
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.interval_checks import ALPHA, TAU, interval_checks
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run


@pytest.fixture(scope="module")
def inputs() -> AuditInputs:
    rng = np.random.default_rng(5)
    gold = rng.choice(4, p=[0.55, 0.2, 0.15, 0.1], size=(16, 30)).astype(float)
    other = np.where(rng.random(gold.shape) < 0.1, rng.integers(0, 4, gold.shape), gold)
    sets = {
        name: Qrels.from_dict(
            {f"t{t:02}": {f"d{d:02}": float(grade) for d, grade in enumerate(row)}
             for t, row in enumerate(grades)},
            name=name,
        )
        for name, grades in {"gold": gold, "other": other}.items()
    }  # fmt: skip
    runs = [
        Run.from_dict(
            {f"t{t:02}": {f"d{d:02}": float(score) for d, score in enumerate(row)}
             for t, row in enumerate(gold + (0.3 + 0.4 * system) * rng.normal(size=gold.shape))},
            name=f"s{system:02}",
        )
        for system in range(8)
    ]  # fmt: skip
    return HeldInputs(sets, runs, levels=range(4), teams={})


def test_small_errors_are_not_detected_and_large_ones_are(
    inputs: AuditInputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "SLIPS", (0.02, 0.9))
    monkeypatch.setattr(calibration, "SHIFTED", (8, 17))
    scale = calibrated_scale(inputs)
    assert scale is not None
    found = calibrate(inputs, scale, draws=2)
    assert {(one.damage, one.amount) for one in found} == {
        ("slips", 0.02), ("slips", 0.9), ("shifted", 8.0),
    }  # fmt: skip
    assert {one.question for one in found} == set(calibrated_questions())
    assert all(sum(one.verdicts.values()) == 2 for one in found)
    assert least_seen(found, "agrees", "slips", "bad") == 0.9
    assert least_seen(found, "undamaged", "shifted", "bad") == 8.0
    assert calibrate(inputs, scale, draws=2) == found


def test_a_detected_problem_is_also_detected_at_all_larger_sizes() -> None:
    def one(amount: float, bad: int) -> CalibratedVerdict:
        return CalibratedVerdict("agrees", "slips", amount, {"bad": bad, "good": 10 - bad})

    assert least_seen([one(0.1, 9), one(0.2, 7), one(0.4, 8)], "agrees", "slips", "bad") == 0.4
    assert least_seen([one(0.1, 8), one(0.2, 10)], "agrees", "slips", "bad") == 0.1
    assert least_seen([one(0.1, 0)], "agrees", "slips", "bad") is None


def test_halves_of_the_topics_check_the_intervals(inputs: AuditInputs) -> None:
    checks = interval_checks(inputs, "other", splits=20)
    assert set(checks) >= {ALPHA, TAU}
    assert checks[ALPHA].z.shape == (20,)
    assert 0.4 < float(checks[ALPHA].deviation) < 2


def test_the_section_contains_the_smallest_detected_problem_and_the_checks(
    inputs: AuditInputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "SLIPS", (0.9,))
    monkeypatch.setattr(calibration, "SHIFTED", ())
    monkeypatch.setattr(calibration_section_module, "SPLITS", 5)
    least, verdicts, checks = calibration_section(inputs).tables
    assert len(verdicts.table.rows) == len(calibrated_questions())
    assert (
        len(least.table.rows) == len(calibrated_questions()) - 1
    )  # the teams of the runs are unknown
    assert [row[0] for row in checks.table.rows] == ["other", "mean"]
    assert np.isfinite(checks.table.rows[-1][1])
