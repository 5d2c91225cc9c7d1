from __future__ import annotations

from collections import Counter

import pytest

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.pairs.hits import PairHit
from qrelsmith.topk import Pair
from qrelsmith.topk.hits import ChallengeDocs, bundle, pilot_topics

CHALLENGES = {
    topic: ChallengeDocs(
        candidates=tuple(f"{topic}-c{n}" for n in range(4)),
        nonrelevant=tuple(f"{topic}-n{n}" for n in range(6)),
    )
    for topic in ("1", "2", "3")
}


def pairs(count: int) -> dict[str, list[Pair]]:
    found: dict[str, list[Pair]] = {"1": [], "2": [], "3": []}
    for number in range(count):
        topic = str(number % 3 + 1)
        found[topic].append(Pair(f"{topic}-a{number}", f"{topic}-b{number}", 2))
    return found


def real(hit: PairHit) -> list:
    return [pair for pair in hit.pairs if not pair.challenge]


def test_every_pair_is_in_one_hit_on_its_side_among_ten() -> None:
    hits = bundle(pairs(47), CHALLENGES, seed=1)
    assert [len(real(hit)) for hit in hits] == [10, 10, 10, 10, 7]
    assert all(len(hit.pairs) == len(real(hit)) + 3 for hit in hits)
    shown = Counter((p.topic, p.left, p.right, p.round) for hit in hits for p in real(hit))
    wanted = {(t, p.left, p.right, 2) for t, of_topic in pairs(47).items() for p in of_topic}
    assert set(shown) == wanted
    assert max(shown.values()) == 1


def test_attention_checks_pair_a_candidate_with_a_nonrelevant_doc_of_its_topic() -> None:
    hits = bundle(pairs(300), CHALLENGES, seed=1)
    checks = [pair for hit in hits for pair in hit.pairs if pair.challenge]
    assert len(checks) == 90
    for pair in checks:
        better, worse = (
            (pair.left, pair.right) if pair.challenge == "left" else (pair.right, pair.left)
        )
        assert better in CHALLENGES[pair.topic].candidates
        assert worse in CHALLENGES[pair.topic].nonrelevant
        assert pair.round == 0
    sides = Counter(pair.challenge for pair in checks)
    assert abs(sides["left"] - sides["right"]) <= 30
    assert all({p.challenge for p in hit.pairs} == {"", "left", "right"} for hit in hits)
    places = {at for hit in hits for at, pair in enumerate(hit.pairs) if pair.challenge}
    assert len(places) == 13


def test_the_attention_checks_of_a_hit_differ() -> None:
    few = {"1": ChallengeDocs(("c",), ("n", "m", "o"))}
    (hit,) = bundle({"1": [Pair("a", "b")]}, few, seed=3)
    assert len({frozenset((p.left, p.right)) for p in hit.pairs if p.challenge}) == 3


def test_the_topics_of_a_hit_are_mixed() -> None:
    first = bundle(pairs(90), CHALLENGES, seed=1)[0]
    assert {pair.topic for pair in real(first)} == {"1", "2", "3"}


def test_hits_depend_only_on_the_seed_and_the_pairs() -> None:
    one = bundle(pairs(30), CHALLENGES, seed=1)
    turned = {topic: of_topic[::-1] for topic, of_topic in reversed(pairs(30).items())}
    assert bundle(turned, dict(reversed(CHALLENGES.items())), seed=1) == one
    assert bundle(pairs(30), CHALLENGES, seed=2) != one
    keys = [hit.key for hit in one]
    assert len(set(keys)) == 3


def test_sizes_are_parameters_and_there_may_be_no_attention_checks() -> None:
    hits = bundle(pairs(7), {}, seed=0, size=3, challenge_pairs=0)
    assert [len(hit.pairs) for hit in hits] == [3, 3, 1]


def test_no_pairs_give_no_hits() -> None:
    assert bundle({"1": []}, CHALLENGES, seed=0) == ()


def test_too_few_docs_for_attention_checks_are_reported() -> None:
    for docs in (ChallengeDocs(("c",), ("n",)), ChallengeDocs(("c",), ()), ChallengeDocs((), ())):
        with pytest.raises(UndefinedError, match="3 attention checks per HIT"):
            bundle({"1": [Pair("a", "b")]}, {"1": docs}, seed=0)


@pytest.mark.parametrize(("size", "challenge_pairs"), [(0, 3), (10, -1)])
def test_wrong_sizes_are_refused(size: int, challenge_pairs: int) -> None:
    with pytest.raises(UsageError, match="expected at least one pair"):
        bundle(pairs(1), CHALLENGES, seed=0, size=size, challenge_pairs=challenge_pairs)


def test_a_pilot_is_a_share_of_the_topics_determined_by_the_seed() -> None:
    topics = [str(number) for number in range(173)]
    pilot = pilot_topics(topics, 0.1, seed=0)  # topk-preferences 5: 10% of the questions
    assert len(pilot) == 18
    assert pilot == pilot_topics(topics[::-1], 0.1, seed=0) == sorted(pilot)
    assert pilot != pilot_topics(topics, 0.1, seed=1)
    assert set(pilot) < set(pilot_topics(topics, 0.2, seed=0))
    assert len(pilot_topics(["a"], 0.01, seed=0)) == 1
    assert len(pilot_topics(topics, 1, seed=0)) == 173
    with pytest.raises(UsageError, match="share of topics"):
        pilot_topics(topics, 0, seed=0)
