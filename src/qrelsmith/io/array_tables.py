"""Large tables of arrays, written to Parquet in parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

from qrelsmith.base.arrays import AnyArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import replacing

Part = Mapping[str, AnyArray | Sequence[str]]


def check_parquet_name(path: FilePath) -> None:
    """Raise `UsageError` unless the file name ends in .parquet."""
    if PurePath(path).suffix.lower() != ".parquet":
        raise UsageError(f"the name {quoted(path)} must end in .parquet")


def write_parts(path: FilePath, parts: Iterable[Part]) -> int:
    """Write a table atomically, part by part, and return its number of rows.

    Parameters
    ----------
    path : path
        Destination; an existing file is replaced.
    parts : iterable of mapping of str to array or sequence of str [row]
        Columns of every part, with the same names and types in all. Memory holds one part at a
        time.

    Raises
    ------
    UsageError
        If the name does not end in .parquet, or there are no parts.
    """
    import pyarrow
    from pyarrow import parquet

    check_parquet_name(path)
    rows, writer = 0, None
    with replacing(path) as out:
        try:
            for part in parts:
                table = pyarrow.table(dict(part))
                writer = writer or parquet.ParquetWriter(
                    out, table.schema, compression="zstd", store_schema=False
                )
                writer.write_table(table)
                rows += table.num_rows
        finally:
            if writer is not None:
                writer.close()
        if writer is None:
            raise UsageError(f"nothing to write to {quoted(path)}; expected at least one part")
    return rows
