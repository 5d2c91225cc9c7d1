import numpy as np
import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.judgments.scale_operations import Relabelling


def test_each_grade_gets_its_new_number():
    merged = Relabelling.parse("0=0,1=0,2=1,3=5")
    assert merged.apply([3, 2, 1, 0]).tolist() == [5, 1, 0, 0]
    assert merged.target == Scale((0.0, 1.0, 5.0))
    assert str(merged) == "0=0,1=0,2=1,3=5"


def test_codes_stay_unless_they_are_relabelled():
    # Display errors count as not relevant in NTCIR: −2 becomes 0.
    errors = Relabelling.parse("-2=0,0=0,1=1")
    np.testing.assert_array_equal(errors.apply([-2, -1, 1, np.nan]), [0, -1, 1, np.nan])
    assert Relabelling.parse("0=0,1=-1").apply([1.0]).tolist() == [-1]


def test_grades_may_change_their_order():
    assert Relabelling.parse("0=2,1=1,2=0").apply([[0, 1], [2, 2]]).tolist() == [[2, 1], [0, 0]]


@pytest.mark.parametrize("text", ["", "0", "0=", "0=1=2", "0:1", "a=1", "0=nan", "1_0=0"])
def test_invalid_relabellings_are_errors(text):
    with pytest.raises(UsageError, match="relabelling"):
        Relabelling.parse(text)


def test_a_grade_named_twice_or_not_at_all_is_an_error():
    with pytest.raises(UsageError, match="repeats a grade; expected each grade once"):
        Relabelling.parse("0=1,0.0=2")
    with pytest.raises(UsageError, match="the grade 3 is not in the relabelling 0=0"):
        Relabelling.parse("0=0").apply([3.0])
    with pytest.raises(UsageError, match="has only codes; expected at least one grade"):
        _ = Relabelling.parse("0=-1").target
    with pytest.raises(UsageError, match="no grades to relabel"):
        Relabelling(())
