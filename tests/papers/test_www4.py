"""WWW-4: its public files, and simulated files in the formats of the authors' files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from qrelsmith.base.content import Section, Verdict
from qrelsmith.cli import run
from qrelsmith.collection.run_writing import write_run
from qrelsmith.judgments.judgment_files import write_judgments
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.findings import base_kind
from qrelsmith.studies.registry import paper_named
from qrelsmith.studies.wanted_page import data_files_text
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.consistency import consistency_of
from qrelsmith_papers.judging_order.groups import GROUPS
from qrelsmith_papers.judging_order.second_round import second_round_of
from qrelsmith_papers.judging_order.simulated import simulated_campaign
from qrelsmith_papers.judging_order.www4 import NAME, WANTED, www4

from .conftest import Artefacts, small

PAPER = paper_named("ordering")
# RND and PRI at cutoff 10, file order, 200 splits; 1,000 splits are within .03.
CONSISTENCY = {
    "nDCG": (0.732, 0.098), "Q": (0.653, 0.098), "nERR": (0.615, 0.347), "iRBU": (0.520, -0.018),
}  # fmt: skip
# Artefacts that use times and positions.
OF_LOG = ("table3", "table4", "fig1", "fig2")
OF_SECOND = ("table14", "table15")
OF_LABELS = (
    "table1", "table2", "table5", "table6", "table7", "table8", "table9", "table10", "table11",
    "table12", "table16", "table17", "table18",
)  # fmt: skip


def kinds(section: Section) -> set[str]:
    return {base_kind(one) for one in section.findings} - {ClaimKind.FROM_PRINT.value}


@pytest.fixture(scope="module")
def folder(public: Path) -> Path:
    return public / NAME


# Table 11: with 4 runs, RND is better by iRBU, too, although the paper finds no difference.
@pytest.mark.parametrize(
    ("name", "verdicts"), [("table1", "h"), ("table2", "h"), ("table11", "dh")]
)
def test_the_public_files_give_tables_1_and_2_and_the_direction_of_table_11(
    made: Artefacts, folder: Path, name: str, verdicts: str
) -> None:
    found = [one for one in made("ordering", name, folder).findings if one.kind == "recomputed"]
    assert [one.verdict for one in found] == [
        {"h": Verdict.HOLDS, "d": Verdict.DIFFERS}[word] for word in verdicts
    ]
    # The folder with all data sets contains WWW-4, too; artefacts that need Bronze are simulated,
    # and say so.
    assert (
        made("ordering", "table1", folder.parent).findings
        == made("ordering", "table1", folder).findings
    )
    assert kinds(made("ordering", "table6", folder)) == {"simulated"}


def test_the_consistency_of_www4_is_that_of_the_four_public_runs(folder: Path) -> None:
    real = www4(small(folder))
    assert real is not None
    collection = real.collection
    assert (len(collection.runs), len(collection.topics)) == (4, 50)
    sets = [(n, "Gold", t) for n, t in collection.topic_sets.items()]
    halves, _ = consistency_of(collection, sets)
    for measure, expected in CONSISTENCY.items():
        taus = [halves.tau(name, measure) for name in ("RND", "PRI")]
        assert taus == pytest.approx(expected, abs=0.03), measure


def test_the_folder_names_required_and_available_files(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    answer = run(
        ["reproduce", "ordering", "--artefact", "table1", "--data", str(folder), "--size", "small",
         "--draws", "0", "-o", str(out), "--quiet"]
    )  # fmt: skip
    assert answer == 0
    text = (out / "wanted.md").read_text("utf-8")
    assert "| `www4gold-corrected.qrels` | yes |" in text
    assert "| `judgments.csv` | no |" in text
    assert "wanted.md" in (out / "SHA256SUMS").read_text("utf-8")
    printed = capsys.readouterr().out
    assert "recomputed: 1 as published\n" in printed
    assert "simulated: 1 not comparable\n" in printed


@pytest.fixture(scope="module")
def labels() -> JudgedCollection:
    """Return labels and runs of a small simulated campaign for files in the papers' formats."""
    return simulated_campaign(small()).collection


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory, labels: JudgedCollection) -> Path:
    """Write simulated files of the authors with the log, in a folder of any name."""
    folder = tmp_path_factory.mktemp("logged")
    again = second_round_of(small())
    assert again is not None
    campaign = simulated_campaign(small())
    docs: dict[str, list[str]] = {}
    for topic, doc in again.listed.docs:
        docs.setdefault(topic, []).append(doc)
    write_judgments(labels.judgments, folder / "judgments.csv")
    write_judgments(campaign.judged_again(docs), folder / "rejudged.csv")
    _write_runs(folder / "runs", labels, {})
    return folder


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory, labels: JudgedCollection) -> Path:
    """Write simulated released files: three NTCIR qrels, and runs; topics as in Table 1."""
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


@pytest.mark.parametrize("name", [*OF_LABELS, *OF_LOG, *OF_SECOND])
def test_every_artefact_is_computed_from_the_authors_files(
    made: Artefacts, logged: Path, name: str
) -> None:
    assert kinds(made("ordering", name, logged)) == {"recomputed"}
    if name in ("table5", "table10"):  # equal labels give equal numbers
        rows, expected = (made.rows("ordering", name, data=data) for data in (logged, None))
        assert [row[-3:] for row in rows] == [row[-3:] for row in expected]


def test_qrels_and_runs_are_enough_for_all_artefacts_without_times(
    made: Artefacts, released: Path
) -> None:
    names = ("table1", "table5", "table9", "table16", "table3", "fig1")
    found = {name: kinds(made("ordering", name, released)) for name in names}
    assert [name for name, of in found.items() if of == {"simulated"}] == ["table3", "fig1"]
    assert all(of == {"recomputed"} for name, of in found.items() if name in OF_LABELS)


def test_every_file_that_is_read_is_listed(logged: Path, released: Path) -> None:
    for folder in (logged, released):
        text = data_files_text([PAPER], small(folder))
        here = {path.name for path in folder.iterdir() if path.is_file()}
        assert here <= {file.name for file in WANTED.files}
        for name in (*here, "runs/*"):
            assert f"| `{name}` | yes |" in text
