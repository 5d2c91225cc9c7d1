"""A new round of judging: a pool file that is kept as a record and never overwritten."""

from __future__ import annotations

from pathlib import Path

from qrelsmith.base.errors import UsageError
from qrelsmith.collection.pools.pool_files import Pools, pools_text
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.writing import write_text


def write_round(pools: Pools, path: FilePath) -> None:
    """Write a round as a pool file.

    Raises
    ------
    UsageError
        If the file exists with different content.
    InputError
        If a topic or doc id would not survive a round trip, or the file cannot be written.
    """
    text = pools_text(pools, path=path)
    if Path(path).exists() and read_bytes(path) != text.encode("utf-8"):
        raise UsageError(
            f"{path} already exists with different content; expected a new file, because earlier"
            " rounds are never overwritten"
        )
    write_text(path, text)
