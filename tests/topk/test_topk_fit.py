"""Answers that a setting did not request."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from qrelsmith.collection.qrels import Qrels
from qrelsmith.pairs.preferences import Preference, Preferences
from qrelsmith.topk.topk_fit import misfit, unasked_answers
from qrelsmith.topk.topk_sessions import TopkSetting, states, topic_pools

DOCS = {f"d{n:02d}": 1.0 for n in range(12)}
POOLS = topic_pools(Qrels.from_dict({"1": DOCS}), k=5)
METHODS = ("rounds", "tournament", "round-robin")


def log_of(rows: Iterable[Preference]) -> Preferences:
    return Preferences.from_rows(rows)


def played(setting: TopkSetting, begun: Iterable[Preference] = ()) -> list[Preference]:
    """Return the log of a session in which the doc that comes first by name wins."""
    rows = list(begun)
    while pairs := states(POOLS, log_of(rows), setting)["1"].open_pairs:
        rows += [
            Preference("1", p.left, p.right, -1 if p.left < p.right else 1, round=p.round)
            for p in pairs
        ]
    return rows


@pytest.mark.parametrize("method", METHODS)
def test_a_session_matches_its_own_setting(method: str) -> None:
    setting = TopkSetting(method=method)
    log = played(setting)
    assert unasked_answers(POOLS, log_of(log), setting) == 0
    assert misfit(POOLS, log_of(log[: len(log) // 2]), setting) is None


def test_a_log_of_another_method_is_reported_with_that_method() -> None:
    log = played(TopkSetting(method="tournament"))
    problem = misfit(POOLS, log_of(log), TopkSetting(method="rounds"))
    assert problem is not None
    assert problem.endswith("they fit --scheduler tournament")
    for option in ("--scheduler", "--k", "--finalists", "--pairings", "--seed"):
        assert option in problem


@pytest.mark.parametrize("method", ["rounds", "tournament"])
def test_a_log_with_another_seed_does_not_match(method: str) -> None:
    log = played(TopkSetting(method=method, seed=1))
    unasked = unasked_answers(POOLS, log_of(log), TopkSetting(method=method, seed=2))
    assert 0 < unasked == states(POOLS, log_of(log), TopkSetting(method=method, seed=2))["1"].unused


@pytest.mark.parametrize("method", ["rounds", "tournament"])
def test_pairs_closed_by_a_changed_answer_count_as_requested(method: str) -> None:
    setting = TopkSetting(method=method, k=2, pairings=3, finalists=4)
    log = played(setting)
    changed = played(setting, [*log, *(e._replace(outcome=-(e.outcome or 0)) for e in log[:8])])
    assert states(POOLS, log_of(changed), setting)["1"].unused > 0
    assert unasked_answers(POOLS, log_of(changed), setting) == 0


def test_a_doc_that_is_not_a_candidate_is_never_requested() -> None:
    stray = Preference("1", "d00", "other", -1, round=1)
    log = [*played(TopkSetting()), stray]
    assert unasked_answers(POOLS, log_of(log), TopkSetting()) == 1
    assert unasked_answers(POOLS, log_of([*log, stray._replace(outcome=None)]), TopkSetting()) == 0
