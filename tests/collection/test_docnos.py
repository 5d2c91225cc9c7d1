from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.base.arrays import BoolArray
from qrelsmith.collection.docnos import ByteDocs, PlainDocs, Vocabulary
from qrelsmith.collection.judged_pairs import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.collection.shared_docs import share_docs
from qrelsmith.io.byte_texts import ByteTexts

# Same length and same last 16 bytes.
COLLIDING = [f"{beginning}-0123456789abcdef" for beginning in ("aa", "ab", "ba", "é")]

docnos = st.one_of(
    st.sampled_from(COLLIDING),
    # Suffixes of one text, of every length around 8 and 16 bytes.
    st.integers(0, 26).map(lambda size: "zyxwvutsrqponmlkjihgfedcba"[26 - size :]),
    st.text(alphabet="ab\x00é漢\U0001f600 #", max_size=6),
    st.integers(0, 10**20).map(str),
)


def in_bytes(docs: list[str], *, before: int = 0, after: int = 0) -> ByteDocs:
    """Return the docs as a part of a longer column."""
    column = ByteTexts.of(["before"] * before + docs + ["after"] * after)
    return ByteDocs(column.at(np.arange(before, before + len(docs))))


def test_a_docno_is_found_at_its_position() -> None:
    vocabulary = Vocabulary(("d1", "d10", "d2"))
    for docs in (PlainDocs(["d10", "d3", "d1"]), in_bytes(["d10", "d3", "d1"])):
        assert docs.codes_in(vocabulary).tolist() == [1, -1, 0]
        assert docs.take(np.array([2, 0])) == ["d1", "d10"]
        assert len(docs) == 3


@pytest.mark.parametrize("vocabulary", [(), ("",), ("a",), ("a", "")])
def test_empty_columns_and_vocabularies_are_accepted(vocabulary: tuple[str, ...]) -> None:
    for docs in ([], [""], ["a"], ["", "a", ""]):
        expected = [vocabulary.index(doc) if doc in vocabulary else -1 for doc in docs]
        for column in (PlainDocs(docs), in_bytes(docs), in_bytes(docs, before=2, after=1)):
            codes = column.codes_in(Vocabulary(vocabulary))
            assert codes.dtype == np.int64
            assert codes.tolist() == expected
            assert column.take(np.arange(len(docs))) == docs


@settings(deadline=None)
@given(
    st.lists(docnos, max_size=30),
    st.lists(docnos, max_size=30, unique=True),
    st.integers(0, 2),
    st.integers(0, 2),
)
def test_both_kinds_of_columns_find_the_same_docs(
    docs: list[str], vocabulary: list[str], before: int, after: int
) -> None:
    known = Vocabulary(tuple(vocabulary))
    expected = [vocabulary.index(doc) if doc in vocabulary else -1 for doc in docs]
    assert PlainDocs(docs).codes_in(known).tolist() == expected
    assert in_bytes(docs, before=before, after=after).codes_in(known).tolist() == expected


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.integers(-1, 3), docnos), max_size=30),
    st.lists(st.tuples(st.integers(0, 3), docnos), max_size=30, unique=True),
)
def test_both_kinds_of_columns_give_the_same_grades(
    rows: list[tuple[int, str]], judged: list[tuple[int, str]]
) -> None:
    grades = {(f"t{topic}", doc): float(grade) for grade, (topic, doc) in enumerate(judged)}
    qrels = Qrels.from_rows((topic, doc, grade) for (topic, doc), grade in grades.items())
    docs = [doc for _, doc in rows]
    expected = [grades.get((f"t{topic}", doc), np.nan) for topic, doc in rows]
    places = np.array([qrels.topic_index.get(f"t{topic}", -1) for topic, _ in rows], np.int64)
    for column in (PlainDocs(docs), in_bytes(docs), in_bytes(docs, before=2, after=1)):
        np.testing.assert_array_equal(qrels.grades_of(column, places), expected)


def test_runs_with_common_docs_share_rows() -> None:
    runs = [
        Run.from_dict({"t1": {"d1": 3.0, "d3": 2.0}, "t2": {"d2": 1.0}}, name="a"),
        Run.from_dict({"t1": {"d2": 2.0, "d1": 1.0}}, name="b"),
        Run.from_dict({}, name="empty"),
    ]
    plain = [run.part() for run in runs]
    share_docs(runs)
    for run, before in zip(runs, plain, strict=True):
        part, rows = run.part(), np.arange(len(before.docs))
        assert part.topics == before.topics
        assert part.docs.take(rows) == before.docs.take(rows)
        for known in (Vocabulary(("d1", "d2")), Vocabulary(("d3", "x")), Vocabulary(())):
            assert part.docs.codes_in(known).tolist() == before.docs.codes_in(known).tolist()
        assert part.docs.distinct_in(part.starts) == before.docs.distinct_in(before.starts)


