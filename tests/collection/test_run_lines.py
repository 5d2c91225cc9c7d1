from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.faults import problem_of

from qrelsmith.collection.run_lines import RunFormat, RunPart, parse_fast, parse_plain
from qrelsmith.io.numbers import finite_number

SIX = RunFormat(path="a.run", columns=6, ranks="ignored")
SIX_RANKED = RunFormat(path="a.run", columns=6, ranks="required")
FIVE = RunFormat(path="a.run", columns=5, ranks="ignored")


def as_lists(part: RunPart) -> tuple[object, ...]:
    return (
        part.topics,
        part.starts.tolist(),
        part.docs.take(np.arange(len(part.docs))),
        [repr(score) for score in part.scores.tolist()],
        None if part.ranks is None else part.ranks.tolist(),
        part.tags,
        part.extra_lines,
    )


def test_a_block_becomes_columns() -> None:
    block = b"1 Q0 b 1 3 r\n1 Q0 a 2 2.5 r\n2 Q0 a 1 -1e1 s\n"
    for part in (parse_plain(block, SIX_RANKED, 1), parse_fast(block, SIX_RANKED)):
        assert part is not None
        assert part.topics == ["1", "2"]
        assert part.starts.tolist() == [0, 2]
        assert part.sizes().tolist() == [2, 1]
        assert part.docs.take(np.arange(3)) == ["b", "a", "a"]
        assert part.scores.tolist() == [3.0, 2.5, -10.0]
        assert part.ranks is not None
        assert part.ranks.tolist() == [1, 2, 1]
        assert part.tags == ("r", "s")
        assert part.extra_lines == 0


def test_interleaved_topics_are_grouped_in_their_order() -> None:
    block = b"2 Q0 b 1 3 r\n1 Q0 x 1 9 r\n2 Q0 a 2 2 r\n1 Q0 a 2 8 r\n"
    for part in (parse_plain(block, SIX_RANKED, 1), parse_fast(block, SIX_RANKED)):
        assert part is not None
        assert part.topics == ["2", "1"]
        assert part.docs.take(np.arange(4)) == ["b", "a", "x", "a"]
        assert part.scores.tolist() == [3.0, 2.0, 9.0, 8.0]
        assert part.ranks is not None
        assert part.ranks.tolist() == [1, 2, 1, 2]


def test_five_columns_have_no_tag() -> None:
    block = b"1 Q0 b 1 3\n"
    for part in (parse_plain(block, FIVE, 1), parse_fast(block, FIVE)):
        assert part is not None
        assert part.tags == ()


@pytest.mark.parametrize("block", [b"", b"\n", b"# c\n\n \t\n", b"#"])
def test_a_block_without_data_has_no_rows(block: bytes) -> None:
    assert parse_fast(block, SIX) is None
    part = parse_plain(block, SIX, 1)
    assert (part.topics, len(part.docs), part.starts.tolist(), part.tags) == ([], 0, [], ())


