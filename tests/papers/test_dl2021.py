"""Table 2 and Figure 7: on a small collection in the layout of the data, and on the data."""

from __future__ import annotations

import csv
import io
import math
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.content import Section
from qrelsmith.base.errors import InputError
from qrelsmith.cli import run
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.judgment_quality.dl2021 import LABEL_SETS, QualityCollection, collection
from qrelsmith_papers.judgment_quality.label_quality import MEASURES, LabelQuality
from qrelsmith_papers.judgment_quality.table2 import setting_quality
from qrelsmith_papers.judgment_quality.table2_published import PUBLISHED

Make = Callable[..., Section]


@pytest.fixture
def real(shared: Path) -> QualityCollection:
    folder = shared / "data" / "trec-dl-2021-passage"
    if not folder.is_dir():
        pytest.skip("needs the data set trec-dl-2021-passage, which is not here")
    return QualityCollection(folder)


@pytest.mark.parametrize("name", ["table2", "fig7"])
@pytest.mark.parametrize("there", [True, False])
def test_without_the_data_set_the_section_says_what_is_missing(
    make: Make, tmp_path: Path, name: str, there: bool
) -> None:
    section = make(name, data=tmp_path if there else None)
    assert "the data set trec-dl-2021-passage" in section.missing
    assert (section.tables, section.figures, section.findings) == ((), (), ())


@pytest.mark.slow
def test_table_2_has_every_setting(make: Make, data: Path) -> None:
    section = make("table2", data=data)
    pdp, power, agreement, differences, published = (named.table for named in section.tables)
    assert [row[0] for row in power.rows] == list(LABEL_SETS)
    assert power.columns == ("setting", "top", *MEASURES)
    assert all(0 <= share <= 1 for row in power.rows for share in row[2:])
    assert [row[0] for row in agreement.rows] == [
        name for name, labels in LABEL_SETS.items() if labels.assessors > 1
    ]
    assert {row[2] for row in pdp.rows} == {"human", "GPT-4o"}
    for row in pdp.rows:
        several = LABEL_SETS[row[0]].assessors > 1
        assert (row[6] is not None) == several
        if row[-1].startswith("0 of"):
            assert 0 < row[3] <= math.log(120) + 1e-12
            assert row[4] <= row[3] <= row[5] + 1e-12
        untested, _, pairs = row[-1].split()
        assert math.isnan(row[3]) == (untested == pairs)
    assert {row[0] for row in differences.rows} < set(LABEL_SETS)
    assert published == PUBLISHED
    assert len(section.findings) == 6


@pytest.mark.slow
def test_figure_7_at_infinity_is_the_four_grades(make: Make, data: Path) -> None:
    section = make("fig7", data=data)
    means, spreads = (named.table for named in section.tables)
    rows = {name: dict(zip(means.columns[2:], row, strict=True)) for _, name, *row in means.rows}
    for mode in ("individual", "aggregate"):
        row = rows[f"PDP, {mode}"]
        assert row["4to7(∞)"] == pytest.approx(row["4 grades"], abs=1e-9)
        # Much chance leaves less to be told apart.
        assert row["4to7(0.5)"] > row["4to7(∞)"]
    # The gains of linear nDCG are doubled, and a ratio does not see that.
    row = rows["DP, linear nDCG"]
    assert row["4to7(∞)"] == pytest.approx(row["4 grades"], abs=1e-12)
    assert [row[-1] for row in spreads.rows] == pytest.approx([0.0] * len(rows), abs=1e-12)
    assert "4to7(∞) is that of the four grades" in section.findings[1].sentence


