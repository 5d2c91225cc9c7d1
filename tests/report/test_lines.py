from __future__ import annotations

import math
from itertools import pairwise

import pytest

from qrelsmith.base.content import Line, Lines, Panels
from qrelsmith.base.errors import UsageError
from qrelsmith.report.canvas import Canvas, Disc, Stroke, Surface, Words
from qrelsmith.report.line_styles import DASHES, line_styles
from qrelsmith.report.palette import GROUPS
from qrelsmith.report.placing import Box, spot_beside, spread_out
from qrelsmith.report.plots import draw

NAN = math.nan


def straight(count: int, **changed: str) -> list[Line]:
    return [Line(f"line {n}", range(100), [n] * 100, **changed) for n in range(count)]


def words(canvas: Canvas) -> dict[str, Words]:
    return {shape.text: shape for shape in canvas.shapes if isinstance(shape, Words)}


def marks(canvas: Canvas) -> list[str]:
    """Return the tooltips of the round marks."""
    return [shape.tip for shape in canvas.shapes if isinstance(shape, Disc)]


def test_a_few_lines_are_named_at_their_ends_in_their_colours() -> None:
    found = words(draw(Lines(straight(8), "x", "y")))
    ends = [found[f"line {n}"] for n in range(8)]
    assert [text.fill for text in ends] == [f"group-{n}" for n in range(8)]
    assert len({text.x for text in ends}) == 1
    heights = [text.y for text in ends]
    assert heights == sorted(heights, reverse=True)


def test_many_lines_have_a_legend_below_the_axis_label() -> None:
    found = words(draw(Lines(straight(9), "x", "y")))
    assert all(found[f"line {n}"].y > found["x"].y for n in range(9))


def test_lines_that_end_early_have_a_legend() -> None:
    early = [Line("early", [1, 2, 3], [1, 2, NAN]), Line("late", [1, 9], [1, 2])]
    found = words(draw(Lines(early, "x", "y")))
    assert found["early"].y > found["x"].y


def test_names_of_lines_with_the_same_end_are_separated() -> None:
    same = [Line(f"line {n}", [0, 1], [n, 0.0]) for n in range(8)]
    found = words(draw(Lines(same, "x", "y")))
    heights = sorted(found[f"line {n}"].y for n in range(8))
    assert min(b - a for a, b in pairwise(heights)) >= 12


def test_lines_of_a_group_share_a_colour_and_have_different_dashes() -> None:
    lines = [Line(f"{group}{n}", [0, 1], [0, 1], group=group) for n in range(3) for group in "ab"]
    styles = line_styles(lines)
    assert [style.role for style in styles] == ["group-0", "group-1"] * 3
    assert [style.dashes for style in styles[::2]] == list(DASHES[:3])
    assert styles[0].shape != styles[1].shape


@pytest.mark.parametrize("count", [GROUPS, 20, GROUPS * len(DASHES)])
def test_lines_without_groups_are_all_distinguishable(count: int) -> None:
    styles = [(style.role, style.dashes) for style in line_styles(straight(count))]
    assert len(set(styles)) == count
    assert all(not dashes for _, dashes in styles[:GROUPS])


def test_a_group_is_named_in_the_legend_before_its_lines() -> None:
    lines = straight(5, group="first") + straight(5, group="second")
    found = words(draw(Lines(lines, "x", "y")))
    assert found["first"].y < found["second"].y
    assert found["first"].x < found["line 0"].x


def test_an_undefined_value_interrupts_the_line_and_its_band() -> None:
    line = Line("a", [0, 1, 2, 3, 4], [1, 1, NAN, 1, 1], [0, 0, NAN, 0, 0], [2, 2, 2, 2, 2])
    figure = draw(Lines([line], "x", "y"))
    (stroke,) = [shape for shape in figure.shapes if isinstance(shape, Stroke) and shape.tip]
    assert [math.isnan(y) for _, y in stroke.points] == [False, False, True, False, False]
    areas = [shape for shape in figure.shapes if isinstance(shape, Surface) and shape.opacity < 1]
    assert len(areas) == 2


def test_a_point_between_undefined_values_is_marked() -> None:
    xs = list(range(100))
    figure = draw(Lines([Line("a", xs, [x if x in {7, 50, 51} else NAN for x in xs])], "x", "y"))
    assert marks(figure) == ["a: 7.0000, 7.0000"]


