from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.base.content import Section, Verdict
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Cell
from qrelsmith.campaign.campaign import Campaign, write_campaign_toml
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.discrimination import Setting, collection_pdp
from qrelsmith.discrimination.label_pdp import GradedDocs
from qrelsmith.judgments.judgment_events import Judgments

import qrelsmith.audit.sections  # noqa: F401, isort: skip - fills the registry


@pytest.fixture(scope="session")
def pdp(preferred: AuditInputs) -> Section:
    return SECTIONS.get("pdp")(preferred)


def rows(section: Section, key: str) -> list[dict[str, Cell]]:
    table = next(one.table for one in section.tables if one.key == key)
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_every_label_set_has_a_pdp_and_a_group_has_both_modes(pdp: Section) -> None:
    found = [(row["label set"], row["mode"]) for row in rows(pdp, "pdp")]
    assert found == [
        ("gold", "aggregate"),
        ("careless", "aggregate"),
        ("reversed", "aggregate"),
        ("sound", "aggregate"),
        ("students", "aggregate"),
        ("students", "individual"),
    ]


def test_pdp_is_computed_on_the_first_docs_of_the_runs(
    pdp: Section, preferred: AuditInputs
) -> None:
    graded = GradedDocs.of(Judgments.from_qrels({"gold": preferred.label_sets["gold"]}))
    assert preferred.preferences is not None
    setting = Setting(
        graded.grades,
        graded.tests(preferred.preferences).tests,
        levels=range(4),
        lists=graded.lists(preferred.runs, depth=5).lists,
    )
    alone = collection_pdp(setting, rng=rng_for(1), resamples=500)
    row = rows(pdp, "pdp")[0]
    assert row["pdp"] == pytest.approx(alone.mean)
    assert row["topics"] == 12
    width = alone.high - alone.low
    ends = (row["low"], row["high"])
    assert ends == pytest.approx((alone.low, alone.high), abs=0.25 * width)
    behind = alone.matrix.tests[0][np.triu_indices(4, 1)]
    assert row["tests, median"] == np.median(behind)


def test_labels_worse_than_gold_leave_more_pairs_undecided_and_reversed_labels_as_many(
    pdp: Section,
) -> None:
    mean = {(row["label set"], row["mode"]): row["pdp"] for row in rows(pdp, "pdp")}
    assert mean["gold", "aggregate"] == pytest.approx(mean["reversed", "aggregate"])
    assert mean["gold", "aggregate"] < mean["students", "aggregate"]  # type: ignore[operator]
    assert mean["students", "aggregate"] < mean["careless", "aggregate"] < math.log(120)  # type: ignore[operator]
    different = {row["setting"]: row for row in rows(pdp, "pdp-differences")}
    assert math.isnan(different["gold"]["difference"])  # type: ignore[arg-type]
    assert different["careless"]["difference_low"] > 0  # type: ignore[operator]
    assert different["reversed"]["difference"] == pytest.approx(0)


def test_labels_worse_than_random_are_not_compared_by_pdp(pdp: Section) -> None:
    share = {row["label set"]: row["share"] for row in rows(pdp, "preferences-foretold")}
    assert share["reversed"] == pytest.approx(1 - share["gold"])  # type: ignore[operator]
    drop = next(one.sentence for one in pdp.findings if "Reduction of PDP" in one.sentence)
    assert "reversed" not in drop


def test_every_cell_shows_its_number_of_tests(pdp: Section) -> None:
    cells = [row for row in rows(pdp, "pdp-grades") if row["label set"] == "gold"]
    assert [(row["grade"], row["other grade"]) for row in cells] == [
        ("1", "0"), ("2", "0"), ("3", "0"), ("2", "1"), ("3", "1"), ("3", "2"),
    ]  # fmt: skip
    assert all(row["tests"] > 0 for row in cells)  # type: ignore[operator]
    assert all(row["p preferred"] > 0.5 for row in cells)  # type: ignore[operator]


def written(folder: Path, labels: dict[str, dict[str, dict[str, float]]], preferences: str) -> Path:
    (folder / "qrels").mkdir(parents=True)
    for name, grades in labels.items():
        write_qrels(Qrels.from_dict(grades), folder / "qrels" / f"{name}.qrels")
    if preferences:
        (folder / "preferences.txt").write_text(preferences)
    write_campaign_toml(Campaign(folder=folder, title="small"))
    return folder


