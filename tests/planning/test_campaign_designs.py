from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, UnknownNameError
from qrelsmith.planning.campaign_designs import (
    campaign_design,
    campaign_design_text,
    read_campaign_design,
)
from qrelsmith.planning.simulation import AssessorDesign, CampaignDesign, GroupDesign, Habits
from qrelsmith.planning.simulation.designs import DESIGNS


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "design.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_design_is_read_as_written(tmp_path: Path) -> None:
    text = """\
topics = 7
alpha = [0.2, 1]

[systems]
count = 3
noise = [0.1, 0.2]

[[groups]]
name = "a \\"b\\""
creators = true
per_doc = 1

[groups.assessors]
count = 2

[[groups]]
name = "crowd"

[groups.habits]
breaks = 0
"""
    design = read_campaign_design(file(tmp_path, text))
    assert (design.topics, design.alpha, design.systems.count) == (7, (0.2, 1.0), 3)
    assert design.depth == CampaignDesign().depth
    first, second = design.groups
    assert first == GroupDesign('a "b"', AssessorDesign(count=2), creators=True, per_doc=1)
    assert second == GroupDesign("crowd", habits=Habits(breaks=0.0))


def test_an_empty_file_is_the_default_design(tmp_path: Path) -> None:
    assert read_campaign_design(file(tmp_path, "")) == CampaignDesign()


@pytest.mark.parametrize("name", DESIGNS.names())
def test_written_designs_are_read_back(tmp_path: Path, name: str) -> None:
    design = campaign_design(name)
    assert design == DESIGNS.get(name)()
    path = file(tmp_path, campaign_design_text(design))
    assert campaign_design(path) == design
    other = replace(design, groups=(GroupDesign("ü", ordering="docno", per_doc=1),), docs=11)
    assert read_campaign_design(file(tmp_path, campaign_design_text(other))) == other


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("topic = 3", 1, "unknown key 'topic'; did you mean topics?"),
        ("topics = 3.5", 1, "topics is '3.5'; expected a whole number"),
        ("topics = true", 1, "topics is 'True'; expected a whole number"),
        ("topics = 0", 1, "topics=0; expected a whole number from 1 to 1000000"),
        ("\nalpha = [1]", 2, "alpha is [1]; expected two numbers such as [0.1, 0.5]"),
        ("alpha = [1, 'x']", 1, "expected two numbers"),
        ("alpha = 1", 1, "alpha is '1'; expected two numbers"),
        ("[systems]\nnoise = [2, 1]", 1, "noise=(2.0, 1.0); expected (low, high)"),
        ("[systems]\ncolour = 1", 2, "unknown key 'colour'"),
        ("[[groups]]\nname = 'a'\ncreators = 1", 3, "creators is '1'; expected true or false"),
        ("[[groups]]\nname = 'a'\nordering = 'x'", 2, "'x' is not an ordering policy"),
        ("[[groups]]\nname = 'a'\n[[groups]]\nname = 'a'", 1, "each with its own name"),
        ("[[groups]]\nname = 'a'\n[groups.time]\nseconds = 'x'", 4, "seconds is 'x'; expected a"),
        ("groups = 1", 1, "groups is '1'; expected a list of tables"),
    ],
)
def test_an_error_in_a_design_names_its_line(
    tmp_path: Path, text: str, line: int, problem: str
) -> None:
    path = file(tmp_path, text)
    with pytest.raises(InputError) as caught:
        read_campaign_design(path)
    assert str(caught.value).startswith(f"{path}:{line}: "), str(caught.value)
    assert problem in str(caught.value)


def test_unknown_designs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="unknown design 'www5'; did you mean www4"):
        campaign_design("www5")
    with pytest.raises(InputError, match="no such file"):
        campaign_design(tmp_path / "none.toml")
