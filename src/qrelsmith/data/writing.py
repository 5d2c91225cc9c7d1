"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from qrelsmith.data.text import FilePath
from qrelsmith.errors import InputError


@contextmanager
def replacing(path: FilePath) -> Iterator[IO[bytes]]:
    """A binary file that takes the place of `path` when the block ends well.

    Until then its content is in a file beside it, which is removed when anything goes wrong: an
    error, an interrupt, a full disk. An existing file keeps its permissions.

    Raises
    ------
    InputError
        If the folder cannot be written to or the disk is full.
    """
    target = Path(path)
    if _is_stream(target):
        with target.open("wb") as out:
            yield out
        return
    # Through a link the file that it names is replaced, not the link.
    target = target.resolve()
    if target.is_dir():
        raise InputError("is a folder; expected a file name", path=path)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        if target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise _cannot_write(path, error) from None
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def write_text(path: FilePath, text: str) -> None:
    """Write UTF-8 text, whole or not at all."""
    with replacing(path) as out:
        out.write(text.encode("utf-8"))


def _is_stream(path: Path) -> bool:
    """Whether the path is a pipe or a device, which cannot be replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _cannot_write(path: FilePath, error: OSError) -> InputError:
    return InputError(f"cannot be written: {error.strerror or error}", path=path)
