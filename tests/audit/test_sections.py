from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from qrelsmith.audit.campaign_audit import compute_audit
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS, section_names
from qrelsmith.base.content import Report, Section, Verdict
from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.campaign.campaign import Campaign, write_campaign_toml
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.evaluation import score_runs
from qrelsmith.stats.correlation import CORRELATIONS

import qrelsmith.audit.sections  # noqa: F401, isort: skip - fills the registry


@pytest.fixture(scope="session")
def audit(inputs: AuditInputs) -> Report:
    return compute_audit(inputs)


def section(audit: Report, key: str) -> Section:
    return next(one for one in audit.sections if one.key == key)


def test_every_table_figure_and_section_has_a_unique_key(audit: Report) -> None:
    for of in (
        [one.key for one in audit.sections],
        [table.key for one in audit.sections for table in one.tables],
        [figure.key for one in audit.sections for figure in one.figures],
    ):
        assert len(set(of)) == len(of)


def test_the_reference_is_gold(inputs: AuditInputs) -> None:
    assert inputs.reference == "gold"
    assert inputs.others == ("careless", "reversed", "sound")


def test_a_sound_label_set_is_distinguished_from_careless_and_reversed_ones(audit: Report) -> None:
    assert audit.scorecard is not None
    compared = ("agrees", "ranks-all", "ranks-top", "finds-differences")
    verdicts = {
        name: {audit.scorecard.cell(name, question).verdict for question in compared}
        for name in ("sound", "careless", "reversed")
    }
    assert verdicts["sound"] == {"good"}
    assert verdicts["reversed"] == {"bad"}
    assert "good" not in verdicts["careless"]


def test_sections_state_facts_and_only_the_scorecard_has_verdicts(audit: Report) -> None:
    assert audit.findings()
    assert {finding.verdict for finding in audit.findings()} == {Verdict.FACT}


def test_tau_in_the_table_is_that_of_the_means(audit: Report, inputs: AuditInputs) -> None:
    table = next(t for t in section(audit, "rankings").tables if t.key == "rankings-ndcg-10").table
    row = next(r for r in table.rows if r[1:3] == ("gold", "sound") and r[9] == "fieller")
    means = [
        score_runs(inputs.label_sets[name], inputs.runs, ["nDCG@10"], gmax=3)
        .matrix("nDCG@10")
        .means()
        for name in ("gold", "sound")
    ]
    assert row[5] == pytest.approx(float(CORRELATIONS.get("tau-b")(*means)))


def test_keys_are_unique(audit: Report) -> None:
    tables = [table.key for one in audit.sections for table in one.tables]
    figures = [figure.key for one in audit.sections for figure in one.figures]
    assert len(set(tables)) == len(tables)
    assert len(set(figures)) == len(figures)


def test_the_same_campaign_gives_the_same_audit(campaign: Path, audit: Report) -> None:
    assert repr(compute_audit(AuditInputs(campaign, jobs=1))) == repr(audit)


