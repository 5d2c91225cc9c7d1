"""The baseline: BM25 scores cut into grades."""

from __future__ import annotations

import math

import pytest

from qrelsmith.campaign.scale_settings import Level
from qrelsmith.collection.topics import Topic
from qrelsmith.models.lexical import Lexical, terms_of

LEVELS = tuple(Level(grade) for grade in range(4))


def test_the_share_is_as_computed_by_hand() -> None:
    # Two docs with 2 and 4 terms, mean 3. "b" is in both, "a" only in the first.
    lexical = Lexical([Topic("t", title="a b")], ["a b", "b x y z"], LEVELS)
    idf_a, idf_b = math.log(1 + 1.5 / 1.5), math.log(1 + 0.5 / 2.5)
    norm = 1.2 * (1 - 0.75 + 0.75 * 4 / 3)
    assert lexical.share("t", "b x y z") == pytest.approx(idf_b / (1 + norm) / (idf_a + idf_b))
    assert lexical.share("t", "q") == 0


def test_topics_without_a_known_term_and_docs_without_a_word_have_score_0() -> None:
    lexical = Lexical([Topic("t", title="!"), Topic("u", title="a")], ["", "?"], LEVELS)
    assert lexical.share("t", "a") == lexical.share("u", "") == 0


def test_text_without_blanks_is_split_into_pairs() -> None:
    assert terms_of("ﾊﾞｸﾞ修正 C3PO, ไทย") == ["バグ", "グ修", "修正", "c3po", "ไท", "ทย"]


def test_different_docs_are_a_different_endpoint() -> None:
    topics = [Topic("t", title="a")]
    names = {Lexical(topics, texts, LEVELS).name for texts in (["a"], ["a", "b"], ["a b"])}
    assert len(names) == 3
