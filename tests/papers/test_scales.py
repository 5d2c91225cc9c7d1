"""The artefacts of the paper on scales, on a simulated collection at the small size."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from qrelsmith.base.content import Section, Verdict
from qrelsmith.base.tables import Table
from qrelsmith.cli import run
from qrelsmith.collection.qrels import write_qrels
from qrelsmith.collection.runs import write_run
from qrelsmith.judgments.judgment_files import write_judgments
from qrelsmith.studies.registry import StudyInputs, paper_named
from qrelsmith.sweep import Cell
from qrelsmith_papers.scale_transformation.collection import collection, design
from qrelsmith_papers.scale_transformation.methods import TRANSFORMATIONS, Transformation
from qrelsmith_papers.scale_transformation.table4_published import PUBLISHED

Made = Callable[[str], Section]


@pytest.fixture(scope="module")
def made() -> Made:
    """Artefacts at the small size; what two of them need is computed once."""
    kept: dict[str, Table] = {}

    def sweep(cells: Sequence[Cell]) -> list[Table]:
        for cell in cells:
            if cell.key not in kept:
                kept[cell.key] = cell.compute()
        return [kept[cell.key] for cell in cells]

    inputs = StudyInputs(data=None, seed=0, paper_size=False, sweep=sweep)
    sections: dict[str, Section] = {}

    def make(name: str) -> Section:
        if name not in sections:
            sections[name] = paper_named("scales").artefacts.get(name)(inputs)
        return sections[name]

    return make


def test_the_paper_size_is_that_of_the_paper() -> None:
    paper = design(paper_size=True)
    assert (paper.topics, paper.docs, paper.per_doc, paper.hit_size) == (18, 4269, 10, 8)
    assert (paper.scales, paper.systems.count) == ((2, 4, 101), 129)


# Han et al. 2019: Table 2 has 27 transformations, Table 4 these numbers.
def test_the_published_table() -> None:
    assert len(set(TRANSFORMATIONS)) == len(PUBLISHED) == 27
    best = PUBLISHED[Transformation("doc-at", 101, 4, "So4_a")]
    assert (best.own_tr2, best.own_so4, best.single_tr2, best.cuts) == (
        0.77,
        0.82,
        0.73,
        "58:85:99",
    )
    first = PUBLISHED[Transformation("hit-ta", 4, 2)]
    assert (first.own_tr2, first.single_so4, first.cuts) == (0.70, 0.72, "middle")
    assert PUBLISHED[Transformation("hit2", 101, 2, "S2")].cuts == "52"
    assert TRANSFORMATIONS[3].name == "H² (S4 → 2, TR2_a)"


def test_table_3_has_the_published_rows_beside_its_own(made: Made) -> None:
    table = made("table3").tables[0].table
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
    # The expert with two levels takes marginal relevance for relevance.
    assert all(row[4] > row[5] > row[6] for row in here)


def test_nine_labels_have_one_alpha_before_and_after_a_cut(made: Made) -> None:
    same = made("fig1").findings[1]
    assert "t+a and a+t" in same.sentence
    assert same.verdict is Verdict.HOLDS
    assert made("fig6").findings[0].verdict is Verdict.HOLDS


@pytest.mark.parametrize("name", ["fig1", "fig2"])
def test_lines_of_four_levels_are_best_where_the_table_says(made: Made, name: str) -> None:
    section = made(name)
    table = section.tables[0].table
    for panel, figure in enumerate(section.figures):
        lines = figure.drawing.lines
        assert [line.name for line in lines] == ["left", "middle", "right"]
        for topic, row in enumerate(table.rows[:-1]):
            alphas = {line.name: line.y[topic] for line in lines}
            assert alphas[row[1 + 2 * panel]] == row[2 + 2 * panel] == max(alphas.values())


@pytest.mark.parametrize("name", ["fig3", "fig4"])
def test_dots_of_a_map_are_all_the_best_cuts_of_a_row(made: Made, name: str) -> None:
    for figure in made(name).figures:
        drawing = figure.drawing
        values = np.array(drawing.values)
        assert values.shape == (design(paper_size=False).topics + 1, 100)
        best = np.nanmax(values, axis=1, keepdims=True)
        assert sorted(drawing.marks) == [tuple(at) for at in np.argwhere(values >= best - 1e-9)]


def test_hits_on_one_level_count_as_agreement_only_where_asked(made: Made) -> None:
    rows = {row[0]: row[1:] for row in made("fig5").tables[0].table.rows}
    # The paper's 0/0 = 1 counts HITs without a label of 100 as perfect agreement.
    left_out, _, as_one, published = rows["α at cut 99"]
    assert as_one > left_out + 0.05
    assert (published, rows["α at cut 0"][-1], rows["best cut"][-1]) == (0.51, 0.21, 58)


def test_the_simulated_crowd_agrees_about_as_well_as_is_printed(made: Made) -> None:
    rows = {row[0]: row[1:] for row in made("fig5").tables[0].table.rows}
    for name in ("α at cut 0", "α at cut 99"):
        *_, as_one, published = rows[name]
        assert as_one == pytest.approx(published, abs=0.1), name
    left_out, *_, published = rows["best cut"]
    assert left_out == pytest.approx(published, abs=10)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "panels"), [("fig6", 2), ("fig7", 3), ("fig8", 3), ("fig9", 3)])
def test_boxes_hold_the_best_cuts(made: Made, name: str, panels: int) -> None:
    section = made(name)
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
def test_correlations_of_widths_are_those_of_the_table(made: Made) -> None:
    correlations, widths = (named.table for named in made("fig10").tables)
    shown = {row[1]: row[2:4] for row in correlations.rows if row[0] == "D_a+t², So4_a"}
    share = [row[1] for row in widths.rows]
    for place, group in enumerate(("best", "median", "worst"), start=2):
        expected = stats.pearsonr(share, [row[place] for row in widths.rows])
        assert shown[group] == pytest.approx((expected.statistic, expected.pvalue))
    for figure in made("fig10").figures[:3]:
        assert [len(values) for values in figure.drawing.values] == [1000] * 9


# The study lays out; a user's own files go the same way and must come to the same numbers.
def test_table_4_has_what_the_command_prints(
    made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = collection(labels="small", seed=0)
    write_judgments(data.crowd(101), tmp_path / "s100.csv")
    write_judgments(data.crowd(2), tmp_path / "s2.csv")
    write_qrels(data.expert(2), tmp_path / "tr2.qrels")
    (tmp_path / "runs").mkdir()
    for one in data.runs:
        write_run(one, tmp_path / "runs" / f"{one.name}.run")
    rows = {row[0]: row for row in made("table4").tables[0].table.rows}
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


def test_other_seeds_are_other_collections(made: Made) -> None:
    one, other = (collection(labels="small", seed=seed).crowd(4).grade for seed in (0, 1))
    assert one.tolist() != other.tolist()
