"""Correlations row by row equal numpy's over the values common to both rows."""

from __future__ import annotations

import numpy as np

from qrelsmith.damages.row_correlations import row_correlations

NAN = np.nan


def test_rows_are_correlated_over_their_common_values() -> None:
    first = np.array([[1.0, 2, 3, 9, NAN], [1, 1, 1, 1, 1], [NAN] * 5])
    second = np.array([[2.0, 1, 4, NAN, 7], [1, 2, 3, 4, 5], [1.0] * 5])
    r, count = row_correlations(first, second)
    assert count.tolist() == [3, 5, 0]
    assert np.isclose(r[0], np.corrcoef([1, 2, 3], [2, 1, 4])[0, 1])
    assert np.isnan(r[1:]).all()
