"""Ways of labelling compared by PDP over files, folders and campaigns, each on its own scale."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import qrelsmith as qs
from qrelsmith.cli import run
from qrelsmith.discrimination.missing_tests import count_grade_pairs, deciding_tests
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests

TOPICS, DOCS, ASSESSORS = 16, 10, 3


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write three assessors' labels with 3 and with 7 grades, and preferences by relevance."""
    folder = tmp_path_factory.mktemp("settings")
    rng = np.random.default_rng(4)
    relevance = rng.random((TOPICS, DOCS))
    for name, levels in (("three", 3), ("seven", 7)):
        lines = ["topic,doc,assessor,grade\n"]
        for topic, doc, assessor in np.ndindex(TOPICS, DOCS, ASSESSORS):
            seen = relevance[topic, doc] + rng.normal(0, 0.03)
            grade = int(np.clip(np.floor(seen * levels), 0, levels - 1))
            lines.append(f"t{topic},d{doc},a{assessor},{grade}\n")
        (folder / f"{name}.csv").write_text("".join(lines))
    better = np.where(relevance[:, :, None] > relevance[:, None, :], -1, 1)
    pairs = [
        f"t{topic},d{left},d{right},{better[topic, left, right]}\n"
        for topic, left, right in np.ndindex(TOPICS, DOCS, DOCS)
        if left < right
    ]
    (folder / "answers.csv").write_text("topic,left,right,outcome\n" + "".join(pairs))
    return folder


