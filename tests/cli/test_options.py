"""What the options that commands share have in common."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.cli import run

WITHOUT_SCALE = [
    ["agree", "q"],
    ["aggregate", "q", "--by", "median"],
    ["cut", "q", "--levels", "2", "--method", "topicwide"],
    ["disagree", "q"],
    ["efficiency", "q"],
    ["evaluate", "q", "r", "-m", "AP"],
    ["pdp", "q", "--preferences", "p"],
    ["plan", "preferences", "q"],
    ["transform", "q", "--reduce", ">=1"],
]


@pytest.fixture
def errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "q").write_text("1 0 a 0\n1 0 b 1\n1 0 c 2\n")
    monkeypatch.chdir(tmp_path)

    def call(arguments: list[str]) -> list[str]:
        assert run(arguments) == 2
        return capsys.readouterr().err.splitlines()

    return call


@pytest.mark.parametrize("arguments", WITHOUT_SCALE, ids=lambda arguments: arguments[0])
def test_grades_off_a_scale_that_nobody_named_cannot_be_missing(
    errors, arguments: list[str]
) -> None:
    (line,) = errors([*arguments, "--off-scale", "missing"])
    assert line.startswith("qrelsmith: error: --off-scale missing needs --scale")


def test_an_error_of_pdp_names_its_options(errors) -> None:
    Path("p").write_text("1 b a b\n")
    (line,) = errors(["pdp", "q", "--preferences", "p"])
    assert "no preference test compares docs of the grades 0 and 2, 1 and 2" in line
    assert line.endswith("or choose --untested half or --untested interpolate")


JUDGMENTS = """topic,doc,assessor,grade,group,shown_at,judged_at
1,a,p,0,gold,2024-05-01T12:00:00Z,2024-05-01T12:00:05Z
1,a,q,1,bronze,2024-05-01T12:00:00Z,2024-05-01T12:00:09Z
1,b,p,2,gold,2024-05-01T12:01:00Z,2024-05-01T12:01:05Z
1,b,q,2,bronze,2024-05-01T12:01:00Z,2024-05-01T12:01:08Z
"""
OTHERS = JUDGMENTS.split("\n", 1)[1].replace("\n1,", "\n2,").replace("1,a", "2,a", 1)
OF_A_SET = [
    ["agree", "--by", "topic"],
    ["aggregate", "--by", "mean"],
    ["disagree", "--gold", "gold", "--show", "grades"],
    ["efficiency"],
    ["transform", "--reduce", ">=1"],
]


@pytest.mark.parametrize("arguments", OF_A_SET, ids=lambda arguments: arguments[0])
def test_labels_of_a_set_of_topics_are_those_of_a_file_of_these_topics(
    arguments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("all.csv").write_text(JUDGMENTS + OTHERS.replace(",2,bronze", ",3,bronze"))
    Path("one.csv").write_text(JUDGMENTS)
    Path("set").write_text("1\n")
    told = []
    for names in (["all.csv", "--topic-set", "set"], ["one.csv"], ["all.csv"]):
        assert run([arguments[0], *names, *arguments[1:]]) == 0
        told.append(capsys.readouterr())
    assert told[0] == told[1] != told[2]


def test_qrels_of_a_set_of_topics_are_transformed(errors, capsys) -> None:
    Path("two").write_text("1 0 a 2\n2 0 a 1\n")
    Path("set").write_text("2\n")
    assert run(["transform", "two", "--reduce", ">=1", "--topic-set", "set"]) == 0
    assert capsys.readouterr().out == "2 0 a 1\n"
    Path("set").write_text("3\n")
    assert errors(["transform", "two", "--reduce", ">=1", "--topic-set", "set"]) == [
        "qrelsmith: error: set: none of its 1 topics is in the qrels 'two'"
    ]
