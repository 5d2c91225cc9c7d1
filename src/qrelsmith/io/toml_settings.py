"""A strict TOML reader whose errors name the line, and formatting of strings and keys."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from qrelsmith.base.errors import InputError, UnknownNameError, UsageError, quoted
from qrelsmith.io.limits import beyond, limit_factor
from qrelsmith.io.table_reading import decoded_text
from qrelsmith.io.text import FilePath, read_bytes

_BARE = re.compile("[A-Za-z0-9_-]+")
_LONGEST = 1 << 19
_DOTS = 1000
_AT_LINE = re.compile(r" \(at (?:line ([0-9]+), column [0-9]+|end of document)\)")


def read_toml(path: FilePath) -> Settings:
    """Read the top-level table of a TOML file.

    Raises
    ------
    InputError
        If the file cannot be read or is not TOML.
    """
    return parse_toml(decoded_text(read_bytes(path), path=path), path=path)


def parse_toml(text: str, *, path: FilePath) -> Settings:
    """Parse the top-level table of a text; errors name `path`.

    Raises
    ------
    InputError
        If the text is not TOML.
    """
    return Settings(_parse(text, path), text, path)


class Settings:
    """A table of a TOML file; errors name the line, if it can be determined.

    Parameters
    ----------
    values : mapping
        The table.
    text : str
        The whole file.
    path : path
        Its name.
    where : str, optional
        The table's name, as an error shows it.
    line : callable, optional
        Returns the table's first line; called only for an error.
    """

    def __init__(
        self,
        values: Mapping[str, Any],
        text: str,
        path: FilePath,
        *,
        where: str = "",
        line: Callable[[], int] = lambda: 1,
    ) -> None:
        self.values = values
        self._text = text
        self._path = path
        self._where = where
        self._line = line

    def fault(self, problem: str, key: str = "") -> InputError:
        """Build the error for a problem with a key, or with the table."""
        where = f" in [{self._where}]" if self._where else ""
        return InputError(problem + where, path=self._path, line=self._line_of(key))

    @contextmanager
    def placing(self, key: str = "") -> Iterator[None]:
        """Add a key's line to a `UsageError` in the block; default: the message's first key."""
        try:
            yield
        except UsageError as error:
            problem = str(error)
            names = [word for word in re.findall(r"\w+", problem) if word in self.values]
            raise self.fault(problem, key or next(iter(names), "")) from None

    def check_keys(self, names: Collection[str]) -> None:
        """Raise `InputError` at a key that is not among the names."""
        for key in self.values:
            if key not in names:
                raise self.fault(str(UnknownNameError("key", key, names)), key)

    def get(self, key: str, kind: type | tuple[type, ...], what: str) -> Any:
        """Return the value of a key, or None if the key is missing.

        Raises
        ------
        InputError
            If it has a different type; `what` describes the expected one.
        """
        value = self.values.get(key)
        if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            raise self.fault(f"{key} is {quoted(value)}; expected {what}", key)
        return value

    def number(self, key: str) -> float | None:
        """Return a finite number."""
        value = self.get(key, (int, float), "a number")
        try:
            number = None if value is None else float(value)
        except OverflowError:
            number = math.inf
        if number is not None and not math.isfinite(number):
            raise self.fault(f"{key} is {quoted(value)}; expected a finite number", key)
        return number

    def truth(self, key: str) -> bool | None:
        """Return a Boolean."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, bool):
            raise self.fault(f"{key} is {quoted(value)}; expected true or false", key)
        return value

    def text(self, key: str) -> str:
        """Return a string; an empty string if the key is missing."""
        return self.get(key, str, "text") or ""

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of strings; an empty list if the key is missing."""
        values = self.get(key, list, "a list of strings") or []
        if not all(isinstance(value, str) for value in values):
            raise self.fault(f"{key} is {quoted(values)}; expected a list of strings", key)
        return tuple(values)

    def table(self, key: str) -> Settings:
        """Return a table; an empty table if the key is missing."""
        values = self.get(key, dict, "a table") or {}
        return self._inner(values, key, lambda: self._line_of(key))

    def tables(self, key: str, *, marked_by: str) -> list[Settings]:
        """Return a list of tables, each with the key `marked_by`; empty if `key` is missing."""
        values = self.get(key, list, "a list of tables") or []
        if not all(isinstance(value, dict) for value in values):
            raise self.fault(f"{key} is {quoted(values)}; expected a list of tables", key)

        def line(place: int) -> int:
            first = self._line_of(key)
            marks = [number for number in self._lines_of(marked_by) if number >= first]
            return marks[place] if place < len(marks) else first

        return [
            self._inner(value, f"{key}[{place}]", partial(line, place))
            for place, value in enumerate(values)
        ]

    def _inner(self, values: Mapping[str, Any], name: str, line: Callable[[], int]) -> Settings:
        where = f"{self._where}.{name}" if self._where else name
        return Settings(values, self._text, self._path, where=where, line=line)

    def _line_of(self, key: str) -> int:
        """Return the key's first line in the table, or the table's line if the key is missing."""
        begin = self._line()
        lines = self._lines_of(key) if key else []
        return next((number for number in lines if number >= begin), begin)

    def _lines_of(self, key: str) -> list[int]:
        """Return the line of each occurrence of a key in the file."""
        key_text = rf"(?:{re.escape(key)}|{re.escape(toml_text(key))}|'{re.escape(key)}')"
        found = re.finditer(rf"(?m)(?:^|[\s.\[{{,])({key_text})\s*[=.\]]", self._text)
        return [self._text.count("\n", 0, match.start(1)) + 1 for match in found]


def toml_array(texts: Collection[str]) -> str:
    """Format strings as a TOML array."""
    return "[" + ", ".join(map(toml_text, texts)) + "]"


def toml_key(name: str) -> str:
    """Format a TOML key, quoted if necessary."""
    return name if _BARE.fullmatch(name) else toml_text(name)


def toml_text(text: str) -> str:
    """Return the basic TOML string for a text.

    Raises
    ------
    UsageError
        If it contains an unpaired surrogate.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError(f"{quoted(text)} contains an unpaired surrogate") from None
    return '"' + re.sub(r'[\\"\x00-\x1f\x7f]', _escape, text) + '"'


def _escape(match: re.Match[str]) -> str:
    return {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}.get(
        match[0], f"\\u{ord(match[0]):04X}"
    )


def _parse(text: str, path: FilePath) -> dict[str, Any]:
    # Python's parser needs seconds for a megabyte of tables, minutes for a key of many parts.
    if len(text) > _LONGEST * limit_factor():
        raise beyond(path, f"the file has {len(text)} characters")
    for line, words in enumerate(text.splitlines(), 1):
        if words.count(".") > _DOTS:
            raise InputError(
                f"the file has more than {_DOTS} dots; expected fewer", path=path, line=line
            )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = _AT_LINE.search(str(error))
        end = text.count("\n", 0, len(text.rstrip())) + 1
        line = int(place[1]) if place is not None and place[1] else end
        problem = _AT_LINE.sub("", str(error))
        raise InputError(f"invalid TOML: {problem}", path=path, line=line) from None
    except RecursionError:
        raise InputError("invalid TOML: nested too deeply", path=path) from None
    except ValueError as error:
        raise InputError(f"invalid TOML: {error}", path=path) from None
