from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError
from qrelsmith.io.writing import check_ids, replacing, write_text, write_together

NOBODY = 65534


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """Return a new folder, and drop the right to ignore permissions."""
    if not hasattr(os, "geteuid"):
        pytest.skip("needs users and permissions")
    user = os.geteuid()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if user == 0:
            os.chown(folder, NOBODY, NOBODY)
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            os.seteuid(user)
            folder.chmod(0o700)


def content(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(folder.iterdir())}


def write_and(path: Path, then: Callable[[], object]) -> None:
    with replacing(path) as out:
        out.write(b"x" * 100_000)
        then()


def fail(error: BaseException) -> None:
    raise error


def test_the_file_appears_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with replacing(path) as out:
        out.write(b"one")
        out.flush()
        assert not path.exists()
    assert content(tmp_path) == {"out": "one"}


def test_an_older_file_is_kept_until_then(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old", encoding="utf-8")
    with replacing(str(path)) as out:
        out.write(b"new")
        assert path.read_text(encoding="utf-8") == "old"
    assert content(tmp_path) == {"out": "new"}


@pytest.mark.parametrize(
    "error", [ValueError("x"), KeyboardInterrupt(), SystemExit(3), GeneratorExit(), MemoryError()]
)
@pytest.mark.parametrize("old", [True, False])
def test_an_error_leaves_no_file(tmp_path: Path, error: BaseException, old: bool) -> None:
    path = tmp_path / "out"
    if old:
        path.write_text("old", encoding="utf-8")
    with pytest.raises(type(error)) as caught:
        write_and(path, lambda: fail(error))
    assert caught.value is error
    assert content(tmp_path) == ({"out": "old"} if old else {})


def test_files_that_belong_together_appear_together_or_not_at_all(tmp_path: Path) -> None:
    (tmp_path / "one").write_text("old", encoding="utf-8")
    with write_together():
        write_text(tmp_path / "one", "new")
        with write_together():  # one block, whoever opens it again
            write_text(tmp_path / "two", "new")
        assert (tmp_path / "one").read_text(encoding="utf-8") == "old"
        assert not (tmp_path / "two").exists()
    assert content(tmp_path) == {"one": "new", "two": "new"}
    with pytest.raises(InputError, match="cannot be written"):
        _write_both(tmp_path / "one", tmp_path / "nowhere" / "two")
    assert content(tmp_path) == {"one": "new", "two": "new"}
    write_text(tmp_path / "one", "alone")  # outside the block, no file is waiting
    assert content(tmp_path) == {"one": "alone", "two": "new"}


@write_together()
def _write_both(first: Path, second: Path) -> None:
    write_text(first, "newer")
    write_text(second, "newer")


def test_an_error_of_this_package_is_raised_unchanged(tmp_path: Path) -> None:
    error = InputError("bad", path="b.run", line=3)
    with pytest.raises(InputError) as caught:
        write_and(tmp_path / "out", lambda: fail(error))
    assert caught.value is error
    assert content(tmp_path) == {}


def test_an_error_about_another_file_does_not_name_this_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="missing"):
        write_and(tmp_path / "out", (tmp_path / "missing").read_bytes)
    assert content(tmp_path) == {}


def test_a_file_that_is_too_large_leaves_nothing_behind(tmp_path: Path) -> None:
    pytest.importorskip("resource")
    (tmp_path / "out").write_text("old", encoding="utf-8")
    program = (
        "import resource, sys\n"
        "from qrelsmith.io.writing import write_text\n"
        "from qrelsmith.base.errors import InputError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\n"
        "try:\n"
        "    write_text(sys.argv[1], 'x' * 200_000)\n"
        "except InputError as error:\n"
        "    print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "out")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{tmp_path / 'out'}: cannot be written: File too large\n"
    assert content(tmp_path) == {"out": "old"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_reported_in_words() -> None:
    with pytest.raises(
        InputError, match=r"^/dev/full: cannot be written: No space left on device$"
    ):
        write_text("/dev/full", "x")
    with pytest.raises(InputError, match="No space left"):
        write_text("/dev/full", "x" * 1_000_000)
    assert Path("/dev/full").is_char_device()


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs /dev/null")
def test_a_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    write_text("/dev/null", "x")
    assert Path("/dev/null").is_char_device()
    (tmp_path / "link").symlink_to("/dev/null")
    write_text(tmp_path / "link", "x")
    assert (tmp_path / "link").is_symlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_text(pipe, "text")
    reader.join()
    assert got == [b"text"]
    assert pipe.is_fifo()


def test_a_missing_folder_is_reported_in_words(tmp_path: Path) -> None:
    path = tmp_path / "no" / "out"
    with pytest.raises(InputError) as caught:
        write_text(path, "x")
    assert str(caught.value) == f"{path}: cannot be written: No such file or directory"
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="Not a directory"):
        write_text(tmp_path / "file" / "out", "x")
    assert content(tmp_path) == {"file": ""}


def test_a_folder_is_not_replaced(tmp_path: Path) -> None:
    for folder in (tmp_path, f"{tmp_path}/", "."):
        with pytest.raises(InputError, match="this is a folder; expected a file name"):
            write_text(folder, "x")
    with pytest.raises(InputError, match="/new/: the path ends with a slash; expected a file name"):
        write_text(f"{tmp_path}/new/", "x")
    assert content(tmp_path) == {}


def test_impossible_names_are_reported_in_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="embedded null"):
        write_text("a\0b", "x")
    with pytest.raises(InputError, match="too long"):
        write_text(tmp_path / ("a" * 300), "x")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(InputError, match="symbolic links"):
        write_text(tmp_path / "loop", "x")
    assert (tmp_path / "loop").is_symlink()


