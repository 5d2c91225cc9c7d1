"""`--label-set` without a campaign: a label file in place of the argument."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.cli import run

COMMANDS = (
    ("transform", "a.qrels", ("--reduce", ">=1")),
    ("aggregate", "a.qrels", ("--aggregation", "max")),
    ("cut", "a.qrels", ("--levels", "2", "--method", "topicwide")),
    ("pdp", "a.qrels", ("--preferences", "answers.txt", "--untested", "half")),
    ("topk pool", "a.qrels", ("-k", "2")),
    ("topk pairs", "a.qrels", ("-k", "2")),
    ("topk result", "a.qrels", ("answers.txt", "-k", "2")),
)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.qrels").write_text("t1 0 d1 1\nt1 0 d2 2\nt1 0 d3 0\nt1 0 d4 2\n", encoding="utf-8")
    answers = "t1 d2 d1\nt1 d4 d1\nt1 d2 d4\nt1 d1 d3\nt1 d2 d3\n"
    Path("answers.txt").write_text(answers, encoding="utf-8")


@pytest.mark.parametrize(("command", "file", "options"), COMMANDS)
@pytest.mark.usefixtures("files")
def test_a_file_provides_the_labels(
    command: str, file: str, options: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command.split(), file, *options, "--quiet"]) == 0
    named = capsys.readouterr().out
    assert run([*command.split(), "--label-set", file, *options, "--quiet"]) == 0
    assert capsys.readouterr().out == named


@pytest.mark.usefixtures("files")
def test_no_labels_or_two_label_files_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["topk", "pool", "-k", "2"]) == 2
    assert "Missing argument 'QRELS'" in capsys.readouterr().err
    assert run(["topk", "pool", "a.qrels", "--label-set", "a.qrels"]) == 2
    assert "the extra argument a.qrels" in capsys.readouterr().err
