from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import InputError, UnknownNameError
from qrelsmith.io.table_writing import table_bytes
from qrelsmith.pairs.hits import HitPair, HitResult, PairHit
from qrelsmith.topk.crowd.hit_texts import read_doc_texts, topic_texts
from qrelsmith.topk.crowd.platforms import PLATFORMS, ShownTexts, platform_of

HITS = [
    PairHit("h1", (HitPair("1", 'a, "a"', "b", 2), HitPair("2", "good", "bad", 0, "left"))),
    PairHit("h2", (HitPair("1", "c", "#d", 1),)),
]
WORDS = {-1: "left", 0: "tie", 1: "right", None: ""}


def handed_back(name: str, sent: bytes, done: list[HitResult], *, more: bool = True) -> str:
    """Return a platform's results for the uploaded file and the workers' answers."""
    lines = list(csv.DictReader(io.StringIO(sent.decode("utf-8"), newline="")))
    rows = []
    for one in done:
        mine = [line for line in lines if line["hit"] == one.hit]
        if name == "mturk":
            row = {"HITId": "3X", "AssignmentId": one.assignment, "WorkerId": one.worker,
                   "AssignmentStatus": "Approved" if one.is_paid else "Rejected",
                   } if more else {"WorkerId": one.worker}  # fmt: skip
            row |= {f"Input.{key}": value for key, value in mine[0].items()}
            row |= {f"Answer.pair_{n}": WORDS[o] for n, o in enumerate(one.outcomes, start=1)}
            rows.append(row)
        else:
            rows += [
                {"participant_id": one.worker, **line, "answer": WORDS[outcome]}
                for line, outcome in zip(mine, one.outcomes, strict=True)
                if outcome is not None or not more
            ]
    out = io.StringIO(newline="")
    writer = csv.DictWriter(
        out, list(dict.fromkeys(key for row in rows for key in row)), lineterminator="\r\n"
    )
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


answers = st.sampled_from([-1, 0, 1, None])


@given(
    st.lists(
        st.one_of(
            st.builds(
                HitResult,
                st.just("h1"),
                st.just("w"),
                st.tuples(answers, answers),
                assignment=st.sampled_from(["", "3A"]),
                is_paid=st.booleans(),
            ),
            st.builds(
                HitResult,
                st.just("h2"),
                st.sampled_from(["w", "v"]),
                st.tuples(answers),
                assignment=st.sampled_from(["", "3B"]),
                is_paid=st.booleans(),
            ),
        ),
        min_size=1,
        unique_by=lambda one: (one.hit, one.worker),
    )
)
@pytest.mark.parametrize("name", PLATFORMS.names())
def test_answers_of_workers_are_read_back_exactly(
    tmp_path_factory, name: str, done: list[HitResult]
) -> None:
    if name != "mturk":  # the only platform with assignments
        done = [each._replace(assignment="", is_paid=True) for each in done]
    one = platform_of(name)
    sent = table_bytes(one.columns(HITS, None))
    path = tmp_path_factory.mktemp("hits") / "results.csv"
    path.write_text(
        handed_back(name, sent, done, more=name == "mturk"), encoding="utf-8", newline=""
    )
    assert sorted(one.results(path, HITS), key=str) == sorted(done, key=str)


@pytest.mark.parametrize("name", PLATFORMS.names())
def test_attention_checks_are_indistinguishable_from_other_pairs(name: str) -> None:
    sent = table_bytes(platform_of(name).columns(HITS, None)).decode()
    hidden = [
        replace(hit, pairs=tuple(replace(pair, challenge="", round=1) for pair in hit.pairs))
        for hit in HITS
    ]
    assert table_bytes(platform_of(name).columns(hidden, None)).decode() == sent
    assert "challenge" not in sent


def test_mturk_has_a_row_for_each_hit_and_numbered_columns() -> None:
    assert table_bytes(platform_of("mturk").columns(HITS, None)).decode() == (
        "hit,pairs,topic_1,left_1,right_1,topic_2,left_2,right_2\n"
        'h1,2,1,"a, ""a""",b,2,good,bad\n'
        "h2,1,1,c,#d,,,\n"
    )


