"""`[judging]` and `[scale]` of campaign.toml: the questions to assessors, checked key by key."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.campaign.campaign import Campaign, campaign_toml, read_campaign
from qrelsmith.campaign.judging_settings import DEFAULT_ERRORS, ErrorCode, Judging
from qrelsmith.campaign.scale_settings import Level

FULL = """\
format = 1
title = "Magnitudes"

[scale]
range = "0..100"
levels = [
  { grade = 0, label = "not at all" },
  { grade = 100, label = "perfectly", note = "required", excerpt = "optional" },
]

[judging]
control = "slider"
note = "none"
excerpt = "required"
activity = "none"
instructions = "Read.\\n\\nThen judge."
errors = [
  { code = -2, label = "empty" },
  { code = -3, label = "wrong language" },
]
"""


def read(tmp_path: Path, text: str) -> Campaign:
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    return read_campaign(tmp_path)


def test_all_settings_are_read_and_written_again(tmp_path: Path) -> None:
    campaign = read(tmp_path, FULL)
    assert len(campaign.levels) == 101
    assert campaign.levels[100] == Level(100, "perfectly", note="required", excerpt="optional")
    assert campaign.levels[50] == Level(50)
    assert campaign.judging == Judging(
        control="slider",
        note="none",
        excerpt="required",
        activity="none",
        errors=(ErrorCode(-2, "empty"), ErrorCode(-3, "wrong language")),
        instructions="Read.\n\nThen judge.",
    )
    written = campaign_toml(campaign)
    assert 'range = "0..100"' in written
    again = read(tmp_path, written)
    assert (again.levels, again.judging) == (campaign.levels, campaign.judging)
    assert campaign_toml(again) == written


def test_without_the_table_all_settings_have_their_defaults(tmp_path: Path) -> None:
    campaign = read(tmp_path, "format = 1\n")
    assert campaign.judging == Judging()
    assert campaign.judging.errors == DEFAULT_ERRORS
    assert "[judging]" not in campaign_toml(campaign)


def test_the_list_of_error_codes_may_be_empty(tmp_path: Path) -> None:
    campaign = read(tmp_path, "format = 1\n[judging]\nerrors = []\n")
    assert campaign.judging.errors == ()
    assert read(tmp_path, campaign_toml(campaign)).judging.errors == ()


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ('[judging]\ncontrol = "dial"', "expected one of buttons, slider, number"),
        ('[judging]\nnote = "maybe"', "expected one of none, optional, required"),
        ('[judging]\nactivity = "all"', "expected one of none, times"),
        ("[judging]\ncolour = 1", "unknown key 'colour'"),
        ('[judging]\nerrors = [{ code = -1, label = "x" }]', "expected a whole number below -1"),
        ('[judging]\nerrors = [{ label = "x" }]', "the code is missing"),
        ("[judging]\nerrors = [{ code = -2 }]", "the label is missing"),
        (
            '[judging]\nerrors = [{ code = -2, label = "x" }, { code = -2, label = "y" }]',
            "expected different codes",
        ),
        ('[scale]\nrange = "0..2"\nlevels = [{ grade = 3 }]', "the level 3 is not in the range"),
        ('[scale]\nrange = "low to high"', "expected, for example, 0..3 or 0,1,2,3"),
        ('[scale]\nlevels = [{ grade = 1, note = "often" }]', "expected one of none, optional"),
    ],
)
def test_an_error_names_file_and_line(tmp_path: Path, table: str, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, f"format = 1\n{table}\n")
    assert problem in str(caught.value)
    assert f"{tmp_path / 'campaign.toml'}:" in str(caught.value)


def test_the_same_checks_apply_in_python() -> None:
    with pytest.raises(UsageError, match="control is 'dial'"):
        Judging(control="dial")
    with pytest.raises(UsageError, match="a whole number below -1"):
        Judging(errors=(ErrorCode(0, "zero"),))
