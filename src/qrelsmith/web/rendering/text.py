"""The words of a doc without its markup."""

from __future__ import annotations

from html.parser import HTMLParser

from qrelsmith.web.models import DocVersion
from qrelsmith.web.rendering.sanitise import sanitised

_BREAKS = {
    "address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5",
    "h6", "header", "hr", "li", "main", "nav", "ol", "option", "p", "pre", "section", "summary",
    "table", "tr", "ul",
}  # fmt: skip


def visible_text(doc: DocVersion) -> str:
    """What a person would read, a line for each block."""
    if doc.form == "text":
        return doc.text
    reader = _Reader()
    reader.feed(sanitised(doc.text))
    reader.close()
    return reader.text()


class _Reader(HTMLParser):
    """Collects the text of sanitised HTML."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "style":
            self._depth += 1
        if tag in _BREAKS:
            self._parts.append("\n")
        if tag in ("td", "th"):
            self._parts.append("\t")

    def handle_endtag(self, tag: str) -> None:
        if tag == "style":
            self._depth -= 1
        if tag in _BREAKS:
            self._parts.append("\n")

    def handle_data(self, data: str) -> None:
        if self._depth == 0:
            self._parts.append(data)

    def text(self) -> str:
        """The lines, blanks unified, at most one empty line in a row."""
        lines = [" ".join(line.split()) for line in "".join(self._parts).split("\n")]
        kept = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
        return "\n".join(kept).strip("\n")
