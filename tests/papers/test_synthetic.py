"""The artefacts on simulated annotations (Figures 4, 5 and 6) at the small size."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from qrelsmith.base.content import Section, Verdict
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.planning.simulation import Design
from qrelsmith_papers.judgment_quality.figure5 import consistencies
from qrelsmith_papers.judgment_quality.figure6 import sampled_batch
from qrelsmith_papers.judgment_quality.synthetic import (
    COEFFICIENT_NAMES,
    BatchQuality,
    batch_means,
    batch_quality,
)

Make = Callable[..., Section]


def column(section: Section, table: int, name: str) -> np.ndarray:
    found = section.tables[table].table
    return np.array([row[found.columns.index(name)] for row in found.rows])


@pytest.fixture(scope="module")
def figure4(make: Make) -> Section:
    return make("fig4")


@pytest.fixture(scope="module")
def figure6(make: Make) -> Section:
    return make("fig6")


@pytest.mark.full
@pytest.mark.slow
def test_figure_4_falls_with_quality_and_with_the_number_of_grades(figure4: Section) -> None:
    table = figure4.tables[0].table
    assert [row[0] for row in table.rows] == [2, 3, 4, 7, 16, 30]
    for mode in MODES:
        curves = [
            column(figure4, 0, f"{mode}, {name} quality") for name in ("high", "medium", "low")
        ]
        assert (np.diff(curves, axis=0) > 0).all()
        assert (np.diff(curves, axis=1) < 0).all()
    assert all(len(figure.drawing.lines) == 3 for figure in figure4.figures)
    # The paper, 4.2.1: of low quality the mean of individual PDP is about 4.6.
    low = column(figure4, 0, "individual, low quality")
    assert low.mean() == pytest.approx(4.6, abs=0.1)


# pdp 4.2.1: ln 5! = 4.7875 for random annotation. With few tests a cell, chance looks like more.
@pytest.mark.full
@pytest.mark.slow
def test_random_annotation_comes_to_ln_120_as_topics_grow(figure4: Section) -> None:
    topics, grades, values = (
        column(figure4, 1, name) for name in ("topics in a batch", "grades", "pdp")
    )
    assert set(topics.tolist()) == {20, 400}
    large, small = values[topics == 400], values[topics == 20]
    assert (large > small).all()
    assert (values <= math.log(120) + 1e-12).all()
    assert large[grades[topics == 400] <= 4] == pytest.approx(4.7875, abs=0.005)


def test_the_means_of_a_batch_are_those_beside_the_coefficients() -> None:
    design = {"topics": 60, "batch_size": 20, "levels": (2, 5), "seed": 4}
    alone = batch_means(batches=(2, 1), judging="perceived", **design)
    beside = batch_quality(batch=1, bias="assessor", **design)
    assert [row[:2] for row in alone.rows] == [(2, 2), (2, 5), (1, 2), (1, 5)]
    assert [row[2:] for row in alone.rows[2:]] == [row[2:4] for row in beside.rows]


def test_a_figure_that_orders_the_batches_as_their_error_does_has_consistency_1() -> None:
    sigma = np.array([0.1, 0.2, 0.3, 0.25])
    rising, falling = np.stack([sigma, -sigma], axis=1), np.stack([-sigma, sigma], axis=1)
    values = {
        **dict.fromkeys(MODES, rising),  # PDP grows with error,
        **dict.fromkeys(COEFFICIENT_NAMES, falling),  # agreement falls
    }
    rho = consistencies(BatchQuality(sigma, np.array([2, 3]), values))
    assert list(rho) == [*MODES, *COEFFICIENT_NAMES]
    for of_scales in rho.values():
        assert of_scales == pytest.approx([1.0, -1.0])


def test_samples_of_tests_scatter_around_their_limit_and_less_with_more_tests() -> None:
    for mode in MODES:
        table = sampled_batch(
            batch=0, topics=100, batch_size=50, levels=4, mode=mode, per_pair=(5, 500), repeats=40,
            seed=1,
        )  # fmt: skip
        by_size = {
            size: np.array([row[2] for row in table.rows if row[0] == size])
            for size in (5, 500, None)
        }
        assert [len(values) for values in by_size.values()] == [40, 40, 1]
        assert by_size[500].std() < 0.3 * by_size[5].std()
        error = by_size[500].std() / math.sqrt(40)
        assert abs(by_size[500].mean() - by_size[None][0]) < 4 * error + 0.01


@pytest.mark.slow
def test_figure_6_has_every_box_and_says_how_often_the_order_is_right(figure6: Section) -> None:
    rows = figure6.tables[0].table.rows
    assert len(rows) == 2 * 3 * 6 * 3
    first, middle, third = (
        column(figure6, 0, name).astype(float) for name in ("quartile 1", "median", "quartile 3")
    )
    assert ((first <= middle) & (middle <= third)).all()
    shares = column(figure6, 0, "right order").astype(float)
    assert ((shares >= 0) & (shares <= 1)).all()
    # In individual mode the qualities are far apart: more than ten standard deviations.
    individual = column(figure6, 0, "mode") == "individual"
    assert shares[individual].min() > 0.95
    assert len(figure6.figures) == 6
    for figure in figure6.figures:
        assert len(figure.drawing.names) == len(figure.drawing.values) == 18
        assert {len(values) for values in figure.drawing.values} == {20}
    assert {finding.rule for finding in figure6.findings} == {"published"}
    assert {finding.verdict for finding in figure6.findings} <= {Verdict.HOLDS, Verdict.DIFFERS}


def test_the_paper_takes_a_hundred_batches_of_a_hundred_topics() -> None:
    design = Design()
    assert (design.batches, design.batch_size, design.docs, design.assessors) == (100, 100, 5, 15)
