import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.planning.simulation import AssessorDesign, draw_assessors, perceive
from qrelsmith.planning.simulation.assessors import on_topic

PLAIN = {"count": 1, "noise": (0.0, 0.0), "bias": 0.0}
TRUTH = np.array([0.9, 0.5, 0.1, 0.5])


def seen(truth=TRUTH, *, before=0, seed=0, **options):
    design = AssessorDesign(**{**PLAIN, **options})
    return perceive(
        truth,
        before=before,
        assessors=draw_assessors(design, seed=seed),
        who=0,
        rng=rng_for(seed, "test"),
    )


def test_an_assessor_without_weaknesses_gives_the_true_grades():
    perceived, inattentive = seen()
    assert perceived.tolist() == TRUTH.tolist()
    assert not inattentive.any()


def test_each_effect_alone_is_as_computed_by_hand():
    # Contrast: half of the difference to the mean of the earlier docs: .9 | .9 | .7 | .5.
    assert seen(contrast=0.5)[0] == pytest.approx([0.9, 0.3, -0.2, 0.5])
    assert seen(contrast=-0.5)[0] == pytest.approx([0.9, 0.7, 0.4, 0.5])
    # Opening: .2 on the first doc, 1/e of it after `settling` docs.
    assert seen(opening=0.2, settling=2.0)[0] - TRUTH == pytest.approx(
        0.2 * np.exp([0, -0.5, -1, -1.5])
    )
    bias = seen(bias=0.3)[0] - TRUTH
    assert np.ptp(bias) == pytest.approx(0)
    drift = seen(drift=1.0, before=200)[0] - TRUTH
    assert drift / drift[0] == pytest.approx([1, 1.005, 1.01, 1.015])


def test_noise_has_the_given_standard_deviation():
    perceived, _ = seen(np.full(20_000, 0.4), noise=(0.1, 0.1))
    assert perceived.std() == pytest.approx(0.1, rel=0.03)
    assert perceived.mean() == pytest.approx(0.4, abs=0.004)


def test_inattentive_answers_are_uniform_with_the_given_frequency():
    perceived, inattentive = seen(np.full(20_000, 2.0), inattention=(0.25, 0.25))
    assert inattentive.mean() == pytest.approx(0.25, abs=0.016)
    assert (perceived[~inattentive] == 2.0).all()
    assert np.quantile(perceived[inattentive], [0.25, 0.5, 0.75]) == pytest.approx(
        [0.25, 0.5, 0.75], abs=0.04
    )


def test_assessors_are_spread_as_requested_and_more_assessors_change_nothing():
    design = AssessorDesign(
        count=2000, noise=(0.1, 0.3), bias=0.05, drift=0.2, inattention=(0.0, 0.1)
    )
    drawn = draw_assessors(design, seed=0)
    assert drawn.noise.mean() == pytest.approx(0.2, abs=0.01)
    assert drawn.noise.min() >= 0.1
    assert drawn.noise.max() <= 0.3
    assert drawn.bias.std() == pytest.approx(0.05, rel=0.08)
    assert drawn.drift.std() == pytest.approx(0.2, rel=0.08)
    assert drawn.inattention.mean() == pytest.approx(0.05, abs=0.005)
    few = draw_assessors(AssessorDesign(count=3, bias=0.05), seed=0)
    np.testing.assert_array_equal(few.bias, drawn.bias[:3])


def test_no_docs_are_allowed_but_an_unknown_assessor_is_an_error():
    assert seen(np.empty(0))[0].shape == (0,)
    assessors = draw_assessors(AssessorDesign(count=2), seed=0)
    with pytest.raises(ShapeError, match="the assessor is 2; expected 0 to 1"):
        perceive(TRUTH, before=0, assessors=assessors, who=2, rng=rng_for(0))
    with pytest.raises(UsageError, match="before=-1"):
        perceive(TRUTH, before=-1, assessors=assessors, who=1, rng=rng_for(0))


@pytest.mark.parametrize(
    "options",
    [
        {"count": 0},
        {"noise": (0.2, 0.1)},
        {"bias": -1.0},
        {"drift": float("inf")},
        {"opening": float("nan")},
        {"contrast": float("inf")},
        {"settling": 0.0},
        {"inattention": (0.0, 1.5)},
    ],
)
def test_parameters_out_of_range_are_errors(options):
    with pytest.raises(UsageError, match=f"{next(iter(options))}="):
        AssessorDesign(**options)


def test_a_group_has_a_bias_and_topics_change_bias_and_noise():
    assert seen(leaning=0.25)[0] - TRUTH == pytest.approx(0.25)
    alike = draw_assessors(AssessorDesign(count=3), seed=1)
    same = on_topic(alike, rng=rng_for(1, "topic"))
    assert (same.bias.tolist(), same.noise.tolist()) == (alike.bias.tolist(), alike.noise.tolist())
    varied = AssessorDesign(count=4000, noise=(0.2, 0.2), bias=0.0, topic_bias=0.1, topic_noise=0.5)
    there = on_topic(draw_assessors(varied, seed=1), rng=rng_for(1, "topic"))
    assert there.bias.std() == pytest.approx(0.1, rel=0.05)
    assert np.log(there.noise / 0.2).std() == pytest.approx(0.5, rel=0.05)
