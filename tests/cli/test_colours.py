"""Verdicts in colour on a terminal only."""

from __future__ import annotations

import pytest

from qrelsmith.base.tables import Table
from qrelsmith.cli.options import Common

TABLE = Table.of(("figure", "verdict"), [("good", "fair or better"), ("tau", "fail")])
COMMON = Common(None, None, 0, None, quiet=True)


def test_only_verdicts_are_coloured_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    COMMON.emit(TABLE)
    shown = capsys.readouterr().out
    assert "\x1b[33mfair or better\x1b[0m" in shown
    assert "\x1b[31mfail\x1b[0m" in shown
    assert "\x1b[" not in shown.split("fair or")[0].rsplit("\n", 1)[-1].removesuffix("\x1b[33m")
    monkeypatch.setenv("NO_COLOR", "1")
    COMMON.emit(TABLE)
    assert capsys.readouterr().out == TABLE.plain(width=80)


def test_piped_output_has_no_colour(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    COMMON.emit(TABLE)
    assert capsys.readouterr().out == TABLE.text("csv")
