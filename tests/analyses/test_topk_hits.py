from __future__ import annotations

import pytest

from qrelsmith.analyses.topk_hits import (
    hit_rows,
    hits_of_round,
    hits_of_rows,
    new_events,
    settled_round,
)
from qrelsmith.analyses.topk_sessions import TopkSetting, states, topic_pools
from qrelsmith.data.hit_files import rows_by_hit
from qrelsmith.data.hit_platforms import HitResult
from qrelsmith.data.hit_terms import HitTerms
from qrelsmith.data.qrels import Qrels
from qrelsmith.errors import UsageError

QRELS = Qrels.from_dict(
    {
        topic: {f"{topic}d{n:02d}": float(n < 11) for n in range(16)}
        for topic in ("1", "2", "3", "4")
    }
)
POOLS = topic_pools(QRELS, k=5)
SETTING = TopkSetting(seed=1)
TERMS = HitTerms()


def first_round():
    return hits_of_round(POOLS, states(POOLS, [], SETTING), TERMS, seed=1)


def done_by(rows, worker: str, *, careless: bool = False) -> HitResult:
    """A HIT by a worker who prefers the doc that comes first by name, or always the left."""
    right = [-1 if row.challenge == "left" or (not row.challenge and row.left < row.right) else 1
             for row in rows]  # fmt: skip
    return HitResult(rows[0].hit, worker, tuple([-1] * len(rows) if careless else right))


def test_the_open_pairs_of_all_topics_are_bundled() -> None:
    rows = first_round()
    pairs = [row for row in rows if not row.challenge]
    assert len(pairs) == 4 * 39  # ⌈11 · 7 / 2⌉ each
    assert len(rows_by_hit(rows)) == 16
    assert hit_rows(hits_of_rows(rows)) == rows


def test_a_pilot_asks_about_some_topics_only() -> None:
    found = states(POOLS, [], SETTING)
    rows = hits_of_round(POOLS, found, TERMS, seed=1, pilot=0.25)
    assert len({row.topic for row in rows}) == 1


def test_a_whole_campaign_by_hits_ends_in_the_right_result() -> None:
    log, rounds, paid = [], 0, 0
    found = states(POOLS, log, SETTING)
    while not all(state.done for state in found.values()):
        rows = hits_of_round(POOLS, found, TERMS, seed=1)
        results = [
            done_by(of_hit, "lazy" if rounds == 0 and n % 4 == 0 else "good",
                    careless=rounds == 0 and n % 4 == 0)
            for n, of_hit in enumerate(rows_by_hit(rows).values())
        ]  # fmt: skip
        settled = settled_round(rows, results, TERMS, seed=1)
        log += new_events(settled.events, log)
        paid += len(results)
        found, rounds = states(POOLS, log, SETTING), rounds + 1
    assert rounds >= 3  # the lazy worker's HITs, and then the final
    for pool in POOLS:
        assert found[pool.topic].result[0].doc == f"{pool.topic}d00"
        assert found[pool.topic].unused == 0
    assert paid * 10 > len(log)


def test_who_fails_a_challenge_is_out_paid_and_asked_again() -> None:
    rows = first_round()
    of_hits = list(rows_by_hit(rows).values())
    results = [done_by(of_hits[0], "ann"), done_by(of_hits[1], "bob", careless=True),
               done_by(of_hits[2], "bob")]  # fmt: skip
    settled = settled_round(rows, results, TERMS, seed=1)
    assert {row.hit for row in settled.open} == {of_hit[0].hit for of_hit in of_hits[1:]}
    assert len(settled.events) == 10
    names = {row[0]: row[1] for row in settled.workers.rows}
    assert [(row[0], *row[2:]) for row in settled.workers.rows] == [
        ("ann", 1, 1, 0, "no", 2.0), ("bob", 2, 0, 1, "yes", 4.0),
    ]  # fmt: skip
    assert {event.assessor for event in settled.events} == {names["ann"]}
    assert "ann" not in names["ann"]
    assert settled.notes[0] == "HITs done: 3, of which 1 count; cost with fees: 7.20 USD"


def test_reading_results_again_adds_nothing() -> None:
    rows = first_round()
    results = [done_by(of_hit, "ann") for of_hit in rows_by_hit(rows).values()]
    once = settled_round(rows, results[:5], TERMS, seed=1)
    again = settled_round(rows, results, TERMS, seed=1)
    log = new_events(once.events, [])
    assert new_events(once.events, log) == []
    assert log + new_events(again.events, log) == list(again.events)


def test_excluded_workers_stay_out() -> None:
    rows = first_round()
    first = next(iter(rows_by_hit(rows).values()))
    settled = settled_round(rows, [done_by(first, "bob")], TERMS, seed=1, excluded=["bob"])
    assert settled.events == ()
    assert settled.workers.rows[0][5] == "yes"


def test_what_two_files_repeat_counts_once() -> None:
    first = next(iter(rows_by_hit(rows := first_round()).values()))
    one = done_by(first, "ann")._replace(assignment="3A")
    settled = settled_round(rows, [one, one], TERMS, seed=1)
    assert settled.workers.rows[0][2:] == (1, 1, 0, "no", 2.0)
    assert settled.notes[-1] == "HITs that several files repeat, counted once: 1"
    other = one._replace(outcomes=tuple(-outcome for outcome in one.outcomes))
    with pytest.raises(UsageError, match="the assignment '3A' of the worker 'ann' is told in two"):
        settled_round(rows, [one, other], TERMS, seed=1)


def test_what_was_rejected_is_neither_paid_nor_counted() -> None:
    first, second, *_ = rows_by_hit(rows := first_round()).values()
    results = [done_by(first, "ann"), done_by(second, "bob", careless=True)._replace(is_paid=False)]
    settled = settled_round(rows, results, TERMS, seed=1)
    assert [(row[0], *row[2:]) for row in settled.workers.rows] == [
        ("ann", 1, 1, 0, "no", 2.0), ("bob", 0, 0, 0, "no", 0.0),
    ]  # fmt: skip
    assert second[0].hit in {row.hit for row in settled.open}
    assert settled.notes[-1] == "HITs that were rejected, not paid and not counted: 1"


@pytest.mark.parametrize("seed", [0, 1])
def test_pseudonyms_follow_from_the_seed(seed: int) -> None:
    rows = first_round()
    first = next(iter(rows_by_hit(rows).values()))
    one, two = (settled_round(rows, [done_by(first, "bob")], TERMS, seed=s) for s in (seed, 1))
    assert (one.events == two.events) == (seed == 1)