def test_prolific_has_a_row_for_each_pair() -> None:
    assert table_bytes(platform_of("prolific").columns(HITS, None)).decode() == (
        'hit,position,topic,left,right\nh1,1,1,"a, ""a""",b\nh1,2,2,good,bad\nh2,1,1,c,#d\n'
    )


@pytest.mark.parametrize("name", PLATFORMS.names())
def test_texts_are_beside_the_ids(tmp_path: Path, name: str) -> None:
    (tmp_path / "topics.tsv").write_text("1\tone\n")
    (tmp_path / "docs.jsonl").write_text('{"doc_id": "b", "text": "B,\\nb"}\n'
                                         '{"doc_id": "z", "text": "unused"}\n')  # fmt: skip
    texts = ShownTexts(
        topic_texts(tmp_path / "topics.tsv"), read_doc_texts(tmp_path / "docs.jsonl", {"b"})
    )
    assert texts.docs == {"b": "B,\nb"}
    columns = platform_of(name).columns(HITS, texts)
    first = {key.removesuffix("_1"): cells[0] for key, cells in columns.items()}
    assert (first["topic_text"], first["right_text"]) == ("one", "B,\nb")
    assert first["left_text"] == first["left"]


def test_a_doc_without_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "docs.jsonl").write_text('{"doc_id": "b"}\n')
    with pytest.raises(InputError, match=r"docs\.jsonl:1: “doc_id” or “text” is missing"):
        read_doc_texts(tmp_path / "docs.jsonl", {"b"})


MTURK = "WorkerId,Input.hit,Input.topic_1,Input.left_1,Input.right_1,Answer.pair_1\n"
PROLIFIC = "participant_id,hit,position,answer,left\n"


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("mturk", "WorkerId\nw\n", "1: the column Input.hit is missing"),
        ("mturk", MTURK + "w,h9,1,c,#d,left\n", "2: the HIT 'h9' is not in the record"),
        # Labels by position in another list caused the errors in published results.
        ("mturk", MTURK + "w,h2,1,#d,c,left\n", r"2: Input.left_1 is '#d', but 'c' in the record"),
        ("mturk", MTURK + "w,h2,1,c,#d,up\n", "2: Answer.pair_1 is 'up'; expected “left”, “right”"),
        ("mturk", MTURK + ",h2,1,c,#d,left\n", "2: the WorkerId is empty"),
        ("mturk", MTURK + " ,h2,1,c,#d,left\n", "2: the WorkerId is empty"),
        ("mturk", MTURK + "w,h2\n", "2: found 2 cells; expected 6"),
        # Without the column, every worker would seem to have no answers, and would be excluded.
        ("mturk", "WorkerId,Input.hit\nw,h2\n", "the column Answer.pair_1 is missing"),
        ("mturk", "", "the file is empty"),
        ("prolific", PROLIFIC + "w,h2,2,left,c\n", "2: the position is '2'; expected 1 to 1"),
        ("prolific", PROLIFIC + "w,h2,1,left,x\n", "2: left is 'x', but 'c'"),
        (
            "prolific",
            PROLIFIC + "w,h2,1,left,c\nw,h2,1,left,c\n",
            "3: the pair 1 of the HIT is answered twice",
        ),
        (
            "prolific",
            "participant_id,hit,hit,position,answer\n",
            "1: the column 'hit' appears twice",
        ),
    ],
)
def test_results_that_do_not_match_the_record_are_refused(
    tmp_path: Path, name: str, content: str, problem: str
) -> None:
    path = tmp_path / "r.csv"
    path.write_text(content)
    with pytest.raises(InputError, match=problem):
        platform_of(name).results(path, HITS)


def test_an_unknown_platform_is_reported_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="mturk, prolific"):
        platform_of("figure-eight")


def test_no_hits_give_an_empty_batch() -> None:
    assert table_bytes(platform_of("mturk").columns([], None)).decode() == "hit,pairs\n"
