from __future__ import annotations

import math
import re

import numpy as np
import pytest

from qrelsmith.base.content import Boxes
from qrelsmith.report.canvas import Canvas, Disc, Surface, Words
from qrelsmith.report.plots import draw

# Tukey's rule by hand: quartiles 3.25 and 7.75, so that whiskers extend at most to −3.5 and 14.5.
VALUES = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 30.0]


def tips(canvas: Canvas, kind: type[Disc] | type[Surface]) -> list[str]:
    return [shape.tip for shape in canvas.shapes if isinstance(shape, kind) and shape.tip]


def words(canvas: Canvas) -> list[str]:
    return [shape.text for shape in canvas.shapes if isinstance(shape, Words)]


def test_quartiles_whiskers_and_outliers_are_as_computed_by_hand() -> None:
    figure = draw(Boxes(["a"], [VALUES], "x"))
    (tip,) = tips(figure, Surface)
    assert tip == (
        "a: median 5.5000, quartiles 3.2500 and 7.7500, whiskers 1.0000 and 9.0000, "
        "1 of 10 values beyond the whiskers"
    )
    assert len(tips(figure, Disc)) == 1
    assert "5.500" in words(figure)
    assert "10" in words(figure)


def test_quartiles_equal_those_of_numpy() -> None:
    values = np.random.default_rng(1).gamma(2, size=37)
    (tip,) = tips(draw(Boxes(["a"], [values.tolist()], "x")), Surface)
    expected = [*np.quantile(values, [0.5, 0.25, 0.75])]
    found = re.findall(r"(?:median|quartiles|and) ([\d.]+)", tip)[:3]
    assert [float(text) for text in found] == pytest.approx(expected, abs=5e-5)


def test_overlapping_points_become_one_and_all_are_counted() -> None:
    rng = np.random.default_rng(2)
    values = np.concatenate([rng.normal(0, 0.001, 20_000), rng.uniform(1, 100, 4_000)])
    figure = draw(Boxes(["a"], [values.tolist()], "x"))
    (box,) = tips(figure, Surface)
    beyond = int(re.search(r"([\d,]+) of 24,000 values beyond", box)[1].replace(",", ""))  # type: ignore[index]
    marks = tips(figure, Disc)
    assert len(marks) < 400
    counts = [re.search(r": ([\d,]+) values$", tip) for tip in marks]
    assert sum(int(c[1].replace(",", "")) if c else 1 for c in counts) == beyond


def test_the_farthest_value_is_drawn_at_its_exact_position() -> None:
    plain = draw(Boxes(["a", "b"], [[0.0] * 9 + [10.0], [0.0, 10.0]], "x"))
    crowded = draw(Boxes(["a", "b"], [[0.0] * 90 + [9.99, 9.995, 10.0], [0.0, 10.0]], "x"))
    for figure in (plain, crowded):
        ends = sorted(shape.x for shape in figure.shapes if isinstance(shape, Disc))
        assert ends[-1] == pytest.approx(ends[-2])


@pytest.mark.parametrize("count", [1, 2, 4])
def test_few_values_are_points_without_a_box(count: int) -> None:
    figure = draw(Boxes(["a"], [[1.0, 5.0, 9.0, 13.0][:count]], "x"))
    assert tips(figure, Surface) == []
    assert len(tips(figure, Disc)) == count


def test_undefined_values_are_not_counted() -> None:
    figure = draw(Boxes(["a", "b"], [[*VALUES, math.nan, math.inf], [math.nan]], "x"))
    shown = words(figure)
    assert "10" in shown
    assert "0" in shown
    assert "no values" in shown


def test_groups_are_listed_once_in_the_legend() -> None:
    figure = draw(Boxes(["a", "b", "c"], [VALUES] * 3, "x", ["gold", "silver", "gold"]))
    assert words(figure).count("gold") == words(figure).count("silver") == 1


def test_a_dot_is_at_its_value_and_groups_can_have_custom_colours() -> None:
    figure = draw(
        Boxes(["a", "b"], [VALUES, VALUES], "x", ["one", "two"], dots=[9.0, math.nan],
              colours={"two": 6})
    )  # fmt: skip
    (dot,) = (one for one in figure.shapes if isinstance(one, Disc) and one.fill == "ink")
    assert dot.tip.endswith("; dot at 9.0000")
    whiskers = [one.x for one in figure.shapes if isinstance(one, Disc) and one.fill == "group-0"]
    assert dot.x < max(whiskers)  # the value 30 is an outlier
    fills = {one.fill for one in figure.shapes if isinstance(one, Surface)}
    assert "group-6" in fills
    assert "group-1" not in fills
