"""pdp: the worked example, simulated annotations, and Table 2 and Figure 7 on real labels."""

from __future__ import annotations

import csv
import gzip
import io
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.errors import InputError
from qrelsmith.cli import run
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.planning.simulation import Design
from qrelsmith_papers.judgment_quality.figure5 import consistencies
from qrelsmith_papers.judgment_quality.figure6 import sampled_batch
from qrelsmith_papers.judgment_quality.label_data import (
    DL2021,
    LABEL_SETS,
    QualityData,
    preferences_of,
    quality_data,
    runs_of,
)
from qrelsmith_papers.judgment_quality.label_quality import MEASURES, LabelQuality
from qrelsmith_papers.judgment_quality.synthetic import (
    COEFFICIENT_NAMES,
    BatchQuality,
    batch_means,
    batch_quality,
)
from qrelsmith_papers.judgment_quality.table2 import setting_quality
from qrelsmith_papers.published import printed_table

from .conftest import Artefacts, small


# Exact, at the optimum (and α, E[φ]); the paper (3.5) prints 4.2142, 4.1705, 4.0249, 3.8180.
def test_the_worked_example_has_the_values_at_the_optimum(made: Artefacts) -> None:
    pdp = made.rows("pdp", "example")
    assert [row[4] for row in pdp] == pytest.approx([4.21752, 4.16448, 4.02394, 3.81306], abs=5e-6)
    agreement = made.rows("pdp", "example", "example-agreement")
    assert [row[2] for row in agreement] == pytest.approx([0.6818, 0.5713], abs=5e-5)
    assert [row[4] for row in agreement] == pytest.approx([72.868, 45.961], abs=5e-4)


# The paper's Table 2: 4to2(≥1), Chinese subtask, top 5, and 3to5(logS), English subtask, top 10.
def test_the_published_table_is_copied_correctly() -> None:
    _, rows = printed_table("judgment_quality", "table2")
    assert len(rows) == 18
    assert rows[0][3:7] == (0.6256, 0.7806, 0.6909, 0.6727)
    assert rows[-1][-2] == 13.4380
    assert math.isnan(rows[-1][-1])


@pytest.mark.full
@pytest.mark.slow
def test_figure_4_falls_with_quality_and_grades_and_is_ln_120_for_random_annotation(
    made: Artefacts,
) -> None:
    rows = np.array(made.rows("pdp", "fig4"))
    assert rows[:, 0].tolist() == [2, 3, 4, 7, 16, 30]
    curves = rows[:, 1:].reshape(6, 2, 3)  # scale, mode, quality
    assert (np.diff(curves, axis=2) > 0).all()
    assert (np.diff(curves, axis=0) < 0).all()
    # Paper on PDP, 4.2.1: 4.6 for low quality, ln 5! = 4.7875 for random annotation as topics grow.
    low = made("pdp", "fig4").tables[0].table.columns.index("individual, low quality")
    assert rows[:, low].mean() == pytest.approx(4.6, abs=0.1)
    blind = made.rows("pdp", "fig4", "fig4-random")
    assert all(row[3] <= math.log(120) + 1e-12 for row in blind)
    assert [row[3] for row in blind if row[0] == 400 and row[1] <= 4] == pytest.approx(
        4 * [4.7875], abs=0.005
    )


def test_the_means_of_a_batch_are_those_beside_the_coefficients() -> None:
    design = {"topics": 60, "batch_size": 20, "levels": (2, 5), "seed": 4}
    alone = batch_means(batches=(2, 1), judging="perceived", **design)
    beside = batch_quality(batch=1, bias="assessor", **design)
    assert [row[:2] for row in alone.rows] == [(2, 2), (2, 5), (1, 2), (1, 5)]
    assert [row[2:] for row in alone.rows[2:]] == [row[2:4] for row in beside.rows]


