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
