from __future__ import annotations

import numpy as np
import pytest

from qrelsmith.base.errors import ShapeError, UsageError
from qrelsmith.cuts import TopicLabels, source_alpha

NAN = np.nan


def test_labels_are_arranged_by_doc_beside_the_other_labels() -> None:
    labels = TopicLabels.of([5, 1, 2, 3], [1, 0, 1, 3], [1, 0, 0, 0])
    assert labels.docs == 4
    np.testing.assert_array_equal(labels.ratings, [[1, 2, NAN, 3], [NAN, 5, NAN, NAN]])
    # Sorted by doc and unit: 1, 2, 5, 3.
    np.testing.assert_array_equal(labels.others, [[NAN, NAN, 2, NAN], [NAN, 5, NAN, NAN]])


def test_a_topic_without_labels_is_accepted() -> None:
    labels = TopicLabels.of([], [], [], docs=2)
    assert labels.ratings.shape == (0, 2)
    assert labels.others.shape == (0, 0)


@pytest.mark.parametrize(
    ("arrays", "options", "message"),
    [
        (([1], [0, 1], [0]), {}, "the same length; found 1, 2 and 1"),
        (([1, 2], [0, 1], [0, 0]), {"docs": 1}, "labels of 2 docs and 1 targets; expected 1 docs"),
        (([1, 2], [0, 1], [0, 0]), {"target": [1]}, "expected 1 docs"),
        (([1, 2], [0, 1], [0, 0]), {"target": [1, 0], "docs": 3}, "expected 3 docs"),
    ],
)
def test_mismatched_arrays_are_an_error(arrays, options, message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        TopicLabels.of(*arrays, **options)


def test_a_missing_grade_or_a_number_below_0_is_an_error() -> None:
    with pytest.raises(UsageError, match="missing or infinite"):
        TopicLabels.of([NAN], [0], [0])
    with pytest.raises(UsageError, match="below 0"):
        TopicLabels.of([1], [-1], [0])


def test_agreement_on_the_source_scale_is_as_computed_by_hand() -> None:
    # Assessor 0 gives 0 and 3, the others' medians are 0 and 3: α = 1; units 1 and 2 give one label
    # each, equal to the other one of their doc: 0/0.
    labels = TopicLabels.of([0, 0, 3, 3], [0, 0, 1, 1], [0, 1, 0, 2])
    assert source_alpha("hit-at", labels) == 1.0
    assert source_alpha("hit-ta", labels, undefined="zero") == pytest.approx(1 / 3)
    assert source_alpha("topicwide", labels) == 1.0
    assert np.isnan(source_alpha("topicwide", TopicLabels.of([1], [0], [0])))


def test_a_second_data_set_has_no_agreement_on_the_source_scale() -> None:
    labels = TopicLabels.of([0, 1], [0, 1], [0, 0], target=[0, 1])
    for method in ("hit2", "doc-at", "doc-ta"):
        with pytest.raises(UsageError, match="no α on the source scale"):
            source_alpha(method, labels)
