from __future__ import annotations

import math
from dataclasses import dataclass

import pytest

from qrelsmith.base.content import (
    Boxes,
    Drawing,
    HeatMap,
    Intervals,
    Line,
    Lines,
    Panels,
    Points,
    RankLines,
    StackedShares,
)
from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.report import kinds
from qrelsmith.report.axis import Axis
from qrelsmith.report.canvas import Canvas, Disc, Surface, Words
from qrelsmith.report.lettering import shorten, shortened_names, width_of
from qrelsmith.report.placing import spread_out
from qrelsmith.report.plots import draw

MANY = [f"a-system-with-a-rather-long-name-{place}" for place in range(70)]
HOSTILE = [
    "<script>alert(1)</script>",
    '$x^2$ & "q"',
    "日本語の名前",
    "emoji 😀 run",
    "_under\x00\x1b[31m",
    "a" * 300,
    "a" * 150 + "b" + "a" * 150,
    "\u202eabc",
    "",
    "]]>",
]
NAN = math.nan


def drawings(names: list[str]) -> dict[str, Drawing]:
    """Return every kind of drawing with the same names."""
    count = len(names)
    return {
        "heat map": HeatMap(
            names,
            names,
            [[math.sin(i * j) for j in range(count)] for i in range(count)],
            -1,
            1,
            "τ",
        ),
        "wide heat map": HeatMap(
            names[:3],
            names,
            [[i * j / 99 for j in range(count)] for i in range(len(names[:3]))],
            0,
            1,
            "α",
        ),
        "intervals": Intervals(
            names,
            [i / 9 for i in range(count)],
            [i / 9 - 0.1 for i in range(count)],
            [i / 9 + 0.2 for i in range(count)],
            "score",
            0.5,
            [f"group {i % 11}" for i in range(count)],
        ),
        "shares": StackedShares(names, ["0", "1", "2"], [[0.5, 0.3, 0.2]] * count, "share"),
        "shares of 101 levels": StackedShares(
            names, [str(i) for i in range(101)], [[1 / 101] * 101] * count, "share"
        ),
        "rank lines": RankLines(
            names,
            ["gold", "silver", "bronze"],
            [[i + 1, count - i, (count + 1) / 2] for i in range(count)],
        ),
        "points": Points(names, list(range(count)), [i**2 for i in range(count)], "x", "y"),
        "narrow heat map": HeatMap(
            names, [str(j) for j in range(101)], [[j / 100 for j in range(101)]] * count, 0, 1, "α"
        ),
        "lines": Lines(
            [
                Line(name, [1, 2, 3, 4], [i, i + 1, NAN, i / 2], [i - 1] * 4, [i + 1] * 4)
                for i, name in enumerate(names)
            ],
            "x",
            "y",
            [(2, i, name) for i, name in enumerate(names)],
            reference=0.5,
        ),
        "lines in groups": Lines(
            [
                Line(name, [1, 10, 1000], [1 / (i + 1), 1, i], group=f"a group of lines {i % 11}")
                for i, name in enumerate(names)
            ],
            "x",
            "y",
            logarithmic=True,
        ),
        "lines over topics": Lines(
            [Line("α", range(len(names) + 2), [0.1, NAN, *(0.2 for _ in names)])],
            "topic",
            "α",
            ticks=[*enumerate(names), (len(names) + 1, "mean")],
        ),
        "panels": Panels(
            names,
            [Lines([Line(name, [1, 2], [i, i + 1])], "x", "y") for i, name in enumerate(names)],
        ),
        "boxes": Boxes(
            names,
            [[math.tan(i * j) for j in range(i + 1)] for i in range(count)],
            "score",
            [f"group {i % 11}" for i in range(count)],
            0.5,
            dots=[float(i) for i in range(count)],
            colours={"group 0": 4},
        ),
    }


KINDS = tuple(drawings(["a"]))


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float


def words(canvas: Canvas) -> list[Words]:
    return [shape for shape in canvas.shapes if isinstance(shape, Words)]


