from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.base.errors import UsageError
from qrelsmith.cuts import AGGREGATED_BY, CutSets, TopicLabels, distinct_sets, doc_levels
from qrelsmith.judgments.aggregation import AGGREGATIONS

Topic = Callable[..., TopicLabels]


def test_levels_are_as_computed_by_hand() -> None:
    labels = TopicLabels.of([0, 3, 2, 3], [0, 0, 2, 2], [0, 1, 0, 1], docs=3)
    sets = CutSets.of(range(4), targets=2)
    nan = np.nan
    # Lower medians 0 and 2; doc 1 has no label.
    expected = [[0, nan, 1], [0, nan, 1], [0, nan, 0]]
    np.testing.assert_array_equal(doc_levels(labels, sets, range(3)), expected)
    # Means 1.5 and 2.5 are above the cuts at 1 and 2; labels cut first: 0 and 1 take the lower.
    at = doc_levels(labels, sets, [1, 2], by="median-mean")
    np.testing.assert_array_equal(at, [[1, nan, 1], [0, nan, 1]])
    ta = doc_levels(labels, sets, [1, 2], by="median-mean", order="ta")
    np.testing.assert_array_equal(ta, [[0, nan, 1], [0, nan, 0]])


@examples(20)
@given(seed=st.integers(0, 10_000), by=st.sampled_from(AGGREGATED_BY))
def test_levels_equal_those_of_cutting_and_aggregating_in_sequence(
    topic: Topic, seed: int, by: str
) -> None:
    labels = topic(seed)
    sets = CutSets.of(range(7), targets=3)
    at = doc_levels(labels, sets, range(len(sets)), by=by)
    ta = doc_levels(labels, sets, range(len(sets)), by=by, order="ta")
    for place in range(len(sets)):
        cuts = sets.cuts(place)
        expected = cuts.apply(AGGREGATIONS.get(by)(labels.ratings))
        np.testing.assert_array_equal(at[place], expected)
        expected = np.floor(AGGREGATIONS.get(by)(cuts.apply(labels.ratings)))
        np.testing.assert_array_equal(ta[place], expected)


@examples(20)
@given(
    seed=st.integers(0, 10_000),
    by=st.sampled_from(AGGREGATED_BY),
    order=st.sampled_from(["at", "ta"]),
)
def test_sets_of_the_same_kind_give_every_doc_the_same_level(
    topic: Topic, seed: int, by: str, order: str
) -> None:
    labels = topic(seed, levels=4)
    sets = CutSets.of(range(12), targets=3)
    places, kind = distinct_sets(labels, sets, by=by, order=order)
    assert places.size < len(sets)
    np.testing.assert_array_equal(
        doc_levels(labels, sets, places, by=by, order=order)[kind],
        doc_levels(labels, sets, range(len(sets)), by=by, order=order),
    )


def test_an_unknown_order_is_an_error(topic: Topic) -> None:
    with pytest.raises(UsageError, match="at, ta"):
        doc_levels(topic(1), CutSets.of(range(7), targets=2), [0], order="both")
