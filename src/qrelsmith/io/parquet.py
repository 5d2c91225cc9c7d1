"""Columns of Parquet files as text, and back; pyarrow is imported only for such files."""

from __future__ import annotations

import io
import json
import lzma
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.io.csv_records import one_line_end
from qrelsmith.io.limits import beyond, most_bytes, most_cells
from qrelsmith.io.text import FilePath, is_regular, open_bytes

_MARK = b"PAR1"
_READING = (EOFError, OSError, zlib.error, lzma.LZMAError)


def is_parquet(path: FilePath) -> bool:
    """Return whether a file, decompressed if necessary, begins with the Parquet signature.

    A pipe is never read as Parquet, because a pipe cannot be inspected and then read again.
    """
    if not is_regular(path):
        return False
    try:
        with open_bytes(path) as stream:
            return stream.read(len(_MARK)) == _MARK
    except _READING:
        # The reader of the file reports the error.
        return False


def parquet_columns(path: FilePath, *, ids: Sequence[str] = ()) -> dict[str, list[str]]:
    """Return the columns of a Parquet file as text; null and nan become empty strings.

    Parameters
    ----------
    path : path
        The file.
    ids : sequence of str
        Columns that must be text: numbers would have lost leading zeros.

    Raises
    ------
    InputError
        If the file is broken, or a column appears twice or has an unsupported type.
    """
    table = _table(path)
    return {
        name: _as_text(table.column(place), name, path, is_id=name in ids)
        for place, name in enumerate(table.schema.names)
    }


def parquet_records(path: FilePath) -> dict[str, list[Any]]:
    """Return the columns of a Parquet file; lists and structs become lists and objects of texts.

    Raises
    ------
    InputError
        As in `parquet_columns`.
    """
    table = _table(path)
    return {
        name: _as_records(column, name, path)
        for name, column in zip(table.schema.names, table.columns, strict=True)
    }


def _as_records(column: Any, name: str, path: FilePath) -> list[Any]:
    """Return the cells of a column as text, or as JSON values with their numbers as text."""
    try:
        return _as_text(column, name, path, is_id=False)
    except InputError:
        text = json.dumps(column.to_pylist(), default=str)
    cells = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    return ["" if cell is None else cell for cell in cells]


def _table(path: FilePath) -> Any:
    """Read the table of a Parquet file, with unique column names."""
    import pyarrow
    from pyarrow import parquet

    try:
        with open_bytes(path) as stream:
            content = stream.read()
        file = parquet.ParquetFile(io.BytesIO(content), read_dictionary=_texts_of(content))
        _check_size(file.metadata, path)
        table = file.read(use_threads=False)
        table.validate(full=True)
    except (*_READING, pyarrow.ArrowException, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"unreadable Parquet: {reason}", path=path) from None
    names = table.schema.names
    if not names:
        raise InputError("the Parquet file has no columns", path=path)
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InputError(
                f"the column {quoted(name)} appears twice; expected it once", path=path
            )
    return table


def _texts_of(content: bytes) -> list[str]:
    """Return the names of the text columns, which are read with dictionary encoding."""
    from pyarrow import parquet, types

    schema = parquet.read_schema(io.BytesIO(content))
    return [field.name for field in schema if types.is_string(field.type)]


def _check_size(metadata: Any, path: FilePath) -> None:
    """Raise `InputError` if the file has more cells or bytes than its size allows."""
    cells = metadata.num_rows * metadata.num_columns
    if cells > most_cells(path):
        raise beyond(path, f"the file declares {cells} cells")
    groups = (metadata.row_group(place) for place in range(metadata.num_row_groups))
    length = sum(group.total_byte_size for group in groups)
    if length > most_bytes(path):
        raise beyond(path, f"the file declares {length} bytes")


def parquet_bytes(columns: Mapping[str, Sequence[str]], numbers: Mapping[str, str]) -> bytes:
    """Return the bytes of a Parquet file, which depend only on the columns and pyarrow's version.

    Parameters
    ----------
    columns : mapping of str to sequence of str [row]
        The cells; empty cells become null.
    numbers : mapping of str to {'float', 'int'}
        The columns of numbers.
    """
    import pyarrow
    from pyarrow import parquet

    types = {"float": (pyarrow.float64(), float), "int": (pyarrow.int64(), int)}
    arrays = {}
    for name, cells in columns.items():
        kind, convert = types[numbers[name]] if name in numbers else (pyarrow.string(), str)
        arrays[name] = pyarrow.array([convert(cell) if cell else None for cell in cells], type=kind)
    out = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays), out, compression="zstd", store_schema=False)
    return out.getvalue()


def _as_text(column: Any, name: str, path: FilePath, *, is_id: bool) -> list[str]:
    import pyarrow
    from pyarrow import types

    kind = column.type.value_type if types.is_dictionary(column.type) else column.type
    if types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind):
        return [cell for chunk in column.chunks for cell in _chunk_text(chunk)]
    if types.is_null(kind):
        return [""] * len(column)
    if is_id:
        raise InputError(
            f"the column {name} has the type {kind}; expected text, because numbers "
            "lose leading zeros",
            path=path,
        )
    if types.is_integer(kind):
        return ["" if cell is None else str(cell) for cell in column.to_pylist()]
    if types.is_floating(kind):
        # A DataFrame represents a missing number by nan.
        return [
            "" if cell is None or cell != cell else _float_text(cell) for cell in column.to_pylist()
        ]
    if types.is_timestamp(kind):
        try:
            stamps = column.cast(pyarrow.timestamp("us", tz=kind.tz)).cast(pyarrow.int64())
        except pyarrow.ArrowInvalid:
            raise InputError(
                f"the column {name} has times more precise than a microsecond; "
                "expected whole microseconds",
                path=path,
            ) from None
        # Timestamps with a time zone count from 1970 in UTC; without one the origin is unknown.
        zone = "" if kind.tz is None else "Z"
        return ["" if cell is None else _iso(cell) + zone for cell in stamps.to_pylist()]
    raise InputError(
        f"the column {name} has the type {kind}; expected text, numbers or times", path=path
    )


def _chunk_text(chunk: Any) -> list[str]:
    from pyarrow import types

    if not types.is_dictionary(chunk.type):
        return ["" if cell is None else one_line_end(cell) for cell in chunk.to_pylist()]
    values = _chunk_text(chunk.dictionary)
    return ["" if place is None else values[place] for place in chunk.indices.to_pylist()]


def _float_text(value: float) -> str:
    return repr(value) if value in (float("inf"), -float("inf")) else grade_text(value)


def _iso(microseconds: int) -> str:
    import numpy as np

    return str(np.datetime64(microseconds, "us"))