@settings(deadline=None)
@given(st.lists(st.lists(docnos, max_size=8), max_size=6), st.integers(0, 2))
def test_both_kinds_of_columns_find_the_same_repeats(topics: list[list[str]], before: int) -> None:
    docs = [doc for topic in topics for doc in topic]
    starts = np.cumsum([0, *map(len, topics)])[:-1].astype(np.int64)
    expected = all(len(set(topic)) == len(topic) for topic in topics)
    if topics:
        assert PlainDocs(docs).distinct_in(starts) == expected
        assert in_bytes(docs, before=before, after=1).distinct_in(starts) == expected


def test_docnos_with_the_same_fingerprint_are_distinguished_by_their_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ByteTexts, "fingerprints", lambda texts, **_: texts.sizes.astype(np.uint64))
    for known in (COLLIDING[:1], COLLIDING[:2], COLLIDING[:3], ["aa", *COLLIDING[1:3]]):
        codes = in_bytes(COLLIDING).codes_in(Vocabulary(tuple(known)))
        assert codes.tolist() == [known.index(doc) if doc in known else -1 for doc in COLLIDING]
    assert in_bytes(COLLIDING).distinct_in(np.array([0]))
    assert not in_bytes(COLLIDING * 2).distinct_in(np.array([0]))
    assert in_bytes(COLLIDING * 2).distinct_in(np.array([0, len(COLLIDING)]))


def test_equal_texts_have_equal_fingerprints_at_any_position() -> None:
    docs = ["zyxwvutsrqponmlkjihgfedcba"[26 - size :] for size in range(1, 27)]
    forward = ByteTexts.of(docs).fingerprints()
    backward = ByteTexts.of(docs[::-1]).fingerprints()
    assert forward.tolist() == backward[::-1].tolist()
    assert len(set(forward.tolist())) == len(docs)


@pytest.mark.parametrize(
    "form",
    [
        "{}", "{:09d}", "doc{}", "clueweb12-0000tw-{:05d}-{:05d}", "msmarco_passage_{:02d}_{}",
    ],
)  # fmt: skip
def test_ordinary_docnos_rarely_share_a_fingerprint(form: str) -> None:
    docs = [
        form.format(n // 7, n) if form.count("{") > 1 else form.format(n) for n in range(50_000)
    ]
    fingerprints = ByteTexts.of(docs).fingerprints()
    assert len(np.unique(fingerprints)) == len(docs)


def test_docnos_with_common_ends_are_found_without_long_chains(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    docs = [f"https://example.org/{n:05d}/archive/index.html" for n in range(20_000)]
    column = in_bytes(docs[::-1])
    equal, compared = ByteTexts.equal, []

    def count(texts: ByteTexts, other: ByteTexts) -> BoolArray:
        compared.append(len(texts))
        return equal(texts, other)

    monkeypatch.setattr(ByteTexts, "equal", count)
    codes = column.codes_in(Vocabulary(tuple(docs)))
    assert codes.tolist() == list(range(len(docs)))[::-1]
    assert sum(compared) < 2 * len(docs)


def test_a_vocabulary_larger_than_its_filter_loses_no_doc() -> None:
    docs = tuple(f"d{n}" for n in range(100_000))
    wanted = [f"d{n}" for n in range(99_000, 101_000)]
    codes = in_bytes(wanted).codes_in(Vocabulary(docs))
    assert codes.tolist() == [*range(99_000, 100_000), *[-1] * 1_000]


@settings(deadline=None)
@given(st.lists(st.tuples(docnos, docnos), min_size=1, max_size=20))
def test_both_kinds_of_columns_have_the_same_order(pairs: list[tuple[str, str]]) -> None:
    pairs = [(one.replace("\x00", "0"), other.replace("\x00", "0")) for one, other in pairs]
    docs = [doc for pair in pairs for doc in pair]
    rows = np.arange(0, len(docs), 2)
    expected = [one > other for one, other in pairs]
    for column in (PlainDocs(docs), in_bytes(docs), in_bytes(docs, before=1, after=1)):
        assert column.later(rows, rows + 1).tolist() == expected


def test_one_repeated_doc_among_many_is_found() -> None:
    docs = [f"doc-{number:07d}" for number in range(30_000)]
    assert in_bytes(docs).distinct_in(np.array([0]))
    for place in (0, 17, 29_998):
        again = [*docs[:-1], docs[place]]
        assert not in_bytes(again).distinct_in(np.array([0]))
        assert in_bytes(again).distinct_in(np.array([0, 29_999]))
