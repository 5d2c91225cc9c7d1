from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qrelsmith.cli import run

COMMAND = "reproduce"

SMALL = ("--size", "small", "--jobs", "1")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_artefacts_are_listed_in_the_order_of_the_paper(folder: Path, printed) -> None:
    lines = printed("pdp --list-artefacts")[0].splitlines()
    names = [line.split()[0] for line in lines]
    assert names == ["example", "fig4", "fig5", "fig5-readings", "fig6", "table1", "table2", "fig7"]
    assert all(len(line.split()) > 3 for line in lines)
    assert not list(folder.iterdir())


def test_the_artefacts_of_all_papers_are_listed_with_their_paper(folder: Path, printed) -> None:
    lines = [line.split()[:2] for line in printed("all --list-artefacts")[0].splitlines()]
    assert {paper for paper, _ in lines} == {"pdp", "topk", "scales", "ordering"}
    assert ["pdp", "fig4"] in lines
    assert ["topk", "fig4"] in lines
    assert not list(folder.iterdir())


def test_a_report_has_tables_and_a_manifest(folder: Path, printed) -> None:
    out, err = printed("pdp --artefact example", *SMALL, "-o", "out")
    assert out.splitlines()[0].split()[:4] == ["as", "published", "from", "print:"]
    assert "making pdp example" in err
    table = (folder / "out" / "tables" / "example.csv").read_text().splitlines()
    assert table[0] == "scale,mode,published,at the optimum,obtained"
    assert table[1].startswith("4 grades,individual,4.2142,4.21752,4.2175")
    manifest = json.loads((folder / "out" / "manifest.json").read_text())
    assert manifest["parameters"] == {"artefacts": ["example"], "size": "small"}
    assert manifest["inputs"] == []
    page = (folder / "out" / "reproduction.html").read_text()
    assert "4.2142" in page
    assert "computed at a small size" in page
    assert printed("pdp --artefact example", *SMALL, "-o", "out", "--quiet")[1] == ""


@pytest.mark.full
@pytest.mark.slow
def test_a_stopped_run_is_resumed(folder: Path) -> None:
    arguments = ["reproduce", "pdp", "--artefact", "fig6", *SMALL, "--quiet", "-o"]
    assert run([*arguments, "out"]) == 0
    cells = folder / "out.cells"
    kept = {path: path.stat().st_mtime_ns for path in cells.iterdir()}
    assert len(kept) == 18 + 2 + 2  # samples, batches and draws
    lost, *others = sorted(kept)
    lost.unlink()
    assert run([*arguments, "again", "--cells", "out.cells"]) == 0
    assert {path: path.stat().st_mtime_ns for path in others} == {p: kept[p] for p in others}
    assert lost.is_file()
    assert contents(folder / "again") == contents(folder / "out")


def test_a_missing_data_set_is_named(folder: Path) -> None:
    (folder / "data").mkdir()
    for extra in ((), ("--data", "data")):
        arguments = ["reproduce", "pdp", "--artefact", "table2", *SMALL, "--quiet", *extra]
        assert run(arguments) == 0  # the report goes to the folder pdp
        page = (folder / "pdp" / "reproduction.html").read_text()
        assert "the data set trec-dl-2021-passage" in page
        assert json.loads((folder / "pdp" / "manifest.json").read_text())["inputs"] == []


@pytest.fixture
def few_topics(folder: Path, shared: Path) -> Path:
    """The data set, reduced to three topics and two runs."""
    source = shared / "data" / "trec-dl-2021-passage"
    if not source.is_dir():
        pytest.skip("needs the data set trec-dl-2021-passage, which is not here")
    copy = folder / "data" / source.name
    topics = {"2082", "23287", "30611"}
    for path in (
        *source.glob("qrels/nist*"), *source.glob("qrels/umbrela*"), *source.glob("qrels/exam-gr*"),
        *source.glob("prefs/human.crowd*"), *source.glob("prefs/gpt-4o.round*"),
        *sorted(source.glob("runs/*"))[:2],
    ):  # fmt: skip
        unpacked = copy / path.parent.name / path.name.removesuffix(".gz")
        unpacked.parent.mkdir(parents=True, exist_ok=True)
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt") as lines:
            kept = [line for line in lines if line.split()[0] in topics]
        unpacked.write_text("".join(kept))
    return copy


