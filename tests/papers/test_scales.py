"""The artefacts of the paper on scales, on a simulated collection at the small size."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.cli import run
from qrelsmith.collection.qrels import write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.judgments.judgment_files import write_judgments
from qrelsmith_papers.scale_transformation.collection import collection, design
from qrelsmith_papers.scale_transformation.dl2021 import LABEL_SETS, PASSAGES, CutData
from qrelsmith_papers.scale_transformation.llm_labels import label_cuts
from qrelsmith_papers.scale_transformation.methods import TRANSFORMATIONS, Transformation
from qrelsmith_papers.scale_transformation.table4 import PUBLISHED

from .conftest import Artefacts


def test_the_paper_size_is_that_of_the_paper() -> None:
    paper = design(paper_size=True)
    assert (paper.topics, paper.docs, paper.per_doc, paper.hit_size) == (18, 4269, 10, 8)
    assert (paper.scales, paper.systems.count) == ((2, 4, 101), 129)


# Han et al. 2019: Table 2 has 27 transformations, Table 4 these numbers.
def test_the_published_table_is_copied_correctly() -> None:
    assert len(set(TRANSFORMATIONS)) == len(PUBLISHED) == 27
    best = PUBLISHED[Transformation("doc-at", 101, 4, "So4_a")]
    assert (best.own, best.single["TR2"]) == ({"TR2": 0.77, "So4": 0.82}, 0.73)
    assert best.cuts == "58:85:99"
    first = PUBLISHED[Transformation("hit-ta", 4, 2)]
    assert (first.own["TR2"], first.single["So4"], first.cuts) == (0.70, 0.72, "middle")
    assert PUBLISHED[Transformation("hit2", 101, 2, "S2")].cuts == "52"
    assert TRANSFORMATIONS[3].name == "H² (S4 → 2, TR2_a)"


def test_table_3_has_the_published_rows_beside_its_own(made: Artefacts) -> None:
    table = made("scales", "table3").tables[0].table
    here, published = table.rows[::2], table.rows[1::2]
    # Table 3 of the paper.
    assert [row[3:7] for row in published] == [
        (805, 0.595, 0.136, -0.356),
        (3881, 0.882, 0.620, 0.212),
        (4269, 0.884, 0.625, 0.220),
    ]
    size = design(paper_size=False)
    assert [row[3] for row in here] == [
        round(size.four * size.docs),
        round(size.two * size.docs),
        size.docs,
    ]
    # The expert with two levels counts marginal relevance as relevance.
    assert all(row[4] > row[5] > row[6] for row in here)


@pytest.mark.parametrize("name", ["fig1", "fig2"])
def test_points_of_four_levels_are_best_at_the_cuts_in_the_table(
    made: Artefacts, name: str
) -> None:
    section = made("scales", name)
    table = section.tables[0].table
    for panel, figure in enumerate(section.figures):
        lines = figure.drawing.lines
        assert [line.name for line in lines] == ["left", "middle", "right"]
        for topic, row in enumerate(table.rows[:-1]):
            alphas = {line.name: line.y[2 * topic] for line in lines}
            # Topics have no order, so no line connects their points.
            assert all(np.isnan(line.y[2 * topic + 1]) for line in lines)
            assert alphas[row[1 + 2 * panel]] == row[2 + 2 * panel] == max(alphas.values())


@pytest.mark.parametrize("name", ["fig3", "fig4"])
def test_dots_of_a_map_are_all_the_best_cuts_of_a_row(made: Artefacts, name: str) -> None:
    for figure in made("scales", name).figures:
        drawing = figure.drawing
        values = np.array(drawing.values)
        assert values.shape == (design(paper_size=False).topics + 1, 100)
        best = np.nanmax(values, axis=1, keepdims=True)
        assert sorted(drawing.marks) == [tuple(at) for at in np.argwhere(values >= best - 1e-9)]


def test_hits_on_one_level_count_as_agreement_only_if_requested(made: Artefacts) -> None:
    rows = {row[0]: row[1:] for row in made("scales", "fig5").tables[0].table.rows}
    # The paper's 0/0 = 1 counts HITs without a label of 100 as perfect agreement.
    left_out, _, as_one, published = rows["α at cut 99"]
    assert as_one > left_out + 0.05
    assert (published, rows["α at cut 0"][-1], rows["best cut"][-1]) == (0.51, 0.21, 58)


def test_the_simulated_crowd_agrees_about_as_well_as_printed(made: Artefacts) -> None:
    rows = {row[0]: row[1:] for row in made("scales", "fig5").tables[0].table.rows}
    for name in ("α at cut 0", "α at cut 99"):
        *_, as_one, published = rows[name]
        assert as_one == pytest.approx(published, abs=0.1), name
    left_out, *_, published = rows["best cut"]
    assert left_out == pytest.approx(published, abs=10)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "panels"), [("fig6", 2), ("fig7", 3), ("fig8", 3), ("fig9", 3)])
def test_boxes_contain_the_best_cuts(made: Artefacts, name: str, panels: int) -> None:
    section = made("scales", name)
    topics = design(paper_size=False).topics
    table = section.tables[0].table
    assert len(section.figures) == panels
    for figure in section.figures:
        drawing = figure.drawing
        assert len(drawing.values) == 3 * topics
        column = table.columns.index(figure.title.split(": ")[1])
        for topic in range(topics):
            cuts = [float(cut) for cut in table.rows[topic][column].split(":")]
            shown = drawing.values[3 * topic : 3 * topic + 3]
            assert len({len(of) for of in shown}) == 1
            assert len(shown[0]) >= 10
            assert all(cut in of for cut, of in zip(cuts, shown, strict=True))


@pytest.mark.slow
def test_correlations_of_widths_are_those_of_the_table(made: Artefacts) -> None:
    correlations, widths = (named.table for named in made("scales", "fig10").tables)
    shown = {row[1]: row[2:4] for row in correlations.rows if row[0] == "D_a+t², So4_a"}
    share = [row[1] for row in widths.rows]
    for place, group in enumerate(("best", "median", "worst"), start=2):
        expected = stats.pearsonr(share, [row[place] for row in widths.rows])
        assert shown[group] == pytest.approx((expected.statistic, expected.pvalue))
    for figure in made("scales", "fig10").figures[:3]:
        assert [len(values) for values in figure.drawing.values] == [1000] * 9


# The study arranges the data; a user's files with the same data must give the same numbers.
def test_table_4_has_the_numbers_of_the_command(
    made: Artefacts, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = collection(labels="small", seed=0)
    write_judgments(data.crowd(101), tmp_path / "s100.csv")
    write_judgments(data.crowd(2), tmp_path / "s2.csv")
    write_qrels(data.expert(2), tmp_path / "tr2.qrels")
    (tmp_path / "runs").mkdir()
    for one in data.runs:
        write_run(one, tmp_path / "runs" / f"{one.name}.run")
    rows = {row[0]: row for row in made("scales", "table4").tables[0].table.rows}
    assert list(rows) == [one.name for one in TRANSFORMATIONS]
    for name, options in {
        "D_a+t² (S100 → 2, TR2_a)": (
            "doc-at", "--target", str(tmp_path / "tr2.qrels"), "--unjudged", "nonrelevant",
        ),
        "D_t+a² (S100 → 2, S2)": ("doc-ta", "--target", str(tmp_path / "s2.csv")),
        "H_t+a¹ (S100 → 2)": ("hit-ta",),
    }.items():  # fmt: skip
        arguments = [
            "cut", str(tmp_path / "s100.csv"), "--levels", "2", "--aggregation", "median-mean",
            "--runs", str(tmp_path / "runs"), "--reference", str(tmp_path / "tr2.qrels"), "--quiet",
            "--scale", "0..100", "--method", *options,
        ]  # fmt: skip
        assert run([*arguments, "--single"]) == 0
        (single,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
        assert run(arguments) == 0
        *_, own = csv.DictReader(io.StringIO(capsys.readouterr().out))
        assert (rows[name][5], rows[name][9]) == (float(single["tau"]), single["cuts"])
        assert rows[name][1] == float(own["tau"])


@pytest.fixture
def passages(public: Path) -> Path:
    return public / "trec-dl-2021-passage"


# Known values, computed from the formulas by another program.
def test_truthfulness_labels_have_the_known_alphas_and_cuts(made: Artefacts, public: Path) -> None:
    with pytest.warns(InputWarning, match="9 rows"):
        section = made("scales", "truthfulness", public)
    checked, cuts = (one.table for one in section.tables)
    assert [row[2] for row in checked.rows] == pytest.approx(
        [0.1132, 0.1104, 0.1173, 0.3881, 0.4492], abs=5e-5
    )
    assert [row[1] for row in checked.rows[3:]] == ["75", "54:68"]
    # One of three methods leads to higher cuts with an expert: the claim does not hold.
    assert [one.verdict.value for one in section.findings] == 2 * ["as published"] + ["differs"]
    # Six transformations of S6 and S100 with, four without a second data set, three methods each.
    assert len(cuts.rows) == 3 * (2 + 2 + 4 + 8)


@pytest.mark.slow
def test_a_label_set_has_the_cuts_and_tau_of_the_command(
    passages: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table = label_cuts(
        labels="exam, GPT-4o", levels=2, folder=str(passages), digest=PASSAGES.digest(passages),
        every=8, repeats=2, seed=0,
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
    # τ was the criterion, so that no cut has a higher τ.
    every = np.array([row[3] for row in table.rows if row[0] == "every"])
    assert rows["τ, single"][2] == pytest.approx(every.max())


def test_equal_slices_are_one_set_and_real_numbers_have_some_candidates(passages: Path) -> None:
    digest = PASSAGES.digest(passages)
    data = CutData(passages, digest, "exam mean, GPT-4o", 4, 20)
    (only,) = data.even_slices().places
    assert data.even_slices().candidates[only] == pytest.approx([1.25, 2.5, 3.75])
    assert 10 < data.sets().candidates.size <= 30
    coarse = CutData(passages, digest, "UMBRELA, llama3.2 four times", 2, 20)
    assert coarse.sets().candidates.tolist() == [0, 1, 2]
    assert len(coarse.judgments.assessors) == len(LABEL_SETS["UMBRELA, llama3.2 four times"].files)


def test_changed_files_are_detected(passages: Path) -> None:
    with pytest.raises(
        InputError, match="the files changed while they were read; expected unchanged files"
    ):
        CutData(passages, "00", "exam, GPT-4", 2, 20)
