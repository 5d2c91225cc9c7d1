"""Docs in a table: Parquet, CSV, TSV, a JSON list of objects, or MS MARCO's TSV."""

from __future__ import annotations

from collections.abc import Iterator

from qrelsmith.base.errors import UsageError
from qrelsmith.collection.document import Document, DocumentPlace
from qrelsmith.collection.document_lines import document_of
from qrelsmith.forms.recognising import recognise, tell
from qrelsmith.forms.registry import FormTable
from qrelsmith.io.text import FilePath, text_stream

_FIELDS = ("doc_id", "text", "html", "title", "url", "form")


def read_document_table(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    """Yield a table's docs; a table without a header has id and text, or id, url, title and text.

    Raises
    ------
    InputError
        If a doc is malformed, or the columns are not those of docs.
    """
    found = recognise(path, "documents")
    return _ms_marco(path) if found is None else _rows(found)


def _rows(found: FormTable) -> Iterator[tuple[DocumentPlace, Document]]:
    is_named = any(role != name for role, name in found.taken.items())
    table = tell(found) if is_named or found.ignored else found.table
    names = [name for name in _FIELDS if name in table.columns]
    for place, row in enumerate(zip(*(table.columns[name] for name in names), strict=True)):
        fields: dict[str, str | None] = {
            name: cell for name, cell in zip(names, row, strict=True) if cell
        }
        if not fields.keys() & {"text", "html"}:
            fields["text"] = ""
        located = DocumentPlace(table.path, table.lines[place])
        yield located, document_of(fields, located)


def _ms_marco(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    for line, text in enumerate(text_stream(path), start=1):
        if not text.strip():
            continue
        place = DocumentPlace(path, line)
        cells = text.rstrip("\n").split("\t")
        if len(cells) not in (2, 4):
            raise place.fault(
                f"found {len(cells)} cells; expected pid and text, or docid, url, title and body,"
                " separated by tabs, or a header with doc_id and text"
            )
        url, title = cells[1:3] if len(cells) == 4 else ("", "")
        try:
            yield (place, Document(cells[0], form="text", content=cells[-1], title=title, url=url))
        except UsageError as error:
            raise place.fault(str(error)) from None
