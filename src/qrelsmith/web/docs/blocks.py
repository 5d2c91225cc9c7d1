"""The words of a doc by blocks: paragraphs that flow, and what was laid out in lines."""

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

# How a block is shown: lines run together, lines as they are, and each character in its column.
FLOW, LINES, COLUMNS = "flow", "lines", "columns"
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_COLUMNS = re.compile(r"\S {3,}\S|\t")
# Lines of prose that some program has broken are about so long.
_BROKEN = 45
# A text with more blocks in columns than this share is all in columns, as a manual page is.
_LAID_OUT = 0.2


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a doc's text.

    Attributes
    ----------
    text : str
        Its words.
    form : str
        One of `FLOW`, `LINES`, `COLUMNS`.
    """

    text: str
    form: str = FLOW


def blocks_of(doc: DocVersion) -> list[Block]:
    """Return the blocks of a doc, which contain its visible characters without blanks."""
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
    """Collects blocks where `TextReader` begins lines."""

    def __init__(self) -> None:
        super().__init__()
        self._found: list[Block] = []
        self._laid = 0

    def blocks(self) -> list[Block]:
        """Return the blocks that were collected."""
        self._end_block()
        return self._found

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """End a block where another one begins."""
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
        """Take text; outside of what is laid out a line's end is a blank."""
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
