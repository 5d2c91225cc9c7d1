from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation import score_runs
from qrelsmith.pairs.preferences import Preference, Preferences
from qrelsmith.topk.reliability import Constant
from qrelsmith.topk.topk_answer import placed_answers
from qrelsmith.topk.topk_pairs import TopkPairs, topk_pairs
from qrelsmith.topk.topk_pool import topk_pool
from qrelsmith.topk.topk_results import TopkResults, topk_results
from qrelsmith.topk.topk_sessions import TopkSetting, progress_notes, states, topic_pools
from qrelsmith.topk.topk_simulate import simulated_log
from qrelsmith.topk.topk_tables import answers_compared, grade_shares

QRELS = Qrels.from_dict(
    {
        "1": {"a": 2.0, "b": 2.0, "c": 1.0, "d": 1.0, "e": 0.0, "f": -2.0},
        "2": {"a": 3.0, "x": 0.0},
        "3": {"x": 0.0},
    }
)
SETTING = TopkSetting(k=3, seed=1)


def answer(left: str, right: str, outcome: int | None = -1, *, number: int = 0, who: str = ""):
    return Preference("1", left, right, outcome, who, number)


def log_of(*answers: Preference) -> Preferences:
    return Preferences.from_rows(answers)


NONE = log_of()


def in_order(docs: str, *, number: int = 0) -> Preferences:
    return log_of(*(answer(*pair, number=number) for pair in combinations(docs, 2)))


def ranked(log: Preferences, setting: TopkSetting = SETTING, qrels: Qrels = QRELS) -> TopkResults:
    return topk_results(topic_pools(qrels, k=setting.k), log, setting, graded=qrels)


def test_pools_are_counted_with_their_lowest_grade() -> None:
    table = topk_pool(QRELS, k=3).table()
    assert table.columns == ("topic", "candidates", "lowest_grade")
    assert table.text("csv") == "topic,candidates,lowest_grade\n1,4,1\n2,1,3\n3,0,nan\n"
    assert topic_pools(QRELS, k=3)[0].nonrelevant == ("e",)


def test_qrels_without_any_candidate_are_refused() -> None:
    with pytest.raises(UndefinedError, match="at least one candidate"):
        topic_pools(Qrels.from_dict({"1": {"a": 0.0}}), k=3)


@pytest.mark.parametrize("number", [0, 1])
def test_results_rank_by_wins_whether_or_not_answers_name_their_round(number: int) -> None:
    results = ranked(in_order("bacd", number=number))
    assert results.table().text("csv") == (
        "topic,doc,rank,wins\n1,b,1,3\n1,a,2,2\n1,c,3,1\n2,a,1,0\n"
    )
    assert results.notes == ()


def test_in_a_round_robin_all_answers_to_a_pair_count_if_the_round_is_unknown() -> None:
    setting = TopkSetting(k=3, method="round-robin")
    twice = log_of(*in_order("bacd").rows(), answer("a", "b"), answer("a", "b"))
    results = ranked(twice, setting)
    assert results.table().rows[:2] == (("1", "a", 1, 2 + 2 / 3), ("1", "b", 2, 2 + 1 / 3))


def test_topics_without_a_result_are_reported_and_left_out() -> None:
    missing = ranked(in_order("bac"))
    assert [row[0] for row in missing.table().rows] == ["2"]
    assert missing.notes == ("topics without a result: 1 (1) of 2",)
    strange = log_of(*in_order("bacd").rows(), Preference("9", "a", "b", 1))
    assert ranked(strange).notes == (
        "topics with preferences that have no judgments or were not requested: 1 (9)",
    )


def test_a_tournament_gives_the_top_as_far_as_it_is_determined() -> None:
    setting = TopkSetting(k=3, method="tournament", seed=1)
    pools = topic_pools(QRELS, k=3)
    some = log_of(answer("b", "a"), answer("b", "c"), answer("c", "d"))
    results = topk_results(pools, some, setting, graded=QRELS)
    assert [row[:3] for row in results.table().rows] == [("1", "b", 1), ("2", "a", 1)]
    assert "topics whose top 3 docs are not all decided" in results.notes[0]


