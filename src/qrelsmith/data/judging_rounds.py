"""A new round of judging as a pool file: `topic doc position` below a header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from qrelsmith.data.text import FilePath, read_bytes
from qrelsmith.data.writing import check_ids, write_text
from qrelsmith.errors import UsageError

_FORMAT = 1


def round_text(
    docs: Mapping[str, Sequence[str]],
    *,
    ordering: str,
    depth: int,
    seed: int,
    path: FilePath | None = None,
) -> str:
    """The content of the file; positions count from 1 in every topic.

    Parameters
    ----------
    docs : mapping of str to sequence of str
        The docs of each topic, first shown first.
    ordering : str
        The ordering whose order they keep.
    depth, seed : int
        Of the pools that the docs come from.
    path : path, optional
        Where it will stand, for errors.

    Raises
    ------
    InputError
        If a topic or a doc would not be read as it is: it is empty or holds a blank, ….
    """
    check_ids([ordering], what="ordering", path=path)
    check_ids(docs, what="topic", path=path)
    lines = [f"# pool format={_FORMAT} ordering={ordering} depth={depth} seed={seed}\n"]
    for topic in sorted(docs):
        check_ids(docs[topic], what="doc", path=path)
        lines += [f"{topic} {doc} {place}\n" for place, doc in enumerate(docs[topic], start=1)]
    return "".join(lines)


def write_new(path: FilePath, text: str) -> None:
    """Write a file that is a record: one that holds something else is never replaced.

    Raises
    ------
    UsageError
        If there is such a file.
    """
    if Path(path).exists() and read_bytes(path) != text.encode("utf-8"):
        raise UsageError(
            f"{path} is there already and holds something else; an earlier round is never"
            " overwritten: name another file"
        )
    write_text(path, text)
