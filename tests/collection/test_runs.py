from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.collection.run_names import distinct_names
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.io import sizes

TEXT = "2 Q0 b 1 1.5 tag\n2 Q0 a 2 1.5 tag\n1 Q0 c 2 0.25 tag\n1 Q0 d 1 7 tag\n"


def written(folder: Path, text: str, name: str = "a.run") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def test_a_run_is_read_with_the_best_doc_first(tmp_path: Path) -> None:
    run = read_run(written(tmp_path, TEXT))
    assert run.name == "tag"
    assert run.topics == ("2", "1")
    assert run.docs == {"2": ("b", "a"), "1": ("d", "c")}
    assert {t: scores.tolist() for t, scores in run.scores.items()} == {
        "2": [1.5, 1.5],
        "1": [7.0, 0.25],
    }


@pytest.mark.parametrize(
    ("order", "docs"),
    [
        ("trec", {"2": ("b", "a"), "1": ("d", "c")}),
        ("docno-ascending", {"2": ("a", "b"), "1": ("d", "c")}),
        ("file", {"2": ("b", "a"), "1": ("c", "d")}),
        ("rank", {"2": ("b", "a"), "1": ("d", "c")}),
    ],
)
def test_a_run_is_read_in_the_given_order(
    tmp_path: Path, order: str, docs: dict[str, tuple[str, ...]]
) -> None:
    run = read_run(written(tmp_path, TEXT), order=order)
    assert run.docs == docs
    for topic, ranking in docs.items():
        scores = {"a": 1.5, "b": 1.5, "c": 0.25, "d": 7.0}
        assert run.scores[topic].tolist() == [scores[doc] for doc in ranking]


def test_an_unknown_order_is_an_error_before_the_file_is_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="unknown run order 'best'"):
        read_run(tmp_path / "no such file", order="best")


def test_only_the_first_docs_are_kept_if_a_depth_is_given(tmp_path: Path) -> None:
    run = read_run(written(tmp_path, TEXT), depth=1)
    assert run.docs == {"2": ("b",), "1": ("d",)}
    assert run.scores["1"].tolist() == [7.0]
    assert read_run(written(tmp_path, TEXT), depth=9).docs == read_run(tmp_path / "a.run").docs
    for depth in (0, -1):
        with pytest.raises(UsageError, match=f"depth={depth}; expected 1 or more"):
            read_run(tmp_path / "a.run", depth=depth)


@pytest.mark.filterwarnings("ignore:.*5 columns")
@pytest.mark.parametrize(
    ("text", "docs"),
    [
        ("1 Q0 a 1 2\n1 Q0 b 2 1\n", ("a", "b")),
        ("<SYSDESC>as NTCIR has it</SYSDESC>\n1 0 a 1 2 t\n1 0 b 2 1 t\n", ("a", "b")),
        ("\ufeff1\tQ0\ta\t1\t2\tt\r\n1  Q0 b\t2 1 t \r\n", ("a", "b")),
        ("# a comment\n\n1 Q0 # 1 2 t\n#1 Q0 x 1 9 t\n1 Q0 b# 2 1 t", ("#", "b#")),
        (
            "1 Q0 001 1 3 t\n1 Q0 01 2 2 t\n1 Q0 1e5 3 1 t\n1 Q0 NA 4 0 t",
            ("001", "01", "1e5", "NA"),
        ),
    ],
)
def test_run_files_are_read_in_all_forms(tmp_path: Path, text: str, docs: tuple[str, ...]) -> None:
    assert read_run(written(tmp_path, text)).docs == {"1": docs}


@pytest.mark.filterwarnings("ignore:.*5 columns")
def test_a_run_without_tag_is_named_after_its_file(tmp_path: Path) -> None:
    assert read_run(written(tmp_path, "1 Q0 a 1 2\n", "bm25.txt")).name == "bm25.txt"
    with pytest.warns(InputWarning, match="empty: the file has no docs"):
        empty = read_run(written(tmp_path, "", "empty"))
    assert (empty.name, empty.docs) == ("empty", {})


