from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.sections.inventory import inventory
from qrelsmith.audit.sections.pools import pools
from qrelsmith.base.content import Section, Verdict
from qrelsmith.base.tables import Table
from qrelsmith.campaign.campaign import Campaign, write_campaign_toml
from qrelsmith.collection.pools.pool_files import Pools, write_pools
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run

# Depth 2: a and b are of the red team, c of the blue team; z was found when the topic was written.
RUNS = {"a": ["d1", "d2", "d3"], "b": ["d2", "d1"], "c": ["d4", "d1"]}
GRADES = {"d1": 1.0, "d2": 2.0, "d4": -1.0, "z": 0.0, "d9": 1.0}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("qrels", "runs", "pools"):
        (tmp_path / name).mkdir()
    write_qrels(Qrels.from_dict({"1": GRADES}), tmp_path / "qrels" / "gold.qrels")
    for name, docs in RUNS.items():
        scores = {doc: float(-place) for place, doc in enumerate(docs)}
        write_run(Run.from_dict({"1": scores}, name=name), tmp_path / "runs" / f"{name}.run")
    files = Pools("prioritised", 2, 0, {"1": ("d1", "d2", "d4", "z"), "2": ("x",)})
    write_pools(files, tmp_path / "pools" / "p.pool")
    write_campaign_toml(Campaign(tmp_path, teams={"a": "red", "b": "red", "c": "blue"}))
    return tmp_path


def table(section: Section, key: str) -> Table:
    return next(one.table for one in section.tables if one.key == key)


def test_pools_gaps_and_contributions_are_as_counted_by_hand(folder: Path) -> None:
    section = pools(AuditInputs(folder))
    assert "depth 2" in section.paragraphs[0]
    assert table(section, "pools").rows == (("1", 4, 1, 3), ("2", 1, 1, 0), ("all", 5, 2, 3))
    assert table(section, "unjudged").rows == (
        ("a", "red", 1, 0.0, None),
        ("b", "red", 1, 0.0, None),
        ("c", "blue", 1, 0.5, 1.0),
    )
    assert table(section, "contributions").rows == (("blue", 1, 2, 1, 0), ("red", 2, 2, 1, 1))
    (finding,) = section.findings
    assert finding.verdict is Verdict.FACT
    # d2 is contributed by red alone; d9 is judged relevant but in no run, so no team contributed
    # it.
    assert finding.sentence == (
        "1 of 2 relevant docs (.500) is in the top 2 of only one team. The team with"
        " the most such docs is red (1)."
    )


def test_the_inventory_counts_judged_docs_outside_all_pool_files(folder: Path) -> None:
    # d9; d4 has a code, which is not a grade.
    assert (
        inventory(AuditInputs(folder))
        .paragraphs[1]
        .startswith("1 (.250) of 4 docs judged by gold is outside the pool files.")
    )
    pooled = Pools("prioritised", 2, 0, {"1": ("d1", "d2", "d4", "z", "d9")})
    write_pools(pooled, folder / "pools" / "p.pool")
    assert "pool files" not in " ".join(inventory(AuditInputs(folder)).paragraphs)
    (folder / "pools" / "p.pool").unlink()
    assert "pool files" not in " ".join(inventory(AuditInputs(folder)).paragraphs)


def test_the_pools_are_among_the_inputs_of_the_manifest(folder: Path) -> None:
    assert folder / "pools" / "p.pool" in AuditInputs(folder).inputs()


def test_without_a_table_teams_are_read_from_the_names_of_runs(folder: Path) -> None:
    write_campaign_toml(Campaign(folder))
    section = pools(AuditInputs(folder))
    # a, b and c have no hyphen: each is a separate team.
    assert [row[0] for row in table(section, "contributions").rows] == ["a", "b", "c"]
    named = next(one for one in section.tables if one.key == "contributions")
    assert named.note == "The teams are read from the runs' names."
    (finding,) = section.findings
    # b retrieves both relevant docs; each of the other runs retrieves one.
    assert finding.sentence == (
        "No relevant doc (2 in all) is in the top 2 of only one team (teams guessed from the runs'"
        " names)."
    )


def test_without_pool_files_the_runs_are_pooled_to_depth_10(folder: Path) -> None:
    (folder / "pools" / "p.pool").unlink()
    section = pools(AuditInputs(folder))
    assert "has no pool files" in section.paragraphs[0]
    assert [one.key for one in section.tables] == ["contributions"]
    assert table(section, "contributions").rows == (("blue", 1, 2, 1, 0), ("red", 2, 3, 2, 1))


def test_a_single_team_and_the_lack_of_relevant_docs_are_reported(folder: Path) -> None:
    write_campaign_toml(Campaign(folder, teams=dict.fromkeys("abc", "red")))
    (finding,) = pools(AuditInputs(folder)).findings
    assert "All runs are from the same team" in finding.sentence
    write_campaign_toml(Campaign(folder))
    write_qrels(Qrels.from_dict({"1": {"d1": 0.0}}), folder / "qrels" / "gold.qrels")
    (finding,) = pools(AuditInputs(folder)).findings
    assert finding.sentence == "gold has no relevant docs in the pools."


def test_without_runs_the_section_names_the_missing_data(folder: Path) -> None:
    write_qrels(Qrels.from_dict({"7": {"d1": 0.0}}), folder / "qrels" / "gold.qrels")
    assert pools(AuditInputs(folder)).missing == "a run with a topic of gold; none exists"
    for path in (folder / "runs").iterdir():
        path.unlink()
    assert "no runs" in pools(AuditInputs(folder)).missing