# The possible forms of a score, and their values.
NUMBERS = {
    "0": 0.0, "-0": -0.0, "7": 7.0, "007": 7.0, "+1": 1.0, ".5": 0.5, "5.": 5.0, "-.5e1": -5.0,
    "1e3": 1000.0, "1E+3": 1000.0, "1e-3": 0.001, "0.1": 0.1, "1e-400": 0.0, "5e-324": 5e-324,
    "1.7976931348623157e308": 1.7976931348623157e308, "16777217": 16777217.0,
    "0.1000000000000000055511151231257827": 0.1, "9007199254740993": 9007199254740992.0,
    "12345678901234567890123": 1.2345678901234568e22, "1" + "0" * 400 + "e-400": 1.0,
}  # fmt: skip
NO_NUMBERS = [
    "nan", "NaN", "-nan", "inf", "-inf", "+inf", "Infinity", "1e400", "-1e400", "1_000", "0x10",
    "1e", "1e+", "e5", ".", "-", "+", "--1", "+-1", "1,5", "1.2.3", "1d3", "x", "1f", "1%", "١",
    "１", "½", "1\x1c", "1\u00a0", "null", "NA", "None", "true", "1-2",
]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), NUMBERS.items())
def test_scores_are_finite_decimal_numbers(text: str, value: float) -> None:
    assert repr(finite_number(text.encode())) == repr(value)
    block = f"1 Q0 a 1 {text} r\n".encode()
    assert repr(parse_plain(block, SIX, 1).scores.tolist()) == repr([value])
    fast = parse_fast(block, SIX)
    assert fast is None or repr(fast.scores.tolist()) == repr([value])


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_other_values_are_not_scores(text: str) -> None:
    assert math.isnan(finite_number(text.encode()))
    block = f"1 Q0 a 1 0.5 r\n\n# c\n1 Q0 b 2 {text} r\n".encode()
    assert parse_fast(block, SIX) is None
    problem = problem_of(lambda: parse_plain(block, SIX, 101))
    assert problem.startswith("a.run:104: the score is ")
    assert problem.endswith("; expected a finite decimal number")