def test_qrels_of_the_four_kinds_are_written() -> None:
    results = ranked(in_order("bacd"))
    assert results.top().to_dict() == {
        "1": {"a": 2, "b": 3, "c": 1}, "2": {"a": 3},
    }  # fmt: skip
    assert results.best().to_dict() == {"1": {"b": 1}, "2": {"a": 1}}
    combined = results.combined().to_dict()
    assert combined["1"] == {"a": 20, "b": 30, "c": 10, "d": 1, "e": 0, "f": -2}
    assert combined["2"] == {"a": 3, "x": 0}  # no comparisons yet


# topk-preferences' release: 60 − 10 · rank above the grades 0 to 4.
@pytest.mark.parametrize(
    ("top", "step"), [(4.0, 10.0), (9.0, 10.0), (10.0, 100.0), (250.0, 1000.0)]
)
def test_combined_values_are_above_all_grades(top: float, step: float) -> None:
    qrels = Qrels.from_dict({"1": {"a": top, "b": top, "c": 1.0}})
    results = ranked(in_order("ab"), TopkSetting(k=2), qrels)
    values = replace(results, k=5).combined().to_dict()["1"]
    assert (values["a"], values["b"], values["c"]) == (5 * step, 4 * step, 1)


def test_ties_share_one_level_in_qrels() -> None:
    others = (answer(x, y, number=1) for x, y in ("ac", "ad", "bc", "bd", "cd"))
    tie = log_of(answer("a", "b", 0, number=1), *others)
    results = ranked(tie)
    assert results.top().to_dict()["1"] == {"a": 3, "b": 3, "c": 1}
    assert results.best().to_dict()["1"] == {"a": 1, "b": 1}


# By hand: p = .8, up to depth 1,000, divided by RBO(I, I).
def test_compatibility_uses_the_ideal_of_each_kind() -> None:
    results = ranked(in_order("bacd"))
    run = Run.from_dict({"1": {"a": 3.0, "b": 2.0, "c": 1.0}, "2": {"a": 1.0}}, name="r")
    p = 0.8

    def tail(first: int) -> float:
        return sum(p ** (i - 1) / i for i in range(first, 1001))

    def score(qrels: Qrels) -> float:
        return float(
            score_runs(qrels, [run], ["Compat(p=0.8)"]).matrix("Compat(p=0.8)").scores[0, 0]
        )

    graded_ideal = tail(1) + tail(2) + tail(3) + tail(4)
    assert score(QRELS) == pytest.approx((tail(1) + tail(2) + tail(3)) / graded_ideal)
    swapped = 2 * tail(2) + tail(3)
    assert score(results.top()) == pytest.approx(swapped / (tail(1) + tail(2) + tail(3)))
    assert score(results.combined()) == pytest.approx(swapped / graded_ideal)
    assert score(results.best()) == pytest.approx(tail(2) / tail(1))


def test_open_pairs_follow_from_the_answers() -> None:
    pools = topic_pools(QRELS, k=3)
    begun = topk_pairs(QRELS, k=3, seed=1)
    assert [row[:2] for row in begun.table().rows] == [("1", 1)] * 6
    assert len(replace(begun, each=2).table().rows) == 2
    later = states(pools, in_order("bac", number=1), SETTING)
    assert len(TopkPairs(states=later).table().rows) == 3
    assert progress_notes(later, NONE) == ["topics done: 2 of 3; pairs judged: 3, open now: 3"]
    stray = states(pools, log_of(answer("a", "e", number=1)), SETTING)
    assert "answers to pairs that are not asked: 1" in progress_notes(stray, NONE)[1]
    of_others = log_of(
        *(answer("a", "b", number=1)._replace(topic=topic) for topic in ("10", "1", "9"))
    )
    assert progress_notes(begun.states, of_others)[1:] == [
        "topics with preferences that have no judgments or were not requested: 2 (10, 9)"
    ]


