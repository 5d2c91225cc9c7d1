"""Estimates and their errors: by hand, compared with the closed form, and over many draws."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from qrelsmith.base.scales import Scale
from qrelsmith.estimation.boundaries import labels_needed, quantiles
from qrelsmith.estimation.estimator import estimate_scores, standard_errors
from qrelsmith.estimation.fit import Population
from qrelsmith.estimation.influence import Influence
from qrelsmith.estimation.linear_measures import linear_measure
from qrelsmith.estimation.ordering import corrected_scores
from qrelsmith.estimation.sampling_trials import sampling_trial


def one_system(prediction: np.ndarray, rows: np.ndarray, grade: np.ndarray) -> Influence:
    """Return the mean of binary grades as the score of one system, with some grades known."""
    units = len(prediction)
    known = prediction.copy()
    known[rows] = grade[rows]
    away = np.array([[0.0, 1.0]]) - prediction[:, None]
    nothing = np.zeros((1, 1))
    return Influence(
        np.array([[known.mean()]]), np.full((1, units), 1 / units), nothing, away, 0 * away
    )


def test_uniform_sampling_of_one_mean_is_prediction_powered_inference() -> None:
    """mean f + Σ (y − f)/(N π), of which ppi's mean estimate is the form with n = N π labels."""
    rng = np.random.default_rng(0)
    prediction, grade = rng.random(1000), rng.integers(0, 2, 1000)
    rows = np.arange(0, 1000, 10)
    chance = np.full(rows.size, 0.1)
    found = estimate_scores(
        one_system(prediction, rows, grade),
        rows,
        grade[rows],
        chance,
        np.zeros(1000, dtype=np.int64),
    )
    away = grade[rows] - prediction[rows]
    assert found.score[0] == pytest.approx(prediction.mean() + away.mean(), abs=1e-12)
    # Poisson sampling: the number of labels varies, so that squares replace variances.
    assert found.covariance[0, 0] == pytest.approx((away**2).mean() * (1 - 0.1) / 100, abs=1e-12)


def test_one_mean_equals_that_of_ppi_python_and_glide() -> None:
    """ppi-python 0.2.3 (`ppi_mean_pointestimate`, λ = 1) and glide-py 0.11.0 (ASI, no tuning).

    Their standard errors (.0544 and .0533; weighted .0369) are for docs drawn from infinitely many
    docs. Ours is smaller, because it is for this pool, whose predictions are known.
    """
    place = np.arange(1000)
    prediction = (place * 37 % 101) / 100
    grade = (place * 53 % 97 < 40 + 20 * (prediction > 0.5)).astype(np.int64)
    weighted = 0.05 + (place * 29 % 83) / 120
    cases = [
        (np.full(1000, 0.1), place[::10], 0.5085, 0.05333168494074249),
        (weighted, place[place * 61 % 103 / 103 < weighted], 0.5412375289952669, 0.0369420080556),
    ]
    for chance, rows, wanted, theirs in cases:
        said = one_system(prediction, rows, grade)
        nowhere = np.zeros(1000, dtype=np.int64)
        ours = estimate_scores(said, rows, grade[rows], chance[rows], nowhere)
        assert ours.score[0] == pytest.approx(wanted, abs=1e-9)
        assert 0.9 * theirs < np.sqrt(ours.covariance[0, 0]) < theirs


def test_intervals_have_coverage_even_if_the_model_is_wrong() -> None:
    """200 samples of a pool whose labels are the opposite of the truth in half of the topics."""
    rng = np.random.default_rng(1)
    topics, docs = 10, 60
    topic = np.repeat(np.arange(topics), docs)
    truth = (rng.random(topics * docs) < 0.3).astype(np.int64)
    label = np.where(topic % 2 == 0, truth, 1 - truth) * 1.0
    rank = np.zeros((3, truth.size), dtype=np.int64)
    for system in range(3):
        for number in range(topics):
            inside = number * docs + rng.permutation(docs)[:10]
            rank[system, inside] = np.arange(1, 11)
    population = Population(
        linear_measure("P@10", Scale.parse("0..1")), rank, topic, topics, [label],
        rng.integers(0, 5, truth.size),
    )  # fmt: skip
    weight = population.measure.weights(rank) / topics
    wanted = weight @ truth
    chance = np.minimum(1.0, 0.15 * population.importance)
    held = []
    for _ in range(200):
        rows = np.flatnonzero(rng.random(truth.size) < chance)
        _, influence = population.fit(rows, truth[rows], chance[rows])
        found = estimate_scores(influence, rows, truth[rows], chance[rows], topic)
        deviation, free = found.errors()
        held.append(np.abs(found.score - wanted) <= quantiles(free, labels=rows.size) * deviation)
    # Three standard errors below .95 of 200 draws of three correlated scores.
    assert 0.90 < np.mean(held) <= 1.0


def test_a_focus_narrows_the_interval_of_its_own_difference() -> None:
    """Six systems; the sample for two of them is compared with that for all, in 20 draws each."""
    rng = np.random.default_rng(7)
    topics, docs, systems = 10, 60, 6
    topic = np.repeat(np.arange(topics), docs)
    truth = (rng.random(topics * docs) < 0.3).astype(np.int64)
    rank = np.zeros((systems, truth.size), dtype=np.int64)
    for system in range(systems):
        for number in range(topics):
            rank[system, number * docs + rng.permutation(docs)[:10]] = np.arange(1, 11)
    population = Population(
        linear_measure("P@10", Scale.parse("0..1")), rank, topic, topics, [],
        rng.integers(0, 5, truth.size),
    )  # fmt: skip
    widths = []
    for focus in ((), (0, 1)):
        drawn_from = replace(population, focus=focus)
        trials = [sampling_trial(drawn_from, truth, 120, rng) for _ in range(20)]
        noises = [trial.estimates.noise[0] - trial.estimates.noise[1] for trial in trials]
        widths.append(np.mean([np.sqrt((noise**2).sum()) for noise in noises]))
    assert widths[1] < 0.8 * widths[0]


