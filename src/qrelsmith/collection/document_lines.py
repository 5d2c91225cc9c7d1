"""Docs as JSONL: `doc_id`, `text` or `html`, and optionally `title`, `url` and `form`."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Iterator, Mapping

from qrelsmith.base.errors import InputWarning, UsageError, quoted
from qrelsmith.collection.document import FORMS, LARGEST, Document, DocumentPlace
from qrelsmith.forms.column_names import columns_for
from qrelsmith.forms.reading import FileReading, current_reading
from qrelsmith.io import sizes
from qrelsmith.io.json_lines import json_records
from qrelsmith.io.text import FilePath, LineBlocks

NAMES = ("doc_id", "text", "html", "title", "url", "form")
# JSON may need six bytes per character, and a small compressed file may have an endless line.
_LONGEST = 6 * LARGEST + (1 << 20)


def read_document_lines(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    """Yield the docs of a JSONL file; unknown keys are ignored and named in a warning.

    Raises
    ------
    InputError
        If a line is not a JSON object, is too long, or lacks doc_id, or has both or neither of text
        and html.
    """
    return _lines(path, current_reading())


def _lines(path: FilePath, said: FileReading) -> Iterator[tuple[DocumentPlace, Document]]:
    others: set[str] = set()
    taken_for: dict[tuple[str, ...], dict[str, str]] = {}
    first = 1
    with LineBlocks(path, longest=_LONGEST) as blocks:
        while block := blocks.read(sizes.TEXT_BLOCK):
            text = _text(block, path, first)
            for line, record in json_records(text, path=path, first=first):
                place = DocumentPlace(path, line)
                names = tuple(record)
                if names not in taken_for:
                    taken_for[names] = columns_for(NAMES, names, named=said.columns, path=path)
                taken = taken_for[names]
                fields = {role: _cell(record[name], name, place) for role, name in taken.items()}
                fields |= _own_fields(record, place)
                others.update(record.keys() - taken.values() - {"metadata"})
                others.update(_other_metadata(record))
                yield place, document_of(fields, place)
            first += block.count(b"\n")
    # If the user names the form, its keys need no note.
    _warn_of_names([] if said.form else taken_for.values(), others, path)


def _cell(value: object, name: str, place: DocumentPlace) -> str | None:
    if value is not None and not isinstance(value, str):
        shown = quoted(json.dumps(value))
        raise place.fault(f"the value of {quoted(name)} is {shown}; expected text or a number")
    if value and not value.isascii() and any("\ud800" <= each <= "\udfff" for each in value):
        raise place.fault(f"the value of {quoted(name)} contains an unpaired surrogate")
    return value


def _own_fields(record: Mapping[str, object], place: DocumentPlace) -> dict[str, str | None]:
    """Return the fields of a doc that qrelsmith stores in the metadata of BEIR files."""
    held = record.get("metadata")
    if not isinstance(held, dict) or "_id" not in record:
        return {}
    fields: dict[str, str | None] = {}
    if held.get("form") == "html":
        fields = {"html": _cell(record.get("text"), "text", place), "text": None}
    elif held.get("form") in FORMS:
        fields = {"form": str(held["form"])}
    return fields | ({"url": str(held["url"])} if held.get("url") else {})


def _other_metadata(record: Mapping[str, object]) -> Iterator[str]:
    """Yield the names of a doc's metadata fields that are ignored."""
    held = record.get("metadata")
    for name, value in held.items() if isinstance(held, dict) else ():
        if name not in ("form", "url") and value not in (None, "", [], {}):
            yield f"metadata.{name}"


def _warn_of_names(taken: Iterable[Mapping[str, str]], others: set[str], path: FilePath) -> None:
    """Warn about columns that were read under another name, and about ignored keys."""
    named = {role: name for each in taken for role, name in each.items() if role != name}
    taken_from = ", ".join(f"{role} from {name}" for role, name in named.items())
    said = [f"read as jsonl: {taken_from}"] if named else []
    if others:
        said.append(f"keys that are not known are ignored: {', '.join(sorted(others))}")
    if said:
        warnings.warn(f"{path}: {'; '.join(said)}", InputWarning, stacklevel=3)


def _text(block: bytes, path: FilePath, first: int) -> str:
    try:
        return block.decode("utf-8")
    except UnicodeDecodeError as error:
        line = first + block.count(b"\n", 0, error.start)
        raise DocumentPlace(path, line).fault("the line is not UTF-8") from None


def document_of(fields: Mapping[str, str | None], place: DocumentPlace) -> Document:
    """Return the doc of a record, which must contain either `text` or `html`, not both."""
    forms = [form for form in ("text", "html") if fields.get(form) is not None]
    if len(forms) != 1:
        found = "text and html" if forms else "neither text nor html"
        raise place.fault(f"the doc has {found}; expected exactly one")
    if fields.get("doc_id") is None:
        raise place.fault("the doc has no doc_id; expected doc_id and text or html")
    form = fields.get("form") or forms[0]
    try:
        return Document(
            doc_id=fields.get("doc_id") or "",
            # Other programs may use this name for something else.
            form=form if forms == ["text"] and form in FORMS else forms[0],
            content=fields[forms[0]] or "",
            title=fields.get("title") or "",
            url=fields.get("url") or "",
        )
    except UsageError as error:
        raise place.fault(str(error)) from None