def test_every_section_names_its_missing_data_if_there_are_only_labels(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    write_qrels(Qrels.from_dict({"1": {"a": 1.0, "b": 0.0}}), tmp_path / "qrels" / "only.qrels")
    write_campaign_toml(Campaign(folder=tmp_path, title="labels only"))
    result = compute_audit(AuditInputs(tmp_path))
    missing = {one.key: one.missing for one in result.sections}
    assert missing["agreement"]
    assert missing["rankings"]
    assert missing["significance"]
    assert missing["phi"]
    assert missing["discriminative_power"] == missing["significance"]
    assert "385 preference tests for each pair of grades" in missing["pdp"]
    assert not missing["inventory"]
    assert [one.rule for one in result.findings()] == []


def test_two_systems_one_topic_and_equal_labels_have_defined_results(tmp_path: Path) -> None:
    for name in ("qrels", "runs"):
        (tmp_path / name).mkdir()
    for name in ("a", "b"):
        write_qrels(
            Qrels.from_dict({"1": {"x": 1.0, "y": 1.0}}), tmp_path / "qrels" / f"{name}.qrels"
        )
        (tmp_path / "runs" / name).write_text(f"1 Q0 x 1 2 {name}\n1 Q0 y 2 1 {name}\n")
    write_campaign_toml(Campaign(folder=tmp_path, title="tiny"))
    result = compute_audit(AuditInputs(tmp_path))
    table = next(t for t in section(result, "agreement").tables if t.key == "agreement-pairs").table
    assert math.isnan(table.rows[0][2])  # every label equal: 0/0
    assert section(result, "significance").missing.endswith("found 2 and 1")
    assert result.scorecard is not None
    assert {cell.verdict for cell in result.scorecard.cells} == {"none"}  # no reference was chosen


def test_the_lack_of_a_common_topic_is_handled(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    for name, topic in (("a", "1"), ("b", "2")):
        write_qrels(Qrels.from_dict({topic: {"x": 1.0}}), tmp_path / "qrels" / f"{name}.qrels")
    write_campaign_toml(Campaign(folder=tmp_path, title="apart"))
    with pytest.raises(InputError, match="no topic in common"):
        AuditInputs(tmp_path)


def test_a_campaign_without_labels_is_refused(tmp_path: Path) -> None:
    write_campaign_toml(Campaign(folder=tmp_path, title="empty"))
    with pytest.raises(InputError, match="has no labels; expected"):
        AuditInputs(tmp_path)
    (tmp_path / ".qrelsmith").mkdir()
    export = f"qrelsmith app export {tmp_path} -o {tmp_path}-export"
    with pytest.raises(InputError, match=re.escape(export)):
        AuditInputs(tmp_path)


def test_an_unknown_reference_names_the_label_sets(campaign: Path) -> None:
    with pytest.raises(UsageError, match="careless, gold, reversed, sound"):
        AuditInputs(campaign, reference="silver")


def test_judgments_of_groups_become_label_sets(tmp_path: Path) -> None:
    rows = ["topic,doc,assessor,grade,group"]
    for assessor, grades in (("a", "012"), ("b", "022"), ("c", "111")):
        group = "second" if assessor == "c" else "first"
        rows += [f"1,d{doc},{assessor},{grade},{group}" for doc, grade in enumerate(grades)]
    (tmp_path / "judgments.csv").write_text("\n".join(rows) + "\n")
    write_campaign_toml(Campaign(folder=tmp_path, title="groups"))
    inputs = AuditInputs(tmp_path)
    assert inputs.label_sets["first"].to_dict() == {"1": {"d0": 0.0, "d1": 1.0, "d2": 2.0}}
    keys = [table.key for table in section(compute_audit(inputs), "agreement").tables]
    assert "agreement-groups" in keys
    assert "agreement-assessors" in keys


def test_the_sections_are_registered_in_the_order_of_the_report() -> None:
    expected = (
        "inventory", "pools", "distributions", "efficiency", "agreement", "phi", "disagreements",
        "pdp", "rankings", "consistency", "leave-team-out", "significance", "discriminative_power",
    )  # fmt: skip
    assert tuple(name for name in section_names() if name in expected) == expected


def test_every_section_has_a_separate_position() -> None:
    places = [entry.about["place"] for entry in SECTIONS.entries()]
    assert len(set(places)) == len(places)


def test_coverage_counts_the_top_ten_and_the_topics_of_a_run(tmp_path: Path) -> None:
    for name in ("qrels", "runs"):
        (tmp_path / name).mkdir()
    judged = {f"d{doc}": 1.0 for doc in range(6)}
    write_qrels(Qrels.from_dict({"1": judged, "2": judged}), tmp_path / "qrels" / "only.qrels")
    ranked = [f"1 Q0 d{doc} {doc + 1} {20 - doc} r\n" for doc in range(12)]
    (tmp_path / "runs" / "r").write_text("".join(ranked))
    write_campaign_toml(Campaign(folder=tmp_path, title="short measure", measures=("P@1",)))
    table = next(
        t
        for t in section(compute_audit(AuditInputs(tmp_path)), "inventory").tables
        if t.key == "runs"
    ).table
    # Six of the first ten are judged; topic 2, which the run lacks, is counted separately.
    assert table.rows[0][:4] == ("r", "", 1, 0.6)