def box(text: Words) -> Box:
    """Return the position of an unrotated text, in points from the top left corner."""
    wide = width_of(text.text, text.size, bold=text.bold)
    left = text.x - {"left": 0.0, "center": wide / 2, "right": wide}[text.align]
    return Box(left, text.y - 0.73 * text.size, left + wide, text.y)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "names",
    [["one"], ["one", "two"], HOSTILE, pytest.param(MANY, marks=pytest.mark.full)],
    ids=["1", "2", "10", "70"],
)
def test_no_text_is_cut_off(kind: str, names: list[str]) -> None:
    canvas = draw(drawings(names)[kind])
    for text in words(canvas):
        angle = math.radians(text.angle)
        wide = width_of(text.text, text.size, bold=text.bold)
        begin = {"left": 0.0, "center": -wide / 2, "right": -wide}[text.align]
        for along in (begin, begin + wide):
            for up in (0.0, 0.73 * text.size):
                at = text.x + along * math.cos(angle) - up * math.sin(angle)
                down = text.y - along * math.sin(angle) - up * math.cos(angle)
                assert -0.5 <= at <= canvas.width + 0.5, text.text
                assert -0.5 <= down <= canvas.height + 0.5, text.text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "names", [["one", "two"], pytest.param(MANY, marks=pytest.mark.full)], ids=["2", "70"]
)
def test_no_two_texts_overlap(kind: str, names: list[str]) -> None:
    straight = [text for text in words(draw(drawings(names)[kind])) if not text.angle]
    boxes = sorted((box(text) for text in straight), key=lambda found: found.top)
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            if other.top >= one.bottom:
                break
            assert other.left >= one.right - 0.01 or one.left >= other.right - 0.01


@pytest.mark.full
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "panels"])  # no rows
def test_seventy_rows_stay_readable(kind: str) -> None:
    canvas = draw(drawings(MANY)[kind])
    assert min(text.size for text in words(canvas)) >= 6.5
    assert canvas.width <= 13 * 72
    assert canvas.height <= 16 * 72


def test_dots_of_a_heat_map_are_in_their_cells() -> None:
    values = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]]
    plain, dotted = (
        draw(HeatMap(["a", "b"], ["x", "y", "z"], values, 0, 1, "α", marks))
        for marks in ((), ((1, 2), (0, 0)))
    )
    cells = {cell.tip: cell.points for cell in plain.shapes if isinstance(cell, Surface)}
    dots = [dot for dot in dotted.shapes if isinstance(dot, Disc)]
    assert not any(isinstance(shape, Disc) for shape in plain.shapes)
    assert [dot.tip for dot in dots] == ["b × z: 0.6000", "a × x: 0.1000"]
    for dot in dots:
        (left, top), _, (right, bottom), _ = cells[dot.tip]
        assert left < dot.x < right
        assert top < dot.y < bottom


def test_a_dot_outside_the_heat_map_is_refused() -> None:
    with pytest.raises(UsageError, match="a mark is at row 0, column 1; expected rows from 0 to 0"):
        draw(HeatMap(["a"], ["b"], [[0.5]], 0, 1, "α", [(0, 1)]))


@pytest.mark.parametrize(
    "drawing",
    [
        HeatMap([], [], [], 0, 1, "x"),
        HeatMap(["a"], [], [[]], 0, 1, "x"),
        Intervals([], [], [], [], "x"),
        StackedShares([], ["0"], [], "x"),
        StackedShares(["a"], [], [[]], "x"),
        RankLines([], ["a"], []),
        RankLines(["a"], [], [[]]),
        Points([], [], [], "x", "y"),
        Lines([], "x", "y"),
        Lines([Line("a", [], [])], "x", "y", [(1, 2, "best")]),
        Lines([Line("a", [1, 2], [NAN, NAN])], "x", "y", reference=1.0),
        Boxes([], [], "x"),
    ],
)
def test_a_drawing_without_data_says_so(drawing: Drawing) -> None:
    (text,) = words(draw(drawing))
    assert text.text.startswith("Nothing to draw")


@pytest.mark.parametrize(
    "drawing",
    [
        HeatMap(["a"], ["b"], [[NAN]], 0, 1, "x"),
        Intervals(["a", "b"], [NAN, NAN], [NAN, NAN], [NAN, NAN], "x"),
        Intervals(["a", "b"], [1.0, 1.0], [-math.inf, NAN], [math.inf, 2.0], "x"),
        StackedShares(["a"], ["0", "1"], [[NAN, NAN]], "x"),
        RankLines(["a", "b"], ["x", "y"], [[1, NAN], [NAN, NAN]]),
        Points(["a"], [NAN], [1.0], "x", "y", diagonal=True),
        Points(["a", "b"], [2.0, 2.0], [3.0, 3.0], "x", "y"),
        Lines([Line("a", [1.0], [2.0], [NAN], [3.0])], "x", "y", [(NAN, 1.0, "nowhere")]),
        Lines([Line("a", [1, 2], [NAN, 1]), Line("b", [3, 4], [NAN, NAN])], "x", "y"),
        Lines([Line("a", [1, 2], [1, 2], [-math.inf, 0], [math.inf, 3])], "x", "y"),
        Lines([Line("a", [5.0], [2.0])], "x", "y", logarithmic=True),
        Boxes(["a", "b", "c"], [[NAN, NAN], [], [1.0, NAN, math.inf]], "x"),
        Boxes(["a"], [[2.0] * 9], "x", reference=2.0),
    ],
)
def test_undefined_values_are_left_out_without_a_warning(drawing: Drawing) -> None:
    assert draw(drawing).width > 72


