from __future__ import annotations

import bz2
import gc
import gzip
import lzma
import os
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.base.errors import InputError
from qrelsmith.io.text import (
    LineBlocks,
    data_lines,
    decode_fields,
    has_forbidden,
    in_order_of_lines,
    is_regular,
    open_bytes,
    read_bytes,
    text_stream,
    unified_newlines,
)

CONTENT = b"".join(b"1 Q0 doc%d %d %d tag\n" % (n * n, n, 900 - n) for n in range(300))


def zstd(content: bytes) -> bytes:
    compressed: bytes = pyarrow.compress(content, codec="zstd", asbytes=True)
    return compressed


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstd,
}
PACKED = [name for name in PACKERS if name != "plain"]


def written(folder: Path, content: bytes, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def problem_of(call: Callable[[], object]) -> InputError:
    with pytest.raises(InputError) as caught:
        call()
    error = caught.value
    assert str(error).isprintable()
    return error


@pytest.mark.parametrize("packer", PACKERS)
def test_a_file_is_decompressed_whatever_its_name(tmp_path: Path, packer: str) -> None:
    path = written(tmp_path, PACKERS[packer](CONTENT), "run.txt")
    assert read_bytes(path) == CONTENT
    assert read_bytes(str(path)) == CONTENT


@pytest.mark.parametrize("packer", PACKED)
def test_a_compressed_file_may_consist_of_several_streams(tmp_path: Path, packer: str) -> None:
    pack = PACKERS[packer]
    path = written(tmp_path, pack(CONTENT[:1000]) + pack(b"") + pack(CONTENT[1000:]))
    assert read_bytes(path) == CONTENT


@pytest.mark.parametrize("packer", PACKERS)
def test_an_empty_file_has_no_content(tmp_path: Path, packer: str) -> None:
    assert read_bytes(written(tmp_path, PACKERS[packer](b""))) == b""
    assert read_bytes(written(tmp_path, PACKERS[packer](b"\xef\xbb\xbf"))) == b""


@pytest.mark.parametrize("packer", PACKED)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_truncated_compressed_file_is_an_error(tmp_path: Path, packer: str, share: float) -> None:
    packed = PACKERS[packer](CONTENT)
    path = written(tmp_path, packed[: int(len(packed) * share)])
    error = problem_of(lambda: read_bytes(path))
    assert str(error).startswith(f"{path}: cannot be read or decompressed: ")


# Data compressed by pyarrow has no checksum, so that zstd may not notice.
@pytest.mark.parametrize("packer", ["gz", "bz2", "xz"])
def test_a_damaged_compressed_file_is_an_error(tmp_path: Path, packer: str) -> None:
    packed = bytearray(PACKERS[packer](CONTENT))
    middle = len(packed) // 2
    packed[middle : middle + 8] = bytes(255 - byte for byte in packed[middle : middle + 8])
    path = written(tmp_path, bytes(packed))
    error = problem_of(lambda: read_bytes(path))
    assert str(error).startswith(f"{path}: cannot be read or decompressed: ")


@pytest.mark.parametrize(
    "content",
    [b"\x1f\x8b", b"\x1f\x8bgarbage, not gzip", b"\xfd7zXZ\x00garbage", b"\x28\xb5\x2f\xfd??"],
)
def test_a_file_that_only_begins_like_a_compressed_file_is_an_error(
    tmp_path: Path, content: bytes
) -> None:
    path = written(tmp_path, content)
    assert "cannot be read or decompressed" in str(problem_of(lambda: read_bytes(path)))


def test_garbage_after_gzip_and_zstd_data_is_an_error(tmp_path: Path) -> None:
    for packer in ("gz", "zst"):
        path = written(tmp_path, PACKERS[packer](CONTENT) + b"garbage")
        assert "cannot be read or decompressed" in str(problem_of(lambda p=path: read_bytes(p)))


def test_a_topic_may_begin_with_the_letters_of_bzip2(tmp_path: Path) -> None:
    assert read_bytes(written(tmp_path, b"BZh9 Q0 d 1 1 r\n")) == b"BZh9 Q0 d 1 1 r\n"


@pytest.mark.parametrize("packer", PACKERS)
def test_no_file_stays_open(tmp_path: Path, packer: str) -> None:
    # An unclosed file would be a ResourceWarning, which is an error in the tests.
    path = written(tmp_path, PACKERS[packer](CONTENT))
    read_bytes(path)
    with open_bytes(path) as stream:
        assert stream.read(4) == CONTENT[:4]
    broken = written(tmp_path, PACKERS[packer](CONTENT)[:40])
    if packer != "plain":
        problem_of(lambda: read_bytes(broken))
    gc.collect()


def test_the_reason_why_a_file_cannot_be_opened_is_reported_in_words(tmp_path: Path) -> None:
    file = written(tmp_path, b"x")
    assert (
        str(problem_of(lambda: read_bytes(tmp_path / "no"))) == f"{tmp_path / 'no'}: no such file"
    )
    assert problem_of(lambda: read_bytes(tmp_path)).problem == "this is a folder; expected a file"
    assert "Not a directory" in str(problem_of(lambda: read_bytes(file / "below")))
    assert "embedded null" in str(problem_of(lambda: read_bytes("a\0b")))
    assert "too long" in str(problem_of(lambda: read_bytes(tmp_path / ("a" * 300))))
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert "symbolic links" in str(problem_of(lambda: read_bytes(tmp_path / "loop")))


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs users and permissions")
def test_a_file_without_read_permission_is_reported_in_words() -> None:
    user = os.geteuid()
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = written(Path(folder), b"x")
        path.chmod(0)
        if user == 0:
            # Root may read any file.
            os.seteuid(65534)
        try:
            problem = problem_of(lambda: read_bytes(path)).problem
        finally:
            os.seteuid(user)
    assert problem == "cannot be read: permission denied"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_can_be_read_but_is_not_a_regular_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(gzip.compress(CONTENT)))
    writer.start()
    assert read_bytes(pipe) == CONTENT
    writer.join()
    assert not is_regular(pipe)
    assert not is_regular(tmp_path)
    assert not is_regular("a\0b")
    assert is_regular(written(tmp_path, b""))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_an_error(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, "1 Q0 a 1 1 r\n".encode(encoding))
    error = problem_of(lambda: data_lines(read_bytes(path), path=path))
    assert error.line == 1


