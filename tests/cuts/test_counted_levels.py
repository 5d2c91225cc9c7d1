from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import UnknownNameError
from qrelsmith.cuts import AGGREGATED_BY
from qrelsmith.cuts.counted_levels import levels_above
from qrelsmith.judgments.aggregation import AGGREGATIONS


@pytest.mark.parametrize("by", AGGREGATED_BY)
@given(levels=st.lists(st.integers(0, 3), min_size=1, max_size=8), cuts=st.integers(1, 4))
def test_counts_give_the_same_result_as_labels(by: str, levels: list[int], cuts: int) -> None:
    levels = [min(level, cuts) for level in levels]
    counts = [np.array([sum(level <= cut for level in levels)]) for cut in range(cuts)]
    above = levels_above(counts, np.array([len(levels)]), by)
    expected = np.floor(AGGREGATIONS.get(by)(np.array(levels, dtype=float)[:, None]))
    assert sum(int(one[0]) for one in above) == int(expected[0])
    # A level that is not above a cut is not above a higher one.
    assert sorted((bool(one[0]) for one in above), reverse=True) == [bool(a[0]) for a in above]


def test_a_median_between_two_levels_becomes_the_lower_level() -> None:
    # Levels 0, 3: their mean 1.5 is level 1.
    above = levels_above([np.array([1])] * 3, np.array([2]), "median-mean")
    assert [bool(one[0]) for one in above] == [True, False, False]


def test_an_unknown_aggregation_names_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="median-mean, majority, mean"):
        levels_above([np.array([1])], np.array([2]), "sum")
