"""Tables 1 and 2 of the paper on PDP, from files in the paper's format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import paper_named
from qrelsmith.studies.reproduction import kind_of
from qrelsmith_papers.judgment_quality.label_data import SETTINGS, WWW3

from .conftest import Artefacts, small

FILES = {"chinese": (3, 3), "chinese-7": (6, 3), "english": (2, 8)}  # top grade, assessors


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data") / WWW3.wanted.name
    folder.mkdir()
    rng = np.random.default_rng(0)
    truth = rng.random((4, 12))
    places = [(t, d) for t in range(4) for d in range(12)]
    for name, (top, assessors) in FILES.items():
        seen = truth[..., None] + 0.2 * rng.normal(size=(4, 12, assessors))
        grades = np.clip(np.floor(seen * (top + 1)), 0, top).astype(int)
        rows = [f"t{t},d{d},a{a},{grades[t, d, a]}" for t, d in places for a in range(assessors)]
        (folder / f"{name}.csv").write_text("topic,doc,assessor,grade\n" + "\n".join(rows) + "\n")
    rows = [
        f"t{t},d{one},d{two},{-1 if truth[t, one] > truth[t, two] else 1},x"
        for t, one in places
        for two in range(one)
    ]
    for subtask in ("chinese", "english"):
        text = "topic,left,right,outcome,assessor\n" + "\n".join(rows) + "\n"
        (folder / f"{subtask}-preferences.csv").write_text(text)
        (folder / f"runs-{subtask}").mkdir()
        for system in range(4):
            scores = truth + 0.2 * rng.normal(size=truth.shape)
            ranked = {f"t{t}": {f"d{d}": scores[t, d] for d in range(12)} for t in range(4)}
            run = Run.from_dict(ranked, name=f"s{system}")
            write_run(run, folder / f"runs-{subtask}" / f"s{system}.run")
    return folder.parent


def test_table_1_counts_the_contents_of_the_files(made: Artefacts, own: Path) -> None:
    counted = [row[3] for row in made.rows("pdp", "table1", data=own)]
    assert counted == [4, 3, 48, 4, 4, 4, 8, 48, 3, 4]
    assert len(made("pdp", "table1", own).findings) == 2


def test_table_2_is_computed_from_the_files_and_compared_with_the_print(
    made: Artefacts, own: Path
) -> None:
    assert kind_of(paper_named("pdp").artefacts.get("table2"), small(own)) is ClaimKind.RECOMPUTED
    section = made("pdp", "table2", own)
    obtained, published = (one.table for one in section.tables)
    assert obtained.columns == published.columns
    assert [row[:2] for row in obtained.rows] == 2 * [
        (one.subtask, one.name) for one in SETTINGS.values()
    ]
    for row in obtained.rows:
        assert all(0 <= share <= 1 for share in row[5:10])
        assert 0 < row[10] < 15.2
        assert np.isnan([row[3], row[4], row[11]]).all() == (row[1] == "3to5(logS)")
    # Ten claims about settings and nine kinds of numbers.
    assert sum(one.kind == "recomputed" for one in section.findings) == 19


def test_figure_7_extends_the_papers_grades(made: Artefacts, own: Path) -> None:
    assert kind_of(paper_named("pdp").artefacts.get("fig7"), small(own)) is ClaimKind.RECOMPUTED
    assert "The paper's own labels" in made("pdp", "fig7", own).paragraphs[0]
    pdp = [row for row in made.rows("pdp", "fig7", data=own) if str(row[1]).startswith("PDP")]
    # With w = ∞, the grades 0 to 3 become 0, 2, 4, 6: PDP does not change.
    assert [row[2] for row in pdp] == pytest.approx([row[-1] for row in pdp], abs=1e-9)
    assert all(row[2] != pytest.approx(row[3]) for row in pdp)