def test_byte_order_mark_and_carriage_returns_are_removed(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbfa\r\nb\r\n\r\nc\r")
    assert read_bytes(path) == b"a\nb\n\nc"


def test_newlines_are_normalised_at_line_ends_only() -> None:
    assert unified_newlines(b"a\r\nb\rc\r\n", last=False) == b"a\nb\rc\n"
    assert unified_newlines(b"a\r", last=False) == b"a\r"
    assert unified_newlines(b"a\r", last=True) == b"a"
    assert unified_newlines(b"a\r\r\n", last=True) == b"a\r\n"


@settings(deadline=None)
@given(
    st.lists(st.sampled_from([b"", b"ab", b"abcdefgh" * 4, b"x\ry", b"\xe3\x81\x82"]), max_size=12),
    st.sampled_from([b"\n", b"\r\n"]),
    st.booleans(),
    st.booleans(),
    st.integers(4, 40),
)
def test_blocks_are_whole_lines_and_together_make_up_the_file(
    lines: list[bytes], end: bytes, closed: bool, marked: bool, size: int
) -> None:
    content = end.join(lines) + (end if closed else b"")
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), b"\xef\xbb\xbf" * marked + content)
        with LineBlocks(path) as reader:
            blocks = list(iter(lambda: reader.read(size), b""))
        with LineBlocks(path) as reader:
            halves = reader.read(size) + reader.read_all()
    assert b"".join(blocks) == halves == content.replace(b"\r\n", b"\n")
    assert all(block.endswith(b"\n") for block in blocks[:-1])


