import dataclasses
import math

import numpy as np
import pytest
from scipy import stats

from qrelsmith.base.errors import UsageError
from qrelsmith.planning.simulation import (
    Design,
    batch_sigmas,
    batches,
    nearest_batches,
    simulate_batch,
)

SMALL = Design(topics=250)


def errors(batch):
    """Return (perceived − true)/σ, [assessor, topic, doc]."""
    return (batch.perceived - batch.truth) / batch.sigma


def test_batches_have_the_right_shapes_and_numbers():
    made = list(batches(SMALL, seed=0))
    assert [batch.number for batch in made] == [0, 1, 2]
    assert made[2].topics == range(200, 250)
    assert made[2].truth.shape == (50, 5)
    assert made[2].perceived.shape == (15, 50, 5)
    assert made[2].ratings(4).shape == (15, 250)
    np.testing.assert_array_equal(made[2].ratings(4)[3, 7], made[2].grades(4)[3, 1, 2])


def test_relevance_has_the_moments_of_the_betas():
    # α, β ~ U(2, 5) have the same distribution, so that E r = ½; Var r = E[αβ/((α+β)²(α+β+1))] +
    # Var[α/(α+β)].
    rng = np.random.default_rng(0)
    alpha, beta = rng.uniform(2, 5, (2, 400_000))
    share = alpha / (alpha + beta)
    variance = (share * (1 - share) / (alpha + beta + 1)).mean() + share.var()
    truth = np.concatenate([batch.truth for batch in batches(Design(assessors=1), seed=1)])
    # The standard errors are about 0.0012 and 0.0002.
    assert truth.mean() == pytest.approx(0.5, abs=0.005)
    assert truth.var() == pytest.approx(variance, abs=0.001)
    assert ((truth > 0) & (truth < 1)).all()


@pytest.mark.parametrize("bias", ["assessor", "assessor-topic", "annotation"])
def test_errors_have_the_variance_of_equation_15(bias):
    # Var[(r̃ − r)/σ] = 1 + E e^{2w} = 1 + sinh(2·½)/(2·½), whatever the distribution of ε1.
    made = batches(Design(topics=4000, batch_size=20, bias=bias), seed=2)
    pooled = np.concatenate([errors(batch).ravel() for batch in made])
    assert pooled.var() == pytest.approx(1 + math.sinh(1.0), rel=0.03)
    assert pooled.mean() == pytest.approx(0, abs=0.09)


def test_each_reading_of_the_first_error_is_constant_as_described():
    # With e^w ≈ 0, only σ ε1 is left.
    quiet = Design(topics=100, w=(-60.0, -60.0))
    for bias, axes in (("assessor", (1, 2)), ("assessor-topic", (2,)), ("annotation", ())):
        error = errors(simulate_batch(dataclasses.replace(quiet, bias=bias), 0, seed=3))
        if axes:
            assert np.ptp(error, axis=axes).max() == pytest.approx(0, abs=1e-9)
        kept = error.mean(axis=axes)
        assert np.unique(kept.round(9)).size == kept.size
        if kept.size > 100:
            assert kept.std() == pytest.approx(1, abs=0.06)


def test_only_the_first_error_depends_on_its_reading():
    one, other = (
        simulate_batch(Design(bias=bias), 5, seed=0) for bias in ("assessor", "annotation")
    )
    assert one.sigma == other.sigma
    np.testing.assert_array_equal(one.truth, other.truth)
    difference = (one.perceived - other.perceived) / one.sigma
    assert difference.std() == pytest.approx(math.sqrt(2), abs=0.3)


def test_sigma_is_uniform_and_known_beforehand():
    design = Design(topics=100_000)
    sigmas = batch_sigmas(design, seed=0)
    assert stats.kstest(sigmas, "uniform", args=(0.001, 0.299)).pvalue > 0.01
    assert simulate_batch(design, 17, seed=0).sigma == sigmas[17]


def test_the_batches_of_figure_6_have_the_parameters_of_the_paper():
    sigmas = batch_sigmas(Design(), seed=0)
    chosen = nearest_batches(Design(), seed=0)
    for batch, wanted in zip(chosen, (0.05, 0.15, 0.25), strict=True):
        assert abs(sigmas[batch] - wanted) == np.abs(sigmas - wanted).min()


def test_batches_do_not_depend_on_the_order_of_the_work():
    forwards = list(batches(SMALL, seed=7))
    for number in (2, 0, 1):
        alone = simulate_batch(SMALL, number, seed=7)
        np.testing.assert_array_equal(alone.truth, forwards[number].truth)
        np.testing.assert_array_equal(alone.perceived, forwards[number].perceived)
    assert (simulate_batch(SMALL, 0, seed=8).truth != forwards[0].truth).all()
    assert (forwards[0].truth != forwards[1].truth).all()


@pytest.mark.parametrize("judging", ["perceived", "random"])
def test_more_assessors_leave_the_first_ones_unchanged(judging):
    few = simulate_batch(Design(assessors=4, judging=judging), 0, seed=0)
    many = simulate_batch(Design(assessors=9, judging=judging), 0, seed=0)
    np.testing.assert_array_equal(many.perceived[:4], few.perceived)


def test_grades_on_nested_scales_come_from_the_same_perception():
    batch = simulate_batch(SMALL, 0, seed=0)
    np.testing.assert_array_equal(batch.grades(4), batch.grades(12) // 3)
    assert not batch.grades(1).any()
    assert set(np.unique(batch.grades(30))) <= set(range(30))


def test_random_grades_are_uniform_and_independent_of_relevance():
    design = Design(topics=2000, judging="random")
    made = list(batches(design, seed=0))
    assert all(math.isnan(batch.sigma) for batch in made)
    grades = np.concatenate([batch.grades(7) for batch in made], axis=1)
    counts = np.bincount(grades.ravel().astype(int), minlength=7)
    assert stats.chisquare(counts).pvalue > 0.01
    truth = np.concatenate([batch.truth for batch in made])
    assert abs(stats.pearsonr(truth.ravel(), grades.mean(axis=0).ravel()).statistic) < 0.04
    np.testing.assert_array_equal(made[0].truth, simulate_batch(Design(), 0, seed=0).truth)


def test_better_assessors_agree_more_with_the_true_grades():
    sigmas = batch_sigmas(Design(), seed=0)
    shares = []
    for number in np.argsort(sigmas)[[0, 50, 99]]:
        batch = simulate_batch(Design(), int(number), seed=0)
        ordered = np.diff(
            np.take_along_axis(batch.perceived.mean(axis=0), batch.truth.argsort(axis=1), axis=1)
        )
        shares.append((ordered > 0).mean())
    assert shares[0] > 0.97
    assert shares[0] > shares[1] > shares[2] > 0.5


def test_one_topic_one_doc_and_one_assessor_are_accepted():
    batch = simulate_batch(Design(topics=1, docs=1, assessors=1), 0, seed=0)
    assert batch.grades(2).shape == (1, 1, 1)
    with pytest.raises(UsageError, match="the batch is 1; expected 0 to 0"):
        simulate_batch(Design(topics=1), 1, seed=0)
