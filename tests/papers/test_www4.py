"""WWW-4 itself: its public files, and fakes of the forms that the authors' files have."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from qrelsmith.base.content import Section, Verdict
from qrelsmith.cli import run
from qrelsmith.collection.runs import write_run
from qrelsmith.judgments.judgment_files import write_judgments
from qrelsmith.studies.claims import ClaimKind, base_kind, totals
from qrelsmith.studies.registry import StudyInputs, paper_named
from qrelsmith.studies.reproduction import reproduce
from qrelsmith.studies.wanted_page import data_files_text
from qrelsmith_papers.judging_order.collection import GROUPS, JudgedCollection
from qrelsmith_papers.judging_order.halves import consistency_of, mean_of
from qrelsmith_papers.judging_order.second_round import second_round_of
from qrelsmith_papers.judging_order.simulated import simulated_campaign
from qrelsmith_papers.judging_order.www4 import NAME, WANTED, www4

PAPER = paper_named("ordering")
# SPEC 24: RND and PRI at cutoff 10, order of the file, 200 splits; 1,000 splits within .03.
CONSISTENCY = {
    "nDCG": (0.732, 0.098), "Q": (0.653, 0.098), "nERR": (0.615, 0.347), "iRBU": (0.520, -0.018),
}  # fmt: skip
# Those that look at times and positions.
OF_LOG = ("table3", "table4", "fig1", "fig2")
OF_SECOND = ("table14", "table15")
OF_LABELS = (
    "table1", "table2", "table5", "table6", "table7", "table8", "table9", "table10", "table11",
    "table12", "table16", "table17", "table18",
)  # fmt: skip


def small(data: Path | None) -> StudyInputs:
    return StudyInputs(data=data, seed=0, paper_size=False, sweep=lambda _: [])


def made(data: Path, *names: str) -> dict[str, Section]:
    report = reproduce(PAPER, small(data), artefacts=names)
    return {section.key: section for section in report.sections}


def kinds(section: Section) -> set[str]:
    return {base_kind(one) for one in section.findings} - {ClaimKind.FROM_PRINT.value}


@pytest.fixture(scope="module")
def public(shared: Path) -> Path:
    folder = shared / "data" / NAME
    if not folder.is_dir():
        pytest.skip(f"needs the data set {NAME}, which is not here")
    return folder


def test_the_public_files_give_tables_1_and_2_and_the_direction_of_table_11(public: Path) -> None:
    sections = made(public, "table1", "table2", "table11")
    for name in sections:
        first = sections[name].findings[0]
        assert (first.verdict, first.kind) == (Verdict.HOLDS, "recomputed"), name
    # The folder with all data sets holds it as well.
    assert made(public.parent, "table1")["table1"].findings == sections["table1"].findings
    assert "50 of 50 topics" in sections["table1"].findings[0].sentence
    assert "Gold, PRI-Gold, RND-Gold of Gold" in sections["table2"].findings[0].sentence
    # What needs Bronze is simulated, and says so.
    assert kinds(made(public, "table6")["table6"]) == {"simulated"}


def test_its_consistency_is_that_of_its_four_public_runs(public: Path) -> None:
    real = www4(small(public))
    assert real is not None
    collection = real.collection
    assert (len(collection.runs), len(collection.topics)) == (4, 50)
    result = consistency_of(collection, [(n, "Gold", t) for n, t in collection.topic_sets.items()])
    for measure, expected in CONSISTENCY.items():
        taus = [mean_of(result, name, measure) for name in ("RND", "PRI")]
        assert taus == pytest.approx(expected, abs=0.03), measure


def test_the_folder_says_what_is_wanted_and_what_is_there(
    public: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    answer = run(
        ["reproduce", "ordering", "--artefact", "table1", "--data", str(public), "--size", "small",
         "-o", str(folder), "--quiet"]
    )  # fmt: skip
    assert answer == 0
    text = (folder / "wanted.md").read_text("utf-8")
    assert "| `www4gold-corrected.qrels` | yes |" in text
    assert "| `judgments.csv` | no |" in text
    assert "wanted.md" in (folder / "SHA256SUMS").read_text("utf-8")
    printed = capsys.readouterr().out
    assert "recomputed: 1 as published\n" in printed
    assert "simulated: 1 not comparable\n" in printed


@pytest.fixture(scope="module")
def labels() -> JudgedCollection:
    """Labels and runs of a small simulated campaign, to be written in the papers' forms."""
    return simulated_campaign(small(None)).collection


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory, labels: JudgedCollection) -> Path:
    """A fake of the authors' files with the log, in a folder of any name."""
    folder = tmp_path_factory.mktemp("logged")
    again = second_round_of(small(None))
    assert again is not None
    campaign = simulated_campaign(small(None))
    docs: dict[str, list[str]] = {}
    for topic, doc in again.listed.docs:
        docs.setdefault(topic, []).append(doc)
    write_judgments(labels.judgments, folder / "judgments.csv")
    write_judgments(campaign.judged_again(docs), folder / "rejudged.csv")
    _write_runs(folder / "runs", labels, {})
    return folder


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory, labels: JudgedCollection) -> Path:
    """A fake of released files: three qrels in NTCIR's form, and runs; topics as Table 1 has."""
    folder = tmp_path_factory.mktemp("data") / NAME
    folder.mkdir()
    names = {
        topic: f"{place:04d}" for place, topic in enumerate(labels.label_sets["Gold"].topics, 201)
    }
    files = ("www4gold-corrected.qrels", "www4bronzew.qrels", "www4bronzet.qrels")
    for group, name in zip(GROUPS, files, strict=True):
        rows = labels.label_sets[group].rows()
        lines = (f"{names[topic]} {doc} L{grade:g}\n" for topic, doc, grade in rows)
        (folder / name).write_text("".join(lines), "utf-8")
    _write_runs(folder / "runs", labels, names)
    return folder


