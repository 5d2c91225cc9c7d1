"""Objects of JSON files of three layouts: an object per line, a list, or one object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.io.json_lines import json_value
from qrelsmith.io.table_reading import decoded_text
from qrelsmith.io.text import FilePath, read_bytes

Fields = dict[str, Any]


def json_rows(path: FilePath) -> Iterator[tuple[int, Fields]]:
    """Yield the line and content of each object of a file; numbers become text.

    A file has an object per line, or one JSON value: an object, or a list of objects.

    Raises
    ------
    InputError
        At a value that is not an object.
    """
    text = decoded_text(read_bytes(path), path=path)
    lines = [line for line in enumerate(text.split("\n"), 1) if line[1].strip(" \t\r")]
    if not lines:
        raise InputError("the file is empty; expected JSON", path=path)
    if len(lines) > 1 and not _is_value(lines[0][1]):
        lines = [(lines[0][0], text)]
    for number, line in lines:
        try:
            value = json_value(line, path=path)
        except InputError as error:
            raise InputError(error.problem, path=path, line=number) from None
        for each in value if isinstance(value, list) else [value]:
            if not isinstance(each, dict):
                raise InputError(f"not a JSON object: {quoted(each)}", path=path, line=number)
            yield number, each


def _is_value(line: str) -> bool:
    """Return whether a line is complete JSON, as in a file with an object per line."""
    try:
        return isinstance(json_value(line, path=""), dict)
    except InputError:
        return False


def text_of(value: object) -> str:
    """Return a value as text, or an empty string for null, lists and objects."""
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else ""


def first_text(fields: Fields, *names: str) -> str:
    """Return the text of the first field that has text; `a.b` is field b of the object a."""
    for name in names:
        value: object = fields
        for part in name.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if text := text_of(value):
            return text
    return ""