def test_a_measure_that_orders_the_batches_like_their_error_has_consistency_1() -> None:
    sigma = np.array([0.1, 0.2, 0.3, 0.25])
    rising, falling = np.stack([sigma, -sigma], axis=1), np.stack([-sigma, sigma], axis=1)
    values = {
        **dict.fromkeys(MODES, rising),  # PDP grows with error,
        **dict.fromkeys(COEFFICIENT_NAMES, falling),  # agreement falls
    }
    rho = consistencies(BatchQuality(sigma, np.array([2, 3]), values))
    assert list(rho) == [*MODES, *COEFFICIENT_NAMES]
    for of_scales in rho.values():
        assert of_scales == pytest.approx([1.0, -1.0])


@pytest.mark.parametrize("mode", MODES)
def test_pdp_of_sampled_tests_varies_around_its_limit_and_less_with_more_tests(mode: str) -> None:
    table = sampled_batch(
        batch=0, topics=100, batch_size=50, levels=4, mode=mode, per_pair=(5, 500), repeats=40,
        seed=1,
    )  # fmt: skip
    few, many, (limit,) = (
        np.array([row[2] for row in table.rows if row[0] == size]) for size in (5, 500, None)
    )
    assert few.size == many.size == 40
    assert many.std() < 0.3 * few.std()
    assert abs(many.mean() - limit) < 4 * many.std() / math.sqrt(40) + 0.01


@pytest.mark.slow
def test_figure_6_has_every_box_and_shows_how_often_the_order_is_right(made: Artefacts) -> None:
    rows = made.rows("pdp", "fig6")
    assert len(rows) == 2 * 3 * 6 * 3
    assert all(row[4] <= row[5] <= row[6] and 0 <= row[9] <= 1 for row in rows)
    # In individual mode, the qualities differ much: by more than ten standard deviations.
    assert min(row[9] for row in rows if row[0] == "individual") > 0.95
    for figure in made("pdp", "fig6").figures:
        assert {len(values) for values in figure.drawing.values} == {20}


def test_the_paper_uses_a_hundred_batches_of_a_hundred_topics() -> None:
    design = Design()
    assert (design.batches, design.batch_size, design.docs, design.assessors) == (100, 100, 5, 15)


@pytest.mark.slow
def test_table_2_has_every_setting(made: Artefacts, data: Path) -> None:
    section = made("pdp", "table2", data)
    pdp, power, agreement, differences, _ = (one.table for one in section.tables)
    assert [row[0] for row in power.rows] == list(LABEL_SETS)
    assert power.columns == ("setting", "top", *MEASURES)
    assert [row[0] for row in agreement.rows] == [
        name for name, labels in LABEL_SETS.items() if labels.assessors > 1
    ]
    for row in pdp.rows:
        assert (row[6] is not None) == (LABEL_SETS[row[0]].assessors > 1)
        if row[-1].startswith("0 of"):
            assert 0 < row[3] <= math.log(120) + 1e-12
            assert row[4] <= row[3] <= row[5] + 1e-12
        untested, _, pairs = row[-1].split()
        assert math.isnan(row[3]) == (untested == pairs)
    assert {row[0] for row in differences.rows} < set(LABEL_SETS)
    assert sum("On TREC DL 2021" in one.sentence for one in section.findings) == 6


@pytest.mark.slow
def test_figure_7_at_infinity_is_the_four_grades(made: Artefacts, data: Path) -> None:
    means, spreads = (one.table for one in made("pdp", "fig7", data).tables)
    rows = {name: dict(zip(means.columns[2:], row, strict=True)) for _, name, *row in means.rows}
    for mode in MODES:
        row = rows[f"PDP, {mode}"]
        assert row["4to7(∞)"] == pytest.approx(row["4 grades"], abs=1e-9)
        assert row["4to7(0.5)"] > row["4to7(∞)"]  # more randomness leaves fewer differences
    # The gains of linear nDCG are doubled, which does not change a ratio.
    row = rows["DP, linear nDCG"]
    assert row["4to7(∞)"] == pytest.approx(row["4 grades"], abs=1e-12)
    assert [row[-1] for row in spreads.rows] == pytest.approx([0.0] * len(rows), abs=1e-12)