def test_the_manifest_names_the_files_of_the_data_set(few_topics: Path) -> None:
    arguments = ["--artefact", "fig7", *SMALL, "--data", "data", "-o", "out", "--quiet"]
    assert run(["reproduce", "pdp", *arguments]) == 0
    named = json.loads(Path("out/manifest.json").read_text())["inputs"]
    paths = [file["path"] for file in named]
    assert paths == sorted(paths)
    assert len([path for path in paths if "/runs/" in path]) == 2
    assert "trec-dl-2021-passage/qrels/nist.qrels" in paths
    assert len(paths) == 9 + 7 + 2
    assert all(len(file["sha256"]) == 64 for file in named)


def test_a_malformed_file_of_a_data_set_is_named_with_its_line(refused, few_topics: Path) -> None:
    broken = few_topics / "prefs" / "gpt-4o.round05.prefs"
    broken.write_text("2082 a b c\n")
    problem = refused("pdp --artefact fig7", *SMALL, "--data", "data", "--quiet")
    assert "gpt-4o.round05.prefs:1: " in problem


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("pdp --artefact fig9", "unknown artefact of pdp 'fig9'; did you mean fig"),
        ("pdf", "'pdf' is not one of 'pdp'"),
        ("pdp --data nowhere", "--data 'nowhere' is not a folder"),
        ("all --artefact fig4", "--artefact needs one paper; expected PAPER, found 'all'"),
        ("pdp --jobs 0", "0 is not in the range x>=1"),
        ("pdp --size large", "'large' is not one of 'paper', 'small'"),
    ],
)
def test_invalid_input_is_a_one_line_error(refused, arguments: str, message: str) -> None:
    assert message in refused(arguments)


def test_a_folder_with_other_files_is_not_changed(refused, folder: Path) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "notes.txt").write_text("mine")
    problem = refused("pdp --artefact example -o out")
    assert "contains 'notes.txt', which is not part of a report" in problem
    problem = refused("pdp --artefact example -o out/notes.txt")
    assert "expected a folder for the report" in problem


def test_the_working_folder_can_be_the_report(folder: Path) -> None:
    inside = folder / "here"
    inside.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "qrelsmith", "reproduce", "pdp", "--artefact", "example", "-o", "."],
        cwd=inside,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert (inside / "reproduction.html").is_file()


def test_cells_that_cannot_be_stored_are_an_error(refused, folder: Path) -> None:
    (folder / "file").write_text("")
    assert "file" in refused("pdp --artefact fig6", *SMALL, "--cells", "file", "--quiet")


@pytest.mark.full
@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to find a process")
def test_a_killed_process_is_reported_in_one_line_and_finished_cells_are_kept(folder: Path) -> None:
    command = [
        sys.executable, "-m", "qrelsmith", "reproduce", "pdp", "--artefact", "fig6", "--size",
        "small", "--jobs", "2", "-o", "out", "--quiet",
    ]  # fmt: skip
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as process:
        cells = folder / "out.cells"
        deadline = time.monotonic() + 60
        while not (cells.is_dir() and any(cells.iterdir())) and time.monotonic() < deadline:
            time.sleep(0.01)
        for worker in workers(process.pid):
            os.kill(worker, signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    said = [line for line in errors.splitlines() if line.startswith("qrelsmith: error: ")]
    assert len(said) == 1
    assert "Finished results are kept" in said[0]
    assert "Traceback" not in errors
    assert any(cells.iterdir())
    assert not (folder / "out").exists()


def workers(parent: int) -> list[int]:
    """Return the worker processes of a command."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            status, arguments = (entry / "stat").read_text(), (entry / "cmdline").read_text()
        except OSError:
            continue
        if int(status.rpartition(")")[2].split()[1]) == parent and "LokyProcess" in arguments:
            found.append(int(entry.name))
    return found
