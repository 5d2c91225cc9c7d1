"""The paper's own labels on S2, S4 and S100: simulated files in the published format."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.content import Verdict
from qrelsmith.collection.run_writing import write_run
from qrelsmith.planning.simulated_labels import crowd_judgments, expert_qrels, simulated_runs
from qrelsmith.planning.simulation import MultiscaleDesign, Systems, simulate_multiscale
from qrelsmith.studies.registry import paper_named
from qrelsmith_papers.scale_transformation.collection import collection, labels_of
from qrelsmith_papers.scale_transformation.published_scales import CROWDS, FILES

from .conftest import Artefacts, small

PAPER = paper_named("scales")
COLUMNS = (
    "topic_id", "unit_id", "document_id", "doc_pos", "worker_id", "relevance_score", "trec",
    "sormunen", "relevance_scale",
)  # fmt: skip
SMALL = MultiscaleDesign(topics=2, docs=64, systems=Systems(count=6, noise=(0.1, 0.6)))
OTHER_DATA = ("truthfulness", "dl2021")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return data sets with labels of a small simulated crowd, in the published columns."""
    folder = tmp_path_factory.mktemp("data") / CROWDS.wanted.name
    (folder / "runs").mkdir(parents=True)
    simulated = simulate_multiscale(SMALL, seed=3)
    experts = [
        {(topic, doc): f"{grade:g}" for topic, doc, grade in expert_qrels(simulated, levels).rows()}
        for levels in (2, 4)
    ]
    for levels, name in FILES.items():
        labels = crowd_judgments(simulated, levels)
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(COLUMNS)
            for place in range(len(labels)):
                topic, doc = labels.topics[labels.topic[place]], labels.docs[labels.doc[place]]
                writer.writerow((
                    topic, labels.hit[place], doc, int(labels.position[place]),
                    labels.assessors[labels.assessor[place]], f"{labels.grade[place]:g}",
                    *(grades.get((topic, doc), "") for grades in experts),
                    name.removesuffix(".csv"),
                ))  # fmt: skip
    for one in simulated_runs(simulated):
        write_run(one, folder / "runs" / f"{one.name}.run")
    return folder.parent


def test_labels_experts_and_systems_are_those_of_the_files(data: Path) -> None:
    read = collection(labels=labels_of(small(data)), seed=0)
    simulated = simulate_multiscale(SMALL, seed=3)
    for levels in FILES:
        expected = crowd_judgments(simulated, levels)
        assert read.crowd(levels).docs == expected.docs
        assert np.sort(read.crowd(levels).grade).tolist() == np.sort(expected.grade).tolist()
    for levels in (2, 4):
        assert read.expert(levels).to_dict() == expert_qrels(simulated, levels).to_dict()
    assert len(read.runs) == SMALL.systems.count


@pytest.mark.parametrize("name", ["table3", "fig1", "fig5"])
def test_quick_artefacts_are_computed_from_the_files(
    made: Artefacts, data: Path, name: str
) -> None:
    found = made("scales", name, data).findings
    assert {(one.kind, one.verdict is Verdict.NOT_COMPARABLE) for one in found} == {
        ("recomputed", False)
    }
    if name == "table3":
        assert max(row[3] for row in made.rows("scales", name, data=data)[::2]) == SMALL.docs


@pytest.mark.full
@pytest.mark.parametrize(
    "name", [name for name in PAPER.artefacts.names() if name not in OTHER_DATA]
)
def test_every_artefact_is_computed_from_the_files(made: Artefacts, data: Path, name: str) -> None:
    section = made("scales", name, data)
    assert not section.missing
    assert {one.kind for one in section.findings} <= {"recomputed", "from print"}


def test_without_runs_the_table_of_systems_is_reported_as_missing(
    made: Artefacts, data: Path, tmp_path: Path
) -> None:
    for name in FILES.values():
        (tmp_path / name).write_bytes((data / CROWDS.wanted.name / name).read_bytes())
    assert "runs of TREC-8" in made("scales", "table4", tmp_path).missing