def test_an_answer_belongs_to_the_round_in_which_its_pair_is_open() -> None:
    pools = topic_pools(QRELS, k=3)
    found = states(pools, NONE, SETTING)
    placed, notes = placed_answers(log_of(answer("a", "b")), pools, found, NONE)
    assert (placed.round.tolist(), notes) == ([1], [])
    kept, _ = placed_answers(log_of(answer("a", "b", number=4)), pools, found, NONE)
    assert kept.round.tolist() == [4]


def test_a_second_answer_replaces_the_first_and_undo_withdraws_it() -> None:
    pools, log = topic_pools(QRELS, k=3), log_of(answer("a", "b", number=1, who="x"))
    found = states(pools, log, SETTING)
    for outcome in (1, None):
        placed, notes = placed_answers(
            log_of(answer("b", "a", outcome, who="x")), pools, found, log
        )
        assert placed.round.tolist() == [1]
        assert notes == ["answers that change or withdraw an earlier answer: 1"]
    other, notes = placed_answers(log_of(answer("a", "b", who="y")), pools, found, log)
    assert (other.round.tolist()[0], notes) == (1, [])
    with pytest.raises(UsageError, match="the assessor 'y' has no answer"):
        placed_answers(log_of(answer("a", "b", None, who="y")), pools, found, log)


def test_an_unrequested_answer_is_kept_and_reported() -> None:
    pools = topic_pools(QRELS, k=3)
    setting = TopkSetting(k=1, method="tournament", seed=1)
    found = states(pools, NONE, setting)
    open_now = {frozenset((p.left, p.right)) for p in found["1"].open_pairs}
    closed = next(pair for pair in combinations("abcd", 2) if frozenset(pair) not in open_now)
    placed, notes = placed_answers(log_of(answer(*closed)), pools, found, NONE)
    assert placed.round.tolist() == [0]
    assert notes == ["answers to pairs that are not currently asked: 1; these answers are kept"]


@pytest.mark.parametrize(
    ("topic", "doc", "problem"), [("1", "e", "not a candidate"), ("9", "b", "not a topic")]
)
def test_unknown_docs_and_topics_are_refused(topic: str, doc: str, problem: str) -> None:
    pools = topic_pools(QRELS, k=3)
    with pytest.raises(UsageError, match=problem):
        placed_answers(
            log_of(Preference(topic, "a", doc, 1)), pools, states(pools, NONE, SETTING), NONE
        )


@pytest.mark.parametrize("method", ["rounds", "tournament", "round-robin"])
def test_a_simulated_session_ends_with_a_result(method: str) -> None:
    qrels = Qrels.from_dict({"1": {f"d{n:02d}": 1.0 for n in range(14)}, "2": {"a": 1.0}})
    pools, setting = topic_pools(qrels, k=5), TopkSetting(method=method)
    log = simulated_log(pools, setting, Constant(0.9), seed=3)
    results = topk_results(pools, log, setting, graded=qrels)
    assert results.notes == ()
    assert len([row for row in results.table().rows if row[0] == "1"]) >= 5
    assert all(state.unused == 0 for state in states(pools, log, setting).values())
    assert simulated_log(pools, setting, Constant(0.9), seed=3).digest() == log.digest()


def test_grades_below_the_top_and_answers_are_combined() -> None:
    table = grade_shares([("1", "a"), ("1", "c"), ("1", "d"), ("2", "a")], QRELS)
    assert table.rows == ((0.0, 2, 0.5), (1.0, 2, 0.5))
    with pytest.raises(UndefinedError, match="has no grade"):
        grade_shares([("1", "z")], QRELS)
    with pytest.raises(UndefinedError, match="no docs"):
        grade_shares([], QRELS)
    best = Qrels.from_dict({"1": {"a": 1.0}, "2": {"b": 1.0}, "3": {"c": 1.0}})
    top = Qrels.from_dict({"1": {"a": 5.0, "b": 5.0}, "2": {"a": 5.0, "b": 4.0}})
    found = answers_compared(best, top)
    assert (found.topics, found.same, found.within, found.outside) == (3, 1, 2, 1)
