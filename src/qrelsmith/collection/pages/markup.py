"""Rendering of Markdown, JSON, tables and code as HTML, which is then sanitised like any page.

Each renderer shows every word of the doc once, in the original order: numbers as written, HTML in
Markdown as HTML, everything else as text. Text that a renderer cannot parse is shown unchanged.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from html import escape

from markdown_it import MarkdownIt

# For deeper values, only the words are shown, because a deeply nested display cannot be read.
_DEEPEST = 12
_NESTED = 60
_LEAST_ROWS = 2
_PICTURE = re.compile(r"data:image/[\w.+-]+[;,]", re.IGNORECASE)
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Fields(list[tuple[str, object]]):
    """The fields of a JSON object in their original order; a key may be repeated."""


class _Number(str):
    """A number, kept exactly as it is written in the JSON."""

    __slots__ = ()


def render_html(text: str) -> str:
    """Return a page unchanged."""
    return text


def render_markdown(text: str) -> str:
    """Render CommonMark with tables and strikethrough; HTML in the text is kept."""
    renderer = _markdown(html=True, breaks=False)
    # Links never work in docs, but a refused link would be shown as its Markdown source.
    setattr(renderer, "validateLink", bool)  # noqa: B010 - a method, for type checkers
    tokens = renderer.parse(text)
    # The renderer silently leaves out deeper levels.
    if any(token.level >= _NESTED - 1 for token in tokens):
        return render_code(text)
    return str(renderer.renderer.render(tokens, renderer.options, {}))


def render_prose(text: str) -> str:
    """Render instructions: line breaks are kept, and HTML is shown as text."""
    return str(_markdown(html=False, breaks=True).render(text))


def _markdown(**options: bool) -> MarkdownIt:
    return MarkdownIt("commonmark", {"maxNesting": _NESTED, **options}).enable(
        ["table", "strikethrough"]
    )


def render_json(text: str) -> str:
    """Render an object as a card of its fields, and a list of objects as a table."""
    try:
        value = json.loads(
            text, object_pairs_hook=_Fields,
            parse_int=_Number, parse_float=_Number, parse_constant=_Number,
        )  # fmt: skip
        shown = _value_html(value, 0)
    except (ValueError, RecursionError):
        return render_code(text)
    return _SURROGATE.sub("\ufffd", shown)


def render_table(text: str) -> str:
    """Render rows of cells as a table; the first row is the header."""
    delimiter = "\t" if "\t" in text.partition("\n")[0] else ","
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error:
        return render_code(text)
    first, *others = rows or [[]]
    head = "".join(f"<th>{escape(cell)}</th>" for cell in first)
    return _table(head, ("".join(f"<td>{escape(each)}</td>" for each in row) for row in others))


def render_code(text: str) -> str:
    """Render lines unchanged."""
    # HTML drops a line feed directly after the tag.
    return f"<pre>\n{escape(text, quote=False)}</pre>"


def _value_html(value: object, depth: int) -> str:
    if depth > _DEEPEST and isinstance(value, list):
        return escape(" ".join(_words(value)))
    if isinstance(value, _Fields):
        fields = (
            f'<div class="{field_class(name)}"><dt>{escape(name)}</dt>'
            f"<dd>{_value_html(each, depth + 1)}</dd></div>"
            for name, each in value
        )
        return f'<dl class="card">{"".join(fields)}</dl>'
    if isinstance(value, list):
        return _table_of(value, depth) or _list(value, depth)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    words = str(value)
    if _PICTURE.match(words):
        return f'<img src="{escape(words)}" alt="">'
    return f'<span class="lines">{escape(words)}</span>' if "\n" in words else escape(words)


def _list(values: list[object], depth: int) -> str:
    return "<ul>" + "".join(f"<li>{_value_html(each, depth + 1)}</li>" for each in values) + "</ul>"


def _table_of(values: list[object], depth: int) -> str:
    """Return a table of objects, or an empty string if their fields differ."""
    rows = [value for value in values if isinstance(value, _Fields)]
    if len(rows) < max(len(values), _LEAST_ROWS):
        return ""
    names = [name for name, _ in rows[0]]
    if any([name for name, _ in row] != names for row in rows):
        return ""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    return _table(
        head,
        ("".join(f"<td>{_value_html(value, depth + 2)}</td>" for _, value in row) for row in rows),
    )


def _table(head: str, rows: Iterable[str]) -> str:
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _words(value: object) -> Iterator[str]:
    """Yield all field names and values in a JSON value, in the original order."""
    if isinstance(value, _Fields):
        for name, each in value:
            yield name
            yield from _words(each)
    elif isinstance(value, list):
        for each in value:
            yield from _words(each)
    else:
        yield value if isinstance(value, str) else json.dumps(value)


def field_class(name: str) -> str:
    """Return the CSS class of a field."""
    return "f-" + re.sub(r"\W+", "-", name.lower())


#: Renderers of the forms of docs besides text, each `f(text) -> html`.
RENDERERS: dict[str, Callable[[str], str]] = {
    "html": render_html,
    "md": render_markdown,
    "json": render_json,
    "csv": render_table,
    "code": render_code,
}
