"""The SHA-256 of a question's inputs: files, folders, DataFrames and objects."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError, quoted


def input_digests(name: str, source: Any) -> dict[str, str]:
    """Return the digests of one input: a file, a folder's files, an object, or a list of these.

    Raises
    ------
    InputError
        If a file cannot be read.
    """
    if source is None:
        return {}
    if hasattr(source, "digest"):
        return {name: str(source.digest())}
    if isinstance(source, str | PathLike):
        return _file_digests(Path(source))
    if hasattr(source, "folder"):
        return _file_digests(Path(source.folder))
    kind = type(source)  # the type of a result lacks the attributes of tables
    if hasattr(kind, "columns") or hasattr(kind, "column_names") or _are_columns(source):
        return {name: _frame_digest(source)}
    parts: Iterable[tuple[object, Any]] = ()
    if isinstance(source, Mapping):
        parts = source.items()
    elif isinstance(source, list | tuple):
        parts = enumerate(source)
    else:
        return {name: hashlib.sha256(repr(source).encode("utf-8", "surrogatepass")).hexdigest()}
    return {
        key: digest
        for part, value in parts
        for key, digest in input_digests(f"{name}[{part}]", value).items()
    }


def _are_columns(source: Any) -> bool:
    """Return whether an object is a mapping of lists, arrays or series."""
    return (
        isinstance(source, Mapping)
        and bool(source)
        and all(
            isinstance(values, list | tuple) or hasattr(values, "dtype")
            for values in source.values()
        )
    )


def _frame_digest(frame: Any) -> str:
    """Return the SHA-256 of a DataFrame's columns with all their cells."""
    content = hashlib.sha256()
    names = frame if isinstance(frame, Mapping) else getattr(frame, "column_names", None)
    for column in frame.columns if names is None else names:
        content.update(
            repr((str(column), list(map(str, frame[column])))).encode("utf-8", "replace")
        )
    return content.hexdigest()


def _file_digests(path: Path) -> dict[str, str]:
    if path.is_dir():
        files = sorted(each for each in path.rglob("*") if each.is_file())
        inside = [each for each in files if not _is_hidden(each, path)]
        return {name: digest for each in inside for name, digest in _file_digests(each).items()}
    try:
        with path.open("rb") as file:
            return {str(path): hashlib.file_digest(file, "sha256").hexdigest()}
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or quoted(error)}", path=path) from None


def _is_hidden(file: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in file.relative_to(folder).parts)
