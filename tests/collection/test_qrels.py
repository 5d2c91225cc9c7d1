from __future__ import annotations

import bz2
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faults import problem_of

from qrelsmith.base.errors import InputWarning, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels, qrels_text, stem, write_qrels
from qrelsmith.judgments.given_labels import read_qrels


def written(folder: Path, text: str | bytes, name: str = "a.qrels") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        "2 0 b 1\n1 0 d 0\n1 0 c 3\n",
        "2 b 1\n1 d 0\n1 c 3\n",
        "2 b L1\n1 d L0\n1 c L3\n",
        "2 b l1\n1 d 0\n1 c L3\n",
        "\ufeff2\t0\tb\t1\r\n\r\n# c\r\n 1  0\td 0 \r\n1 0 c 3.0",
        "2 Q0 b 1e0\n1 x d -0\n1 0 c 3.\n",
    ],
)
def test_qrels_files_are_read_in_all_forms(tmp_path: Path, text: str) -> None:
    qrels = read_qrels(written(tmp_path, text))
    assert qrels.name == "a"
    assert qrels.topics == ("1", "2")
    assert qrels.docs == ("b", "c", "d")
    assert list(qrels.rows()) == [("1", "c", 3.0), ("1", "d", 0.0), ("2", "b", 1.0)]
    assert qrels.to_dict() == {"1": {"c": 3.0, "d": 0.0}, "2": {"b": 1.0}}
    assert len(qrels) == 3


def test_ids_are_opaque(tmp_path: Path) -> None:
    docs = ["001", "01", "1", "1e5", "NA", "null", "#", "a#", '"', "'", "\u3000a", "\x1cb", "é"]
    qrels = read_qrels(written(tmp_path, "".join(f"01 0 {doc} 1\n" for doc in docs)))
    assert qrels.topics == ("01",)
    assert set(qrels.docs) == set(docs)
    assert list(qrels.docs) == sorted(docs)


def test_codes_below_zero_are_kept(tmp_path: Path) -> None:
    path = written(tmp_path, "1 0 a -1\n1 0 b -2\n1 0 c 1\n")
    assert read_qrels(path, scale=Scale.parse("0..1")).grade.tolist() == [-1.0, -2.0, 1.0]


def test_grades_may_be_any_finite_number(tmp_path: Path) -> None:
    texts = ["0.25", "1e3", "+1", ".5", "100", "1e300", "-0.5", "007"]
    lines = [f"1 0 d{place} {text}\n" for place, text in enumerate(texts)]
    qrels = read_qrels(written(tmp_path, "".join(lines)))
    assert qrels.grade.tolist() == [float(text) for text in texts]


@pytest.mark.parametrize("text", ["nan", "inf", "1e400", "1_0", "0x1", "x", "L1", "", "१", "1,5"])
def test_other_values_are_not_grades(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, f"1 0 a 1\n\n# c\n1 0 b {text or '-'}\n1 0 c 2\n")
    assert problem_of(lambda: read_qrels(path)) == (
        f"{path}:4: the grade is '{text or '-'}'; expected a finite decimal number"
    )


@pytest.mark.parametrize("text", ["LL1", "L", "1L", "Lnan", "K1", "L 1"])
def test_other_values_are_not_levels(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, f"1 a L1\n1 b {text}\n")
    assert problem_of(lambda: read_qrels(path)).startswith(f"{path}:2: ")


@pytest.mark.parametrize(
    ("first", "second"),
    [("1 0 a 1", "1 b 1"), ("1 a 1", "1 0 b 1"), ("1 0 a 1", "1 0 b 1 x"), ("1 0 a 1", "1")],
)
def test_every_line_must_have_as_many_fields_as_the_first(
    tmp_path: Path, first: str, second: str
) -> None:
    path = written(tmp_path, f"{first}\n# c\n{second}\n")
    assert problem_of(lambda: read_qrels(path)) == (
        f"{path}:3: found {len(second.split())} fields in '{second}'; expected topic "
        "iter docno grade, or topic docno grade, on every line"
    )


@pytest.mark.parametrize("line", ["1", "1 2", "1 Q0 a 1 0.5 tag"])
def test_a_file_with_an_invalid_first_line_is_an_error(tmp_path: Path, line: str) -> None:
    path = written(tmp_path, f"\n{line}\n")
    assert problem_of(lambda: read_qrels(path)).startswith(
        f"{path}:2: found {len(line.split())} fields"
    )


