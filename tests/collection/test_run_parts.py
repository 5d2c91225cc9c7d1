from __future__ import annotations

import os
import tempfile
import threading
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.collection import run_parts
from qrelsmith.collection.judged import judged_run
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.run_lines import RunPart, parse_fast
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.collection.run_parts import over_parts
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.io import sizes

# --------------------------------------------------------------------------------------------- Two
# readers: the simple reader reads a file at once, numpy in tiny blocks. Whatever the file contains,
# both give the same run, or the same error on the same line.

TOPICS = [b"1", b"2", b"10", b"07", "é".encode(), b"a#", b"1e5", b"NA"]
DOCS = [
    *(b"a", b"#", b"#d", b'"q"', b"it's", b"b\\n", b"x,y", b"nan", b"null", b"001", b"01", b"1e5"),
    *(b"seven77", b"eight888", b"xeight888", b"nine99999", b"fifteen15151515"),
    *(b"sixteen161616161", b"seventeen17171717", b"Xeventeen17171717", b"XXeventeen17171717"),
    *(text.encode() for text in ("\u00a0x", "x\u3000y", "\x1cx", "x\x1fy", "\u2028", "\u0085z")),
]
SCORES = [
    *(b"1", b"2", b"3", b"1.5", b"-1", b"0", b"-0.0", b".5", b"5.", b"+1", b"1e3", b"1e-400"),
    *(b"0.1", b"0.1000000001", b"1e300", b"2e300", b"-1e308", b"16777216", b"16777217"),
]
RANKS = [b"1", b"2", b"3", b"10", b"007", b"0", b"999999999999999999"]
# Replacements in a malformed file.
BAD_TOPICS = [b"#1", b"\xef\xbb\xbf1", b"<SYSDESC>", b"\xff", b"\x1c"]
BAD_DOCS = [b"\xff", b"\xed\xa0\x80", b"x\x00y", b"x\x0by", b"x\x0cy", b"x\ry"]
BAD_SCORES = [b"nan", b"inf", b"-inf", b"1e400", b"1_000", b"0x10", b"1e", b".", b"1,5", b"x"]
BAD_RANKS = [b"-1", b"-0", b"+1", b"1.0", b"x", b"0x10", b"1000000000000000000", b"nan"]
BAD_LINES = [b"x", b"1 Q0 a 1", b"1 Q0 y 1 2", b"1 Q0 z 1 2 3 4 5", b"<SYSDESC>", b"#\x0c", b"1 "]
EMPTY_LINES = [b"", b"#", b"# x y z 1 2 3", b" ", b"\t \t", b"#1 Q0 a 1 1 r"]


