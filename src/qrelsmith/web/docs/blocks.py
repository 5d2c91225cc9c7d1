"""The text of a doc in blocks: flowing paragraphs, and preformatted text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from qrelsmith.collection.page_words import BREAKS
from qrelsmith.collection.pages.apart import clean_html
from qrelsmith.collection.pages.words import TextReader
from qrelsmith.web.docs.text import visible_text

if TYPE_CHECKING:
    from qrelsmith.web.models import DocVersion

# The forms of a block: flowing text, separate lines, or columns of characters.
FLOW, LINES, COLUMNS = "flow", "lines", "columns"
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_COLUMNS = re.compile(r"\S {3,}\S|\t")
# Minimum length of lines in prose with hard line breaks.
_BROKEN = 45
# If more blocks than this share have columns, all are shown in columns, as in a manual page.
_LAID_OUT = 0.2


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a doc's text.

    Attributes
    ----------
    text : str
        Its text.
    form : str
        One of `FLOW`, `LINES`, `COLUMNS`.
    """

    text: str
    form: str = FLOW


def blocks_of(doc: DocVersion) -> list[Block]:
    """Return the blocks of a doc; together, they contain its visible characters except blanks."""
    if doc.form != "text":
        clean = clean_html(doc.text, doc.form)
        if clean is not None:
            reader = _BlockReader()
            reader.feed(clean)
            reader.close()
            return reader.blocks()
    return text_blocks(visible_text(doc))


def text_blocks(text: str) -> list[Block]:
    """Return the paragraphs of a plain text."""
    paragraphs = [part.strip("\n") for part in _PARAGRAPH.split(text.replace("\r\n", "\n"))]
    found = [Block(part, _form(part)) for part in paragraphs if part.strip()]
    laid = sum(block.form == COLUMNS for block in found)
    if laid > _LAID_OUT * len(found):
        return [Block(block.text, COLUMNS) for block in found]
    return found


def _form(paragraph: str) -> str:
    lines = paragraph.split("\n")
    if any(_COLUMNS.search(line) for line in lines):
        return COLUMNS
    indents = {len(line) - len(line.lstrip()) for line in lines[1:]}
    if len(indents) > 1 and max(indents) >= 4:
        return COLUMNS
    is_broken = all(len(line.rstrip()) >= _BROKEN for line, _ in pairwise(lines))
    return FLOW if is_broken else LINES


class _BlockReader(TextReader):
    """Parser that collects blocks at the line breaks of `TextReader`."""

    def __init__(self) -> None:
        super().__init__()
        self._found: list[Block] = []
        self._laid = 0

    def blocks(self) -> list[Block]:
        """Return the collected blocks."""
        self._end_block()
        return self._found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """End a block if another block begins."""
        super().handle_starttag(tag, attrs)
        if tag == "br" and not self._laid:
            return
        if tag in BREAKS and tag != "br":
            self._end_block()
        self._laid += tag == "pre"

    def handle_endtag(self, tag: str) -> None:
        """End a block."""
        super().handle_endtag(tag)
        if tag in BREAKS:
            self._end_block()
        self._laid -= tag == "pre" and self._laid > 0

    def handle_data(self, data: str) -> None:
        """Collect text; line ends outside preformatted text become blanks."""
        super().handle_data(data if self._laid else data.replace("\n", " "))

    def _end_block(self) -> None:
        text = "".join(self.parts)
        self.parts.clear()
        if not text.strip():
            return
        if self._laid:
            self._found.append(Block(text.strip("\n"), COLUMNS))
            return
        lines = [" ".join(line.split()) for line in text.strip().split("\n")]
        form = LINES if len(lines) > 1 else FLOW
        self._found.append(Block("\n".join(filter(None, lines)), form))