def test_files_may_be_compressed_are_named_and_checked_by_their_digest(
    data: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "trec-dl-2021-passage"
    shutil.copytree(data / folder.name, folder)
    digest = DL2021.digest(folder)
    assert DL2021.digest(data / folder.name) == digest
    with (folder / "prefs" / "human.crowd.prefs").open("a") as prefs:
        prefs.write("t0 d00 d01 d00\n")
    with pytest.raises(
        InputError, match="the files changed while they were read; expected unchanged files"
    ):
        setting_quality(
            labels="NIST, 4 grades", depth=5, folder=str(folder), digest=digest, is_own=False,
            every=1, resamples=0, seed=0,
        )  # fmt: skip
    nist = folder / "qrels" / "nist.qrels"
    before, _ = QualityData(folder, is_own=False).labels(LABEL_SETS["NIST, 4 grades"])
    with gzip.open(f"{nist}.gz", "wb") as out:
        out.write(nist.read_bytes())
    nist.unlink()
    packed, _ = QualityData(folder, is_own=False).labels(LABEL_SETS["NIST, 4 grades"])
    assert packed.grade.tolist() == before.grade.tolist()
    nist.with_name("nist.qrels.gz").unlink()
    with pytest.raises(InputError, match=r"nist\.qrels"):
        DL2021.digest(folder)
    nist.write_bytes(b"")
    shutil.rmtree(folder / "runs")
    with pytest.raises(
        InputError, match=r"runs/\*\.run\*: file not found; expected it in the data set"
    ):
        DL2021.files(folder)


def test_reductions_are_binary_and_scales_are_those_of_their_labels(data: Path) -> None:
    found = quality_data(small(data))
    assert found is not None
    for labels in LABEL_SETS.values():
        judgments, scale = found.labels(labels)
        # Labels combined from several files have one label per doc.
        summed = labels.name.endswith("(logS)")
        assert len(judgments.assessors) == (1 if summed else len(labels.files))
        assert scale.holds(judgments.grade).all()
    assert found.labels(LABEL_SETS["NIST, 4to2(≥2)"])[1].levels == (0.0, 1.0)


@pytest.fixture
def real(public: Path) -> QualityData:
    return QualityData(public / "trec-dl-2021-passage", is_own=False)


def _quality(real: QualityData, name: str, *, every: int) -> LabelQuality:
    return LabelQuality(*real.labels(LABEL_SETS[name]), runs_of(real)[::every], 5, 0)


def test_the_study_has_the_pdp_of_the_command(
    real: QualityData, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "llama3.2 four times, 4 grades"
    quality = _quality(real, name, every=8)
    found = quality.pdp(preferences_of(real)["human"], "individual", resamples=0)
    files = [str(real.folder / f"{one}.gz") for one in LABEL_SETS[name].files]
    runs = sorted((real.folder / "runs").iterdir())[::8]
    arguments = [
        *files, "--preferences", str(real.folder / "prefs" / "human.crowd.prefs"), "--paper",
        "--untested", "half", *(word for path in runs for word in ("--runs", str(path))), "--quiet",
    ]  # fmt: skip
    assert run(["pdp", *arguments]) == 0
    mean = next(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert mean["topic"] == "all"
    assert found.value == pytest.approx(float(mean["pdp"]))
    assert (found.untested, found.pairs) == (0, 6)


# Paired t: nDCG@5 .705 of 63 runs; the bootstrap is close to that.
def test_discriminative_power_of_nist_labels_is_close_to_the_known_value(real: QualityData) -> None:
    power = _quality(real, "NIST, 4 grades", every=1).power(trials=1000)
    assert power["linear nDCG"].value == pytest.approx(0.705, abs=0.02)


@pytest.mark.parametrize(
    ("name", "untested", "pairs"), [("NIST, 4 grades", 3, 6), ("NIST, 4to2(≥1)", 1, 1)]
)
def test_nist_grade_0_was_never_compared(
    real: QualityData, name: str, untested: int, pairs: int
) -> None:
    quality = _quality(real, name, every=20)
    for who in ("human", "GPT-4o"):
        found = quality.pdp(preferences_of(real)[who], "individual", resamples=0)
        assert (found.untested, found.pairs) == (untested, pairs)
        assert np.isnan(found.value) == (untested == pairs)
