"""The simulator fitted to collections that it drew, and to TREC DL 2021."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.agreement import krippendorff_alpha
from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.rng import rng_for, shuffle
from qrelsmith.base.scales import Scale
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.planning.campaign_plan.calibration import ALPHA, TAU, calibrate
from qrelsmith.planning.campaign_plan.fit import fit_campaign
from qrelsmith.planning.campaign_plan.fitted_design import fitted_plan, like_fitted
from qrelsmith.planning.campaign_plan.judged_runs import JudgedRuns
from qrelsmith.planning.campaign_plan.moments import TopicFigures, moment_errors, moment_names
from qrelsmith.planning.campaign_plan.observed import ObservedCampaign, observed_campaign
from qrelsmith.planning.campaign_plan.plan_design import PlanDesign
from qrelsmith.planning.simulation import AssessorDesign, Assessors, CampaignDesign, Systems
from qrelsmith.planning.simulation.designs import DESIGNS
from qrelsmith.planning.simulation.sketch import sketch_campaign

TRUTH = CampaignDesign(
    topics=30,
    docs=240,
    alpha=(0.2, 0.6),
    beta=(1.0, 3.0),
    systems=Systems(count=12, noise=(0.1, 0.5), shared=0.3, taste=0.3),
    run_depth=20,
    depth=10,
)
PEOPLE = Assessors(
    AssessorDesign(count=2),
    noise=np.array([0.1, 0.2]),
    bias=np.array([-0.04, 0.04]),
    drift=np.zeros(2),
    inattention=np.zeros(2),
)
MEASURE = "nDCG@10"


def drawn(seed: int, *, topics: int = 30) -> JudgedRuns:
    design = dataclasses.replace(TRUTH, topics=topics)
    return JudgedRuns.of_sketch(sketch_campaign(design, PEOPLE, ranks=10, seed=seed), levels=4)


def test_moments_are_as_computed_by_hand() -> None:
    # Two topics with two docs each, one assessor, two systems with opposite rankings.
    judged = JudgedRuns(
        topic=np.array([0, 0, 1, 1]),
        ratings=np.array([[1.0, 0.0, 1.0, 1.0], [1.0, 1.0, 1.0, 0.0]]),
        ranked=np.array([[[0, 1], [2, 3]], [[1, 0], [3, 2]]]),
        levels=2,
    )
    found = dict(
        zip(moment_names(2), TopicFigures.of(judged, "P@1").moments().tolist(), strict=True)
    )
    assert found["judged docs of a topic"] == 2
    assert found["judged docs, sd over topics"] == 0
    assert found["share of grade 1"] == 0.75
    # Mean grades .5 and 1 according to the one assessor, 1 and .5 according to the other.
    assert found["mean grade, sd over topics"] == pytest.approx(np.std([0.5, 1], ddof=1))
    assert found["agreement (ordinal α)"] == pytest.approx(krippendorff_alpha(judged.ratings).value)
    # P@1: according to the first 1, 1 and 0, 1; according to the second 1, 1 and 1, 0.
    assert found["mean score"] == pytest.approx(0.75)
    assert found["score of the systems, 90% quantile less mean"] == pytest.approx(0.2)
    assert found["score, residual sd"] == pytest.approx(0.5)


def test_errors_of_moments_shrink_with_the_number_of_topics() -> None:
    few, many = (
        moment_errors(TopicFigures.of(drawn(1, topics=topics), MEASURE), rng=rng_for(0))
        for topics in (15, 60)
    )
    assert np.median(few / many) == pytest.approx(2, rel=0.35)


# The smallest distinguishable collection takes ten seconds to fit; commands fit smaller ones, in
# tests/cli.
@pytest.fixture(scope="module")
def fit():
    return fit_campaign(drawn(0), depth=10, measure=MEASURE, seed=1)


@pytest.mark.full
def test_a_simulated_collection_can_be_fitted(fit) -> None:
    apart = (fit.fitted - fit.observed) / fit.error
    assert np.abs(apart).max() < 3
    assert np.sqrt((apart**2).mean()) < 1
    assert len(fit.misses) <= 1


@pytest.mark.full
def test_identifiable_parameters_are_recovered(fit) -> None:
    assert fit.assessors.noise[1] / fit.assessors.noise[0] == pytest.approx(2, rel=0.4)
    assert fit.assessors.bias == pytest.approx([-0.04, 0.04], abs=0.02)
    low, high = fit.design.systems.noise
    assert low == pytest.approx(0.1, abs=0.08)
    assert high == pytest.approx(0.5, rel=0.5)
    # Not alpha, beta and the number of docs separately, but their effect on the pools.
    assert fit.design.depth == 10
    assert fit.design.levels == 4


@pytest.mark.full
def test_draws_with_uncertainty_vary_around_the_fit(fit) -> None:
    rng = rng_for(5)
    noise = [fit.draw(rng)[1].noise[1] for _ in range(60)]
    assert np.median(noise) == pytest.approx(fit.assessors.noise[1], rel=0.3)
    assert np.std(noise) > 0
    middles = [np.mean(fit.draw(rng)[0].alpha) for _ in range(60)]
    assert np.quantile(middles, 0.1) < np.mean(fit.design.alpha) < np.quantile(middles, 0.9)


@pytest.mark.full
def test_a_fitted_design_keeps_its_numbers_and_takes_docs_systems_and_people(fit) -> None:
    www4 = PlanDesign("www4", DESIGNS.get("www4")())
    like = like_fitted(www4, fit).campaign
    own = www4.campaign
    assert (like.topics, like.depth, like.levels) == (50, 60, 3)
    assert like.systems.count == 18
    assert like.systems.noise == fit.design.systems.noise
    assert like.alpha == fit.design.alpha
    for new, old in zip(like.groups, own.groups, strict=True):
        assert (new.name, new.time, new.per_doc) == (old.name, old.time, old.per_doc)
        assert new.assessors.count == old.assessors.count
        assert new.assessors.noise == (fit.assessors.noise.min(), fit.assessors.noise.max())
    assert fitted_plan(fit, topics=30).campaign.topics == 30


@pytest.mark.slow
@pytest.mark.full
def test_the_other_half_of_the_topics_is_predicted() -> None:
    judged = drawn(7, topics=40)
    topics = tuple(f"t{number:02d}" for number in range(40))
    found = calibrate(
        ObservedCampaign(("one", "other"), topics, 10, 0, judged), measure=MEASURE, seed=0
    )
    assert found.topics == 20
    assert found.holds
    # Nine in ten quantities should be inside; they are correlated.
    assert found.inside.mean() >= 0.7
    assert {ALPHA, TAU, "α of one and other", "τ of one and other"} <= set(found.names)
    table = found.table()
    assert table.columns == (
        "quantity", "fitted_half", "observed", "low", "predicted", "high", "inside",
    )  # fmt: skip
    assert len(found.moments().rows) == len(moment_names(4))


@pytest.mark.slow
@pytest.mark.full
def test_a_simulator_of_different_assessors_fails_the_check() -> None:
    """The other half is judged at random, so that its agreement cannot be predicted."""
    judged = drawn(7, topics=40)
    topics = tuple(f"t{number:02d}" for number in range(40))
    mixed = shuffle(topics, seed=0, keys=("plan", "halves"))
    other = np.isin(judged.topic, [topics.index(topic) for topic in mixed[20:]])
    blind = rng_for(1).integers(4, size=judged.ratings.shape)
    ratings = np.where(other, blind, judged.ratings)
    campaign = ObservedCampaign(
        ("one", "other"), topics, 10, 0, dataclasses.replace(judged, ratings=ratings)
    )
    found = calibrate(campaign, measure=MEASURE, seed=0)
    observed = dict(zip(found.names, found.observed.tolist(), strict=True))
    assert observed[ALPHA] == pytest.approx(0, abs=0.05)
    assert not found.holds


def test_too_few_topics_are_an_error() -> None:
    with pytest.raises(UndefinedError, match="found 3 topics"):
        fit_campaign(drawn(0, topics=3), depth=10, measure=MEASURE, seed=0)
    for topics in (1, 3, 8):  # of eight topics, only four would be left for fitting
        names = tuple("abcdefgh"[:topics])
        few = ObservedCampaign(("a", "b"), names, 10, 0, drawn(0, topics=topics))
        message = f"found {topics} judged topics; expected 9 or more"
        with pytest.raises(UndefinedError, match=message):
            calibrate(few, measure=MEASURE, seed=0)


def test_equal_labels_are_an_error() -> None:
    judged = drawn(0, topics=5)
    same = dataclasses.replace(judged, ratings=np.ones(judged.ratings.shape))
    with pytest.raises(UndefinedError, match=r"whose agreement .* is undefined or comes from"):
        fit_campaign(same, depth=10, measure=MEASURE, seed=0)


@pytest.mark.slow
@pytest.mark.full
def test_dl_2021_is_predicted_from_half_of_its_topics(shared: Path) -> None:
    folder = shared / "data" / "trec-dl-2021-passage"
    if not folder.is_dir():
        pytest.skip("needs the data set trec-dl-2021-passage, which is not here")
    scale = Scale.parse("0..3")
    files = [next(folder.glob(f"qrels/{name}.qrels*")) for name in ("nist", "umbrela.gpt-4o")]
    judgments = read_judgments(*files, scale=scale)
    runs = load_runs(sorted(folder.glob("runs/*.run*")), depth=20)
    campaign = observed_campaign(judgments, runs, scale=scale)
    # NIST pooled the runs to depth ten, and judged further docs.
    assert campaign.depth == 10
    found = calibrate(campaign, measure=MEASURE, seed=0)
    predicted = dict(zip(found.names, found.median.tolist(), strict=True))
    observed = dict(zip(found.names, found.observed.tolist(), strict=True))
    assert predicted[ALPHA] == pytest.approx(observed[ALPHA], abs=0.12)
    assert predicted[TAU] == pytest.approx(observed[TAU], abs=0.08)
    # The interval of τ ends within .003 of the observed value: the last digits of the fit, which
    # differ between processors, decide on which side.
    ends = zip(found.names, found.low.tolist(), found.high.tolist(), strict=True)
    near = {name: low - 0.01 <= observed[name] <= high + 0.01 for name, low, high in ends}
    assert near[ALPHA]
    assert near[TAU]
