import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import ShapeError
from qrelsmith.collection.pools import pool_rankings
from qrelsmith.pooling import contributions

docnos = st.sampled_from("abcdefgh")
rankings = st.lists(st.lists(docnos, unique=True, max_size=6), max_size=5)


def test_contributions_of_two_teams_are_as_counted_by_hand():
    # Team 0 has two runs, both of which return a and b; both teams return c; d was found when the
    # topic was written, and team 1 returns it, too.
    pool = pool_rankings([["a", "b"], ["a", "b", "c"], ["c", "d", "e"]], depth=3, found=["d", "f"])
    brought = contributions(pool, team_of=[0, 0, 1], teams=3)
    assert brought.docs.tolist() == [3, 3, 0]
    assert brought.unique.tolist() == [2, 1, 0]
    assert brought.sole.tolist() == [0, 0, -1, -1, 1, -1]


@given(rankings, st.integers(1, 4), st.lists(docnos, max_size=2), st.randoms())
def test_leaving_a_team_out_removes_its_unique_docs_and_no_others(runs, depth, found, random):
    team_of = [random.randrange(3) for _ in runs]
    pool = pool_rankings(runs, depth=depth, found=found)
    brought = contributions(pool, team_of=team_of, teams=3)
    for team in range(3):
        others = [run for run, owner in zip(runs, team_of, strict=True) if owner != team]
        rest = pool_rankings(others, depth=depth, found=found)
        gone = [doc for doc, sole in zip(pool.docs, brought.sole, strict=True) if sole == team]
        assert sorted(set(pool.docs) - set(rest.docs)) == gone
        assert brought.unique[team] == len(gone)


def test_an_empty_pool_has_no_contributions():
    brought = contributions(pool_rankings([], depth=1), team_of=[], teams=0)
    assert brought.docs.size == brought.sole.size == 0


def test_runs_without_a_team_and_teams_out_of_range_are_errors():
    pool = pool_rankings([["a"], ["b"]], depth=1)
    with pytest.raises(ShapeError, match="a team for every run"):
        contributions(pool, team_of=[0], teams=1)
    with pytest.raises(ShapeError, match="numbers from 0 to 0"):
        contributions(pool, team_of=[0, 1], teams=1)
    assert contributions(pool, team_of=np.array([1, 1]), teams=2).unique.tolist() == [0, 2]
