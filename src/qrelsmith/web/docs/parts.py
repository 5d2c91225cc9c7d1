"""Division of huge pages into parts that a browser shows at once."""

from __future__ import annotations

import re

# Longer bodies are divided into parts of about this size.
_LONGEST = 1_000_000
_SIZE = 300_000
_TAG = re.compile(r"""<(/?)([A-Za-z][\w-]*)(?:[^">]|"[^"]*")*>""")
_BLANK = re.compile(r"\s")
_VOID = frozenset({"br", "col", "hr", "img", "input", "wbr"})
_BLOCKS = frozenset({
    "article", "blockquote", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "li",
    "ol", "p", "pre", "section", "table", "tr", "ul",
})  # fmt: skip
# These elements are never divided.
_WHOLE = frozenset({"datalist", "math", "select", "style", "svg", "textarea"})


def parts_of(body: str) -> list[str]:
    """Split a well-formed body into well-formed parts: open elements are closed and reopened."""
    if len(body) <= _LONGEST:
        return [body]
    parts: list[str] = []
    opened: list[tuple[str, str]] = []
    begin = end = whole = 0
    opening = ""

    def cut(place: int) -> None:
        nonlocal begin, opening
        closing = "".join(f"</{name}>" for name, _ in reversed(opened))
        parts.append(opening + body[begin:place] + closing)
        opening, begin = "".join(tag for _, tag in opened), place

    for tag in _TAG.finditer(body):
        name = tag[2].lower()
        # A long text without tags is divided at a blank.
        while not whole and tag.start() - max(begin, end) > 2 * _SIZE:
            blank = _BLANK.search(body, max(begin, end) + _SIZE, tag.start())
            if blank is None:
                break
            cut(blank.end())
        end = tag.end()
        if tag[1]:
            if opened and opened[-1][0] == name:
                opened.pop()
                whole -= name in _WHOLE
            continue
        if not whole and name in _BLOCKS and tag.start() - begin >= _SIZE:
            cut(tag.start())
        if name not in _VOID:
            opened.append((name, tag[0]))
            whole += name in _WHOLE
    cut(len(body))
    return parts
