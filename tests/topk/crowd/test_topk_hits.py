from __future__ import annotations

import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.collection.qrels import Qrels
from qrelsmith.pairs.hits import HitResult, PairHit
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.topk.crowd.topk_hits import topk_hits
from qrelsmith.topk.crowd.topk_hits_in import topk_hits_in
from qrelsmith.topk.topk_pairs import topk_pairs

QRELS = Qrels.from_dict(
    {
        topic: {f"{topic}d{n:02d}": float(n < 11) for n in range(16)}
        for topic in ("1", "2", "3", "4")
    }
)


def first_round() -> list[PairHit]:
    return list(topk_hits(QRELS, seed=1).hits)


def done_by(hit: PairHit, worker: str, *, careless: bool = False) -> HitResult:
    """Answer a HIT as a worker who prefers the first doc by name, or always the left doc."""
    right = [
        -1 if pair.challenge == "left" or (not pair.challenge and pair.left < pair.right) else 1
        for pair in hit.pairs
    ]
    return HitResult(hit.key, worker, tuple([-1] * len(hit.pairs) if careless else right))


def workers(settled) -> list[tuple]:
    return [(one.worker, one.hits, one.counted, one.missed, one.excluded, one.paid)
            for one in settled.workers]  # fmt: skip


def test_the_open_pairs_of_all_topics_are_bundled() -> None:
    hits = first_round()
    pairs = [pair for hit in hits for pair in hit.pairs if not pair.challenge]
    assert len(pairs) == 4 * 39  # ⌈11 · 7 / 2⌉ each
    assert len(hits) == 16


def test_a_pilot_contains_only_some_topics() -> None:
    hits = topk_hits(QRELS, seed=1, pilot=0.25).hits
    assert len({pair.topic for hit in hits for pair in hit.pairs}) == 1


def test_a_whole_campaign_by_hits_has_the_right_result() -> None:
    log, rounds, paid = Preferences.from_rows([]), 0, 0
    found = topk_pairs(QRELS, log, seed=1).states
    while not all(state.done for state in found.values()):
        hits = topk_hits(QRELS, log, seed=1).hits
        results = [
            done_by(hit, "lazy" if rounds == 0 and n % 4 == 0 else "good",
                    careless=rounds == 0 and n % 4 == 0)
            for n, hit in enumerate(hits)
        ]  # fmt: skip
        log = Preferences.join([log, topk_hits_in(hits, results, log, seed=1).new])
        paid += len(results)
        found, rounds = topk_pairs(QRELS, log, seed=1).states, rounds + 1
    assert rounds >= 3  # the lazy worker's HITs, and then the final
    for topic, state in found.items():
        assert state.result[0].doc == f"{topic}d00"
        assert state.unused == 0
    assert paid * 10 > len(log)


def test_a_worker_who_fails_an_attention_check_is_excluded_paid_and_replaced() -> None:
    hits = first_round()
    results = [done_by(hits[0], "ann"), done_by(hits[1], "bob", careless=True),
               done_by(hits[2], "bob")]  # fmt: skip
    settled = topk_hits_in(hits, results, seed=1)
    assert settled.open == tuple(hits[1:])
    assert len(settled.answers) == 10
    assert workers(settled) == [("ann", 1, 1, 0, False, 2.0), ("bob", 2, 0, 1, True, 4.0)]
    ann = settled.workers[0]
    assert settled.answers.assessors == (ann.assessor,)
    assert ann.worker not in ann.assessor
    assert settled.notes[0] == "HITs done: 3, of which 1 count; cost with fees: 7.20 USD"
    assert settled.table().rows[1][5] == "yes"


def test_reading_results_again_changes_nothing() -> None:
    hits = first_round()
    results = [done_by(hit, "ann") for hit in hits]
    once = topk_hits_in(hits, results[:5], seed=1)
    assert len(topk_hits_in(hits, results[:5], once.answers, seed=1).new) == 0
    again = topk_hits_in(hits, results, once.answers, seed=1)
    assert [*once.answers.rows(), *again.new.rows()] == list(again.answers.rows())


def test_excluded_workers_stay_excluded() -> None:
    hits = first_round()
    settled = topk_hits_in(hits, [done_by(hits[0], "bob")], seed=1, excluded=["bob"])
    assert len(settled.answers) == 0
    assert settled.workers[0].excluded


def test_results_repeated_in_two_files_count_once() -> None:
    hits = first_round()
    one = done_by(hits[0], "ann")._replace(assignment="3A")
    settled = topk_hits_in(hits, [one, one], seed=1)
    assert workers(settled) == [("ann", 1, 1, 0, False, 2.0)]
    assert settled.notes[-1] == "HITs in several files, counted once: 1"
    other = one._replace(outcomes=tuple(-(outcome or 0) for outcome in one.outcomes))
    with pytest.raises(
        UsageError, match="the assignment '3A' of the worker 'ann' appears with two"
    ):
        topk_hits_in(hits, [one, other], seed=1)


def test_rejected_results_are_neither_paid_nor_counted() -> None:
    first, second, *_ = hits = first_round()
    results = [done_by(first, "ann"), done_by(second, "bob", careless=True)._replace(is_paid=False)]
    settled = topk_hits_in(hits, results, seed=1)
    assert workers(settled) == [("ann", 1, 1, 0, False, 2.0), ("bob", 0, 0, 0, False, 0.0)]
    assert second in settled.open
    assert settled.notes[-1] == "HITs that were rejected, not paid and not counted: 1"


@pytest.mark.parametrize("seed", [0, 1])
def test_pseudonyms_depend_on_the_seed(seed: int) -> None:
    hits = first_round()
    one, two = (topk_hits_in(hits, [done_by(hits[0], "bob")], seed=s) for s in (seed, 1))
    assert (one.answers.assessors == two.answers.assessors) == (seed == 1)
