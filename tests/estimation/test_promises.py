"""The guarantees of `sample` and `estimate` on real runs: DL 2021 with NIST's human labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith import read_qrels
from qrelsmith.base.scales import Scale
from qrelsmith.estimation.fit import Population
from qrelsmith.estimation.linear_measures import linear_measure
from qrelsmith.estimation.plan_sample import simulate_people
from qrelsmith.estimation.sampling_trials import sampling_trial
from qrelsmith.estimation.units import Units, units_of

DRAWS = 8


@pytest.fixture(scope="module")
def units(shared: Path) -> Units:
    runs = sorted((shared / "data" / "trec-dl-2021-passage" / "runs").iterdir())
    topics = read_qrels(shared / "data" / "trec-dl-2021-passage" / "qrels" / "nist.qrels").to_dict()
    return units_of(runs, {}, depth=10, topics=list(topics))


def labelled(shared: Path, units: Units, name: str) -> np.ndarray:
    return units.grades(read_qrels(shared / "data" / "trec-dl-2021-passage" / "qrels" / name))


@pytest.fixture(scope="module")
def people(shared: Path, units: Units) -> np.ndarray:
    return np.nan_to_num(labelled(shared, units, "nist.qrels")).astype(np.int64)


def population(units: Units, labels: list[np.ndarray], measure: str) -> Population:
    fold = np.random.default_rng(5).integers(0, 5, len(units.keys))
    terms = linear_measure(measure, Scale.parse("0..3"))
    return Population(terms, units.rank, units.topic, len(units.topics), labels, fold)


def judged_by(judge: str, model: np.ndarray, rank: np.ndarray) -> np.ndarray:
    """Return a model's labels with added errors."""
    of_run = np.select([rank == 0, rank <= 3, rank <= 6, rank <= 10], [0.0, 3.0, 2.0, 1.0])
    is_copied = np.random.default_rng(7).random(model.size) < 0.5
    return {
        "copies a run": of_run, "half copies a run": np.where(is_copied, of_run, model),
        "constant": np.ones(model.size), "reversed": 3 - model,
    }[judge]  # fmt: skip


@pytest.mark.parametrize("judge", ["copies a run", "half copies a run", "constant", "reversed"])
@pytest.mark.parametrize("labels", [20, 50])
@pytest.mark.full
def test_decided_pairs_are_hardly_ever_wrong_with_few_labels_and_a_bad_judge(
    shared: Path, units: Units, people: np.ndarray, judge: str, labels: int
) -> None:
    """With only the squares of labels, .2 of decisions are wrong with 20 labels, .05 with 50."""
    model = np.nan_to_num(labelled(shared, units, "umbrela.gpt-4o.qrels.gz"))
    decided = wrong = 0
    for draw in range(DRAWS):
        spoiled = judged_by(judge, model, units.rank[17 * draw % len(units.runs)])
        drawn_from = population(units, [spoiled], "P(rel=2)@10")
        truth = (drawn_from.measure.weights(units.rank) * (people >= 2)).sum(axis=1)
        pairs = sampling_trial(drawn_from, people, labels, np.random.default_rng(draw)).pairs()
        first, second = np.triu_indices(truth.size, 1)
        is_wrong = np.sign(pairs.difference) != np.sign(truth[first] - truth[second])
        decided += int(pairs.decided.sum())
        wrong += int((pairs.decided & is_wrong).sum())
    assert decided == 0 if labels < 50 else wrong <= max(0.005 * decided, 2)


def test_intervals_have_coverage_if_a_model_left_out_docs(
    shared: Path, units: Units, people: np.ndarray
) -> None:
    labels = labelled(shared, units, "nuggets-vital.gpt-4o.qrels.gz")
    assert np.isnan(labels).sum() > 1000
    drawn_from = population(units, [labels], "P(rel=2)@10")
    truth = (drawn_from.measure.weights(units.rank) * (people >= 2)).sum(axis=1) / len(units.topics)
    held = []
    for draw in range(DRAWS):
        trial = sampling_trial(drawn_from, people, 270, np.random.default_rng(draw))
        held.append(np.abs(trial.estimates.score - truth) <= trial.reach())
    assert np.mean(held) > 0.85


@pytest.mark.parametrize("name", ["umbrela.gpt-4o", "nuggets-vital.gpt-4o"])
@pytest.mark.full
def test_the_predictions_of_a_plan_come_true(
    shared: Path, units: Units, people: np.ndarray, name: str
) -> None:
    drawn_from = population(units, [labelled(shared, units, f"{name}.qrels.gz")], "nDCG@10")
    shares = []
    for draw in range(DRAWS):
        rng = np.random.default_rng(draw)
        simulated = simulate_people(drawn_from, 0.6, rng)
        shares.append([
            sampling_trial(drawn_from, grades, 300, rng).pairs().decided.mean()
            for grades in (simulated, people)
        ])  # fmt: skip
    foretold, came = np.mean(shares, axis=0)
    assert foretold == pytest.approx(came, abs=0.1)


def test_the_requested_number_of_docs_is_drawn(units: Units, people: np.ndarray) -> None:
    drawn_from = population(units, [], "P(rel=2)@10")
    for budget in (1, 20, 333):
        trial = sampling_trial(drawn_from, people, budget, np.random.default_rng(budget))
        assert trial.labels == budget
