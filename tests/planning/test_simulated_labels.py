from __future__ import annotations

import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.planning.simulated_labels import crowd_judgments, expert_qrels, simulated_runs
from qrelsmith.planning.simulation import (
    AssessorDesign,
    MultiscaleDesign,
    Systems,
    simulate_multiscale,
)

COLLECTION = simulate_multiscale(
    MultiscaleDesign(
        topics=2,
        docs=21,
        scales=(3,),
        crowd=AssessorDesign(count=20),
        systems=Systems(count=3),
        run_depth=4,
    ),
    seed=0,
)


def test_a_crowd_becomes_judgments_with_hits() -> None:
    labels = crowd_judgments(COLLECTION, 3)
    assert len(labels) == 210
    assert labels.topics == ("t01", "t02")
    assert len(labels.docs) == 21
    assert labels.hit is not None
    assert len(set(labels.hit)) == 2 * 20
    assert {int(place) for place in labels.position.tolist()} == set(range(1, 9))
    with pytest.raises(UsageError, match="expected one of 3"):
        crowd_judgments(COLLECTION, 101)


def test_experts_become_qrels_of_the_docs_that_they_judged() -> None:
    assert len(expert_qrels(COLLECTION, 2)) == round(0.909 * 21)
    assert len(expert_qrels(COLLECTION, 4)) == round(0.1886 * 21)
    with pytest.raises(UsageError, match="expected 2 or 4"):
        expert_qrels(COLLECTION, 3)


def test_runs_keep_the_order_of_the_systems() -> None:
    runs = simulated_runs(COLLECTION)
    assert [run.name for run in runs] == ["system-000", "system-001", "system-002"]
    for run in runs:
        assert run.topics == ("t01", "t02")
        assert [len(run.docs[topic]) for topic in run.topics] == [4, 4]
    first = COLLECTION.ranked[1, 0]
    assert runs[1].docs["t01"] == tuple(f"t01-d{doc:04d}" for doc in first.tolist())