def test_values_that_do_not_match_the_names_are_refused() -> None:
    with pytest.raises(ShapeError, match="Intervals has 1 values for 2 names"):
        draw(Intervals(["a", "b"], [1.0], [0.0], [2.0], "x"))
    with pytest.raises(ShapeError, match="HeatMap has 2 values for 1 names"):
        draw(HeatMap(["a"], ["b"], [[1.0, 2.0]], 0, 1, "x"))
    with pytest.raises(ShapeError, match="a Line has 1 values for 2 names"):
        draw(Lines([Line("a", [1, 2], [1])], "x", "y"))
    with pytest.raises(ShapeError, match="a Line has 1 values for 2 names"):
        draw(Lines([Line("a", [1, 2], [1, 2], [0, 0], [3])], "x", "y"))
    with pytest.raises(ShapeError, match="a Boxes has 1 values for 2 names"):
        draw(Boxes(["a", "b"], [[1.0]], "x"))


def test_an_unknown_kind_of_drawing_is_refused_by_name() -> None:
    with pytest.raises(UsageError, match=r"'int' \(choices: Boxes, .*StackedShares\)"):
        draw(3)  # type: ignore[arg-type]


def test_every_kind_of_drawing_has_a_drawing_function() -> None:
    assert set(kinds.DRAWERS) == set(Drawing.__args__)


def test_shortened_names_stay_distinguishable() -> None:
    names = ["a" * 100 + "b" + "c" * 100, "a" * 100 + "d" + "c" * 100, "short"]
    short = shortened_names(names, 90, 9)
    assert len(set(short)) == 3
    assert short[2] == "short"
    assert all(width_of(name, 9) <= 90 for name in short)


def test_a_shortened_name_keeps_both_ends() -> None:
    assert shorten("exam-binary-mean.llama3.2", 80, 9).startswith("exam-")
    assert shorten("exam-binary-mean.llama3.2", 80, 9).endswith("3.2")
    assert shorten("x" * 50, 1, 9) == "…"


@pytest.mark.parametrize(
    ("heights", "gap", "expected"),
    [
        ([], 1.0, []),
        ([3.0], 1.0, [3.0]),
        ([0.0, 5.0, 9.0], 2.0, [0.0, 5.0, 9.0]),
        ([4.0, 4.0, 4.0], 1.0, [3.0, 4.0, 5.0]),
        ([1.0, 1.0, 2.0], 2.0, [-2 / 3, 4 / 3, 10 / 3]),
    ],
)
def test_names_at_the_same_position_are_moved_as_little_as_possible(
    heights: list[float], gap: float, expected: list[float]
) -> None:
    assert spread_out(heights, gap) == pytest.approx(expected)


def test_ticks_are_round_and_all_decimals_are_shown() -> None:
    assert [text for _, text in Axis(-0.5, 0.5, 0, 300).ticks(room=70)] == [
        "−0.50", "−0.25", "0.00", "0.25", "0.50",
    ]  # fmt: skip
    assert [text for _, text in Axis(0, 1000, 0, 200).ticks(room=58)] == ["0", "500", "1000"]


def test_ticks_of_a_logarithmic_axis_are_round_ratios() -> None:
    def labels(low: float, high: float, room: float = 70) -> list[str]:
        return [text for _, text in Axis(low, high, 0, 400, logarithmic=True).ticks(room=room)]

    assert labels(9, 350) == ["10", "20", "50", "100", "200"]
    assert labels(0.01, 1000) == ["0.01", "0.1", "1", "10", "100", "1000"]
    assert labels(1e-7, 1.0, 58) == ["10⁻⁷", "10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "10⁰"]
    assert labels(1.1, 1.9) == ["1.2", "1.4", "1.6", "1.8"]


def test_equal_ratios_have_the_same_length_on_a_logarithmic_axis() -> None:
    axis = Axis(1, 100, 0, 300, logarithmic=True)
    assert [axis.at(value) for value in (1, 10, 100)] == pytest.approx([0, 150, 300])
    assert Axis.over([NAN], 0, 10, logarithmic=True).at(0.5) == 0


def test_an_axis_without_values_is_drawn() -> None:
    axis = Axis.over([NAN, math.inf], 0, 10)
    assert axis.low < axis.high
    assert math.isnan(axis.at(NAN))
    assert axis.at(1e9) == 10
