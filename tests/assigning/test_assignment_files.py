import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.assigning.assignment import Assignment
from qrelsmith.assigning.assignment_files import read_assignments, write_assignments
from qrelsmith.base.errors import InputError
from qrelsmith.collection.pools import ORDERINGS

ids = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=3)
whole = st.builds(
    Assignment, ids, ids, ids, st.sampled_from(ORDERINGS.names()), st.integers(0, 2**32 - 1)
)
hits = st.builds(
    Assignment,
    ids,
    st.just("") | ids,
    ids,
    st.sampled_from(ORDERINGS.names()),
    st.integers(0, 2**32 - 1),
    ids,
    st.lists(ids, min_size=1, max_size=4).map(tuple),
)
again = st.builds(
    Assignment,
    ids,
    ids,
    ids,
    st.just("randomised"),
    st.integers(0, 2**32 - 1),
    st.just(""),
    st.lists(ids, min_size=1, max_size=4).map(tuple),
    st.integers(2, 4),
)
tables = st.lists(
    whole | hits | again,
    unique_by=lambda one: (one.topic, one.assessor, one.group, one.hit, one.round),
    min_size=1,
    max_size=6,
)


def file(tmp_path, text):
    path = tmp_path / "assignments.csv"
    path.write_text(text)
    return path


def test_an_assignment_file_is_read_as_written(tmp_path):
    path = file(
        tmp_path,
        "topic,assessor,group,ordering,seed,hit,docs\n2,b,gold,prioritised,7,,\n"
        "1,,crowd,randomised,8,1/1,d2 d1\n1,,crowd,randomised,9,1/1,d1 d2\n",
    )
    rows = read_assignments(path)
    assert rows == (
        Assignment("1", "", "crowd", "randomised", 8, "1/1", ("d2", "d1")),
        Assignment("1", "", "crowd", "randomised", 9, "1/1", ("d1", "d2")),
        Assignment("2", "b", "gold", "prioritised", 7),
    )


@given(tables, st.sampled_from(["csv", "tsv", "jsonl", "parquet"]))
def test_written_assignments_are_read_and_written_again_byte_for_byte(tmp_path_factory, rows, form):
    path = tmp_path_factory.mktemp("assignments") / f"a.{form}"
    write_assignments(rows, path)
    first = path.read_bytes()
    again = read_assignments(path)
    assert again == tuple(sorted(rows))
    write_assignments(again, path)
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("rows", "line", "problem"),
    [
        ("1,a,g,prioritized,0,,", 2, "unknown ordering 'prioritized'; did you mean prioritised?"),
        ("1,a,g,docno,x,,", 2, "the seed is 'x'; expected a whole number"),
        ("1,a,g,docno,-1,,", 2, "the seed is '-1'; expected a whole number"),
        ("1,,g,docno,1,,", 2, "the assessor is empty; expected one, or a HIT"),
        ("1,a,g,docno,1,h,", 2, "docs are missing, or given"),
        ("1,a,g,docno,1,,d", 2, "docs are missing, or given"),
        (",a,g,docno,1,,", 2, "the topic is empty"),
        (
            "1,a,g,docno,1,,\n2,a,g,docno,1,,\n1,a,g,docno,2,,",
            4,
            "'a' of 'g' already has this assignment on",
        ),
    ],
)
def test_a_wrong_row_is_an_error(tmp_path, rows, line, problem):
    path = file(tmp_path, f"topic,assessor,group,ordering,seed,hit,docs\n{rows}\n")
    with pytest.raises(InputError) as caught:
        read_assignments(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert problem in str(caught.value)


def test_a_missing_column_and_a_doc_with_a_blank_are_errors(tmp_path):
    with pytest.raises(InputError, match="the column seed is missing"):
        read_assignments(file(tmp_path, "topic,assessor,group,ordering\n1,a,g,docno\n"))
    with pytest.raises(InputError, match="the assessor is empty"):
        read_assignments(file(tmp_path, "topic,group,ordering,seed\n1,g,docno,1\n"))
    wrong = Assignment("1", "a", "g", "docno", 0, "1/1", ("a b",))
    with pytest.raises(InputError, match="'a b' cannot be written"):
        write_assignments([wrong], tmp_path / "new.csv")


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("1,a,g,randomised,1,,0", "the round is 0; expected 1 or more"),
        ("1,,g,randomised,1,d1,2", "the assessor is empty"),
        ("1,a,g,randomised,1,,2", "docs are missing, or given"),
        ("1,a,g,randomised,1,d1,1", "docs are missing, or given"),
        ("1,a,g,randomised,1,d1,x", "expected a whole number"),
    ],
)
def test_a_wrong_round_is_an_error(tmp_path, rows, problem):
    path = file(tmp_path, f"topic,assessor,group,ordering,seed,docs,round\n{rows}\n")
    with pytest.raises(InputError, match=problem):
        read_assignments(path)