@pytest.mark.parametrize("tiny", [True, False])
def test_a_second_tag_is_a_warning(
    tmp_path: Path, tiny: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if tiny:
        monkeypatch.setattr(sizes, "PLAIN_RUN", 16)
        monkeypatch.setattr(sizes, "RUN_BLOCK", 16)
    path = written(tmp_path, "1 Q0 a 1 1 r\n2 Q0 a 1 1 s\n3 Q0 a 1 1 r\n4 Q0 a 1 1 t\n")
    with pytest.warns(InputWarning) as caught:
        run = read_run(path)
    assert run.name == "r"
    assert [str(warning.message) for warning in caught] == [
        f"{path}: 3 different tags, 'r' and 's' among them; the run is named after the first tag"
    ]


@pytest.mark.parametrize("tiny", [True, False])
def test_fields_after_the_tag_are_counted_in_one_warning(
    tmp_path: Path, tiny: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if tiny:
        monkeypatch.setattr(sizes, "PLAIN_RUN", 16)
        monkeypatch.setattr(sizes, "RUN_BLOCK", 16)
    text = "".join(f"{topic} Q0 a 1 1 r{' x' * (topic % 3)}\n" for topic in range(12))
    path = written(tmp_path, text)
    with pytest.warns(InputWarning) as caught:
        assert read_run(path).name == "r"
    assert [str(warning.message) for warning in caught] == [
        f"{path}: 8 lines have fields after the tag, which were ignored"
    ]


def test_a_repeated_doc_in_a_topic_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, "# c\n1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n1 Q0 a 2 1 t\n")
    with pytest.raises(InputError) as caught:
        read_run(path)
    assert str(caught.value) == (
        f"{path}:4: doc 'a' appears twice in topic '1' (first on line 2); expected every doc once"
        " per topic"
    )


def test_a_run_can_be_created_from_scores() -> None:
    run = Run.from_dict({"1": {"a": 1, "b": 2.5, "c": 1}, "2": {}}, name="mine")
    assert run.docs == {"1": ("b", "c", "a"), "2": ()}
    assert run.scores["1"].tolist() == [2.5, 1.0, 1.0]
    assert run.name == "mine"
    again = Run.from_dict({"1": {"a": 1, "b": 2.5, "c": 1}}, order="file")
    assert again.docs == {"1": ("a", "b", "c")}
    assert Run.from_dict({}).topics == ()


@pytest.mark.parametrize("score", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_not_finite_is_refused(score: float) -> None:
    with pytest.raises(UsageError, match="the score of doc 'b' in run 'mine' is '"):
        Run.from_dict({"1": {"a": 1.0, "b": score}}, name="mine")


def test_a_run_is_written_with_sorted_topics_and_six_columns(tmp_path: Path) -> None:
    run = read_run(written(tmp_path, TEXT))
    write_run(run, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == (
        b"1 Q0 d 1 7.0 tag\n1 Q0 c 2 0.25 tag\n2 Q0 b 1 1.5 tag\n2 Q0 a 2 1.5 tag\n"
    )


ids = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\x0b\x0c\r "), min_size=1
)
topic_ids = ids.filter(lambda topic: not topic.startswith(("#", "\ufeff", "<SYSDESC>")))
finite = st.floats(allow_nan=False, allow_infinity=False)


@settings(deadline=None)
@given(
    st.dictionaries(
        topic_ids, st.dictionaries(ids, finite, min_size=1, max_size=5), min_size=1, max_size=4
    ),
    ids,
    st.sampled_from([name for name in RUN_ORDERS.names() if name != "rank"]),
    st.booleans(),
)
def test_writing_and_reading_give_the_same_run_and_the_same_bytes(
    scores: dict[str, dict[str, float]], name: str, order: str, tiny: bool
) -> None:
    run = Run.from_dict(scores, name=name, order=order)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        if tiny:
            patch.setattr(sizes, "PLAIN_RUN", 16)
            patch.setattr(sizes, "RUN_BLOCK", 16)
        first, second = Path(folder) / "1", Path(folder) / "2"
        write_run(run, first)
        for how in ("file", "rank", order):
            again = read_run(first, order=how)
            assert again.docs == {topic: run.docs[topic] for topic in sorted(scores)}
            for topic, column in run.scores.items():
                assert again.scores[topic].tobytes() == column.tobytes()
            if scores:
                assert again.name == name
                write_run(again, second)
                assert second.read_bytes() == first.read_bytes()


@pytest.mark.parametrize(
    ("topic", "doc", "name"),
    [
        ("1 2", "a", "r"), ("", "a", "r"), ("#1", "a", "r"), ("1", "a b", "r"), ("1", "a\tb", "r"),
        ("1", "", "r"), ("1", "a\n", "r"), ("1", "a\x0b", "r"), ("1", "a", "my run"),
        ("\ufeff1", "a", "r"), ("<SYSDESC>", "a", "r"), ("1", "\ud800", "r"), ("1", "a\0", "r"),
        ("1", "a", ""),
    ],
)  # fmt: skip
def test_ids_with_blanks_are_refused(tmp_path: Path, topic: str, doc: str, name: str) -> None:
    run = Run.from_dict({"0": {"x": 2.0}, topic: {doc: 1.0}}, name=name)
    with pytest.raises(InputError) as caught:
        write_run(run, tmp_path / "out")
    assert str(caught.value).isprintable()
    assert str(caught.value).startswith(f"{tmp_path / 'out'}: the ")
    assert list(tmp_path.iterdir()) == []


def test_names_of_runs_are_their_tags_unless_two_runs_share_a_tag() -> None:
    assert distinct_names(["a", "b"], ["1.run", "2.run"]) == ["a", "b"]
    with pytest.warns(InputWarning, match="2 run files have the tag 'a'; their file"):
        assert distinct_names(["a", "b", "a"], ["x/1.run", "2", "x/3.run"]) == [
            *("1.run", "b", "3.run")
        ]
    with pytest.warns(InputWarning):
        names = distinct_names(["a", "a"], ["x/1.run", "y/1.run"])
    assert names == ["x/1.run", "y/1.run"]


def test_a_run_in_memory_is_one_part_in_its_own_order() -> None:
    run = Run.from_dict({"2": {"a": 1.0, "b": 2.0}, "1": {"c": 0.5}}, name="mine")
    part = run.part()
    assert part.topics == ["2", "1"]
    assert part.docs.take(np.arange(3)) == ["b", "a", "c"]
    assert part.scores.tolist() == [2.0, 1.0, 0.5]
    assert part.starts.tolist() == [0, 2]
    assert part.tags == ("mine",)
    assert Run.from_dict({}).part().topics == []