def test_a_file_that_is_packed_counts_and_one_that_lacks_is_named(
    data: Path, tmp_path: Path
) -> None:
    import gzip

    folder = tmp_path / "trec-dl-2021-passage"
    shutil.copytree(data / folder.name, folder)
    nist = folder / "qrels" / "nist.qrels"
    before = QualityCollection(folder).labels(LABEL_SETS["NIST, 4 grades"])
    with gzip.open(f"{nist}.gz", "wb") as out:
        out.write(nist.read_bytes())
    nist.unlink()
    assert QualityCollection(folder).labels(LABEL_SETS["NIST, 4 grades"]).grade.tolist() == (
        before.grade.tolist()
    )
    nist.with_name("nist.qrels.gz").unlink()
    with pytest.raises(InputError, match=r"nist\.qrels"):
        QualityCollection(folder).digest()
    shutil.rmtree(folder / "runs")
    with pytest.raises(InputError, match=r"runs: there are no runs; expected \*\.run files"):
        QualityCollection(folder).files()


def test_the_digest_follows_the_content_and_guards_the_work(data: Path, tmp_path: Path) -> None:
    folder = tmp_path / "trec-dl-2021-passage"
    shutil.copytree(data / folder.name, folder)
    digest = QualityCollection(folder).digest()
    assert QualityCollection(data / folder.name).digest() == digest
    with (folder / "prefs" / "human.crowd.prefs").open("a") as prefs:
        prefs.write("t0 d00 d01 d00\n")
    assert QualityCollection(folder).digest() != digest
    with pytest.raises(InputError, match="the files changed while they were worked on"):
        setting_quality(
            labels="NIST, 4 grades", depth=5, folder=str(folder), digest=digest, every=1,
            resamples=0, seed=0,
        )  # fmt: skip


def test_reductions_are_binary_and_scales_those_of_their_labels(data: Path) -> None:
    found = collection(StudyInputs(data=data, seed=0, paper_size=False, sweep=list))
    assert found is not None
    for labels in LABEL_SETS.values():
        judgments = found.labels(labels)
        # What is put together of several files is one label for a doc.
        summed = labels.name.endswith("(logS)")
        assert len(judgments.assessors) == (1 if summed else len(labels.files))
        assert labels.scale.holds(judgments.grade).all()
    assert LABEL_SETS["NIST, 4to2(≥2)"].scale.levels == (0.0, 1.0)


# The paper's Table 2: 4to2(≥1), Chinese subtask, top 5, and 3to5(logS), English, top 10.
def test_the_published_table() -> None:
    assert len(PUBLISHED.rows) == 18
    assert PUBLISHED.rows[0][3:7] == (0.6256, 0.7806, 0.6909, 0.6727)
    assert PUBLISHED.rows[-1][-2] == 13.4380
    assert math.isnan(PUBLISHED.rows[-1][-1])


def test_the_study_has_the_pdp_that_the_command_prints(
    real: QualityCollection, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = LABEL_SETS["llama3.2 four times, 4 grades"]
    quality = LabelQuality(real.labels(labels), labels.scale, real.runs[::8], 5, 0)
    found = quality.pdp(real.preferences["human"], "individual", resamples=0)
    files = [str(real.folder / "qrels" / f"{name}.qrels.gz") for name in labels.files]
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


# SPEC 8.7, with paired t: nDCG@5 .705 and nDCG@10 .745 of 63 runs; the bootstrap comes near.
def test_discriminative_power_of_nist(real: QualityCollection) -> None:
    labels = LABEL_SETS["NIST, 4 grades"]
    judgments, runs = real.labels(labels), real.runs
    for depth, share in ((5, 0.705), (10, 0.745)):
        power = LabelQuality(judgments, labels.scale, runs, depth, 0).power(trials=1000)
        assert power["linear nDCG"].value == pytest.approx(share, abs=0.02)


def test_nist_grade_0_was_never_compared(real: QualityCollection) -> None:
    runs = real.runs[::20]
    for name, untested, pairs in (("NIST, 4 grades", 3, 6), ("NIST, 4to2(≥1)", 1, 1)):
        labels = LABEL_SETS[name]
        quality = LabelQuality(real.labels(labels), labels.scale, runs, 5, 0)
        for who in ("human", "GPT-4o"):
            found = quality.pdp(real.preferences[who], "individual", resamples=0)
            assert (found.untested, found.pairs) == (untested, pairs)
            assert np.isnan(found.value) == (untested == pairs)
