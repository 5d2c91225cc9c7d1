"""The artefacts of the paper on scales that are made from public data."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.content import Section, Verdict
from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.cli import run
from qrelsmith.studies.registry import StudyInputs, paper_named
from qrelsmith_papers.scale_transformation.dl2021 import LABEL_SETS, CutData, digest_of
from qrelsmith_papers.scale_transformation.llm_labels import label_cuts


def made(name: str, data: Path | None) -> Section:
    inputs = StudyInputs(
        data=data,
        seed=0,
        paper_size=False,
        sweep=lambda cells: [cell.compute() for cell in cells],
    )
    section: Section = paper_named("scales").artefacts.get(name)(inputs)
    return section


@pytest.fixture
def passages(shared: Path) -> Path:
    folder = shared / "data" / "trec-dl-2021-passage"
    if not folder.is_dir():
        pytest.skip("needs the data set trec-dl-2021-passage, which is not here")
    return folder


@pytest.mark.parametrize("name", ["truthfulness", "dl2021"])
@pytest.mark.parametrize("there", [True, False])
def test_without_the_data_set_the_section_says_what_is_missing(
    tmp_path: Path, name: str, there: bool
) -> None:
    section = made(name, tmp_path if there else None)
    assert section.missing.startswith("the data set ")
    assert (section.tables, section.figures, section.findings) == ((), (), ())


# SPEC 6, found from the formulas by another program.
def test_truthfulness_labels_have_the_known_alphas_and_cuts(shared: Path) -> None:
    if not (shared / "data" / "truthfulness-multiscale").is_dir():
        pytest.skip("needs the data set truthfulness-multiscale, which is not here")
    with pytest.warns(InputWarning, match="9 rows"):
        section = made("truthfulness", shared / "data")
    checked, cuts = (named.table for named in section.tables)
    assert [row[2] for row in checked.rows] == pytest.approx(
        [0.1132, 0.1104, 0.1173, 0.3881, 0.4492], abs=5e-5
    )
    assert [row[1] for row in checked.rows[3:]] == ["75", "54:68"]
    assert section.findings[0].verdict is Verdict.HOLDS
    # Six transformations of S6 and S100 with, four without a second data set, three methods each.
    assert len(cuts.rows) == 3 * (2 + 2 + 4 + 8)


@pytest.mark.slow
def test_a_label_set_has_the_cuts_and_tau_that_the_command_prints(
    passages: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table = label_cuts(
        labels="exam, GPT-4o", levels=2, folder=str(passages), digest=digest_of(passages), every=8,
        repeats=2, seed=0,
    )  # fmt: skip
    rows = {row[0]: row[1:] for row in table.rows if row[0] != "every"}
    nist = tmp_path / "nist.qrels"
    qrels = str(passages / "qrels" / "nist.qrels")
    assert run(["transform", qrels, "--reduce", ">=2", "-o", str(nist), "--quiet"]) == 0
    runs = sorted((passages / "runs").iterdir())[::8]
    labels = str(passages / "qrels" / "exam-graded-max.gpt-4o.qrels.gz")
    arguments = [
        "cut", labels, "--levels", "2", "--method", "doc-at", "--target", str(nist), "--reference",
        str(nist), *(word for path in runs for word in ("--runs", str(path))), "--quiet",
    ]  # fmt: skip
    assert run([*arguments, "--single"]) == 0
    (single,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    cuts, alpha, tau = rows["α, single"][:3]
    assert cuts == single["cuts"]
    assert (alpha, tau) == pytest.approx((float(single["alpha"]), float(single["tau"])))
    assert run(arguments) == 0
    *_, own = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert rows["α, per topic"][1:3] == pytest.approx((float(own["alpha"]), float(own["tau"])))
    # τ was chosen for, so that nothing has a higher one.
    every = np.array([row[3] for row in table.rows if row[0] == "every"])
    assert rows["τ, single"][2] == pytest.approx(every.max())


def test_even_slices_are_one_set_and_real_numbers_have_some_candidates(passages: Path) -> None:
    digest = digest_of(passages)
    data = CutData(passages, digest, "exam mean, GPT-4o", 4, 20)
    (only,) = data.even_slices().places
    assert data.even_slices().candidates[only] == pytest.approx([1.25, 2.5, 3.75])
    assert 10 < data.sets().candidates.size <= 30
    coarse = CutData(passages, digest, "UMBRELA, llama3.2 four times", 2, 20)
    assert coarse.sets().candidates.tolist() == [0, 1, 2]
    assert len(coarse.judgments.assessors) == len(LABEL_SETS["UMBRELA, llama3.2 four times"].files)


def test_files_that_changed_are_noticed(passages: Path) -> None:
    with pytest.raises(InputError, match="the files changed while they were worked on"):
        CutData(passages, "00", "exam, GPT-4", 2, 20)
