from __future__ import annotations

import math
import re
import sys
from dataclasses import dataclass

import numpy as np
import pytest

from qrelsmith.base.errors import MissingDependencyError, UsageError
from qrelsmith.demo import collection
from qrelsmith.demo.docstrings import DemoDoc, stdlib_docs
from qrelsmith.demo.lab import Lab
from qrelsmith.demo.lexical import Bm25, coordination, feedback, query_likelihood
from qrelsmith.demo.ranking import Rankings, rank_all
from qrelsmith.demo.systems import SYSTEMS
from qrelsmith.demo.terms import TermIndex
from qrelsmith.demo.text import character_grams, passages, pieces, stem, summary
from qrelsmith.demo.thesaurus import SYNONYMS
from qrelsmith.demo.vectors import LatentSemantics, TfIdf


@dataclass(frozen=True)
class Question:
    topic: str
    title: str
    description: str


QUESTIONS = [
    Question("1", "join paths", "How do I join parts of a path with the right separator?"),
    Question("2", "count words", "How can I count how often each word occurs in a text?"),
    Question("3", "qjqj jqjq", "qjjq?"),
]


@pytest.fixture(scope="module")
def docs() -> list[DemoDoc]:
    return stdlib_docs()


@pytest.fixture(scope="module")
def few(docs: list[DemoDoc]) -> list[DemoDoc]:
    return docs[::20]


@pytest.fixture(scope="module")
def rankings(few: list[DemoDoc]) -> Rankings:
    return rank_all(few, QUESTIONS)


# --- parts ---


def index(*texts: str) -> TermIndex:
    return TermIndex(texts, str.split)


def test_identifiers_are_split_at_capitals_and_underscores() -> None:
    assert pieces("HTTPServer.move_to_end2") == ["http", "server", "move", "to", "end", "2"]


@pytest.mark.parametrize(
    "family",
    [
        ["copies", "copy", "copying", "copied"],
        ["stop", "stops", "stopped", "stopping"],
        ["cache", "cached", "caches", "caching"],
        ["serialize", "serialization", "serializing"],
        ["directory", "directories"],
        ["process", "processes", "processing"],
    ],
)
def test_related_words_share_a_stem(family: list[str]) -> None:
    assert len({stem(word) for word in family}) == 1


def test_stems_keep_three_letters() -> None:
    assert [stem(word) for word in ("sing", "is", "bed", "as")] == ["sing", "is", "bed", "as"]


def test_grams_overlap_within_words() -> None:
    assert character_grams("os path") == [" os ", " pat", "path", "ath "]


def test_passages_overlap_by_half_and_cover_all() -> None:
    text = " ".join(map(str, range(10)))
    assert passages(text, length=4) == ["0 1 2 3", "2 3 4 5", "4 5 6 7", "6 7 8 9"]
    assert passages("", length=4) == [""]


def test_the_summary_is_the_first_paragraph() -> None:
    assert summary("One\ntwo.\n  \nThree.") == "One\ntwo."


def test_bm25_agrees_with_its_formula() -> None:
    # idf = ln(1 + (N - n + 0.5) / (n + 0.5)) with N = 3, n = 1 (Lucene), mean length 2;
    # tf part = tf / (tf + k1 (1 - b + b * length / mean)) with tf = 2, k1 = 1, b = 0.5, length 3.
    scores = Bm25(index("a a b", "b c", "c"), method="lucene", k1=1.0, b=0.5).search("a")
    expected = math.log(1 + 2.5 / 1.5) * 2 / (2 + 0.5 + 0.5 * 3 / 2)
    np.testing.assert_allclose(scores, [expected, -np.inf, -np.inf])


@pytest.mark.parametrize("method", ["robertson", "lucene", "atire", "bm25l", "bm25+"])
def test_no_variant_of_bm25_finds_docs_without_a_word_of_the_query(method: str) -> None:
    model = Bm25(index("a a b", "b c", "c d", "d e", "e f"), method=method, k1=1.2, b=0.75)
    np.testing.assert_array_equal(np.isfinite(model.search("a x")), [True] + 4 * [False])


def test_query_likelihood_agrees_with_its_formula() -> None:
    # log p(a|d) = log((tf + mu * 2/6) / (length + mu)), up to log(2/6), the same for all docs.
    scores = query_likelihood(index("a a b", "b c", "c"), "a", mu=3.0)
    expected = math.log((2 + 3 * 2 / 6) / (3 + 3)) - math.log(2 / 6)
    np.testing.assert_allclose(scores, [expected, -np.inf, -np.inf])


def test_coordination_counts_different_words() -> None:
    scores = coordination(index("a a b", "b c", "d"), "a b b")
    np.testing.assert_array_equal(scores, [2, 1, -np.inf])


def test_the_cosine_of_a_text_with_itself_is_one() -> None:
    scores = TfIdf(index("a a b", "b c", "d")).search("a a b")
    assert scores[0] == pytest.approx(1)
    assert 0 < scores[1] < 1
    assert scores[2] == -np.inf


