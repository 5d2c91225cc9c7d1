"""The words of a page, read from the same sanitised HTML that people see."""

from __future__ import annotations

from html.parser import HTMLParser

from qrelsmith.collection.page_words import BREAKS, HIDDEN, markup_free, unified_blanks
from qrelsmith.collection.pages.apart import clean_html

_VOID = frozenset({"br", "col", "hr", "img", "input", "wbr"})


def text_of(content: str, form: str = "html") -> str:
    """Return the words of a doc with single blanks and without consecutive empty lines."""
    clean = clean_html(content, form)
    if clean is None:
        return unified_blanks(markup_free(content) if form == "html" else content)
    reader = TextReader()
    reader.feed(clean)
    reader.close()
    return unified_blanks("".join(reader.parts))


class TextReader(HTMLParser):
    """A collector of the text in sanitised HTML, whose elements are all closed."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._depth = 0
        # Inside the first element of each pair, browsers show only the content of the second.
        self._open = dict.fromkeys(("svg", "text", "select", "option"), 0)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Start a new line at a block element, and ignore hidden content."""
        names = {name for name, _ in attrs}
        if tag in self._open:
            self._open[tag] += 1
        is_hidden = tag in HIDDEN or "hidden" in names or (tag == "dialog" and "open" not in names)
        if tag not in _VOID and (self._depth or is_hidden):
            self._depth += 1
        if tag in BREAKS:
            self.parts.append("\n")
        elif tag in ("td", "th"):
            self.parts.append("\t")

    def handle_endtag(self, tag: str) -> None:
        """End a line after a block."""
        if tag in self._open:
            self._open[tag] -= 1
        if self._depth and tag not in _VOID:
            self._depth -= 1
        if tag in BREAKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Collect text."""
        inside = self._open
        is_drawn = inside["text"] or not inside["svg"]
        if self._depth == 0 and is_drawn and (inside["option"] or not inside["select"]):
            self.parts.append(data)
