"""A strict reader of JSONL: one JSON object per line.

Numbers keep their text from the file, so that an id or a score is never rounded.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, NoReturn

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.io.text import FilePath


def json_objects(
    text: str, *, path: FilePath, first: int = 1, texts: Collection[str] | None = None
) -> Iterator[tuple[int, dict[str, str | None]]]:
    """Yield the line number and object of every line; numbers become text, and null becomes None.

    Blank lines and lines whose first character is `#` are ignored. If the text is a part of a file,
    `first` is the number of its first line. The values of the keys in `texts` (by default, of all
    keys) must be text or numbers. An array or object under another key is returned as its JSON
    text.

    Raises
    ------
    InputError
        At a line that is not an object, has a key twice, or a value that is neither text nor
        number.
    """
    for number, line, value in _objects(text, path, first):
        if texts is not None:
            _write_others(value, line, texts)
        _check(value, path, number)
        yield number, value


def json_records(
    text: str, *, path: FilePath, first: int = 1
) -> Iterator[tuple[int, dict[str, object]]]:
    """Yield the line number and object of every line, with nested values; numbers become text.

    Raises
    ------
    InputError
        At a line that is not an object, or has a key twice.
    """
    for number, _, value in _objects(text, path, first):
        yield number, value


def json_value(text: str, *, path: FilePath) -> object:
    """Parse a JSON text; a number is returned as its text.

    Raises
    ------
    InputError
        If the text is not JSON, or an object in it has a key twice.
    """
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise InputError(f"invalid JSON: {error.msg}", path=path, line=error.lineno) from None
    except _FaultyValueError as error:
        raise InputError(f"{error}; expected JSON", path=path) from None
    except RecursionError:
        raise InputError("invalid JSON: nested too deeply", path=path, line=1) from None


def json_line(fields: dict[str, str], *, bare: frozenset[str] = frozenset()) -> str:
    """Format an object as one line with its newline; fields in `bare` are unquoted numbers."""
    parts = (
        f"{_quote(key)}: {value if key in bare else _quote(value)}" for key, value in fields.items()
    )
    return "{" + ", ".join(parts) + "}\n"


def _objects(text: str, path: FilePath, first: int) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield the line number, text and object of every line that is neither blank nor a comment."""
    lines = text.split("\n")
    for number, line in enumerate(lines, start=first):
        if line.startswith("#") or not line.strip(" \t"):
            continue
        try:
            value = _DECODER.decode(line)
        except json.JSONDecodeError as error:
            problem = f"invalid JSON: {error.msg}, character {error.pos + 1} of {quoted(line)}"
            if number - first == len(lines) - 1 and _is_cut_off(error):
                problem += ", with which the file ends, as if it were cut off"
        except _FaultyValueError as error:
            problem = str(error)
        except RecursionError:
            problem = f"invalid JSON: nested too deeply: {quoted(line)}"
        else:
            if isinstance(value, dict):
                yield number, line, value
                continue
            problem = f"not a JSON object: {quoted(line)}"
        raise InputError(f"{problem}; expected one JSON object per line", path=path, line=number)


def _is_cut_off(error: json.JSONDecodeError) -> bool:
    """Return whether the error may be due to a truncated line."""
    return error.msg.startswith("Unterminated") or error.pos >= len(error.doc.rstrip())


class _FaultyValueError(ValueError):
    """JSON that Python accepts and qrelsmith rejects."""


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        times = Counter(key for key, _ in pairs)
        twice = next(key for key, count in times.items() if count > 1)
        raise _FaultyValueError(f"the key {quoted(twice)} appears twice in the same object")
    return fields


def _no_constant(name: str) -> NoReturn:
    raise _FaultyValueError(f"{name} is not a JSON number")


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_int=str, parse_float=str, parse_constant=_no_constant
)
_quote = json.JSONEncoder(ensure_ascii=False).encode


def _write_others(fields: dict[str, object], line: str, texts: Collection[str]) -> None:
    """Replace lists, objects and Booleans by their JSON text, except for the keys in `texts`."""
    others = [key for key, value in fields.items() if not isinstance(value, str | None)]
    if others := [key for key in others if key not in texts]:
        as_read = json.loads(line)  # numbers as numbers; the decoder above returns their texts
        fields.update({key: _quote(as_read[key]) for key in others})


def _check(fields: dict[str, object], path: FilePath, line: int) -> None:
    for key, value in fields.items():
        if value is not None and not isinstance(value, str):
            problem = f"is {quoted(json.dumps(value))}; expected text or a number"
        elif _is_broken(key) or (value is not None and _is_broken(value)):
            problem = "contains an unpaired surrogate, which is not a character"
        else:
            continue
        raise InputError(f"the value of {quoted(key)} {problem}", path=path, line=line)


def _is_broken(text: str) -> bool:
    if text.isascii():
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