def test_a_header_is_not_a_judgment(tmp_path: Path) -> None:
    path = written(tmp_path, "query\titer\tgrade\n1\ta\t1\n")
    assert "known as the doc. Use --columns doc=NAME" in problem_of(lambda: read_qrels(path))


def test_the_same_pair_with_the_same_grade_counts_once(tmp_path: Path) -> None:
    path = written(tmp_path, "1 0 a 2\n1 0 b 1\n1 1 a 2.0\n2 0 a 0\n1 0 a 2e0\n")
    with pytest.warns(InputWarning) as caught:
        qrels = read_qrels(path)
    assert list(qrels.rows()) == [("1", "a", 2.0), ("1", "b", 1.0), ("2", "a", 0.0)]
    assert [str(warning.message) for warning in caught] == [
        f"{path}: 2 lines repeat a pair with the same grade and are ignored"
    ]


def test_the_same_pair_with_two_grades_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, "1 0 a 2\n# c\n1 0 b 1\n1 0 a 2\n2 0 a 0\n1 0 a 0.5\n1 0 b 0\n")
    assert problem_of(lambda: read_qrels(path)) == (
        f"{path}:6: topic '1' doc 'a' has the grade 0.5, but the grade 2 on line 1; expected"
        " one grade per pair"
    )


def test_a_grade_outside_the_scale_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, "1 0 a 1\n1 0 b 4\n1 0 c 0.5\n")
    assert problem_of(lambda: read_qrels(path, scale=Scale.parse("0..3"))) == (
        f"{path}:2: the grade is 4; expected a level of the scale 0..3"
    )


def test_a_grade_outside_the_scale_can_be_missing_instead(tmp_path: Path) -> None:
    path = written(tmp_path, "1 0 a 1\n1 0 b 4\n3 0 c 0.5\n2 0 d -2\n")
    with pytest.warns(InputWarning) as caught:
        qrels = read_qrels(path, scale=Scale.parse("0..3"), off_scale="missing")
    assert list(qrels.rows()) == [("1", "a", 1.0), ("2", "d", -2.0)]
    assert len(caught) == 1
    assert str(caught[0].message) == (
        f"{path}:2: the grade is 4; expected a level of the scale 0..3; 2 such grades are treated"
        " as missing"
    )


WRONG = {
    b"1 0": "found 2 fields",
    b"1 0 b 2 3": "found 5 fields",
    b"\xff 0 b 1": "the topic",
    b"1 0 \xff 1": "the docno",
    b"1 0 b x": "the grade is 'x'",
    b"1 0 b 9": "the grade is 9; expected a level",
    b"1 0 a 0": "topic '1' doc 'a' has the grade 0, but the grade 1 on line 1",
    b"1 0 b\x00 1": "the line contains the control character",
    b"\xef\xbb\xbf1 0 b 1": "a byte-order mark precedes",
}


@pytest.mark.parametrize("first", WRONG)
@pytest.mark.parametrize("second", WRONG)
def test_the_first_of_two_wrong_lines_is_named(tmp_path: Path, first: bytes, second: bytes) -> None:
    second = second.replace(b" b", b" c")
    path = written(tmp_path, b"1 0 a 1\n# c\n" + first + b"\n" + second + b"\n")
    problem = problem_of(lambda: read_qrels(path, scale=Scale.parse("0..3")))
    assert problem.startswith(f"{path}:3: {WRONG[first]}")


def test_an_error_suppresses_warnings(tmp_path: Path) -> None:
    # A repeated pair, a grade outside the scale and then an error; warnings are errors in the
    # tests.
    path = written(tmp_path, "1 0 a 1\n1 0 a 1\n1 0 b 9\n1 0 a 0\n")
    scale = Scale.parse("0..3")
    problem = problem_of(lambda: read_qrels(path, scale=scale, off_scale="missing"))
    assert problem.startswith(f"{path}:4: topic '1' doc 'a' has the grade 0")


@pytest.mark.parametrize("text", ["", "\n# nothing\n"])
def test_an_empty_file_has_no_judgments(tmp_path: Path, text: str) -> None:
    qrels = read_qrels(written(tmp_path, text))
    assert (len(qrels), qrels.topics, qrels.docs, qrels.to_dict()) == (0, (), (), {})
    none = np.empty(0, dtype=np.int64)
    assert qrels.lookup(none, none).tolist() == []
    assert qrels_text(qrels) == ""