def test_a_few_points_are_marked_with_their_numbers() -> None:
    figure = draw(Lines([Line("a", [1, 2, 4], [0.5, 0.25, 0.125], group="g")], "x", "y"))
    assert marks(figure)[-1] == "a (g): 4.0000, 0.1250"
    assert not marks(draw(Lines(straight(1), "x", "y")))


def test_a_named_point_is_at_its_position_and_hides_no_other_point() -> None:
    named = [(50, 0.5, "here"), (51, 0.5, "there"), (52, 0.5, "and there")]
    figure = draw(Lines(straight(2), "x", "y", named))
    found = words(figure)
    assert len({(found[text].x, found[text].y) for _, _, text in named}) == 3
    tips = {shape.tip for shape in figure.shapes if isinstance(shape, Surface)}
    assert {"here: 50.0000, 0.5000", "there: 51.0000, 0.5000"} <= tips


def test_the_reference_line_shows_its_value() -> None:
    for count in (2, 20):
        assert "4.787" in words(draw(Lines(straight(count), "x", "y", reference=math.log(120))))


@pytest.mark.parametrize("x", [0.0, -3.0])
def test_values_that_a_logarithmic_axis_cannot_show_are_refused(x: float) -> None:
    with pytest.raises(UsageError, match=f"'a' has a point at {x:g}; .* above 0"):
        draw(Lines([Line("a", [x, 1.0], [1.0, 1.0])], "x", "y", logarithmic=True))
    with pytest.raises(UsageError, match="'best' has a point"):
        draw(Lines([Line("a", [1.0], [1.0])], "x", "y", [(x, 1.0, "best")], logarithmic=True))


def test_heights_stay_within_limits_if_there_is_room() -> None:
    assert spread_out([9.0, 9.0, 9.0], 2.0, low=0.0, high=10.0) == pytest.approx([6.0, 8.0, 10.0])
    assert spread_out([0.0, 0.0], 2.0, low=0.0, high=10.0) == pytest.approx([0.0, 2.0])
    assert spread_out([5.0, 5.0, 5.0], 2.0, low=4.0, high=6.0) == pytest.approx([4.0, 6.0, 8.0])


def test_labels_are_placed_where_they_hide_least() -> None:
    frame = Box(0, 0, 100, 100)
    right = spot_beside(50, 50, 20, 8, far=5, frame=frame, taken=[])
    assert right is not None
    assert (right.x, right.align) == (55, "left")
    left = spot_beside(50, 50, 20, 8, far=5, frame=frame, taken=[], under=[(60, 50)])
    assert left is not None
    assert left.align == "right"
    assert spot_beside(50, 50, 200, 8, far=5, frame=frame, taken=[]) is None
    assert spot_beside(50, 50, 20, 8, far=5, frame=frame, taken=[frame]) is None


def test_positions_can_have_names_and_a_single_point_is_marked() -> None:
    topics = Line("α", [1, 2, 3, 4], [0.1, 0.2, NAN, 0.15])
    ticks = [(1, "401"), (2, "402"), (4, "mean")]
    canvas = draw(Lines([topics], "topic", "α", ticks=ticks))
    below = {text: one for text, one in words(canvas).items() if text in ("401", "402", "mean")}
    assert len(below) == 3
    assert not {"1.0", "2.0", "3.0"} & set(words(canvas))
    assert below["401"].x < below["402"].x < below["mean"].x
    wide = draw(Lines([topics], "topic", "α", ticks=[(1, "a" * 30), (1.1, "b" * 30)]))
    assert {one.angle for text, one in words(wide).items() if text[0] in "ab"} == {90}


def test_panels_are_side_by_side_with_the_same_scale() -> None:
    panels = [Lines([Line("docs", [1, 2], [0.0, top])], "position", "docs") for top in (10.0, 40.0)]
    canvas = draw(Panels(["(a)", "(b)"], panels))
    lines = [one for one in canvas.shapes if isinstance(one, Stroke) and one.tip == "docs"]
    (low, high) = (one.points[0][1] - one.points[1][1] for one in lines)
    assert high == pytest.approx(4 * low)
    assert lines[1].points[0][0] > lines[0].points[1][0]
    assert words(canvas)["(a)"].x < words(canvas)["(b)"].x
