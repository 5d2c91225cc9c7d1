from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.agreement import krippendorff_alpha
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.sections.reductions import reductions
from qrelsmith.base.content import Section
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign import Campaign, Level, write_campaign_toml
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.evaluation import score_runs
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.judgments.label_transforms import transform_labels
from qrelsmith.judgments.scale_operations import Cuts
from qrelsmith.stats.correlation import kendall_tau_b

FOUR = Scale.parse("0..3")


@pytest.fixture(scope="module")
def section(inputs: AuditInputs) -> Section:
    return reductions(inputs)


def small(folder: Path, levels: int, *, runs: int = 6, declared: bool = True) -> AuditInputs:
    """A campaign with one label set on a scale with the given number of levels."""
    rng = np.random.default_rng(1)
    for name in ("qrels", "runs"):
        (folder / name).mkdir()
    grades = {
        str(topic): {f"d{doc}": float(rng.integers(0, levels)) for doc in range(20)}
        for topic in range(5)
    }
    write_qrels(Qrels.from_dict(grades), folder / "qrels" / "only.qrels")
    for run in range(runs):
        lines = [
            f"{topic} Q0 {doc} 1 {grade + 3 * rng.normal()} r{run}\n"
            for topic, docs in grades.items()
            for doc, grade in docs.items()
        ]
        (folder / "runs" / f"r{run}").write_text("".join(lines))
    scale = tuple(Level(float(level)) for level in range(levels)) if declared else ()
    write_campaign_toml(Campaign(folder=folder, title="small", levels=scale))
    return AuditInputs(folder)


def test_every_way_to_merge_four_levels_is_included(section: Section, inputs: AuditInputs) -> None:
    rows = section.tables[0].table.rows
    assert [row[:3] for row in rows[:6]] == [
        ("gold", "4to3(0:1)", "0 | 1 | 2 3"),
        ("gold", "4to3(0:2)", "0 | 1 2 | 3"),
        ("gold", "4to3(1:2)", "0 1 | 2 | 3"),
        ("gold", "4to2(0)", "0 | 1 2 3"),
        ("gold", "4to2(1)", "0 1 | 2 3"),
        ("gold", "4to2(2)", "0 1 2 | 3"),
    ]
    assert len(rows) == 6 * len(inputs.label_sets)


def test_tau_and_alpha_are_those_of_transformed_qrels(
    section: Section, inputs: AuditInputs
) -> None:
    full = (
        score_runs(inputs.label_sets["sound"], inputs.runs, ["nDCG@10"]).matrix("nDCG@10").means()
    )
    rows = [row for row in section.tables[0].table.rows if row[0] == "sound"]
    for row in rows:
        cuts = Cuts.parse(str(row[1]).partition("(")[2][:-1])
        both = {
            name: transform_labels(inputs.label_sets[name], cuts, source=FOUR)
            for name in ("gold", "sound")
        }
        means = score_runs(both["sound"], inputs.runs, ["nDCG@10"]).matrix("nDCG@10").means()
        assert row[3] == pytest.approx(float(kendall_tau_b(means, full)))
        swapped = np.sign(means[:, None] - means) * np.sign(full[:, None] - full) < 0
        assert row[6] == swapped.sum() // 2
        alpha = krippendorff_alpha(Judgments.from_qrels(both).ratings().values).value
        assert row[8] == pytest.approx(alpha)


def test_swaps_are_pairs_that_the_reference_orders_in_the_opposite_way(section: Section) -> None:
    swaps = next(table for table in section.tables if table.key == "reductions-swaps").table
    counts = {row[1]: row[6] for row in section.tables[0].table.rows if row[0] == "gold"}
    for reduction, count in counts.items():
        assert sum(row[0] == reduction for row in swaps.rows) == count
    assert all(row[3] > 0 > row[4] for row in swaps.rows)


def test_findings_compare_with_the_reference_in_numbers(section: Section) -> None:
    assert section.findings
    assert {one.rule for one in section.findings} == {"reductions"}
    assert sum(one.sentence.count("4to") for one in section.findings) == 6
    for finding in section.findings:
        assert "gold" in finding.sentence
        assert "[" in finding.sentence


def test_an_undeclared_scale_is_that_of_the_reference(tmp_path: Path) -> None:
    section = reductions(small(tmp_path, 5, declared=False))
    assert not section.missing
    # 5 levels: 4 ways to 4, 6 to 3, 4 to 2.
    assert len(section.tables[0].table.rows) == 14


def test_many_levels_are_merged_to_two_only_with_a_note(tmp_path: Path) -> None:
    section = reductions(small(tmp_path, 9))
    rows = section.tables[0].table.rows
    assert [row[1] for row in rows] == [f"9to2({cut})" for cut in range(8)]
    assert rows[0][2] == "0 | 1 … 8"
    assert "too many levels" in section.paragraphs[-1]


@pytest.mark.parametrize(("levels", "runs"), [(2, 6), (4, 1)])
def test_missing_data_is_reported(tmp_path: Path, levels: int, runs: int) -> None:
    section = reductions(small(tmp_path, levels, runs=runs))
    assert "at least two runs, and labels on a scale of at least three levels" in section.missing


def test_two_systems_have_no_interval(tmp_path: Path) -> None:
    section = reductions(small(tmp_path, 3, runs=2))
    assert "[no interval]" in section.findings[0].sentence