def test_latent_semantics_find_docs_without_a_word_of_the_query() -> None:
    vectors = TfIdf(index("a b", "b c", "x y", "x z"))
    scores = LatentSemantics(vectors, rank=2, iterations=100).search("a")
    np.testing.assert_allclose(scores, [1, 1, -np.inf, -np.inf])


def test_feedback_finds_docs_by_words_of_the_best_docs() -> None:
    model = Bm25(index("a b b", "b c", "d e", "e f", "f g"), method="lucene", k1=1.2, b=0.75)
    scores = feedback(model, "a", docs=1, terms=2, original=0.5)
    assert scores[0] > scores[1] > 0
    np.testing.assert_array_equal(scores[2:], -np.inf)


def test_related_words_relate_both_ways() -> None:
    assert stem("directories") in SYNONYMS[stem("folders")]
    assert all(word in SYNONYMS[other] for word, others in SYNONYMS.items() for other in others)


# --- systems ---


def test_there_are_at_least_ten_systems_of_at_least_five_teams() -> None:
    assert len({system.tag for system in SYSTEMS}) == len(SYSTEMS) >= 10
    assert len({system.team for system in SYSTEMS}) >= 5
    assert all(system.tag.startswith(f"{system.team}-") for system in SYSTEMS)


def test_every_system_is_described_in_one_sentence() -> None:
    for system in SYSTEMS:
        assert re.fullmatch(r"[A-Z].{20,100}\.", system.description), system.tag


def test_every_system_ranks_every_topic(rankings: Rankings) -> None:
    assert list(rankings) == [system.tag for system in SYSTEMS]
    assert all(list(run) == ["1", "2", "3"] for run in rankings.values())


def test_lists_are_sorted_without_repetitions(rankings: Rankings, few: list[DemoDoc]) -> None:
    known = {doc.doc_id for doc in few}
    for run in rankings.values():
        for topic, ranking in run.items():
            ids = [doc_id for doc_id, _ in ranking]
            assert len(ids) == len(set(ids)) <= 100
            assert (len(ids) > 0) == (topic != "3")
            assert known.issuperset(ids)
            assert all(math.isfinite(score) for _, score in ranking)
            # As read from a file with six decimals, by score, then id, both descending.
            written = [(float(f"{score:.6f}"), doc_id) for doc_id, score in ranking]
            assert written == sorted(written, reverse=True)


@pytest.mark.full
def test_ranking_twice_gives_the_same_list(rankings: Rankings, few: list[DemoDoc]) -> None:
    assert rank_all(few, QUESTIONS) == rankings


def test_a_shorter_list_is_the_top_of_a_longer_one(rankings: Rankings, few: list[DemoDoc]) -> None:
    for tag, run in rank_all(few, QUESTIONS, depth=5).items():
        assert run == {topic: ranking[:5] for topic, ranking in rankings[tag].items()}


def test_the_order_of_the_docs_does_not_decide_ties(few: list[DemoDoc]) -> None:
    weak = [system for system in SYSTEMS if system.tag == "ember-coordination"]
    forward = rank_all(few, QUESTIONS, systems=weak)
    assert rank_all(few[::-1], QUESTIONS, systems=weak) == forward


def test_too_few_docs_are_refused() -> None:
    with pytest.raises(UsageError, match="found 1 docs to rank"):
        rank_all([DemoDoc("a", "a", "b")], QUESTIONS)


def test_a_missing_bm25s_is_reported_with_the_extra(
    few: list[DemoDoc], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "bm25s", None)
    with pytest.raises(MissingDependencyError, match=r"bm25s: pip install .*\[demo\]"):
        rank_all(few, QUESTIONS)


def test_nothing_is_printed(few: list[DemoDoc], capfd: pytest.CaptureFixture[str]) -> None:
    rank_all(few[:50], QUESTIONS)
    assert capfd.readouterr() == ("", "")


def test_members_of_a_class_share_its_number() -> None:
    docs = [DemoDoc(name, name, "text") for name in ("a", "a.B", "a.B.c", "a.B.d", "a.e")]
    parents = Lab(docs).parents
    assert parents[0] == parents[1] == parents[4] != parents[2] == parents[3]


@pytest.mark.slow
@pytest.mark.full
def test_no_two_systems_share_more_than_four_fifths_of_their_top_ten(docs: list[DemoDoc]) -> None:
    topics = collection.topics()
    assert len(topics) == 25
    rankings = rank_all(docs, topics)
    assert all(run.keys() == {topic.topic for topic in topics} for run in rankings.values())
    tops = [
        [{doc_id for doc_id, _ in ranking[:10]} for ranking in run.values()]
        for run in rankings.values()
    ]
    shared = np.array(
        [
            [np.mean([len(a & b) / 10 for a, b in zip(one, other, strict=True)]) for other in tops]
            for one in tops
        ]
    )
    np.fill_diagonal(shared, 0)
    worst = np.unravel_index(shared.argmax(), shared.shape)
    assert shared.max() <= 0.8, [SYSTEMS[i].tag for i in worst]
