from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from qrelsmith import cut
from qrelsmith.base.errors import InputWarning, UndefinedError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.cuts import CutSets
from qrelsmith.cuts.cut_rankings import CutRankings
from qrelsmith.cuts.cut_tables import CutTable, cut_qrels
from qrelsmith.cuts.cut_topics import CutTopics
from qrelsmith.cuts.cut_validation import halvings, means_of
from qrelsmith.cuts.label_cuts import CutOptions, LabelCuts
from qrelsmith.evaluation import score_runs
from qrelsmith.judgments.scale_operations import Cuts
from qrelsmith.planning.simulated_labels import crowd_judgments, expert_qrels, simulated_runs
from qrelsmith.planning.simulation import (
    AssessorDesign,
    MultiscaleDesign,
    Systems,
    simulate_multiscale,
)
from qrelsmith.stats.correlation import kendall_tau_b

COLLECTION = simulate_multiscale(
    MultiscaleDesign(
        topics=6,
        docs=180,
        scales=(5,),
        crowd=AssessorDesign(count=60),
        systems=Systems(count=9),
        two=1.0,
        run_depth=15,
    ),
    seed=4,
)
RUNS = simulated_runs(COLLECTION)
REFERENCE = expert_qrels(COLLECTION, 2)
TOPICS = CutTopics.of(crowd_judgments(COLLECTION, 5))
SETS = CutSets.of(range(5), targets=3)


def rankings(measure: str = "nDCG@10", reference: Qrels = REFERENCE, **options) -> CutRankings:
    scored = score_runs(reference, RUNS, [measure]).matrix(measure)
    return CutRankings(TOPICS, SETS, RUNS, scored, **options)


def slow_tau(
    cuts: dict[str, Cuts], measure: str, by: str, order: str, runs: Sequence[Run] = RUNS
) -> float:
    """Return τ computed with qrels and `evaluate`, as a user would."""
    qrels = cut_qrels(TOPICS, CutTable(cuts), by=by, order=order)
    means = [
        score_runs(labels.restricted_to(cuts), runs, [measure], gmax=gmax).matrix(measure).means()
        for labels, gmax in ((qrels, 2.0), (REFERENCE, 1.0))
    ]
    return float(kendall_tau_b(*means))


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "Q@5", "nERR@10", "RBP(p=0.8)", "P(rel=2)@3"])
@pytest.mark.parametrize(("by", "order"), [("median", "at"), ("median-mean", "ta"), ("mean", "at")])
def test_tau_equals_that_of_the_written_qrels(measure: str, by: str, order: str) -> None:
    found = rankings(measure, by=by, order=order)
    of_two, of_all = found.taus([1]), found.taus(range(6))
    for place in range(len(SETS)):
        cuts = dict.fromkeys(TOPICS.topics, SETS.cuts(place))
        slow = slow_tau(cuts, measure, by, order)
        np.testing.assert_allclose(of_all[place], slow, atol=1e-12)
        own = found.tau_of(dict.fromkeys(range(6), place))
        np.testing.assert_allclose(own, slow, atol=1e-12)
        second = {"t02": SETS.cuts(place)}
        np.testing.assert_allclose(of_two[place], slow_tau(second, measure, by, order), atol=1e-12)


def test_each_topic_can_have_its_own_cuts() -> None:
    chosen = {place: place % len(SETS) for place in range(6)}
    cuts = {TOPICS.topics[place]: SETS.cuts(one) for place, one in chosen.items()}
    assert rankings().tau_of(chosen) == pytest.approx(slow_tau(cuts, "nDCG@10", "median", "at"))


def test_one_set_of_cuts_has_the_tau_of_the_qrels_of_all_topics() -> None:
    labels = crowd_judgments(COLLECTION, 5)
    options = {"runs": RUNS, "reference": REFERENCE, "scale": Scale.parse("0..4")}
    found = cut(labels, levels=3, method="hit-at", single=True, **options).table()
    (row,) = found.rows
    cells = dict(zip(found.columns, row, strict=True))
    cuts = dict.fromkeys(TOPICS.topics, Cuts.parse(str(cells["cuts"])))
    assert cells["topic"] == "all"
    assert cells["tau"] == pytest.approx(slow_tau(cuts, "nDCG@10", "median", "at"))


def test_topics_missing_from_the_reference_do_not_count() -> None:
    some = rankings(reference=REFERENCE.restricted_to(["t01", "t03"]))
    assert some.counted == (True, False, True, False, False, False)
    np.testing.assert_allclose(some.taus(range(6)), some.taus([0, 2]))
    assert np.isnan(some.taus([1])).all()
    assert np.isnan(some.tau_of({1: 0}))
    with (
        pytest.raises(UsageError, match="share no topic"),
        pytest.warns(InputWarning, match="no topic of run .* are the columns swapped"),
    ):
        rankings(reference=Qrels.from_dict({"other": {"d": 1.0}}))


def test_selecting_by_tau_finds_the_highest_tau() -> None:
    found = rankings()
    search = LabelCuts(
        TOPICS, SETS, CutOptions("topicwide", select="tau", ties="lowest"), taus=found.taus
    )
    single, _ = search.single()
    assert single.place == int(np.argmax(found.taus(range(6)).round(9)))
    for place, (chosen, alphas) in enumerate(search.per_topic()):
        taus = found.taus([place])
        assert taus[chosen.place] == pytest.approx(np.nanmax(taus))
        assert chosen.alpha == alphas.alpha[chosen.place]


def test_halves_select_and_evaluate_on_different_topics() -> None:
    search = LabelCuts(TOPICS, SETS, CutOptions("hit-at"))
    found = list(halvings(search, repeats=8, seed=1, rankings=rankings()))
    assert [one.repeat for one in found] == list(range(1, 9))
    assert found == list(halvings(search, repeats=8, seed=1, rankings=rankings()))
    assert len({one.alpha_chosen for one in found}) > 1
    for one in found:
        assert one.optimism == pytest.approx(one.alpha_chosen - one.alpha_held_out)
        assert one.alpha_best >= one.alpha_held_out
        assert -1 <= one.tau_held_out <= 1
    means = means_of(found)
    assert means["optimism"] == pytest.approx(np.mean([one.optimism for one in found]))


def test_the_best_cut_of_noise_is_optimistic() -> None:
    # Labels without agreement: the best result on one half is chance on the other half.
    rng = np.random.default_rng(0)
    labels = [
        type(one)(rng.permutation(one.grade), one.doc, one.unit, one.target)
        for one in TOPICS.labels
    ]
    noise = CutTopics(TOPICS.topics, TOPICS.docs, tuple(labels), hits=True)
    search = LabelCuts(noise, SETS, CutOptions("topicwide"))
    means = means_of(list(halvings(search, repeats=30)))
    assert means["optimism"] > 0
    assert np.isnan(means["tau_held_out"])


def test_one_topic_has_no_halves() -> None:
    search = LabelCuts(TOPICS.pool_topics(), SETS, CutOptions("hit-at"))
    with pytest.raises(UndefinedError, match="found one topic"):
        list(halvings(search))
