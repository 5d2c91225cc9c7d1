from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.sections.compatibility import compatibility
from qrelsmith.base.content import Section
from qrelsmith.campaign.campaign import Campaign, write_campaign_toml
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation import score_runs
from qrelsmith.stats.paired_t import paired_t

TOPICS, PERFECT, SYSTEMS = 30, 8, 6


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Eight docs per topic are perfect; half of the systems retrieve the preferred ones."""
    rng = np.random.default_rng(3)
    for name in ("qrels", "runs"):
        (tmp_path / name).mkdir()
    docs = [f"d{n:02d}" for n in range(40)]
    grades = {
        f"t{t:02d}": {d: float(n < PERFECT) for n, d in enumerate(docs)} for t in range(TOPICS)
    }
    write_qrels(Qrels.from_dict(grades), tmp_path / "qrels" / "gold.qrels")
    for system in range(SYSTEMS):
        run = {}
        for topic in grades:
            order = rng.permutation(PERFECT) if system < 3 else np.arange(PERFECT)
            rest = PERFECT + rng.permutation(len(docs) - PERFECT)
            swaps = rng.random() < 0.3
            ranked = [*order[: PERFECT - swaps], rest[0], *order[PERFECT - swaps :], *rest[1:]]
            run[topic] = {docs[doc]: float(-rank) for rank, doc in enumerate(ranked)}
        write_run(Run.from_dict(run, name=f"s{system}"), tmp_path / "runs" / f"s{system}.run")
    write_campaign_toml(Campaign(folder=tmp_path, title="alike", measures=("nDCG@10", "AP")))
    return tmp_path


def prefer(folder: Path) -> None:
    """Return preferences for all pairs of perfect docs: the doc with the lower number is better."""
    lines = [
        f"t{t:02d} d{one:02d} d{two:02d} d{one:02d}\n"
        for t in range(TOPICS)
        for one in range(PERFECT)
        for two in range(one + 1, PERFECT)
    ]
    (folder / "preferences.txt").write_text("".join(lines))


def rows(section: Section) -> list[dict[str, object]]:
    table = section.tables[0].table
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def test_with_grades_alone_the_systems_look_alike(folder: Path) -> None:
    section = compatibility(AuditInputs(folder))
    first, second = rows(section)
    assert (first["compatibility"], first["measure"]) == ("Compat(p=0.9)", "nDCG@10")
    assert (second["compatibility"], second["measure"]) == ("Compat(p=0.95)", "AP")
    assert section.paragraphs[0].endswith("is ordered by the grades of gold.")
    assert (first["systems"], first["topics"], first["pairs"]) == (6, 30, 15)


def test_preferences_distinguish_systems_that_grades_cannot(folder: Path) -> None:
    before = rows(compatibility(AuditInputs(folder)))[0]
    prefer(folder)
    section = compatibility(AuditInputs(folder))
    first = rows(section)[0]
    assert "30 topics" in section.paragraphs[0]
    assert first["sensitivity"] >= 9 / 15 > before["sensitivity"]
    only = next(t for t in section.tables if t.key == "compatibility-only-1").table
    mixed = {("s0", "s3"), ("s1", "s4"), ("s2", "s5")}
    assert mixed <= {row[:2] for row in only.rows}
    assert all(row[3] < 0.05 <= row[5] for row in only.rows)
    assert len(section.figures) == 2
    fact = section.findings[-1]
    assert f"Only Compat(p=0.9) separates {first['only']} pairs" in fact.sentence


def test_figures_equal_those_of_evaluate_and_the_paired_t_test(folder: Path) -> None:
    inputs = AuditInputs(folder)
    row = rows(compatibility(inputs))[0]
    scores = score_runs(inputs.label_sets["gold"], inputs.campaign.runs, ["Compat(p=0.9)"])
    p = paired_t(scores.matrix("Compat(p=0.9)").scores.T).p
    assert row["sensitivity"] == pytest.approx((p < 0.05).mean())


def test_missing_data_is_reported(tmp_path: Path, folder: Path) -> None:
    for run in sorted((folder / "runs").iterdir())[1:]:
        run.unlink()
    assert compatibility(AuditInputs(folder)).missing.startswith("at least two runs")


def test_labels_without_any_relevant_doc_are_reported(folder: Path) -> None:
    write_qrels(
        Qrels.from_dict({t: {"d00": 0.0} for t in ("t00", "t01")}), folder / "qrels" / "gold.qrels"
    )
    assert "a grade above 0" in compatibility(AuditInputs(folder)).missing


def test_preferences_without_a_decision_leave_the_grades_unchanged(folder: Path) -> None:
    (folder / "preferences.txt").write_text("t00 d00 d01 d00\n")
    section = compatibility(AuditInputs(folder))
    assert section.paragraphs[0].endswith("is ordered by the grades of gold.")
    assert rows(section)[0]["systems"] == 6
