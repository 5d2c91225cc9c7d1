from __future__ import annotations

import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.pairs.hits import HitPair, HitResult, PairHit
from qrelsmith.topk import Answer
from qrelsmith.topk.hit_log import answers_of, resolve_hits

HITS = tuple(
    PairHit(
        key,
        (
            HitPair("1", f"{key}a", f"{key}b", 2),
            HitPair("1", "good", "bad", 0, "left"),
            HitPair("2", f"{key}c", f"{key}d", 1),
        ),
    )
    for key in ("h1", "h2", "h3")
)


def done(hit: str, worker: str, *outcomes: int | None) -> HitResult:
    return HitResult(hit, worker, outcomes or (-1, -1, 1))


def test_submissions_that_pass_count_as_answers_to_their_pairs() -> None:
    log = resolve_hits(HITS, [done("h1", "w", 1, -2, 0)])
    assert [hit.key for hit in log.open] == ["h2", "h3"]
    assert answers_of(HITS, log.accepted) == [
        ("1", Answer("h1a", "h1b", 1, "w", 2)),
        ("2", Answer("h1c", "h1d", 0, "w", 1)),
    ]
    assert log.paid == 1


@pytest.mark.parametrize("wrong", [1, 0, None])
def test_a_worker_who_fails_an_attention_check_is_excluded_from_the_round_and_paid(
    wrong: int | None,
) -> None:
    log = resolve_hits(
        HITS, [done("h1", "bad"), done("h2", "good"), done("h3", "bad", -1, wrong, -1)]
    )
    assert [one.worker for one in log.accepted] == ["good"]
    assert log.excluded == ("bad",)
    assert [hit.key for hit in log.open] == ["h1", "h3"]
    assert log.failed == (("bad", "h3"),)
    assert (len(log.discarded), log.paid) == (2, 3)


def test_a_repeated_hit_is_closed() -> None:
    log = resolve_hits(HITS, [done("h1", "bad", -1, 1, -1), done("h1", "good")])
    assert [hit.key for hit in log.open] == ["h2", "h3"]


def test_an_excluded_worker_does_not_count() -> None:
    log = resolve_hits(HITS, [done("h1", "w")], excluded=["w"])
    assert (log.accepted, log.excluded, log.paid) == ((), ("w",), 1)


def test_an_incomplete_submission_is_repeated_without_excluding_the_worker() -> None:
    log = resolve_hits(HITS, [done("h1", "w", None, -1, 1)])
    assert (log.accepted, log.excluded) == ((), ())
    assert log.open == HITS


def test_several_workers_can_do_a_hit() -> None:
    log = resolve_hits(HITS, [done("h1", "w"), done("h1", "v")])
    assert [one.worker for one in log.accepted] == ["w", "v"]


def test_the_last_of_two_submissions_of_a_worker_counts_and_both_are_paid() -> None:
    log = resolve_hits(HITS, [done("h1", "w", 1, -1, 1), done("h1", "w", -1, -1, 1)])
    assert [one.outcomes[0] for one in log.accepted] == [-1]
    assert log.paid == 2


def test_results_do_not_depend_on_the_order_of_workers() -> None:
    given = [done("h1", "bad"), done("h2", "good"), done("h3", "bad", -1, 1, -1)]
    one, two = resolve_hits(HITS, given), resolve_hits(HITS, given[::-1])
    assert (one.open, one.excluded, one.accepted) == (two.open, two.excluded, two.accepted)


def test_without_submissions_all_hits_are_open() -> None:
    log = resolve_hits(HITS, [])
    assert (log.open, log.paid) == (HITS, 0)


def test_unknown_hits_and_wrong_lengths_are_refused() -> None:
    with pytest.raises(UsageError, match="the HIT 'h9' is not in the round"):
        resolve_hits(HITS, [done("h9", "w")])
    with pytest.raises(UsageError, match="2 outcomes; expected 3"):
        resolve_hits(HITS, [done("h1", "w", 1, 1)])
