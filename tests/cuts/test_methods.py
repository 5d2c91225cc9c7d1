"""Rules for every method: its fast α equals the definition for every set of cuts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.agreement import krippendorff_alpha
from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.cuts import (
    AGGREGATED_BY,
    CUT_METHODS,
    LEVELS_OF_MEASUREMENT,
    CutAlphas,
    CutSets,
    TopicLabels,
    direct_alpha,
)
from qrelsmith.cuts import boxes as boxes_module

NAMES = CUT_METHODS.names()
HIT_CENTRIC = [name for name in NAMES if name.startswith("hit")]
few = examples(12)
seeds = st.integers(0, 10_000)
Topic = Callable[..., TopicLabels]


def alphas(name: str, labels: TopicLabels, sets: CutSets, **options: str) -> CutAlphas:
    return CUT_METHODS.get(name)(labels, sets, **options)


def same_as_direct(
    name: str, labels: TopicLabels, sets: CutSets, *, seed: int, **options: str
) -> None:
    """Compare every set of cuts if there are few, else some drawn by the seed."""
    places = np.random.default_rng(seed).permutation(len(sets))[:10].tolist()
    found = alphas(name, labels, sets, **options)
    expected = [direct_alpha(name, labels, sets.cuts(place), **options) for place in places]
    np.testing.assert_allclose(found.alpha[places], expected, rtol=0, atol=1e-9)


def test_the_six_methods_of_the_paper_are_registered() -> None:
    assert set(NAMES) == {"topicwide", "doc-at", "doc-ta", "hit-at", "hit-ta", "hit2"}
    for name in NAMES:
        entry = CUT_METHODS.get(name).entry
        assert entry.formula
        assert entry.source.startswith("Han et al. 2019")
        assert entry.summary
        assert {"needs_target", "unit", "order", "direct"} <= set(entry.about)


def test_topicwide_cuts_are_as_computed_by_hand() -> None:
    # Two docs, two labels each: 0, 2 and 3, 3. Cut at 0 or 1: 01 and 11, of 4 labels one is 0, so
    # that D_o = 2/4 and D_e = 2·1·3/(4·3) = 1/2. Cut at 2: 00 and 11, perfect.
    labels = TopicLabels.of([0, 2, 3, 3], [0, 0, 1, 1], [0, 1, 0, 1])
    found = alphas("topicwide", labels, CutSets.of(range(4), targets=2))
    assert found.alpha.tolist() == pytest.approx([0.0, 0.0, 1.0])
    assert found.units.tolist() == [2, 2, 2]
    # Into four levels there is one way: α of the labels as they are.
    found = alphas("topicwide", labels, CutSets.of(range(4), targets=4), level="interval")
    assert found.alpha == pytest.approx(
        krippendorff_alpha([[0, 3], [2, 3]], level="interval").value
    )


def test_cuts_by_doc_at_are_as_computed_by_hand() -> None:
    # Medians 1, 2, 3 against 0, 1, 1. Cut at 0: 111 and 011, of 6 labels one is 0, D_o = 2/6 = D_e.
    # Cut at 1: the same. Cut at 2: 001 and 011, D_o = 2/6, D_e = 2·3·3/(6·5) = 3/5, α = 1 − 5/9.
    labels = TopicLabels.of(
        [0, 1, 3, 2, 2, 3, 3], [0, 0, 0, 1, 1, 2, 2], range(7), target=[0, 1, 1]
    )
    found = alphas("doc-at", labels, CutSets.of(range(4), targets=2))
    assert found.alpha.tolist() == pytest.approx([0.0, 1.0, 4 / 9])
    assert found.of == 3


def test_cuts_by_hit_at_are_as_computed_by_hand() -> None:
    # One HIT of two docs: own labels 0 and 3, the others' medians 0 and 1. Cut at 0: 01 and 01.
    # Cut at 1 or 2: 01 and 00, of 4 labels one is 1: α = 0. The other units see one doc each.
    labels = TopicLabels.of([0, 0, 3, 1], [0, 0, 1, 1], [0, 1, 0, 2])
    found = alphas("hit-at", labels, CutSets.of(range(4), targets=2))
    # At cut 0 units 1 and 2 have equal labels, 0/0; at cut 1 and 2 unit 2 has 0 against 1: α = 0.
    assert found.alpha.tolist() == pytest.approx([1.0, 0.0, 0.0])
    assert found.units.tolist() == [1, 2, 2]
    assert found.of == 3


def test_cuts_by_hit2_are_as_computed_by_hand() -> None:
    # Labels 1 and 2 against 0 and 1: cut at 1 perfect; cut at 0: 11 and 01, one 0 of 4: α = 0.
    labels = TopicLabels.of([1, 2], [0, 1], [0, 0], target=[0, 1])
    found = alphas("hit2", labels, CutSets.of(range(3), targets=2))
    assert found.alpha.tolist() == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("targets", [2, 3, 4])
@examples(18)
@given(
    seed=seeds,
    level=st.sampled_from(LEVELS_OF_MEASUREMENT),
    by=st.sampled_from(AGGREGATED_BY),
    undefined=st.sampled_from(["nan", "one"]),
)
def test_alpha_of_any_set_of_cuts_equals_the_definition(
    topic: Topic, name: str, level: str, targets: int, seed: int, by: str, undefined: str
) -> None:
    labels = topic(seed, targets=targets)
    sets = CutSets.of(range(7), targets=targets)
    same_as_direct(name, labels, sets, seed=seed, by=by, level=level, undefined=undefined)


@pytest.mark.parametrize("name", NAMES)
@few
@given(seed=seeds, by=st.sampled_from(AGGREGATED_BY))
def test_real_valued_scales_are_cut_at_the_values_that_occur(
    topic: Topic, name: str, seed: int, by: str
) -> None:
    labels = topic(seed, docs=6, hits=4, real=True)
    levels = np.unique(labels.grade)
    if levels.size >= 3:
        same_as_direct(name, labels, CutSets.of(levels, targets=3), seed=seed, by=by)


@pytest.mark.parametrize("name", HIT_CENTRIC)
@pytest.mark.parametrize("targets", [2, 3, 4])
def test_boxes_and_single_sets_give_the_same_result(
    topic: Topic, name: str, targets: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = topic(5, docs=30, levels=21, hits=40, size=8, targets=targets)
    sets = CutSets.of(range(21), targets=targets)
    for by in ("median", "majority"):
        by_boxes = alphas(name, labels, sets, by=by)
        monkeypatch.setattr(boxes_module, "_MOST_CELLS", 0)
        by_sets = alphas(name, labels, sets, by=by)
        monkeypatch.undo()
        np.testing.assert_allclose(by_boxes.alpha, by_sets.alpha, atol=1e-9)
        np.testing.assert_array_equal(by_boxes.units, by_sets.units)


def test_161700_sets_agree_with_the_definition_at_random_places(topic: Topic) -> None:
    labels = topic(1, docs=40, levels=101, hits=50, size=8, targets=4)
    sets = CutSets.of(range(101), targets=4)
    assert len(sets) == 161_700
    places = np.random.default_rng(2).choice(len(sets), 6)
    for name in NAMES:
        found = alphas(name, labels, sets, by="median-mean")
        expected = [
            direct_alpha(name, labels, sets.cuts(place), by="median-mean") for place in places
        ]
        np.testing.assert_allclose(found.alpha[places], expected, rtol=0, atol=1e-9)


@few
@given(seed=seeds, by=st.sampled_from(["median", "median-mean"]))
def test_with_nine_others_transform_then_aggregate_equals_the_reverse(
    topic: Topic, seed: int, by: str
) -> None:
    # Ten labels per doc, so that the rest of the crowd is nine: an odd median commutes with cuts.
    rng = np.random.default_rng(seed)
    docs = np.tile(np.arange(16), 10)
    units = np.repeat(np.arange(20), 8)
    labels = TopicLabels.of(rng.integers(0, 11, 160), docs, units)
    sets = CutSets.of(range(11), targets=4)
    first, second = (alphas(name, labels, sets, by=by) for name in ("hit-ta", "hit-at"))
    np.testing.assert_array_equal(first.alpha, second.alpha)


@pytest.mark.parametrize("name", NAMES)
@few
@given(seed=seeds)
def test_units_are_counted_if_they_have_a_value(topic: Topic, name: str, seed: int) -> None:
    labels = topic(seed)
    found = alphas(name, labels, CutSets.of(range(7), targets=3))
    np.testing.assert_array_equal(found.units > 0, ~np.isnan(found.alpha))
    assert found.units.max() <= found.of


@pytest.mark.parametrize("name", NAMES)
def test_cuts_beyond_all_labels_are_degenerate(name: str) -> None:
    labels = TopicLabels.of(
        [1, 1, 2, 2, 1, 2], [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], target=[0, 1]
    )
    found = alphas(name, labels, CutSets.of(range(6), targets=2), undefined="one")
    assert found.degenerate.tolist() == [True, False, True, True, True]
    if name not in ("hit2", "doc-at", "doc-ta"):
        # All labels equal is 0/0, which the paper counts as perfect.
        assert found.alpha[[0, 2, 3, 4]].tolist() == [1.0] * 4
        undefined = alphas(name, labels, CutSets.of(range(6), targets=2))
        assert np.isnan(undefined.alpha[[0, 2, 3, 4]]).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_topic_with_nothing_to_compare_has_no_value(name: str) -> None:
    sets = CutSets.of(range(4), targets=2)
    for labels in (
        TopicLabels.of([], [], []),
        TopicLabels.of([], [], [], docs=3),
        TopicLabels.of([1, 2], [0, 1], [0, 0]),  # one assessor, no target
    ):
        for undefined in ("nan", "one"):
            found = alphas(name, labels, sets, undefined=undefined)
            assert np.isnan(found.alpha).all()
            assert found.units.tolist() == [0, 0, 0]


def test_an_assessor_with_one_doc_has_0_or_no_value() -> None:
    # Two labels of one doc: 0/0 if they are equal, and α = 0 if they differ.
    labels = TopicLabels.of([0, 3], [0, 0], [0, 1])
    found = alphas("hit-at", labels, CutSets.of(range(5), targets=2))
    np.testing.assert_array_equal(found.alpha, [0.0, 0.0, 0.0, np.nan])
    assert found.units.tolist() == [2, 2, 2, 0]


@pytest.mark.parametrize("name", NAMES)
def test_an_unused_level_ties_with_its_neighbour(topic: Topic, name: str) -> None:
    labels = topic(3, levels=3, targets=2)
    spread = TopicLabels(labels.grade * 2, labels.doc, labels.unit, labels.target)
    found = alphas(name, spread, CutSets.of(range(5), targets=2)).alpha
    np.testing.assert_allclose(found[[0, 2]], found[[1, 3]])
    np.testing.assert_allclose(
        found[[0, 2]], alphas(name, labels, CutSets.of(range(3), targets=2)).alpha
    )


@pytest.mark.parametrize("by", ["sum", "logsum", "dawid-skene"])
def test_an_aggregation_outside_the_scale_or_the_doc_is_refused(topic: Topic, by: str) -> None:
    sets = CutSets.of(range(7), targets=3)
    for name in ("hit-at", "hit-ta", "doc-at", "doc-ta"):
        with pytest.raises(UnknownNameError, match="aggregation"):
            alphas(name, topic(1), sets, by=by)


def test_unknown_options_name_the_choices(topic: Topic) -> None:
    sets = CutSets.of(range(7), targets=3)
    for name in NAMES:
        with pytest.raises(UsageError, match="nominal, ordinal, interval"):
            alphas(name, topic(1), sets, level="ratio")
        with pytest.raises(UsageError, match="expected one of nan, one, zero"):
            alphas(name, topic(1), sets, undefined="two")
