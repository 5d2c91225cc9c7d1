from __future__ import annotations

import itertools
import re
from collections.abc import Mapping

import pytest

from qrelsmith.report.palette import (
    DARK,
    GROUPS,
    LIGHT,
    STEPS,
    step_of,
    step_of_part,
    style_sheet,
    writing_on,
)

SCHEMES = pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
VERDICTS = ("good", "doubtful", "bad", "unknown", "fact")


def luminance(colour: str) -> float:
    """Return relative luminance as defined by WCAG 2.2."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@SCHEMES
@pytest.mark.parametrize("role", ["ink", "muted", "accent"])
@pytest.mark.parametrize("ground", ["paper", "panel", "faint"])
def test_text_is_readable_on_every_background(
    scheme: Mapping[str, str], role: str, ground: str
) -> None:
    assert contrast(scheme[role], scheme[ground]) >= 4.5


@SCHEMES
@pytest.mark.parametrize("verdict", VERDICTS)
def test_verdicts_are_readable_on_paper_and_on_their_own_background(
    scheme: Mapping[str, str], verdict: str
) -> None:
    assert contrast(scheme[verdict], scheme["paper"]) >= 4.5
    assert contrast(scheme[verdict], scheme["faint"]) >= 4.5  # the current entry of the contents
    assert contrast(scheme[verdict], scheme[f"{verdict}-back"]) >= 4.5
    assert contrast(scheme["ink"], scheme[f"{verdict}-back"]) >= 7


@SCHEMES
def test_edges_of_buttons_and_axes_are_visible(scheme: Mapping[str, str]) -> None:
    assert contrast(scheme["edge"], scheme["paper"]) >= 3
    assert contrast(scheme["edge"], scheme["panel"]) >= 3


@SCHEMES
def test_colours_of_groups_can_be_used_for_text(scheme: Mapping[str, str]) -> None:
    colours = [scheme[f"group-{place}"] for place in range(GROUPS)]
    assert len(set(colours)) == GROUPS
    assert min(contrast(colour, scheme["paper"]) for colour in colours) >= 4.5
    assert min(contrast(colour, scheme["panel"]) for colour in colours) >= 4.5


@SCHEMES
@pytest.mark.parametrize("scale", ["seq", "div"])
def test_numbers_are_readable_on_every_step_of_a_scale(
    scheme: Mapping[str, str], scale: str
) -> None:
    roles = [f"{scale}-{step}" for step in range(STEPS)]
    assert min(contrast(scheme[role], scheme[writing_on(role)]) for role in roles) >= 4.5


@SCHEMES
def test_a_scale_departs_from_the_paper_colour_in_even_steps_of_lightness(
    scheme: Mapping[str, str],
) -> None:
    def lightness(role: str) -> float:
        return 116 * luminance(scheme[role]) ** (1 / 3) - 16

    middle = (STEPS - 1) // 2
    rising = [lightness(f"seq-{step}") for step in range(STEPS)]
    halves = [
        [lightness(f"div-{step}") for step in range(middle, STEPS)],
        [lightness(f"div-{step}") for step in range(middle, -1, -1)],
    ]
    for values in (rising, *halves):
        steps = [after - before for before, after in itertools.pairwise(values)]
        mean = sum(steps) / len(steps)
        assert all(step == pytest.approx(mean, abs=0.8) for step in steps)
    assert abs(rising[0] - lightness("paper")) < abs(rising[-1] - lightness("paper"))


def test_values_are_assigned_to_steps() -> None:
    assert step_of(0.5, 0.0, 1.0) == "seq-16"
    assert step_of(7.0, 0.0, 1.0) == "seq-32"
    assert step_of(-1.0, -1.0, 0.5) == "div-0"
    assert step_of(0.5, -1.0, 0.5) == "div-24"
    assert step_of(3.0, 3.0, 3.0) == "seq-16"


@pytest.mark.parametrize("parts", [1, 2, 3, 7, 12, 101])
def test_parts_range_from_close_to_the_paper_colour_to_far_from_it(parts: int) -> None:
    steps = [int(step_of_part(place, parts).removeprefix("seq-")) for place in range(parts)]
    assert steps == sorted(steps)
    assert 0 <= steps[0] <= steps[-1] < STEPS
    assert parts > 20 or len(set(steps)) == parts


def test_the_style_sheet_has_every_role_in_both_schemes_and_paper_is_always_light() -> None:
    sheet = style_sheet()
    for role in LIGHT:
        assert len(re.findall(rf"--{role}:#", sheet)) == 3
    assert sheet.count("@media screen") == 2
    assert "@media print" not in sheet
