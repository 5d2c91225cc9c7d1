from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.evaluation.score_files import read_scores

LONG = "run,topic,measure,score\n"
WIDE = "topic,A,B\n1,.5,.4\n2,.25,0\n"


@pytest.fixture
def file(tmp_path: Path):
    def write(content: str | bytes) -> Path:
        path = tmp_path / "scores.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def refused(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_scores(path)
    return str(caught.value).removeprefix(str(path))


def test_the_wide_format_is_read(file) -> None:
    (matrix,) = read_scores(file(WIDE))
    assert (matrix.measure, matrix.systems, matrix.topics) == ("score", ("A", "B"), ("1", "2"))
    assert matrix.scores.tolist() == [[0.5, 0.25], [0.4, 0.0]]


def test_the_long_format_has_a_matrix_for_each_measure(file) -> None:
    rows = "B,1,P@5,.1\nA,1,P@5,.2\nA,1,AP,.3\nB,1,AP,.4\nA,all,AP,9\n"
    found = read_scores(file(LONG + rows))
    assert [matrix.measure for matrix in found] == ["AP", "P@5"]
    assert [matrix.systems for matrix in found] == [("A", "B")] * 2
    assert [matrix.scores.tolist() for matrix in found] == [[[0.3], [0.4]], [[0.2], [0.1]]]


def test_further_columns_of_the_long_format_are_ignored(file) -> None:
    path = file("run,topic,measure,score,low,high\nA,1,AP,.5,,\nA,all,AP,.5,.1,.9\n")
    assert read_scores(path)[0].scores.tolist() == [[0.5]]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + WIDE.encode(),
        WIDE.replace("\n", "\r\n").encode(),
        WIDE.rstrip("\n").encode(),
        WIDE.replace(",", "\t").encode(),
        gzip.compress(WIDE.encode(), mtime=0),
        ("# what this is\n\n" + WIDE.replace("\n2", "\n \n# more\n2")).encode(),
        b'"topic","A","B"\n"1",".5",".4"\n2, .25 ,"0"\n',
        (WIDE + "all,.375,.2\n").encode(),
    ],
    ids=["bom", "crlf", "no-last-newline", "tabs", "gzip", "comments", "quotes", "means"],
)
def test_irrelevant_differences_between_files_do_not_matter(file, content: bytes) -> None:
    (matrix,) = read_scores(file(content))
    assert (matrix.systems, matrix.topics) == (("A", "B"), ("1", "2"))
    np.testing.assert_array_equal(matrix.scores, [[0.5, 0.25], [0.4, 0.0]])


def test_a_quoted_name_may_contain_anything(file) -> None:
    path = file('topic,"a,b","say ""x"""\n001,1,2\n01,3,4\n"#7",5,6\n')
    (matrix,) = read_scores(path)
    assert matrix.systems == ("a,b", 'say "x"')
    assert matrix.topics == ("001", "01", "#7")


def test_a_row_ignored_as_a_comment_gives_a_warning(file) -> None:
    with pytest.warns(InputWarning, match="quote the first cell"):
        assert read_scores(file(WIDE + "#3,.1,.2\n"))[0].topics == ("1", "2")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", ": the file is empty; expected topics in the first column"),
        ("# nothing\n\n", ": the file is empty"),
        ("topic\n1\n", ":1: no scores found; expected topics in the first column"),
        ("topic,A\n", ":1: no scores found"),
        (LONG, ": no scores of single topics"),
        (LONG + "A,all,AP,.5\n", ": no scores of single topics"),
        ("topic,A\nall,1\n", ": found only means"),
        ("topic,A,B\n1,.5\n", ":2: found 2 cells; expected 3, as in the header"),
        ("topic,A,B\n1,.5,\n", ":2: the score is ''; expected a finite number"),
        ("topic,A\n1,nan\n", ":2: the score is 'nan'"),
        ("topic,A\n\n1,inf\n", ":3: the score is 'inf'"),
        ("topic,A\n1,1e400\n", ":2: the score is '1e400'; expected a finite number"),
        (
            "topic,A\n1,-2e100\n",
            ":2: the score is '-2e100'; expected at most 1e+100 in absolute value",
        ),
        ("topic,A\n1,1_0\n", ":2: the score is '1_0'"),
        ('topic,A\n1,"0,5"\n', ":2: the score is '0,5'"),
        ("topic,A,A\n1,.5,.6\n", ":1: the system 'A' appears twice"),
        ("topic,A,\n1,.5,.6\n", ":1: the system is empty"),
        ("topic,A\n1,.5\n2,.5\n1,.5\n", ":4: the topic '1' is also on line 2"),
        ("topic,A\n,.5\n", ":2: the topic is empty"),
        ('topic,A\n1,.5\n"2\nx",.5\n', ":3: the topic '2\\nx' contains a control character"),
        ('topic,A\n1,"x\n', ":2: the record cannot be read"),
        ("group,value\nx,1\ny,2\n", ":1: the first column is group, as in a file of independent"),
        (LONG + "A,1,AP,.5\nA,1,AP,.5\n", ":3: 'A' has two scores of AP in topic '1'"),
        (LONG + "A,1,AP,.5\nA,1,AP,.6\n", ":3: 'A' has two scores of AP in topic '1'"),
        (LONG + "A,1,AP,.5\nB,1,AP,.5\nB,2,AP,.5\n", ": 'A' has no score of AP in topic '2'"),
        (LONG + "A,all,AP,.5\nA,all,AP,1\nA,2,AP,1\n", ":3: 'A' has two means of AP"),
        (LONG + "A,1,AP,nan\n", ":2: the score is 'nan'"),
        (LONG + "A,1,,.5\n", ":2: the measure is empty"),
        (LONG + ",1,AP,.5\n", ":2: the run is empty"),
    ],
)
def test_invalid_files_are_refused(file, content: str, expected: str) -> None:
    assert refused(file(content)).startswith(expected)


def test_a_file_that_is_not_text_is_refused(file, tmp_path: Path) -> None:
    assert refused(file(b"topic,A\n1,\xff\n")).startswith(":2: the line is not UTF-8")
    assert refused(tmp_path / "nosuch") == ": no such file"


def test_measures_may_have_separate_topics(file) -> None:
    found = read_scores(file(LONG + "A,1,AP,.5\nA,2,P@5,.5\n"))
    assert [matrix.topics for matrix in found] == [("1",), ("2",)]
