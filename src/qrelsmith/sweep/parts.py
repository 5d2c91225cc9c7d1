"""The folder of a sweep: a Parquet file with a manifest for each finished cell."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError
from qrelsmith.base.tables import Table
from qrelsmith.io.checkout import checkout_commit, running_version
from qrelsmith.io.manifest import manifest_for, manifest_text
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import replacing
from qrelsmith.sweep.cells import Cell

_MANIFEST = b"qrelsmith_manifest"
_CELL = b"qrelsmith_cell"
_DIGEST = b"qrelsmith_sha256"


class Parts:
    """The stored parts of a sweep.

    The cell's key identifies its part. A part is used only if the same version and commit of the
    program wrote it: parts of an older program are recomputed and replaced. Other files are left
    unchanged.

    Parameters
    ----------
    folder : path
        The folder of the parts, created with the first part.
    """

    def __init__(self, folder: FilePath) -> None:
        self.folder = Path(folder)
        self._program = f"{running_version()} {checkout_commit()}"

    def path(self, cell: Cell) -> Path:
        """Return the path of a cell's part."""
        return self.folder / f"{cell.key}.parquet"

    def get(self, cell: Cell) -> Table | None:
        """Return the rows of a cell, or None if the rows are missing, broken or outdated."""
        from pyarrow import ArrowException, parquet

        path = self.path(cell)
        if not path.is_file():
            return None
        try:
            found = parquet.ParquetFile(io.BytesIO(path.read_bytes())).read(use_threads=False)
            metadata = found.schema.metadata or {}
            if metadata.get(_CELL) != self._mark(cell):
                return None
            names = found.schema.names
            columns = [found.column(place).to_pylist() for place in range(len(names))]
        except (ArrowException, OSError, ValueError):  # ValueError if text is not UTF-8
            return None
        # A flipped bit on the disk changes a number, and the format does not detect it.
        if metadata.get(_DIGEST) != _digest(names, columns):
            return None
        return Table.of(names, zip(*columns, strict=True))

    def put(self, cell: Cell, rows: Table) -> None:
        """Store the rows of a cell atomically.

        Raises
        ------
        InputError
            If the folder cannot be written to.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            problem = f"cannot be created: {error.strerror or error}"
            raise InputError(problem, path=self.folder) from None
        with replacing(self.path(cell)) as out:
            out.write(self._bytes(cell, rows))

    def _mark(self, cell: Cell) -> bytes:
        return f"{cell.key} {self._program}".encode()

    def _bytes(self, cell: Cell, rows: Table) -> bytes:
        import pyarrow
        from pyarrow import parquet

        columns: list[Any] = [
            pyarrow.array([row[place] for row in rows.rows]) for place in range(len(rows.columns))
        ]
        manifest = manifest_for(
            ("sweep", cell.work), parameters=dict(cell.parameters), seed=cell.seed
        )
        table = pyarrow.table(columns, names=list(rows.columns)).replace_schema_metadata(
            {
                _CELL: self._mark(cell),
                _DIGEST: _digest(rows.columns, [column.to_pylist() for column in columns]),
                _MANIFEST: manifest_text(manifest).encode(),
            }
        )
        out = io.BytesIO()
        parquet.write_table(table, out, compression="zstd", store_schema=True)
        return out.getvalue()


def _digest(names: Sequence[str], columns: Sequence[list[Any]]) -> bytes:
    """Return the SHA-256 of a part's content, with floats as their shortest exact text."""
    return hashlib.sha256(repr((list(names), list(columns))).encode()).hexdigest().encode()