@st.composite
def run_files(draw: st.DrawFn) -> bytes:
    messy, varied = draw(st.booleans()), draw(st.booleans())
    bad = draw(st.sampled_from([0, 0, 0, 20, 60]))
    columns = draw(st.sampled_from([5, 6, 6, 6, 7, 8]))
    turns = draw(st.sampled_from([150, 150, 300, 700]))
    repeats = draw(st.sampled_from([0, 0, 0, 100]))
    tags = draw(st.sampled_from([[b"r"], [b"r"], [b"r", b"s", "é".encode()]]))

    def thousandth(share: int) -> bool:
        return share > 0 and draw(st.integers(0, 999)) < share

    def one_of(good: list[bytes], wrong: list[bytes]) -> bytes:
        return draw(st.sampled_from(wrong if thousandth(bad) else good))

    lines = [b"<SYSDESC>a system</SYSDESC>"] if thousandth(100) else []
    topic = draw(st.sampled_from(TOPICS))
    seen: dict[bytes, set[bytes]] = defaultdict(set)
    for number in range(draw(st.integers(0, 30))):
        if messy and thousandth(60):
            lines.append(draw(st.sampled_from(EMPTY_LINES)))
        if thousandth(bad // 3):
            lines.append(draw(st.sampled_from(BAD_LINES)))
        if thousandth(turns):
            topic = one_of(TOPICS, BAD_TOPICS)
        doc = one_of(DOCS, BAD_DOCS)
        if doc in seen[topic] and not thousandth(repeats):
            doc = b"d%d" % number
        seen[topic].add(doc)
        rank, score = one_of(RANKS, BAD_RANKS), one_of(SCORES, BAD_SCORES)
        fields = [topic, b"Q0", doc, rank, score, draw(st.sampled_from(tags)), b"x", b"\xff"]
        fields = fields[: draw(st.integers(6, 8)) if varied and columns > 5 else columns]
        if messy:
            blanks = st.sampled_from([b" ", b" ", b" ", b"\t", b"  ", b" \t", b"\t\t "])
            ends = st.sampled_from([b"", b"", b"", b" ", b"\t"])
            line = draw(ends) + fields[0]
            line += b"".join(draw(blanks) + field for field in fields[1:]) + draw(ends)
        else:
            line = draw(st.sampled_from([b" ", b" ", b"\t"])).join(fields)
        lines.append(line)
    end = draw(st.sampled_from([b"\n", b"\n", b"\r\n"]))
    mark = draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"]))
    return mark + end.join(lines) + draw(st.sampled_from([b"", end, end + end]))


JUDGED = Qrels.from_rows(
    (topic.decode(), doc.decode(), float(place % 4 - 1))
    for turn, topic in enumerate(TOPICS)
    for place, doc in enumerate(DOCS)
    if (turn + place) % 3
)


def outcome(call: Callable[[], tuple[object, ...]]) -> tuple[object, ...]:
    """Return the result of a call with its warnings, or its error."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = call()
        except InputError as error:
            return ("error", str(error))
    assert {warning.category for warning in caught} <= {InputWarning}
    return ("read", *result, [str(warning.message) for warning in caught])


def as_read(path: Path, order: str) -> tuple[object, ...]:
    run = read_run(path, order=order)
    scores = {topic: list(map(repr, column.tolist())) for topic, column in run.scores.items()}
    return run.name, list(run.docs.items()), list(scores.items())


def as_judged(path: Path, order: str, jobs: int, *, condensed: bool) -> tuple[object, ...]:
    run = judged_run(path, JUDGED, order=order, jobs=jobs, condensed=condensed)
    columns = (run.topic, run.rank, run.grade, run.retrieved, run.tied_topic, run.tied_rank)
    return run.name, *(column.tolist() for column in columns), run.other_topics


@examples(60, suppress_health_check=list(HealthCheck))
@given(
    run_files(),
    st.sampled_from(RUN_ORDERS.names()),
    st.sampled_from([1, 2]),
    st.booleans(),
    st.integers(3, 200),
    st.integers(16, 200),
)
@example(  # an error message that mentions a tab
    content=b"1 Q0 a -1\tnan\nx\n", order="trec", jobs=1, condensed=False, plain_bytes=3,
    block_bytes=16,
)  # fmt: skip
def test_large_files_are_read_like_small_ones(
    content: bytes, order: str, jobs: int, condensed: bool, plain_bytes: int, block_bytes: int
) -> None:
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        path = Path(folder) / "f.run"
        path.write_bytes(content)
        run = outcome(lambda: as_read(path, order))
        judged = outcome(lambda: as_judged(path, order, 1, condensed=condensed))
        if run[0] == "error":
            assert str(run[1]).isprintable()
            assert str(run[1]).startswith(f"{path}:")
            assert judged == run
        patch.setattr(sizes, "PLAIN_RUN", plain_bytes)
        patch.setattr(sizes, "RUN_BLOCK", block_bytes)
        assert outcome(lambda: as_read(path, order)) == run
        assert outcome(lambda: as_judged(path, order, jobs, condensed=condensed)) == judged


@examples(60, suppress_health_check=list(HealthCheck))
@given(run_files(), st.sampled_from(RUN_ORDERS.names()), st.sampled_from(RUN_ORDERS.names()))
def test_a_run_in_memory_is_ranked_again_like_its_file(
    content: bytes, first: str, second: str
) -> None:
    def columns(run: Run) -> tuple[object, ...]:
        return run.docs, {topic: repr(scores.tolist()) for topic, scores in run.scores.items()}

    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        path = Path(folder) / "f.run"
        path.write_bytes(content)
        try:
            there, anew = read_run(path, order=first), read_run(path, order=second)
        except InputError:
            return
    assert columns(there.in_order(second)) == columns(anew)
    assert columns(there.in_order(second).in_order(first)) == columns(there)


# --------------------------------------------------------------------------------------------- The
# contents of the parts.


@pytest.fixture
def tiny_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "PLAIN_RUN", 64)
    monkeypatch.setattr(sizes, "RUN_BLOCK", 64)


def written(folder: Path, text: str) -> Path:
    path = folder / "a.run"
    path.write_bytes(text.encode())
    return path


def lines_of(topic: object, docs: int, *, start: int = 0) -> str:
    return "".join(f"{topic} Q0 doc{n:04d} {n} {-n} tag\n" for n in range(start, start + docs))


def topics_of(parts: Iterator[RunPart]) -> list[list[str]]:
    return [part.topics for part in parts]


def docs_of(parts: Iterator[RunPart]) -> list[str]:
    return [doc for part in parts for doc in part.docs.take(np.arange(len(part.docs)))]


def problem_of(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    return str(caught.value)


def test_a_small_file_is_one_part(tmp_path: Path) -> None:
    path = written(tmp_path, lines_of(1, 3) + lines_of(2, 3))
    assert over_parts(path, topics_of) == [["1", "2"]]


@pytest.mark.usefixtures("tiny_blocks")
@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_a_large_file_is_read_in_parts_of_whole_topics(tmp_path: Path, jobs: int) -> None:
    path = written(tmp_path, "".join(lines_of(topic, 1 + topic % 5) for topic in range(40)))
    parts = over_parts(path, topics_of, jobs=jobs)
    assert len(parts) > 20
    assert [topic for part in parts for topic in part] == [str(topic) for topic in range(40)]


@pytest.mark.usefixtures("tiny_blocks")
@pytest.mark.parametrize("separator", [" ", "\t"])
@pytest.mark.parametrize("sizes", [(500, 3, 500, 3), (3, 500, 3), (500,)])
def test_a_topic_larger_than_many_blocks_is_one_part(
    tmp_path: Path, sizes: tuple[int, ...], separator: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(lines_of(topic, size) for topic, size in enumerate(sizes))
    path = written(tmp_path, text.replace(" ", separator))
    # The file must not be treated as one with scattered topics.
    monkeypatch.setattr(run_parts, "_whole", None)
    parts = over_parts(path, topics_of)
    assert [topic for part in parts for topic in part] == list(map(str, range(len(sizes))))
    assert len(over_parts(path, docs_of)) == sum(sizes)


@pytest.mark.usefixtures("tiny_blocks")
def test_topics_with_a_common_prefix_are_kept_apart(tmp_path: Path) -> None:
    text = "".join(lines_of(topic, 3) for topic in ("1", "11", "111", "1e", "1 Q"))
    path = written(tmp_path, text.replace("1 Q ", "1_Q "))
    assert [t for part in over_parts(path, topics_of) for t in part] == [
        *("1", "11", "111", "1e", "1_Q")
    ]


@pytest.mark.usefixtures("tiny_blocks")
def test_a_file_with_a_topic_that_reappears_is_one_part(tmp_path: Path) -> None:
    path = written(tmp_path, lines_of(1, 20) + lines_of(2, 20) + lines_of(1, 20, start=50))
    calls = []

    def use(parts: Iterator[RunPart]) -> list[list[str]]:
        calls.append(None)
        return topics_of(parts)

    assert over_parts(path, use) == [["1", "2"]]
    assert len(calls) == 2
    docs = over_parts(path, docs_of)
    assert docs[:20] + docs[20:40] == [f"doc{n:04d}" for n in [*range(20), *range(50, 70)]]


@pytest.mark.usefixtures("tiny_blocks")
def test_a_doc_that_reappears_with_its_topic_is_an_error(tmp_path: Path) -> None:
    path = written(tmp_path, lines_of(1, 20) + lines_of(2, 20) + lines_of(1, 1, start=7))
    assert problem_of(lambda: over_parts(path, topics_of)) == (
        f"{path}:41: doc 'doc0007' appears twice in topic '1' (first on line 8); expected every doc"
        " once per topic"
    )


@pytest.mark.usefixtures("tiny_blocks")
def test_an_error_after_a_reappearing_topic_does_not_hide_an_earlier_error(tmp_path: Path) -> None:
    text = lines_of(1, 20) + lines_of(2, 20) + lines_of(1, 1, start=7) + "1 Q0 x 1 nan tag\n"
    path = written(tmp_path, text)
    assert problem_of(lambda: over_parts(path, topics_of)).startswith(f"{path}:41: doc 'doc0007'")


@pytest.mark.parametrize("before", ["", "# comment\n\n", "\ufeff", "<SYSDESC>x</SYSDESC>\n"])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("messy", [True, False])
@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.usefixtures("tiny_blocks")
def test_an_error_in_a_later_block_has_the_right_line(
    tmp_path: Path, before: str, ends: str, messy: bool, jobs: int
) -> None:
    text = before + "".join(lines_of(topic, 4) for topic in range(30))
    if messy:
        text = text.replace("\n17 Q0", "\n\n# c\n \n17  Q0")
    text += "30 Q0 bad 1 nan tag\n" + lines_of(31, 40)
    line = 1 + text[: text.index("30 Q0 bad")].count("\n")
    path = written(tmp_path, text.replace("\n", ends))
    assert problem_of(lambda: over_parts(path, topics_of, jobs=jobs)) == (
        f"{path}:{line}: the score is 'nan'; expected a finite decimal number"
    )


@pytest.mark.parametrize("tiny", [True, False])
def test_a_system_description_is_allowed_only_before_the_first_line(
    tmp_path: Path, tiny: bool, request: pytest.FixtureRequest
) -> None:
    if tiny:
        request.getfixturevalue("tiny_blocks")
    text = "# c\n\n<SYSDESC>words of the authors</SYSDESC>\n# d\n" + lines_of(1, 40)
    assert over_parts(written(tmp_path, text), topics_of) == [["1"]]
    for twice in ("<SYSDESC>1\n# c\n<SYSDESC>2\n", "# c\n" * 40 + "<SYSDESC>1\n<SYSDESC>2\n"):
        path = written(tmp_path, twice + lines_of(1, 40))
        line = twice.count("\n")
        assert problem_of(lambda p=path: over_parts(p, topics_of)).startswith(
            f"{path}:{line}: found 1 fields in '<SYSDESC>2'"
        )


@pytest.mark.parametrize("text", ["", "\ufeff", "\n\n", "# only\n# comments", "<SYSDESC>x", " \t"])
@pytest.mark.usefixtures("tiny_blocks")
def test_a_file_without_data_has_no_parts_and_is_reported(tmp_path: Path, text: str) -> None:
    for content in (text, text + "\n# comment" * 50):
        with pytest.warns(InputWarning, match=r"a\.run: the file has no docs, .* scores 0"):
            assert over_parts(written(tmp_path, content), topics_of) == []


@pytest.mark.usefixtures("tiny_blocks")
def test_comments_before_the_first_line_may_be_longer_than_blocks(tmp_path: Path) -> None:
    path = written(tmp_path, "# comment\n" * 50 + lines_of(1, 30) + "# comment\n" * 50)
    assert over_parts(path, topics_of) == [["1"]]
    path = written(tmp_path, "# comment\n" * 50 + lines_of(1, 30) + "1 Q0 a 1 x tag\n")
    assert f"{path}:81: the score is 'x'" in problem_of(lambda: over_parts(path, topics_of))


@pytest.mark.parametrize("line", ["x", "1 Q0 a 1", "1"])
@pytest.mark.parametrize("tiny", [True, False])
def test_too_few_fields_on_the_first_line_are_an_error(
    tmp_path: Path, line: str, tiny: bool, request: pytest.FixtureRequest
) -> None:
    if tiny:
        request.getfixturevalue("tiny_blocks")
    path = written(tmp_path, f"# c\n{line}\n" + lines_of(1, 50))
    fields = len(line.split())
    assert problem_of(lambda: over_parts(path, topics_of)) == (
        f"{path}:2: found {fields} fields in '{line}'; expected topic Q0 docno rank score tag"
    )


def test_an_error_in_code_that_uses_the_parts_is_raised_unchanged(tmp_path: Path) -> None:
    path = written(tmp_path, lines_of(1, 3))

    def use(parts: Iterator[RunPart]) -> None:
        next(parts)
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        over_parts(path, use)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.usefixtures("tiny_blocks")
def test_a_pipe_is_opened_once_even_if_topics_are_scattered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = lines_of(1, 20) + lines_of(2, 20) + lines_of(1, 20, start=50)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    # Block by block, the file would have to be read again, but the pipe is empty by then.
    monkeypatch.setattr(run_parts, "_parts", None)
    writer = threading.Thread(target=lambda: pipe.write_bytes(text.encode()))
    writer.start()
    docs = over_parts(pipe, docs_of)
    writer.join()
    assert len(docs) == 60


def test_small_files_are_parsed_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the fast reader was called")

    monkeypatch.setattr(run_parts, "parse_fast", refuse)
    monkeypatch.setattr(sizes, "PLAIN_RUN", 70_000)
    assert over_parts(written(tmp_path, lines_of(1, 1_000)), topics_of) == [["1"]]


@pytest.mark.usefixtures("tiny_blocks")
def test_large_files_are_parsed_fast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts: list[RunPart | None] = []

    def watched(*arguments: object) -> RunPart | None:
        parts.append(parse_fast(*arguments))  # type: ignore[arg-type]
        return parts[-1]

    monkeypatch.setattr(run_parts, "parse_fast", watched)
    text = "# c\n" + "".join(lines_of(topic, 5) for topic in range(20))
    for written_so in (text, text.replace(" ", "\t"), text.replace(" Q0", "  Q0")):
        parts.clear()
        over_parts(written(tmp_path, written_so), topics_of)
        assert parts
        assert all(part is not None for part in parts)