@settings(deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_survives_writing_and_reading(value: float) -> None:
    block = f"1 Q0 a 1 {value!r} r\n".encode()
    assert repr(parse_plain(block, SIX, 1).scores[0].item()) == repr(value)
    fast = parse_fast(block, SIX)
    assert fast is None or repr(fast.scores[0].item()) == repr(value)


@settings(deadline=None)
@given(st.text(alphabet="0123456789.eE+-_ixnaf", min_size=1, max_size=8))
def test_both_readers_accept_the_same_numbers(text: str) -> None:
    block = f"1 Q0 a 1 {text} r\n".encode()
    fast = parse_fast(block, SIX)
    if math.isnan(finite_number(text.encode())):
        assert fast is None
        problem_of(lambda: parse_plain(block, SIX, 1))
    else:
        expected = [repr(float(text))]
        assert [repr(v) for v in parse_plain(block, SIX, 1).scores.tolist()] == expected
        assert fast is None or [repr(v) for v in fast.scores.tolist()] == expected


@pytest.mark.parametrize("text", ["0", "1", "007", "999999999999999999"])
def test_ranks_are_whole_numbers(text: str) -> None:
    block = f"1 Q0 a {text} 1 r\n".encode()
    for part in (parse_plain(block, SIX_RANKED, 1), parse_fast(block, SIX_RANKED)):
        assert part is not None
        assert part.ranks is not None
        assert part.ranks.tolist() == [int(text)]


@pytest.mark.parametrize(
    "text",
    ["-1", "-0", "+1", "1.0", "1e1", "x", "0x10", "0X1F", "²", "١", "1_0", "1000000000000000000"],
)
def test_other_values_are_not_ranks_if_ranks_are_used(text: str) -> None:
    block = f"1 Q0 a {text} 1 r\n".encode()
    assert parse_fast(block, SIX_RANKED) is None
    problem = problem_of(lambda: parse_plain(block, SIX_RANKED, 7))
    assert problem.startswith("a.run:7: the rank is ")
    part = parse_plain(block, SIX, 7)
    assert part.ranks is None
    assert part.scores.tolist() == [1.0]


# Docnos are opaque: all of these must be unchanged when read back.
DOCNOS = [
    "a", "#", "#1", '"', '"a', '"a"', "'", "\\", "\\n", ",", "a,b", "NA", "NULL", "null", "nan",
    "None", "001", "01", "1", "1e5", "1.0", "0x1", "-", "--", "\u00a0", "\u3000x", "x\u3000y",
    "\u2028", "\u0085", "\x1c", "a\x1db", "\x1e", "\x1f", "\x7f", "\x1b[0m", "é", "e\u0301",
    "漢字", "\U0001f600", "\ufeff", "<DOC>", "&amp;", "%20", "a" * 5_000,
]  # fmt: skip


@pytest.mark.parametrize("docno", DOCNOS)
def test_a_docno_is_kept_unchanged(docno: str) -> None:
    block = f"1 Q0 {docno} 1 1 r\n1 Q0 other 2 0 r\n".encode()
    for part in (parse_plain(block, SIX, 1), parse_fast(block, SIX)):
        assert part is not None
        assert part.docs.take(np.arange(2)) == [docno, "other"]


def test_all_docnos_are_distinguished() -> None:
    lines = [f"1 Q0 {docno} 1 1 r\n" for docno in DOCNOS]
    block = "".join(lines).encode()
    for part in (parse_plain(block, SIX, 1), parse_fast(block, SIX)):
        assert part is not None
        assert part.docs.take(np.arange(len(lines))) == DOCNOS


@pytest.mark.parametrize(
    "line",
    [
        b"1  Q0 a 1 1 r", b" 1 Q0 a 1 1 r", b"1 Q0 a 1 1 r ", b"1\tQ0\ta\t1\t1\tr",
        b"\t1 Q0 \t a 1\t\t1 r \t", b"# c\n1 Q0 a 1 1 r", b"\n1 Q0 a 1 1 r\n\n", b"1 Q0 a 1 1 r\n#",
        b" \t\n1 Q0 a 1 1 r\n\t \n", b"#1 Q0 b 1 1 r\n1 Q0 a 1 1 r",
    ],
)  # fmt: skip
def test_blanks_comments_and_empty_lines_are_ignored(line: bytes) -> None:
    fast = parse_fast(line, SIX)
    assert fast is not None
    assert as_lists(fast) == as_lists(parse_plain(line, SIX, 1))
    assert fast.lines is None
    assert as_lists(fast)[:4] == (["1"], [0], ["a"], ["1.0"])


# None of this may reach pyarrow's result: the simple reader decides.
@pytest.mark.parametrize(
    ("block", "form"),
    [
        (b" #1 Q0 a 1 1 r\n", SIX),
        (b"1 Q0 a 1 1\n", SIX),
        (b"1 Q0 a 1 1 r\n", FIVE),
        (b"1 Q0 a 1 1 r x\n", SIX),
        (b"1  a 1 1 r\n", SIX),
        (b"1 Q0  1 1 r\n", SIX),
        (b"1 Q0 a  1 r\n", SIX),
        (b"1 Q0 a 1  r\n", SIX),
        (b"1 Q0 a 1 1 \n", SIX),
        (b" Q0 a 1 1 r\n", SIX),
        (b"1 Q0 a 1 1 r\n1 Q0 a 2 0 r\n", SIX),
        (b"1 Q0 a 1 1 \xff\n", SIX),
        (b"1 Q0 \xed\xa0\x80 1 1 r\n", SIX),
        (b"1 Q0 \xc0\xaf 1 1 r\n", SIX),
        (b"\xff Q0 a 1 1 r\n", SIX),
        (b"\xef\xbb\xbf1 Q0 a 1 1 r\n", SIX),
        (b" \xef\xbb\xbf1 Q0 a 1 1 r\n", SIX),
        (b"0 Q0 a 1 1 r\n\xef\xbb\xbf1 Q0 a 1 1 r\n", SIX),
        (b"1 Q0 a\x00b 1 1 r\n", SIX),
        (b"1 Q0 a\x0bb 1 1 r\n", SIX),
        (b"1 Q0 a\x0cb 1 1 r\n", SIX),
        (b"1 Q0 a\rb 1 1 r\n", SIX),
        (b"1 Q0 a 1\n1 r\n", SIX),
        (b"1 Q0 a 1 1 r\n#\x0c\n", SIX),
        (b"1 Q0 a 1\n# 1 r\n1 r\n", SIX),
        (b"1\nQ0 a 1 1 r\n2 Q0 a 1 1 r\n", SIX),
        (b"1 Q0 a 1\n1\n", FIVE),
        (b"1 Q0 a\n", RunFormat(path="a.run", columns=3, ranks="ignored")),
        (b"1 Q0 a 1 1 r" + b" x" * 500, RunFormat(path="a.run", columns=506, ranks="ignored")),
    ],
)
def test_the_fast_reader_leaves_unusual_lines_to_the_simple_reader(
    block: bytes, form: RunFormat
) -> None:
    assert parse_fast(block, form) is None


@pytest.mark.parametrize(
    ("end", "extra"), [(b"", 0), (b" ", 0), (b"  ", 0), (b" x", 1), (b"  x", 1), (b" x y z", 1)]
)
@pytest.mark.parametrize("columns", [7, 8, 9])
def test_fields_after_the_tag_are_counted_by_line(end: bytes, extra: int, columns: int) -> None:
    form = RunFormat(path="a.run", columns=columns, ranks="ignored")
    first = b"1 Q0 a 1 1 r" + b" x" * (columns - 6) + b"\n"
    block = first + b"1 Q0 b 2 0 r" + end + b"\n"
    part = parse_plain(block, form, 1)
    assert part.extra_lines == 1 + extra
    fast = parse_fast(block, form)
    assert fast is None or as_lists(fast) == as_lists(part)
    fast = parse_fast(first, form)
    assert fast is not None
    assert fast.extra_lines == 1


# Line 101 is correct; each of these lines has a different error.
WRONG = {
    b"1 Q0 b": "found 3 fields in '1 Q0 b'; expected topic Q0 docno rank score tag",
    b"1 Q0 b 2 1": "found 5 fields in '1 Q0 b 2 1'; expected topic Q0 docno rank score tag",
    b"\xff Q0 b 2 1 r": r"the topic '\\xff' is not UTF-8",
    b"1 Q0 \xff 2 1 r": r"the docno '\\xff' is not UTF-8",
    b"1 Q0 b 2 1 \xff": r"the tag '\\xff' is not UTF-8",
    b"1 Q0 b 2 x r": "the score is 'x'; expected a finite decimal number",
    b"1 Q0 b x 1 r": "the rank is 'x'; expected a whole number, because the run is ordered by rank",
    b"1 Q0 a 2 1 r": "doc 'a' appears twice in topic '1' (first on line 101); expected every doc"
    " once per topic",
}


@pytest.mark.parametrize(("line", "problem"), WRONG.items())
def test_a_malformed_line_is_named_with_its_content(line: bytes, problem: str) -> None:
    block = b"1 Q0 a 1 2 r\n# c\n\n" + line + b"\n9 Q0 z 1 1 r\n"
    assert parse_fast(block, SIX_RANKED) is None
    assert problem_of(lambda: parse_plain(block, SIX_RANKED, 101)) == f"a.run:104: {problem}"


@pytest.mark.parametrize("first", WRONG)
@pytest.mark.parametrize("second", WRONG)
def test_the_first_of_two_wrong_lines_is_named(first: bytes, second: bytes) -> None:
    block = b"1 Q0 a 1 2 r\n" + first + b"\n" + second.replace(b" b ", b" c ") + b"\n"
    problem = problem_of(lambda: parse_plain(block, SIX_RANKED, 101))
    assert problem == f"a.run:102: {WRONG[first]}"


def test_an_unexpected_sixth_field_is_reported() -> None:
    problem = problem_of(lambda: parse_plain(b"1 Q0 a 1 1\n1 Q0 b 2 0 r\n", FIVE, 1))
    assert problem == (
        "a.run:2: found 6 fields in '1 Q0 b 2 0 r'; expected topic Q0 docno rank "
        "score tag (or, as on"
        " its first line, without tag)"
    )


def test_the_first_line_of_several_repeated_docs_is_named() -> None:
    block = b"1 Q0 a 1 5 r\n2 Q0 b 1 5 r\n2 Q0 b 1 5 r\n1 Q0 a 1 5 r\n"
    assert problem_of(lambda: parse_plain(block, SIX, 1)).startswith(
        "a.run:3: doc 'b' appears twice in topic '2' (first on line 2)"
    )
