from __future__ import annotations

import pytest

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.base.content import HeatMap, Points, Section, Verdict
from qrelsmith.base.tables import Cell
from qrelsmith.evaluation import score_runs
from qrelsmith.stats.paired_t import paired_t
from qrelsmith.stats.power import discriminative_power

import qrelsmith.audit.sections  # noqa: F401, isort: skip - fills the registry


@pytest.fixture(scope="session")
def power(preferred: AuditInputs) -> Section:
    return SECTIONS.get("discriminative_power")(preferred)


def rows(section: Section, key: str) -> list[dict[str, Cell]]:
    table = next(one.table for one in section.tables if one.key == key)
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_every_label_set_is_tested_in_three_ways(power: Section) -> None:
    found = [(row["label set"], row["test"]) for row in rows(power, "discriminative-power-1")]
    assert found[:3] == [
        ("gold", "bootstrap"), ("gold", "paired-t"), ("gold", "randomised-tukey"),
    ]  # fmt: skip
    assert len(found) == 15
    assert all(row["pairs"] == 28 for row in rows(power, "discriminative-power-1"))


def test_the_share_equals_that_of_the_test(power: Section, preferred: AuditInputs) -> None:
    matrix = score_runs(preferred.label_sets["sound"], preferred.runs, ["nDCG@5"], gmax=3).matrix(
        "nDCG@5"
    )
    expected = discriminative_power(paired_t(matrix.scores.T))
    row = next(
        row
        for row in rows(power, "discriminative-power-2")
        if (row["label set"], row["test"]) == ("sound", "paired-t")
    )
    assert row["significant"] == expected.significant
    assert row["delta"] == pytest.approx(expected.delta)


def test_tukey_agrees_with_the_section_on_significance(
    power: Section, preferred: AuditInputs
) -> None:
    significance = SECTIONS.get("significance")(preferred)
    there = {row["qrels"]: row["significant"] for row in rows(significance, "significance-1")}
    here = {
        row["label set"]: row["significant"]
        for row in rows(power, "discriminative-power-1")
        if row["test"] == "randomised-tukey"
    }
    assert {name: here[name] for name in there} == there
    assert set(here) - set(there) == {"gold"}


def test_pdp_is_shown_beside_the_power_with_its_own_cutoff(
    power: Section, preferred: AuditInputs
) -> None:
    drawing = power.figures[1].drawing
    assert isinstance(drawing, Points)
    assert set(drawing.names) == set(preferred.label_sets)
    assert "nDCG@5" in drawing.y_label
    assert "over the 5 label sets" in power.paragraphs[1]


def test_without_preferences_only_the_campaigns_measure_is_shown(inputs: AuditInputs) -> None:
    section = SECTIONS.get("discriminative_power")(inputs)
    assert [table.key for table in section.tables] == ["discriminative-power-1"]
    (figure,) = section.figures
    assert isinstance(figure.drawing, HeatMap)
    (finding,) = section.findings
    assert finding.verdict is Verdict.FACT
    assert "231 system pairs" in finding.sentence