def test_a_line_longer_than_many_blocks_is_one_block(tmp_path: Path) -> None:
    path = written(tmp_path, b"x" * 9_995 + b"\n" + b"y" * 9 + b"\n")
    with LineBlocks(path) as reader:
        assert reader.read(10) == b"x" * 9_995 + b"\n"
        assert reader.read(10) == b"y" * 9 + b"\n"
        assert reader.read(10) == b""


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xff\xfe"])
def test_a_byte_order_mark_counts_only_at_the_beginning(tmp_path: Path, mark: bytes) -> None:
    path = written(tmp_path, b"abc\n" + mark + b"d\n")
    with LineBlocks(path) as reader:
        assert reader.read(4) == b"abc\n"
        assert reader.read_all() == mark + b"d\n"


def test_data_lines_keep_their_line_numbers() -> None:
    block = b"# a comment\n\na b\n \t \n#\nc d\n # no comment\n"
    assert data_lines(block, path="f") == ([3, 6, 7], [b"a b", b"c d", b" # no comment"])
    assert data_lines(block, path="f", first_line=101)[0] == [103, 106, 107]
    assert data_lines(b"", path="f") == ([], [])
    assert data_lines(b"a\nb", path="f") == ([1, 2], [b"a", b"b"])


@pytest.mark.parametrize("character", [b"\x00", b"\x0b", b"\x0c", b"\r"])
def test_characters_that_split_lines_only_in_some_programs_are_an_error(character: bytes) -> None:
    block = b"a b\n# x\nc" + character + b"d\n"
    assert has_forbidden(block)
    error = problem_of(lambda: data_lines(block, path="f", first_line=11))
    assert (error.path, error.line) == ("f", 13)
    assert "control character" in str(error)


def test_other_unicode_separators_do_not_split_lines() -> None:
    line = "a\u2028b\u0085c\u00a0d\u3000e\x1cf\x1fg".encode()
    assert not has_forbidden(line)
    assert data_lines(line, path="f") == ([1], [line])


def test_a_byte_order_mark_within_the_text_is_an_error() -> None:
    block = b"a b\n\xef\xbb\xbfc d\n"
    error = problem_of(lambda: data_lines(block, path="f", first_line=5))
    assert error.line == 6
    assert "byte-order mark precedes 'c d'" in str(error)
    assert problem_of(lambda: data_lines(block[4:], path="f")).line == 1


def test_fields_are_decoded_and_the_first_invalid_one_is_named() -> None:
    assert decode_fields([b"a", "é".encode(), b""], [1, 2, 3], path="f", what="docno") == [
        "a",
        "é",
        "",
    ]
    assert decode_fields([], [], path="f", what="docno") == []
    error = problem_of(
        lambda: decode_fields([b"a", b"\xff", b"\xfe"], [4, 7, 9], path="f", what="docno")
    )
    assert str(error) == r"f:7: the docno '\\xff' is not UTF-8"
    # Two halves of a character must not be joined across a line end.
    halves = [b"\xc3", b"\xa9"]
    assert problem_of(lambda: decode_fields(halves, [1, 2], path="f", what="docno")).line == 1


def test_the_first_line_of_several_errors_is_named() -> None:
    def parse(block: bytes) -> int:
        lines = block.split(b"\n")
        for wrong in (b"c", b"b", b"a"):
            if wrong in lines:
                raise InputError(wrong.decode(), path="f", line=lines.index(wrong) + 11)
        return len(lines)

    assert in_order_of_lines(parse, b"x\ny") == 2
    for block, line in ((b"x\na\nb\nc", 12), (b"b\na\nx\nc", 11), (b"c", 11), (b"x\nb\nc\nx", 12)):
        error = problem_of(lambda b=block: in_order_of_lines(parse, b, first_line=11))
        assert error.line == line


def test_an_error_without_a_line_is_raised_unchanged() -> None:
    def parse(block: bytes) -> int:
        raise InputError("is empty", path="f")

    assert str(problem_of(lambda: in_order_of_lines(parse, b"x"))) == "f: is empty"


def test_lines_of_a_text_stream_end_only_at_line_feeds(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeffa\r\n\r\nb\u2028c\x0bd\re\n# f".encode())
    assert list(text_stream(path)) == ["a\n", "\n", "b\u2028c\x0bd\re\n", "# f"]


def test_text_that_is_not_utf_8_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, b"a\nb\n\xff c\nd")
    error = problem_of(lambda: text_stream(path))
    assert str(error) == rf"{path}:3: the line is not UTF-8: '\\xff c'"
