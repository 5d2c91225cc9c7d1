from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from qrelsmith.planning.simulation import (
    AssessorDesign,
    Assessors,
    CampaignDesign,
    GroupDesign,
    Systems,
    draw_assessors,
    simulate_campaign,
)
from qrelsmith.planning.simulation.sketch import sketch_campaign

DESIGN = CampaignDesign(
    topics=40,
    docs=150,
    systems=Systems(count=8, noise=(0.1, 0.4), shared=0.3, topic_spread=0.2, taste=0.3),
    run_depth=30,
    depth=10,
)


def assessors(count: int = 2, *, noise: float = 0.15) -> Assessors:
    return draw_assessors(AssessorDesign(count=count, noise=(noise, noise), bias=0.0), seed=0)


def test_pools_and_grades_equal_those_of_whole_campaigns() -> None:
    group = GroupDesign("a", AssessorDesign(count=2, noise=(0.15, 0.15), bias=0.0), per_doc=2)
    design = dataclasses.replace(DESIGN, groups=(group,))
    sizes: dict[str, list[float]] = {"sketch": [], "campaign": []}
    grades: dict[str, list[float]] = {"sketch": [], "campaign": []}
    for seed in range(12):
        sketch = sketch_campaign(design, assessors(), ranks=10, seed=seed)
        campaign = simulate_campaign(design, seed=seed)
        sizes["sketch"].append(sketch.topic.size / 40)
        sizes["campaign"].append(sum(map(len, campaign.pools)) / 40)
        first = campaign.events.revision == 1
        grades["sketch"].append(float(sketch.ratings.mean()))
        grades["campaign"].append(float(campaign.events.grade[first].mean()))
    for of in (sizes, grades):
        one, other = np.array(of["sketch"]), np.array(of["campaign"])
        error = np.sqrt((one.var(ddof=1) + other.var(ddof=1)) / 12)
        assert abs(one.mean() - other.mean()) < 4 * error


def test_slightly_different_parameters_give_a_slightly_different_campaign() -> None:
    """A search for parameters needs this; numpy's own beta numbers jump."""
    sketch = sketch_campaign(DESIGN, assessors(), ranks=10, seed=1)
    systems = dataclasses.replace(DESIGN.systems, noise=(0.1005, 0.4005))
    near = dataclasses.replace(DESIGN, alpha=(0.1005, 0.5005), systems=systems)
    other = sketch_campaign(near, assessors(noise=0.1505), ranks=10, seed=1)
    assert abs(other.topic.size - sketch.topic.size) < 0.02 * sketch.topic.size
    assert abs(other.ratings.mean() - sketch.ratings.mean()) < 0.01
    np.testing.assert_allclose(other.truth[:5], sketch.truth[:5], atol=0.01)


def test_runs_contain_pooled_docs_and_deeper_docs_are_unjudged() -> None:
    sketch = sketch_campaign(DESIGN, assessors(), ranks=20, seed=0)
    assert sketch.ranked.shape == (8, 40, 20)
    assert (sketch.ranked[..., :10] >= 0).all()
    assert (sketch.ranked[..., 10:] < 0).any()
    assert (np.diff(sketch.topic) >= 0).all()
    topic = np.broadcast_to(np.arange(40)[:, None], (40, 20))
    for run in sketch.ranked:
        inside = run >= 0
        assert (sketch.topic[run[inside]] == topic[inside]).all()
        assert all(len(set(row[row >= 0])) == (row >= 0).sum() for row in run)


def test_assessors_without_errors_give_the_true_grades() -> None:
    sketch = sketch_campaign(DESIGN, assessors(noise=0.0), ranks=10, seed=0)
    np.testing.assert_array_equal(sketch.ratings[0], np.clip(np.floor(4 * sketch.truth), 0, 3))


def test_evenly_spread_topics_vary_less_from_seed_to_seed() -> None:
    wide = dataclasses.replace(DESIGN, topics=10, alpha=(0.05, 2.0), beta=(1.0, 4.0))
    means = {
        even: [
            sketch_campaign(wide, assessors(1), ranks=10, seed=seed, even=even).truth.mean()
            for seed in range(20)
        ]
        for even in (True, False)
    }
    assert np.std(means[True]) < 0.7 * np.std(means[False])


@pytest.mark.parametrize("topics", [1, 2])
def test_the_smallest_sketches_can_be_drawn(topics: int) -> None:
    tiny = dataclasses.replace(
        DESIGN, topics=topics, docs=1, depth=1, run_depth=1, systems=Systems(count=1)
    )
    sketch = sketch_campaign(tiny, assessors(1), ranks=1, seed=0)
    assert sketch.topic.tolist() == list(range(topics))
    assert sketch.ranked.tolist() == [[[place] for place in range(topics)]]