def test_topics_are_the_unit_of_an_interval_over_topics() -> None:
    parts = np.array([[0.01, 0.03, 0.02, 0.06]])
    nothing = np.zeros((1, 4))
    influence = Influence(parts, np.zeros((1, 1)), nothing, np.zeros((1, 2)), np.zeros((1, 2)))
    nobody = np.zeros(0, dtype=np.int64)
    found = estimate_scores(
        influence, nobody, nobody, np.zeros(0), np.zeros(1, dtype=np.int64), over_topics=True
    )
    scores = parts[0] * 4
    assert found.covariance[0, 0] == pytest.approx(stats.sem(scores) ** 2)
    assert found.errors().degrees.tolist() == [3.0]


def test_a_variance_without_labels_is_the_expected_variance() -> None:
    """Smyth (2004): (d s² + 2 s₀²)/(d + 2) with d + 2 degrees of freedom."""
    alike = np.full((1, 8), 0.5)
    found = standard_errors(np.vstack([0 * alike, alike]), np.array([0.09, 1.0]), over_topics=False)
    assert found.degrees.tolist() == [2.0, 18.0]
    assert found.deviation**2 == pytest.approx([0.09, (16 * 2.0 + 2 * 1.0) / 18])


def test_many_interim_analyses_widen_the_bounds() -> None:
    many = np.array([1e9])
    assert quantiles(many, labels=500)[0] == pytest.approx(1.96, abs=1e-3)
    assert quantiles(many, labels=500, looks=20)[0] == pytest.approx(3.02, abs=1e-2)  # SPEC 19
    assert 2.9 < quantiles(many, labels=500, anytime=True)[0] < 3.3
    wide, near, end, later = (quantiles(many, labels=n, until=400)[0] for n in (100, 300, 400, 401))
    assert wide == pytest.approx(2 * end, abs=1e-3)
    assert near > end == later == pytest.approx(2.2414, abs=1e-3)


def test_interim_analyses_until_the_budget_is_spent_are_wrong_as_seldom_as_stated() -> None:
    """Random walks without drift, with an interim analysis after each of 200 labels."""
    walks = np.random.default_rng(6).normal(size=(4000, 200)).cumsum(axis=1)
    labels = np.arange(1, 201)
    many = np.array([1e9])
    reach = np.array([quantiles(many, labels=n, until=200)[0] for n in labels.tolist()])
    crossed = (np.abs(walks) > reach * np.sqrt(labels)).any(axis=1).mean()
    assert 0.03 < crossed < 0.055  # below .05 by the steps between analyses (s.d. .0034)


def test_half_the_distance_needs_four_times_the_labels() -> None:
    assert labels_needed(0.1, 0.2, 300) == pytest.approx(1200)


def test_the_order_follows_the_judges_without_labels_and_the_labels_with_all() -> None:
    rng = np.random.default_rng(2)
    judged, estimate = rng.random(12), rng.random(12)
    weight = rng.random((12, 80))
    vague = corrected_scores(judged, judged + 0.3, 10 * np.eye(12), weight)
    assert np.argsort(vague).tolist() == np.argsort(judged).tolist()
    sharp = corrected_scores(judged, estimate, 1e-4 * np.eye(12), weight)
    assert sharp == pytest.approx(estimate, abs=1e-3)


def test_the_order_is_close_to_the_better_one_of_models_and_estimates() -> None:
    """A model that ranks systems correctly but is strict; few labels, many systems, shared docs."""
    rng = np.random.default_rng(4)
    topics, docs, systems = 10, 60, 20
    truth = rng.integers(0, 2, topics * docs)
    topic = np.repeat(np.arange(topics), docs)
    model = np.where(rng.random(truth.size) < 0.2, 1 - truth, truth).astype(np.float64)
    rank = np.zeros((systems, truth.size), dtype=np.int64)
    for system, skill in enumerate(np.linspace(0.0, 1.5, systems)):
        for number in range(topics):
            inside = np.flatnonzero(topic == number)
            by_score = np.argsort(-skill * truth[inside] - rng.normal(size=docs))
            rank[system, inside[by_score[:10]]] = np.arange(1, 11)
    population = Population(
        linear_measure("P@10", Scale.parse("0..1")), rank, topic, topics, [model],
        rng.integers(0, 5, truth.size),
    )  # fmt: skip
    wanted = population.measure.weights(rank) @ truth
    taus = []
    for _ in range(10):
        trial = sampling_trial(population, truth, 60, rng)
        orders = (
            trial.judged,
            trial.estimates.score,
            corrected_scores(
                trial.judged, trial.estimates.score, trial.estimates.noise, trial.rank_weight
            ),
        )
        taus.append([stats.kendalltau(scores, wanted).statistic for scores in orders])
    judged, estimated, corrected = np.mean(taus, axis=0)
    assert corrected >= max(judged, estimated) - 0.02


def test_a_models_grades_are_relative_to_its_highest_grade() -> None:
    rank, topic = np.array([[1, 2, 3]]), np.zeros(3, dtype=np.int64)
    scores = []
    for labels in ([0.0, 1.0, 1.0], [0.0, 3.0, 3.0], [np.nan, 0.9, 0.8]):
        population = Population(
            linear_measure("P(rel=2)@3", Scale.parse("0..3")), rank, topic, 1, [np.array(labels)],
            topic,
        )  # fmt: skip
        scores.append(population.judged_scores(np.full((3, 4), 0.25)).item())
    assert scores == pytest.approx([2 / 3] * 3)
