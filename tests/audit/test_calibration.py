"""What the verdicts of a campaign see: damage planted in copies of its reference."""

from __future__ import annotations

import numpy as np
import pytest
from test_scorecard import gold_of, noisy, write

from qrelsmith.audit import calibration
from qrelsmith.audit.calibration import (
    CalibratedVerdict,
    calibrate,
    calibrated_questions,
    calibrated_scale,
    least_seen,
)
from qrelsmith.audit.calibration_section import calibration_section
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.interval_checks import ALPHA, TAU, interval_checks


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> AuditInputs:
    folder = tmp_path_factory.mktemp("calibrated") / "campaign"
    gold = gold_of(16)
    write(folder, {"gold": gold, "other": noisy(gold, 0.1, 1)})
    return AuditInputs(folder, reference="gold", jobs=1)


def test_small_slips_are_not_seen_and_large_ones_are(
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
    assert least_seen(found, "agrees", "slips") == 0.9
    assert least_seen(found, "undamaged", "shifted") == 8.0
    assert calibrate(inputs, scale, draws=2) == found


def test_what_is_seen_is_seen_in_all_larger_ones_too() -> None:
    def one(amount: float, bad: int) -> CalibratedVerdict:
        return CalibratedVerdict("agrees", "slips", amount, {"bad": bad, "good": 10 - bad})

    assert least_seen([one(0.1, 9), one(0.2, 7), one(0.4, 8)], "agrees", "slips") == 0.4
    assert least_seen([one(0.1, 8), one(0.2, 10)], "agrees", "slips") == 0.1
    assert least_seen([one(0.1, 0)], "agrees", "slips") is None


def test_halves_of_the_topics_check_the_intervals(inputs: AuditInputs) -> None:
    checks = interval_checks(inputs, "other", splits=20)
    assert set(checks) >= {ALPHA, TAU}
    assert checks[ALPHA].z.shape == (20,)
    assert 0.4 < float(checks[ALPHA].deviation) < 2


def test_a_section_holds_the_smallest_damage_and_the_checks(
    inputs: AuditInputs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibration, "SLIPS", (0.9,))
    monkeypatch.setattr(calibration, "SHIFTED", ())
    monkeypatch.setattr(calibration, "DRAWS", 1)
    least, verdicts, checks = calibration_section(inputs).tables
    assert len(least.table.rows) == len(calibrated_questions()) == len(verdicts.table.rows)
    assert [row[0] for row in checks.table.rows] == ["other", "mean"]
    assert np.isfinite(checks.table.rows[-1][1])