def _write_runs(folder: Path, labels: JudgedCollection, names: Mapping[str, str]) -> None:
    folder.mkdir()
    for one in labels.runs:
        path = folder / f"{one.name}.run"
        write_run(one, path)
        lines = (line.partition(" ") for line in path.read_text("utf-8").splitlines())
        text = "".join(f"{names.get(topic, topic)} {rest}\n" for topic, _, rest in lines)
        path.write_text(f"<SYSDESC>{one.name}</SYSDESC>\n{text}", "utf-8")


def test_every_artefact_is_computed_from_the_authors_files(logged: Path) -> None:
    sections = made(logged, *OF_LABELS, *OF_LOG, *OF_SECOND)
    assert [name for name in sections if kinds(sections[name]) != {"recomputed"}] == []
    # The same labels give the same numbers, as what they were written from.
    simulated = reproduce(PAPER, small(None), artefacts=["table5", "table10"]).sections
    for section in simulated:
        rows, expected = (of.tables[0].table.rows for of in (sections[section.key], section))
        assert [row[-3:] for row in rows] == [row[-3:] for row in expected]
    assert totals(sections["table9"].findings).rows[0][0] == "recomputed"


def test_qrels_and_runs_give_all_but_what_needs_times(released: Path) -> None:
    sections = made(released, "table1", "table5", "table9", "table16", "table3", "fig1")
    found = {name: kinds(section) for name, section in sections.items()}
    assert [name for name, of in found.items() if of == {"simulated"}] == ["table3", "fig1"]
    assert all(of == {"recomputed"} for name, of in found.items() if name in OF_LABELS)


def test_every_file_that_is_read_is_wanted(logged: Path, released: Path) -> None:
    for folder in (logged, released):
        text = data_files_text([PAPER], small(folder))
        here = {path.name for path in folder.iterdir() if path.is_file()}
        assert here <= {file.name for file in WANTED.files}
        for name in (*here, "runs/*"):
            assert f"| `{name}` | yes |" in text
