"""ordering-gold-bronze on TREC DL 2021, and the commands that give the same numbers."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from qrelsmith.base.content import Section, Verdict
from qrelsmith.cli import run
from qrelsmith.planning.simulated_campaign import write_simulated_campaign
from qrelsmith.studies.registry import StudyInputs, paper_named
from qrelsmith.studies.reproduction import reproduce
from qrelsmith_papers.judging_order.dl2021 import NAME, dl2021, files_read
from qrelsmith_papers.judging_order.simulated import simulated_campaign

WITH_DATA = ("table2", "table5", "table8", "table10", "table12", "table16", "table18")


def small(data: Path | None = None, seed: int = 0) -> StudyInputs:
    return StudyInputs(data=data, seed=seed, paper_size=False, sweep=lambda _: [])


def made(name: str, data: Path | None) -> Section:
    section: Section = paper_named("ordering").artefacts.get(name)(small(data))
    return section


def table(section: Section, key: str) -> list[tuple]:
    return list(next(one.table for one in section.tables if one.key == key).rows)


@pytest.fixture(scope="module")
def real(shared: Path) -> Path:
    folder = shared / "data"
    if not (folder / NAME).is_dir():
        pytest.skip(f"needs the data set {NAME}, which is not here")
    return folder


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, str]]:
    assert run([*arguments, "--quiet"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


@pytest.mark.parametrize("name", WITH_DATA)
def test_without_the_data_set_the_rest_is_there_and_it_says_so(name: str, tmp_path: Path) -> None:
    for data in (None, tmp_path):
        section = made(name, data)
        assert any(NAME in text for text in section.paragraphs)
        assert not any("dl2021" in one.key for one in section.tables)
        assert not any("TREC DL 2021" in one.sentence for one in section.findings)
    assert files_read(small(tmp_path)) == ()


@pytest.mark.parametrize("name", WITH_DATA)
def test_a_small_collection_in_the_layout_of_the_data_set(name: str, data: Path) -> None:
    section = made(name, data)
    assert not any(NAME in text for text in section.paragraphs)
    if name == "table10":
        assert "TREC DL 2021" in {row[2] for row in table(section, name)}
    else:
        rows = table(section, f"{name}-dl2021")
        assert rows
    if name not in ("table8", "table16"):  # no claim of the paper is about them
        assert any("TREC DL 2021" in one.sentence for one in section.findings)


def test_all_its_files_are_in_the_manifest(data: Path) -> None:
    report = reproduce(paper_named("ordering"), small(data), artefacts=["table5", "table6"])
    named = [file["path"] for file in json.loads(report.manifest)["inputs"]]
    assert len(named) == 7 + 17
    assert f"{NAME}/qrels/nist.qrels" in named


# SPEC 4: ordinal α with NIST, .6240 for GPT-4 and .6604 for GPT-4o.
def test_the_careful_and_the_hasty_llm_are_chosen_by_alpha_with_nist(real: Path) -> None:
    found = dl2021(small(real))
    assert found is not None
    assert (found.careful, found.hasty) == ("GPT-4o", "llama3.2")
    assert found.agreement["GPT-4"].value == pytest.approx(0.6240, abs=5e-5)
    assert found.agreement["GPT-4o"].value == pytest.approx(0.6604, abs=5e-5)
    assert found.agreement["llama3.2"].value < 0.4
    collection = found.collection
    assert {len(qrels) for qrels in collection.label_sets.values()} == {10_828}
    assert (len(collection.topics), len(collection.runs)) == (53, 63)
    # Names without a mark after the team are taken together, others end at the first one.
    sizes = {team: list(collection.teams.values()).count(team) for team in ("uogTr", "watp", "p")}
    assert sizes == {"uogTr": 5, "watp": 6, "p": 10}


def test_on_real_labels_care_shows_in_the_rankings(real: Path) -> None:
    for name in ("table5", "table10"):
        said = [one for one in made(name, real).findings if "TREC DL 2021" in one.sentence]
        assert said
        assert {one.verdict for one in said} == {Verdict.HOLDS}


def test_table_10_is_what_compare_prints(real: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = table(made("table10", real), "table10")
    found = {row[0]: row[3:] for row in rows if row[1:3] == ("Gold, BronzeT", "TREC DL 2021")}
    labels = real / NAME / "qrels"
    runs = sorted(map(str, (real / NAME / "runs").iterdir()))
    printed = answer(
        capsys, "compare", "--qrels", str(labels / "nist.qrels"), "--qrels",
        str(labels / "umbrela.gpt-4o.qrels.gz"), "-m", "nDCG@10 Q@10 nERR@10 iRBU@10", *runs,
    )  # fmt: skip
    for row in printed:
        if row["interval"] == "fieller":
            values = tuple(float(row[name]) for name in ("tau_b", "tau_low", "tau_high"))
            short = row["measure"].partition("@")[0].partition("(")[0]
            assert found[short] == pytest.approx(values), short


def test_the_study_has_the_numbers_that_the_commands_print_of_the_campaign(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "campaign"
    write_simulated_campaign(simulated_campaign(small()).campaign, folder, title="The same one")
    both = ("--ordering", "prioritised", "--ordering", "randomised")
    gold = ("--label-set", "simulated-gold")
    printed = answer(capsys, "consistency", str(folder), *gold, *both)
    names = {"prioritised": "PRI-Gold", "randomised": "RND-Gold"}
    assert [
        (row["letter"], names[row["topic_set"]], float(row["tau"]), row["outperforms"])
        for row in printed
    ] == [(r[0], r[1], pytest.approx(r[3]), r[5]) for r in table(made("table11", None), "table11")]

    printed = answer(capsys, "compare", str(folder), *gold, *both)
    taus = {
        row["measure"].partition("@")[0].partition("(")[0]: float(row["tau_b"])
        for row in printed
        if row["interval"] == "fieller"
    }
    rows = table(made("table9", None), "table9")
    assert taus == {r[0]: pytest.approx(r[3]) for r in rows if r[1:3] == ("Gold", "simulated")}

    printed = answer(capsys, "loto", str(folder), *gold, *both)
    taus = [(row["topic_set"], row["team"], float(row["tau_b"])) for row in printed]
    rows = table(made("table17", None), "table17")
    shown = {name: ordering for ordering, name in names.items()}
    expected = sorted((shown[row[0]], row[2], row[4]) for row in rows)
    for one, other in zip(sorted(taus), expected, strict=True):
        assert one == (*other[:2], pytest.approx(other[2]))

    group = ("--group", "simulated-gold", "--compare", "ordering", "--control", "randomised",
             "--test", "two-sample-t")  # fmt: skip
    printed = answer(capsys, "efficiency", str(folder), *group)
    rows = [r for r in table(made("table3", None), "table3") if r[1] == "simulated"]
    assert [(row["criterion"], float(row["p"])) for row in printed] == [
        (r[0], pytest.approx(r[6])) for r in rows
    ]

    printed = answer(capsys, "disagree", str(folder), "--show", "tests")
    rows = [r for r in table(made("table8", None), "table8-test") if r[1] == "simulated"]
    assert [(row["gold_says"], float(row["p"])) for row in printed] == [
        (r[0], pytest.approx(r[4])) for r in rows
    ]

    kappa = ("--coefficient", "kappa-quadratic", "--by", "environment-pair")
    printed = answer(capsys, "agree", str(folder), *kappa)
    values = sorted(float(row["value"]) for row in printed if row["scope"] != "all")
    rows = table(made("table5", None), "table5")
    assert values == pytest.approx(sorted(r[5] for r in rows))