def test_a_compressed_file_has_its_name_without_the_suffix(tmp_path: Path) -> None:
    path = written(tmp_path, bz2.compress(b"1 0 a 1\n"), "nist.qrels.bz2")
    assert read_qrels(path).name == "nist"
    assert read_qrels(path, name="Gold").name == "Gold"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.qrels", "a"), ("x/y/a.qrels.gz", "a"), (r"C:\x\a.txt", "a"), ("a.QREL.ZST", "a"),
        ("a.b.c", "a.b.c"), (".gz", ".gz"), ("qrels", "qrels"), ("2021.qrels.xz", "2021"),
    ],
)  # fmt: skip
def test_the_stem_of_a_file_name_is_its_name_without_suffixes(path: str, name: str) -> None:
    assert stem(path) == name


def test_qrels_can_be_created_from_rows_and_from_a_dictionary() -> None:
    rows = [("2", "b", 1.0), ("1", "c", 3), ("2", "b", 1.0)]
    qrels = Qrels.from_rows(rows, name="mine")
    assert qrels.name == "mine"
    assert list(qrels.rows()) == [("1", "c", 3.0), ("2", "b", 1.0)]
    assert Qrels.from_dict({"2": {"b": 1}, "1": {"c": 3}}).to_dict() == qrels.to_dict()
    with pytest.raises(UsageError, match="topic '2' doc 'b' has two grades: 1 and 2"):
        Qrels.from_rows([*rows, ("2", "b", 2.0)])
    for grade in (np.nan, np.inf):
        with pytest.raises(UsageError, match="topic '1' doc 'a': the grade is"):
            Qrels.from_rows([("1", "a", grade)])


def test_qrels_can_be_restricted_to_topics() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "b": 0}, "2": {"c": 1}}, name="mine")
    part = qrels.restricted_to(["1", "9"])
    assert (part.name, part.topics, part.docs) == ("mine", ("1",), ("a", "b"))
    assert len(qrels.restricted_to([])) == 0


def test_grades_are_found_by_topic_and_doc() -> None:
    qrels = Qrels.from_dict({"1": {"a": 1, "c": 0}, "2": {"b": 2}})
    topic, doc = np.meshgrid(np.arange(2), np.arange(3), indexing="ij")
    nan = np.nan
    np.testing.assert_array_equal(qrels.lookup(topic, doc), [[1, nan, 0], [nan, 2, nan]])
    assert qrels.topic_index == {"1": 0, "2": 1}
    assert qrels.vocabulary.index == {"a": 0, "b": 1, "c": 2}


ids = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\x0b\x0c\r\x1f "), min_size=1
)
grades = st.one_of(
    st.integers(-2, 100).map(float), st.floats(allow_nan=False, allow_infinity=False)
)
tables = st.dictionaries(
    ids.filter(lambda topic: not topic.startswith(("#", "\ufeff", "<SYSDESC>"))),
    st.dictionaries(ids, grades, min_size=1, max_size=5),
    max_size=4,
)


@pytest.mark.filterwarnings("ignore:.*all docs have the id 0:qrelsmith.base.errors.InputWarning")
@settings(deadline=None)
@given(tables)
def test_writing_and_reading_give_the_same_qrels_and_the_same_bytes(
    table: dict[str, dict[str, float]],
) -> None:
    qrels = Qrels.from_dict(table)
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder) / "1", Path(folder) / "2"
        write_qrels(qrels, first)
        again = read_qrels(first)
        write_qrels(again, second)
        assert first.read_bytes() == second.read_bytes() == qrels_text(qrels).encode()
    assert again.to_dict() == qrels.to_dict() == table
    assert first.name == again.name


def test_qrels_are_written_sorted_with_whole_grades_without_a_decimal_point(tmp_path: Path) -> None:
    qrels = Qrels.from_dict({"2": {"b": 2.0, "a": 0.1}, "10": {"c": -2.0}})
    write_qrels(qrels, tmp_path / "out")
    assert (tmp_path / "out").read_bytes() == b"10 0 c -2\n2 0 a 0.1\n2 0 b 2\n"


@pytest.mark.parametrize(
    ("topic", "doc"),
    [("1 2", "a"), ("", "a"), ("#1", "a"), ("1", "a b"), ("1", ""), ("1", "a\n"), ("1", "\ud800")],
)
def test_ids_with_blanks_are_refused(tmp_path: Path, topic: str, doc: str) -> None:
    qrels = Qrels.from_dict({"0": {"x": 1}, topic: {doc: 1}})
    problem = problem_of(lambda: write_qrels(qrels, tmp_path / "out"))
    assert problem.startswith(f"{tmp_path / 'out'}: the ")
    assert list(tmp_path.iterdir()) == []
    assert problem_of(lambda: qrels_text(qrels)).startswith("the ")
