"""The common behaviour of options that several commands share."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.cli import run

WITHOUT_SCALE = [
    ["agree", "q"],
    ["aggregate", "q", "--aggregation", "median"],
    ["cut", "q", "--levels", "2", "--method", "topicwide"],
    ["disagree", "q"],
    ["efficiency", "q"],
    ["evaluate", "q", "r", "-m", "AP"],
    ["pdp", "q", "--preferences", "p"],
    ["plan", "preferences", "q"],
    ["topk", "pool", "q"],
    ["transform", "q", "--reduce", ">=1"],
]


@pytest.fixture
def errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "q").write_text("1 0 a 0\n1 0 b 1\n1 0 c 2\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1 r\n")
    monkeypatch.chdir(tmp_path)

    def call(arguments: list[str]) -> list[str]:
        assert run(arguments) == 2
        return capsys.readouterr().err.splitlines()

    return call


@pytest.mark.parametrize("arguments", WITHOUT_SCALE, ids=lambda arguments: arguments[0])
def test_grades_outside_an_unnamed_scale_cannot_be_missing(errors, arguments: list[str]) -> None:
    (line,) = errors([*arguments, "--off-scale", "missing"])
    assert line.startswith("qrelsmith: error: --off-scale missing needs --scale")


def test_an_error_of_pdp_names_its_options(errors) -> None:
    Path("p").write_text("1 b a b\n")
    (line,) = errors(["pdp", "q", "--preferences", "p"])
    assert "no preference test compares docs of the grades 0 and 2, 1 and 2" in line
    assert line.endswith("or use --untested half or --untested interpolate")


OF_LABELS = [
    ["agree", "{0}.qrels", "{1}.qrels", "--by", "topic"],
    ["aggregate", "{0}.qrels", "{1}.qrels", "--aggregation", "median"],
    ["disagree", "{0}.qrels", "{1}.qrels", "--gold", "{0}"],
    ["plan", "preferences", "{0}.qrels"],
    ["transform", "{0}.qrels", "--reduce", ">=1"],
    ["transform", "{0}.qrels", "{1}.qrels", "--logsum"],
]


@pytest.mark.parametrize("arguments", OF_LABELS, ids=lambda arguments: arguments[0])
def test_labels_of_a_topic_set_are_used_as_if_there_were_no_other_topics(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    kept = {"x": "1 0 a 0\n1 0 b 1\n1 0 c 2\n", "y": "1 0 a 1\n1 0 b 1\n1 0 c 2\n"}
    Path("alone").mkdir()
    for name, text in kept.items():
        Path(f"{name}.qrels").write_text(text + "2 0 a 0\n2 0 b 2\n2 0 d 1\n")
        Path("alone", f"{name}.qrels").write_text(text)
    Path("topics").write_text("1\n")
    written = []
    for folder, options in ((tmp_path, ["--topic-set", "topics"]), (tmp_path / "alone", [])):
        monkeypatch.chdir(folder)
        assert run([*(one.format("x", "y") for one in arguments), *options, "--scale", "0..2"]) == 0
        written.append(capsys.readouterr().out)
    assert written[0] == written[1] != ""


@pytest.mark.parametrize("arguments", OF_LABELS, ids=lambda arguments: arguments[0])
def test_a_topic_set_without_any_known_topic_is_an_error(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("x", "y"):
        Path(f"{name}.qrels").write_text("1 0 a 0\n1 0 b 1\n")
    Path("topics").write_text("01\n")
    assert run([*(one.format("x", "y") for one in arguments), "--topic-set", "topics"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "topics: none of the topics is in the " in line