def compared(capsys: pytest.CaptureFixture[str], *words: object) -> list[dict[str, str]]:
    assert run(["pdp", "compare", *map(str, words), "--quiet"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_the_finer_scale_of_good_assessors_distinguishes_docs_better(
    settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [settings / "three.csv", settings / "seven.csv"]
    answers = settings / "answers.csv"
    rows = compared(capsys, *files, "--preferences", answers, "-B", 60)
    assert [(row["setting"], row["mode"], row["levels"]) for row in rows] == [
        ("three", "aggregate", "3"), ("three", "individual", "3"),
        ("seven", "aggregate", "7"), ("seven", "individual", "7"),
    ]  # fmt: skip
    for row, other in ((rows[2], rows[0]), (rows[3], rows[1])):
        assert float(row["difference"]) == pytest.approx(float(row["pdp"]) - float(other["pdp"]))
        assert float(row["difference_high"]) < 0
        assert float(row["p"]) < 0.05
        assert row["to_decide"] == "0.0"
        assert row["missing"] == "0"  # every pair of docs was tested
    again = qs.pdp_compare(files, answers, resamples=60)
    assert any("seven (aggregate) separates docs better than three" in n for n in again.notes)
    assert again.figure() is not None
    turned = qs.pdp_compare(files, answers, resamples=60, reference="seven")
    assert turned.table().rows[2][7] == pytest.approx(-float(rows[2]["difference"]))


def test_all_pairs_have_the_same_weight_if_all_were_tested(
    settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [settings / "three.csv", settings / "seven.csv", "--preferences"]
    plain, weighted = (
        compared(capsys, *words, settings / "answers.csv", "-B", 20, "--weighting", weighting)
        for weighting in ("none", "kinds")
    )
    for row, other in zip(plain, weighted, strict=True):
        assert float(row["pdp"]) == pytest.approx(float(other["pdp"]))


def test_missing_tests_are_written_by_pair_of_grades(settings: Path, tmp_path: Path) -> None:
    files = [str(settings / "three.csv"), str(settings / "seven.csv")]
    out = tmp_path / "missing.csv"
    answers = str(settings / "answers.csv")
    words = ["--preferences", answers, "--per-pair", "40", "-B", "60", "--write-missing", str(out)]
    assert run(["pdp", "compare", *files, *words, "-o", str(tmp_path / "t.csv"), "--quiet"]) == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    # Every pair of docs was tested, so nothing can be missing.
    assert rows == []
    some = qs.read_preferences(settings / "answers.csv").restricted_to(["t0", "t1", "t2"])
    answer = qs.pdp_compare(files, some, per_pair=40, untested="half", resamples=0)
    for row in answer.missing().rows:
        cells = dict(zip(answer.missing().columns, row, strict=True))
        assert cells["missing"] == min(40, cells["possible"]) - cells["tests"] > 0
    totals = {row[0]: row[13] for row in answer.table().rows}
    assert totals["seven"] == sum(row[5] for row in answer.missing().rows if row[0] == "seven")


def test_a_folder_contains_the_qrels_of_each_assessor(settings: Path, tmp_path: Path) -> None:
    for name in ("three", "seven"):
        (tmp_path / name).mkdir()
        frame = qs.read_judgments(settings / f"{name}.csv").to_pandas(names="qrelsmith")
        for assessor, own in frame.groupby("assessor"):
            rows = [f"{row.topic} 0 {row.doc} {row.grade:g}\n" for row in own.itertuples()]
            (tmp_path / name / f"{assessor}.qrels").write_text("".join(rows))
    answers = settings / "answers.csv"
    folders = qs.pdp_compare([tmp_path / "three", tmp_path / "seven"], answers, resamples=0)
    files = [settings / "three.csv", settings / "seven.csv"]
    alone = qs.pdp_compare(files, answers, resamples=0)
    assert folders.table().text("csv") == alone.table().text("csv")


def test_pdp_refuses_files_on_different_scales(
    settings: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, top in (("four", 3), ("seven", 6)):
        (tmp_path / f"{name}.qrels").write_text(f"t0 0 d0 {top}\nt0 0 d1 0\n")
    words = [str(tmp_path / "four.qrels"), str(tmp_path / "seven.qrels")]
    words += ["--preferences", str(settings / "answers.csv")]
    assert run(["pdp", *words]) == 2
    problem = capsys.readouterr().err
    assert "four" in problem
    assert "pdp compare" in problem
    assert len(problem.splitlines()) == 1
    assert run(["pdp", *words, "--scale", "0..6", "--untested", "half", "--quiet"]) == 0


@pytest.mark.parametrize(
    ("labels", "problem"),
    [
        ([{"t0": {"d0": 1}}], "one setting"),
        ({"a": {"t0": {"d0": 1}}, "b": {"t9": {"d0": 1}}}, "no topic in common"),
    ],
)
def test_invalid_comparisons_are_reported(labels: object, problem: str) -> None:
    with pytest.raises(qs.QrelsmithError, match=problem):
        qs.pdp_compare(labels, {"t0": [("d0", "d1")]})


def test_tests_of_grade_pairs_are_counted_by_the_median_grade() -> None:
    grades = np.array([[[0, 0, 2.0], [1, 1, 1], [2, np.nan, np.nan], [1, 1, 2]]])
    tests = PreferenceTests(
        np.zeros(2, int), np.array([0, 1]), np.array([1, 3]), np.array([1.0, -1.0])
    )
    counts = count_grade_pairs(tests, grades, (0.0, 1.0, 2.0))
    assert counts.tests.tolist() == [[0, 1, 0], [1, 1, 0], [0, 0, 0]]
    assert counts.possible.tolist() == [[0, 2, 1], [2, 1, 2], [1, 2, 0]]
    assert counts.missing(5).tolist() == [[0, 1, 1], [0, 0, 2], [0, 0, 0]]


def test_the_required_number_of_tests_is_printed() -> None:
    assert deciding_tests(-0.1, -0.2, -0.05, tests=10, tests_share=0.5) == 0
    assert deciding_tests(0.0, -0.2, 0.2, tests=10, tests_share=0.5) == np.inf
    assert np.isnan(deciding_tests(0.0, np.nan, np.nan, tests=10, tests_share=0.5))
    # All variance is from the tests: halving the half-width of 0.2 takes four times as many tests.
    assert deciding_tests(0.1, -0.1, 0.3, tests=10, tests_share=1.0) == 30


def test_contradicted_pairs_are_listed_for_discussion(settings: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text(
        "topic,left,right,outcome,assessor\nt0,d1,d0,-2,ann\nt0,d0,d1,-1,ben\n"
        "t0,d2,d0,0,ann\nt0,d0,d2,1,ben\nt1,d0,d1,1,ann\nt1,d1,d0,-2,ben\n"
    )
    files = [settings / "three.csv", settings / "seven.csv"]
    answer = qs.pdp_compare(files, log, resamples=0, untested="half")
    assert answer.contradicted.rows == (("t0", "d0", "d1", "-1 2"),)
    assert any("contradict each other" in note for note in answer.notes)


def test_answers_about_docs_without_labels_are_counted(settings: Path) -> None:
    """By hand: three pairs have a doc without a label, one of them in a separate topic."""
    strange = "t0,d0,x1,-1\nt0,x1,x2,1\nt99,d0,d1,1\n"
    answers = settings / "strange.csv"
    answers.write_text((settings / "answers.csv").read_text() + strange)
    files = [settings / "three.csv", settings / "seven.csv"]
    compared = qs.pdp_compare(files, answers, resamples=0)
    assert [note for note in compared.notes if "are ignored" in note] == [
        "compared pairs that are ignored because not every label set grades both docs: 3"
    ]
    for more in ({}, {"budget": 5}):
        plan = qs.plan_preferences(files, after=answers, per_pair=300, **more)
        assert "answered pairs with docs in no label set are ignored: 3" in plan.notes
