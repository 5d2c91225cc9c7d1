from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.base.errors import UnknownNameError
from qrelsmith.collection.docnos import PlainDocs
from qrelsmith.collection.run_lines import RunPart
from qrelsmith.collection.run_order import RUN_ORDERS, rank_rows, rank_use

Row = tuple[str, float, int]


def part_of(topics: list[list[Row]]) -> RunPart:
    rows = [row for topic in topics for row in topic]
    return RunPart(
        topics=[str(number) for number in range(len(topics))],
        starts=np.cumsum([0, *map(len, topics)])[:-1].astype(np.int64),
        docs=PlainDocs([doc for doc, _, _ in rows]),
        scores=np.array([score for _, score, _ in rows], dtype=np.float64),
        ranks=np.array([rank for _, _, rank in rows], dtype=np.int64),
        tags=(),
        extra_lines=0,
    )


def order_of(topics: list[list[Row]], order: str) -> tuple[list[str], list[bool]]:
    part = part_of(topics)
    rows, tied = rank_rows(part, order)
    rows = np.arange(len(part.docs)) if rows is None else rows
    assert sorted(rows.tolist()) == list(range(len(part.docs)))
    return part.docs.take(rows), tied.tolist()


def test_the_orders_are_those_of_the_documentation() -> None:
    assert RUN_ORDERS.names() == ("trec", "trec32", "file", "rank", "docno-ascending")
    assert [name for name in RUN_ORDERS.names() if rank_use(name) == "required"] == ["rank"]
    with pytest.raises(UnknownNameError, match="trec32"):
        rank_use("trec16")


# b and d tie in 64 bits; with e they tie in 32 bits (2^24 and 2^24 + 1).
ROWS: list[Row] = [
    ("b", 16777216.0, 5),
    ("c", 3.0, 1),
    ("e", 16777217.0, 4),
    ("a", 16777218.0, 3),
    ("d", 16777216.0, 5),
]


@pytest.mark.parametrize(
    ("order", "docs", "tied"),
    [
        ("trec", "aedbc", [False, False, True, False, False]),
        ("trec32", "aedbc", [False, True, True, False, False]),
        ("docno-ascending", "aebdc", [False, False, True, False, False]),
        ("file", "bcead", [False, False, False, False, False]),
        ("rank", "caebd", [False, False, False, True, False]),
    ],
)
def test_each_order_is_as_computed_by_hand(order: str, docs: str, tied: list[bool]) -> None:
    assert order_of([ROWS], order) == (list(docs), tied)


def test_docs_with_equal_scores_are_in_byte_order() -> None:
    docs = ["a", "B", "10", "9", "aa", "é", "z", "漢", "\U0001f600", "\uff5e", "_"]
    rows = [(doc, 1.0, 1) for doc in docs]
    ascending = sorted(docs, key=lambda doc: doc.encode())
    assert order_of([rows], "trec")[0] == ascending[::-1]
    assert order_of([rows], "docno-ascending")[0] == ascending


@pytest.mark.parametrize("order", ["trec", "trec32", "docno-ascending"])
def test_the_largest_numbers_are_sorted_without_a_warning(order: str) -> None:
    rows = [("a", 1.5e308, 1), ("b", -1.5e308, 2), ("c", 1e308, 3), ("d", -1e308, 4)]
    docs, tied = order_of([rows], order)
    if order == "trec32":
        # As 32-bit floats these are infinite, and tie.
        assert (docs, tied) == (["c", "a", "d", "b"], [True, False, True, False])
    else:
        assert (docs, tied) == (["a", "c", "d", "b"], [False] * 4)


def test_zero_and_minus_zero_tie() -> None:
    assert order_of([[("a", 0.0, 1), ("b", -0.0, 2)]], "trec") == (["b", "a"], [True, False])


def test_the_smallest_difference_is_not_a_tie() -> None:
    rows = [("a", 5e-324, 1), ("b", 0.0, 2), ("c", 1e-323, 3)]
    assert order_of([rows], "trec") == (["c", "a", "b"], [False] * 3)


@pytest.mark.parametrize("order", RUN_ORDERS.names())
def test_empty_runs_are_sorted(order: str) -> None:
    assert order_of([], order) == ([], [])
    assert order_of([[]], order) == ([], [])
    assert order_of([[], ROWS[:1], []], order) == (["b"], [False])


@pytest.mark.parametrize("order", RUN_ORDERS.names())
def test_sorted_rows_are_not_moved(order: str) -> None:
    rows = [("a", 3.0, 1), ("b", 2.0, 2), ("c", 1.0, 3)]
    assert rank_rows(part_of([rows, rows]), order)[0] is None


numbers = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 2.0, 16777216.0, 16777217.0, 1e300, 2e300, -1e300]),
    st.floats(allow_nan=False, allow_infinity=False),
)
topics = st.lists(
    st.lists(
        st.tuples(st.text("abé漢", max_size=2), numbers, st.integers(0, 3)),
        max_size=8,
        unique_by=lambda row: row[0],
    ),
    max_size=4,
)


@settings(deadline=None)
@given(topics, st.sampled_from(RUN_ORDERS.names()))
def test_every_order_equals_sorting_topic_by_topic(
    given_topics: list[list[Row]], order: str
) -> None:
    docs: list[str] = []
    tied: list[bool] = []
    for topic in given_topics:
        with np.errstate(over="ignore"):
            scores = {
                doc: float(np.float32(score)) if order == "trec32" else score
                for doc, score, _ in topic
            }
        rows = list(topic)
        if order == "rank":
            rows.sort(key=lambda row: row[2])
        elif order != "file":
            rows.sort(key=lambda row: row[0].encode(), reverse=order != "docno-ascending")
            rows.sort(key=lambda row: -scores[row[0]])
        ranking = [doc for doc, _, _ in rows]
        docs += ranking
        tied += [
            place + 1 < len(ranking) and scores[doc] == scores[ranking[place + 1]]
            for place, doc in enumerate(ranking)
        ]
    assert order_of(given_topics, order) == (docs, tied)
