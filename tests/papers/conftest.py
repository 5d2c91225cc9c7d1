"""Inputs of artefacts that are computed quickly, and a small collection like TREC DL 2021."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.content import Section
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.studies.registry import StudyInputs, paper_named
from qrelsmith.studies.reproduction import reproduce
from qrelsmith.sweep import Cell

TOPICS, DOCS, RUNS = 6, 16, 17
TOPS = {
    "nist": 3,
    "umbrela.gpt-4": 3,
    "umbrela.gpt-4o": 3,
    **{f"umbrela.llama3.2.run{number}": 3 for number in range(1, 5)},
    "exam-graded-max.gpt-4": 5,
    "exam-graded-max.gpt-4o": 5,
}


def in_turn(cells: Sequence[Cell]) -> list[Table]:
    """Compute cells in this process, once for all tests."""
    for cell in cells:
        if cell.key not in KEPT:
            KEPT[cell.key] = cell.compute()
    return [KEPT[cell.key] for cell in cells]


KEPT: dict[str, Table] = {}


def small(data: Path | None = None, *, seed: int = 0, draws: int = 0) -> StudyInputs:
    """Inputs at the small size."""
    return StudyInputs(data=data, seed=seed, paper_size=False, sweep=in_turn, draws=draws)


class Artefacts:
    """Artefacts at the small size, each computed once for all tests."""

    def __init__(self) -> None:
        self._made: dict[tuple[str, str, Path | None], Section] = {}

    def __call__(self, paper: str, name: str, data: Path | None = None) -> Section:
        key = paper, name, data
        if key not in self._made:
            report = reproduce(paper_named(paper), small(data), artefacts=[name])
            (self._made[key],) = report.sections
        return self._made[key]

    def rows(self, paper: str, name: str, key: str = "", data: Path | None = None) -> list[tuple]:
        """Return the rows of a table."""
        tables = self(paper, name, data).tables
        return list(next(one.table.rows for one in tables if one.key == (key or name)))


@pytest.fixture(scope="session")
def made() -> Artefacts:
    return Artefacts()


@pytest.fixture(scope="session")
def public(shared: Path) -> Path:
    """Return the folder of the public data sets that the papers use."""
    for name in ("trec-dl-2021-passage", "trec-cast-2019", "ntcir-www4", "truthfulness-multiscale"):
        if not (shared / "data" / name).is_dir():
            pytest.skip(f"needs the data set {name}, which is not here")
    return shared / "data"


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of data sets with a small collection in the layout of TREC DL 2021."""
    top = tmp_path_factory.mktemp("data")
    folder = top / "trec-dl-2021-passage"
    for name in ("qrels", "runs", "prefs"):
        (folder / name).mkdir(parents=True)
    rng = np.random.default_rng(1)
    truth = rng.random((TOPICS, DOCS))
    topics = [f"t{number}" for number in range(TOPICS)]
    docs = [f"d{number:02d}" for number in range(DOCS)]
    for name, highest in TOPS.items():
        seen = truth + 0.15 * rng.normal(size=truth.shape)
        grades = np.clip(np.floor(seen * (highest + 1)), 0, highest)
        rows = [
            (topic, doc, float(grades[place, number]))
            for place, topic in enumerate(topics)
            for number, doc in enumerate(docs)
        ]
        write_qrels(Qrels.from_rows(rows), folder / "qrels" / f"{name}.qrels")
    for system in range(RUNS):
        scores = truth + 0.1 * (1 + system % 4) * rng.normal(size=truth.shape)
        ranked = {
            topic: dict(zip(docs, row.tolist(), strict=True))
            for topic, row in zip(topics, scores, strict=True)
        }
        write_run(
            Run.from_dict(ranked, name=f"s{system:02d}"), folder / "runs" / f"s{system:02d}.run"
        )
    _write_preferences(folder / "prefs", topics, docs, truth)
    return top


def _write_preferences(
    folder: Path, topics: Sequence[str], docs: Sequence[str], truth: np.ndarray
) -> None:
    """Write preferences: GPT-4o compares all docs, the crowd only those with some relevance."""
    lines = [
        (truth[place, [one, two]].min(), f"{topic} {docs[one]} {docs[two]} {docs[better]}\n")
        for place, topic in enumerate(topics)
        for one in range(len(docs))
        for two in range(one)
        for better in [one if truth[place, one] > truth[place, two] else two]
    ]
    (folder / "human.crowd.prefs").write_text("".join(line for least, line in lines if least > 0.6))
    for number in range(6):
        text = "".join(line for _, line in lines[number::6])
        (folder / f"gpt-4o.round0{number}.prefs").write_text(text)