GRADES = {"1": {f"d{doc}": float(doc % 3) for doc in range(9)}}
# Of the pairs of grades, only 0 and 1 are compared.
ONE_PAIR = "1 d0 d1 d1\n1 d3 d4 d4\n1 d6 d7 d6\n"


def test_without_preferences_the_section_shows_how_many_it_needs(tmp_path: Path) -> None:
    section = SECTIONS.get("pdp")(AuditInputs(written(tmp_path / "c", {"only": GRADES}, "")))
    assert "About 385 preference tests for each pair of grades" in section.missing
    assert "The 3 pairs of grades of only need 1,155 tests" in section.missing
    assert "plan preferences qrels/only.qrels --per-pair 385" in section.missing


def test_the_command_names_the_group_of_the_reference(tmp_path: Path) -> None:
    folder = written(tmp_path / "c", {"other": GRADES}, "")
    rows = "".join(
        f"1,{doc},{who},{grade:g},{group}\n"
        for doc, grade in GRADES["1"].items()
        for who, group in (("g", "the gold"), ("w", "bronze"))
    )
    (folder / "judgments.csv").write_text("topic,doc,assessor,grade,group\n" + rows)
    section = SECTIONS.get("pdp")(AuditInputs(folder, reference="the gold"))
    assert "plan preferences judgments.csv --group 'the gold' --per-pair 385" in section.missing
    # Without groups the judgments are one label set, and there is no group to name.
    (folder / "judgments.csv").write_text("topic,doc,assessor,grade\n1,d0,g,0\n1,d1,g,1\n")
    section = SECTIONS.get("pdp")(AuditInputs(folder, reference="assessors"))
    assert "plan preferences judgments.csv --per-pair 385" in section.missing


def test_preferences_of_other_topics_are_not_used(tmp_path: Path) -> None:
    section = SECTIONS.get("pdp")(
        AuditInputs(written(tmp_path / "c", {"only": GRADES}, "9 d0 d1 d1\n"))
    )
    assert "none of the 1 topics of the preferences" in section.missing
    assert "385 preference tests" in section.missing


def test_a_reference_whose_grades_no_preference_compares_is_named(tmp_path: Path) -> None:
    coarse = {"1": {doc: min(grade, 1.0) for doc, grade in GRADES["1"].items()}}
    folder = written(tmp_path / "c", {"coarse": coarse, "fine": GRADES}, ONE_PAIR)
    section = SECTIONS.get("pdp")(AuditInputs(folder, reference="fine"))
    assert [row["label set"] for row in rows(section, "pdp")] == ["coarse"]
    (lacking,) = rows(section, "pdp-lacking")
    assert lacking["label set"] == "fine"
    assert "the grades 0 and 2, 1 and 2" in lacking["why"]
    assert "385 tests for each pair" in lacking["why"]
    (finding,) = (
        one for one in section.findings if "PDP cannot be compared with fine" in one.sentence
    )
    assert finding.verdict is Verdict.FACT
    assert {row["label set"] for row in rows(section, "preferences-foretold")} == {"coarse", "fine"}


def test_real_valued_grades_are_left_out_with_a_note(tmp_path: Path) -> None:
    real = {"1": {doc: grade / 7 for doc, grade in GRADES["1"].items()}}
    coarse = {"1": {doc: min(grade, 1.0) for doc, grade in GRADES["1"].items()}}
    folder = written(tmp_path / "c", {"coarse": coarse, "real": real}, ONE_PAIR)
    section = SECTIONS.get("pdp")(AuditInputs(folder))
    (lacking,) = rows(section, "pdp-lacking")
    assert lacking["label set"] == "real"
    assert "continuous scale" in str(lacking["why"])
    only = SECTIONS.get("pdp")(AuditInputs(written(tmp_path / "d", {"real": real}, ONE_PAIR)))
    assert "and binned grades, because all label sets have a continuous scale" in only.missing


def test_without_runs_lists_are_drawn_with_a_note(tmp_path: Path) -> None:
    coarse = {"1": {doc: min(grade, 1.0) for doc, grade in GRADES["1"].items()}}
    section = SECTIONS.get("pdp")(AuditInputs(written(tmp_path / "c", {"a": coarse}, ONE_PAIR)))
    assert "20 lists of 5 docs, drawn at random because there are no runs" in section.paragraphs[1]
