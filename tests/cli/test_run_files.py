"""A folder of runs can be named wherever run files can."""

from pathlib import Path

import pytest

from qrelsmith.cli import run


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    topics = ("t1", "t2", "t3", "t4")
    (tmp_path / "q").write_text("".join(f"{t} 0 {d} {g}\n" for t in topics for d, g in GRADES))
    (tmp_path / "runs").mkdir()
    for name, turn in (("x", 0), ("y", 1), ("z", 2)):
        rows = [
            f"{topic} Q0 {doc} {rank} {9 - rank} {name}\n"
            for place, topic in enumerate(topics)
            for rank, doc in enumerate("abcd"[(turn * place) % 4 :] + "abcd"[: (turn * place) % 4])
        ]
        (tmp_path / "runs" / f"{name}.run").write_text("".join(rows))
    (tmp_path / "runs" / ".hidden").write_text("no run")
    monkeypatch.chdir(tmp_path)
    return tmp_path


GRADES = (("a", 2), ("b", 1), ("c", 0), ("d", 0))


@pytest.mark.parametrize(
    "command",
    [
        "evaluate q RUNS -m AP",
        "compare --qrels q --qrels q2 -m AP RUNS",
        "significance q RUNS -m AP --test paired-t",
        "power q RUNS -m AP --test paired-t",
        "consistency q RUNS -m AP -B 20",
        "loto q RUNS -m AP --depth 2",
        "plan topics q RUNS -m AP --difference 0.1",
        "pool RUNS --depth 2 --ordering docno",
    ],
)
def test_a_folder_means_the_files_in_it(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "q2").write_text((folder / "q").read_text().replace("a 2", "a 1"))
    printed = []
    for runs in ("runs", "runs/x.run runs/y.run runs/z.run"):
        assert run(command.replace("RUNS", runs).split()) == 0, capsys.readouterr().err
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert printed[0].count("\n") > 1


def test_an_empty_folder_is_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "nothing").mkdir()
    assert run(["evaluate", "q", "nothing", "-m", "AP"]) == 2
    expected = "qrelsmith: error: nothing: the folder has no files; expected runs\n"
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize(
    "command",
    [
        "compare nosuch -m nDCG@10",
        "evaluate nosuch",
        "plan topics nosuch",
        "sample nosuch --budget 30",
        "estimate nosuch --pairs",
        "compare --qrels q nosuch -m AP",
        "pool nosuch -o x",
    ],
)
def test_a_path_that_does_not_exist_is_reported_first(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(command.split()) == 2
    assert capsys.readouterr().err == "qrelsmith: error: nosuch: no such file or folder\n"