def test_the_longest_name_that_a_folder_allows_can_be_written(tmp_path: Path) -> None:
    write_text(tmp_path / ("a" * 255), "x")
    assert content(tmp_path) == {"a" * 255: "x"}


def test_a_link_is_followed_and_its_target_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").write_text("old", encoding="utf-8")
    link = tmp_path / "link"
    link.symlink_to(Path("real") / "file")
    write_text(link, "new")
    assert link.is_symlink()
    assert content(tmp_path / "real") == {"file": "new"}


def test_a_link_to_a_missing_file_is_followed_and_its_target_created(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to("file")
    write_text(link, "new")
    assert link.is_symlink()
    assert content(tmp_path) == {"file": "new", "link": "new"}


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444, 0o755])
def test_an_existing_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "out"
    path.touch()
    path.chmod(mode)
    write_text(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    write_text(tmp_path / "out", "new")
    (tmp_path / "other").touch()
    assert (tmp_path / "out").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_folder_without_write_permission_is_reported_in_words(unprivileged: Path) -> None:
    (unprivileged / "out").write_text("old", encoding="utf-8")
    unprivileged.chmod(0o555)
    for name in ("out", "new"):
        with pytest.raises(InputError, match="cannot be written: Permission denied"):
            write_text(unprivileged / name, "x")
    assert content(unprivileged) == {"out": "old"}


def test_a_folder_without_search_permission_is_reported_in_words(unprivileged: Path) -> None:
    unprivileged.chmod(0)
    with pytest.raises(InputError, match="cannot be written: Permission denied"):
        write_text(unprivileged / "out", "x")


def test_two_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "out"
    texts = [letter * 50_000 for letter in "abcd"]
    barrier = threading.Barrier(len(texts))

    def write(text: str) -> None:
        barrier.wait()
        for _ in range(10):
            write_text(path, text)

    threads = [threading.Thread(target=write, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [*content(tmp_path)] == ["out"]
    assert path.read_text(encoding="utf-8") in texts


def test_a_nested_writer_of_the_same_file_is_first(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with replacing(path) as out:
        out.write(b"outer")
        write_text(path, "inner")
        assert path.read_text(encoding="utf-8") == "inner"
    assert content(tmp_path) == {"out": "outer"}


def test_text_is_written_as_utf_8_with_its_own_line_ends(tmp_path: Path) -> None:
    write_text(tmp_path / "out", "é\r\n漢\n")
    assert (tmp_path / "out").read_bytes() == "é\r\n漢\n".encode()


@pytest.mark.parametrize(
    "name", ["", " ", "a b", "a\tb", "a\n", "\r", "a\0", "\x0b", "\x0c", "\ud800"]
)
def test_an_id_that_would_be_read_as_something_else_is_refused(name: str) -> None:
    with pytest.raises(InputError) as caught:
        check_ids(["a", name], what="doc", path="out.run")
    assert str(caught.value).startswith("out.run: the doc ")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("name", ["#1", "\ufeff1", "<SYSDESC>"])
def test_a_topic_must_not_look_like_a_comment(name: str) -> None:
    check_ids([name], what="doc", path=None)
    with pytest.raises(InputError):
        check_ids([name], what="topic", path=None)


def test_any_other_id_is_accepted() -> None:
    names = ["a", "0", "NA", "a#", '"', "'", "\\", ",", "\u00a0", "\u3000", "\x1c", "\x7f", "漢"]
    check_ids(names, what="topic", path=None)
