import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.assigning.dealing import alternate, deal
from qrelsmith.base.errors import UsageError

names = st.lists(st.text("abc12é", min_size=1, max_size=3), unique=True, max_size=9)


def digest(*lines):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def test_the_first_item_follows_the_digest_and_the_next_go_to_the_least_loaded():
    first = sorted("xyz", key=lambda hand: digest("i:1:5", "s:1:k", "s:1:a", f"s:1:{hand}"))
    rest = sorted(first[1:], key=lambda hand: digest("i:1:5", "s:1:k", "s:1:b", f"s:1:{hand}"))
    dealt = deal(["a", "b", "c"], ["x", "y", "z"], each=1, seed=5, keys=["k"])
    assert dealt == [(first[0],), (rest[0],), (rest[1],)]


@given(names, names, st.integers(1, 4), st.integers())
def test_every_item_goes_to_the_given_number_of_assessors_and_loads_differ_by_one(
    items, hands, each, seed
):
    each = min(each, len(hands))
    if not hands:
        items = []
    dealt = deal(items, hands, each=each, seed=seed)
    assert [len(set(chosen)) for chosen in dealt] == [each] * len(items)
    load = Counter(hand for chosen in dealt for hand in chosen)
    counts = [load[hand] for hand in hands]
    assert not counts or max(counts) - min(counts) <= 1
    # Neither the order of the assessors nor later items matter.
    assert deal(items[:3], hands[::-1], each=each, seed=seed) == dealt[:3]


def test_all_pairs_of_assessors_are_equally_likely():
    pairs = Counter(deal(["a"], "wxyz", each=2, seed=seed)[0] for seed in range(1200))
    assert len(pairs) == 6
    # The standard deviation of each count is 12.9.
    assert all(abs(count - 200) < 52 for count in pairs.values())


def test_too_few_assessors_are_an_error_unless_there_are_no_items():
    with pytest.raises(UsageError, match="each=3; expected 1 to 2"):
        deal(["a"], ["x", "y"], each=3, seed=0)
    with pytest.raises(UsageError, match="each=1; expected 1 to 0"):
        deal(["a"], [], each=1, seed=0)
    assert deal([], [], each=1, seed=0) == []


@given(st.dictionaries(st.text("pqr", min_size=1, max_size=2), names, max_size=6), st.integers())
def test_choices_are_balanced_per_assessor_and_overall(hands, seed):
    chosen = alternate(hands, ["P", "R"], seed=seed)
    assert set(chosen) == {(hand, item) for hand, items in hands.items() for item in items}
    for hand, items in hands.items():
        own = Counter(chosen[hand, item] for item in items)
        assert abs(own["P"] - own["R"]) <= 1
    total = Counter(chosen.values())
    assert abs(total["P"] - total["R"]) <= 1


def test_the_choice_of_an_item_is_random():
    hands = {"x": ["a", "b", "c", "d"], "y": ["a"]}
    tries = [alternate(hands, ["P", "R"], seed=seed) for seed in range(1200)]
    assert len({tuple(sorted(one.items())) for one in tries}) == 6 * 2
    for key in tries[0]:
        # The standard deviation is 17.3.
        assert abs(sum(one[key] == "P" for one in tries) - 600) < 70
    assert alternate({}, ["P", "R"], seed=0) == {}
