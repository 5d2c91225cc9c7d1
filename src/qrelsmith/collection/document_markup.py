"""Docs in TREC's markup, `<DOC><DOCNO>id</DOCNO>…</DOC>`: news as on TREC's disks, or web pages."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

from qrelsmith.base.errors import InputWarning, UsageError, quoted
from qrelsmith.collection.document import LARGEST, Document, DocumentPlace
from qrelsmith.collection.page_words import page_title
from qrelsmith.io import sizes
from qrelsmith.io.page_encoding import decoded_page
from qrelsmith.io.text import FilePath, LineBlocks

_FIRST = re.compile(rb"<DOC[\s>]", re.IGNORECASE)
_DOC = re.compile(rb"<(/?)DOC([^\S\n][^<>\n]*)?>", re.IGNORECASE)
_ID = re.compile(rb"<DOCNO>([^<>]*)</DOCNO>", re.IGNORECASE)
_ID_BEGIN = re.compile(rb"<DOCNO>", re.IGNORECASE)
_ID_ATTRIBUTE = re.compile(rb"\sid\s*=\s*[\"']([^\"']*)[\"']", re.IGNORECASE)
# A page crawled for WT2g, WT10g, .GOV or GOV2, with its HTTP header.
_HEADER = re.compile(rb"<DOCHDR>((?:[^<]++|<(?!/?DOCHDR>))*+)</DOCHDR>", re.IGNORECASE)
_OLD_ID = re.compile(rb"<DOCOLDNO>[^<>]*</DOCOLDNO>", re.IGNORECASE)
_CHARSET = re.compile(rb"^Content-Type:.*?charset=[\"']?([\w.:-]+)", re.IGNORECASE | re.MULTILINE)
_PAGE = (b"<html", b"<!doctype html")
_TITLE = re.compile(
    r"<(HEADLINE|TITLE|HEAD|HL|TI|TTL|DOCTITLE)>((?:[^<]++|<(?!/?\1>))*+)</\1>", re.IGNORECASE
)
_ATTRIBUTE = r"""\s+[A-Za-z][\w.:-]*\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s<>"'][^\s<>]*)"""
_TAG = re.compile(rf"<[?!][^<>]*>|</?([A-Za-z][\w.-]*)(?:{_ATTRIBUTE})*\s*/?>")
# Tags inside a sentence; all other tags separate paragraphs.
_INLINE = frozenset(
    {"a", "b", "em", "f", "font", "i", "q", "s", "span", "strong", "sub", "sup", "tt", "u"}
)
# Without the semicolon, as in `AT&T`, it is not an entity.
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{0,30});")
_TREC_ENTITIES = {"&blank;": " ", "&hyph;": "-"}  # tag of the Federal Register


@dataclass(slots=True)
class MarkupRead:
    """Facts about the docs read so far, collected for warnings.

    Attributes
    ----------
    marked : int
        The number of docs in markup.
    titles, tags : dict of str to None
        The tags that were read as titles, and the removed tags.
    broken : int
        The number of docs with bytes that are invalid in their encoding.
    """

    marked: int = 0
    titles: dict[str, None] = field(default_factory=dict)
    tags: dict[str, None] = field(default_factory=dict)
    broken: int = 0

    def warn(self, path: FilePath) -> None:
        """Warn about tags that were read as titles or removed, and about invalid bytes."""
        notes = []
        if self.marked:
            titles = "".join(f", title from {name}" for name in self.titles)
            tags = f"; removed tags: {', '.join(sorted(self.tags))}" if self.tags else ""
            notes.append(f"read as trec: doc_id from DOCNO{titles}{tags}")
        if self.broken:
            notes.append(
                f"{self.broken} docs contain bytes that are invalid in their encoding; "
                "they are shown as �, as in browsers"
            )
        for note in notes:
            warnings.warn(f"{path}: {note}", InputWarning, stacklevel=3)


def is_document_markup(line: bytes) -> bool:
    """Return whether the first line of a file begins with `<DOC>`."""
    return _FIRST.match(line + b"\n") is not None


def read_document_markup(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    """Yield the docs of a file; warn about tags that were read as titles, and about removed tags.

    The content is text. If the doc has a `<DOCHDR>`, the content is HTML, and the first line of the
    `<DOCHDR>` is the URL.

    Raises
    ------
    InputError
        If there is text outside `<DOC>…</DOC>`, a `<DOC>` is nested or unclosed, or a doc is too
        large, is not UTF-8 or has not exactly one DOCNO.
    """
    read = MarkupRead()
    yield from marked_documents(path, read)
    read.warn(path)


def marked_documents(path: FilePath, read: MarkupRead) -> Iterator[tuple[DocumentPlace, Document]]:
    """Yield the docs of a file, and add facts about these docs to `read`."""
    for place, attributes, whole in _contents(path):
        found = list(_ID.finditer(whole))
        named = [each[1] for each in found] or _ID_ATTRIBUTE.findall(attributes)
        if len(named) != 1 or len(_ID_BEGIN.findall(whole)) > len(found):
            shown = " and ".join(quoted(each.strip()) for each in named[:2]) or "none"
            raise place.fault(f"the DOCNO of the doc is {shown}; expected one <DOCNO>id</DOCNO>")
        name = _utf8_text(named[0], place).strip()
        if not name:
            raise place.fault("the <DOCNO> is empty; expected <DOCNO>id</DOCNO>")
        read.marked += 1
        content = _ID.sub(_blank_lines, whole)
        header = _HEADER.search(content)
        try:
            if header is not None or content.lstrip()[:20].lower().startswith(_PAGE):
                yield place, _page(name, content, header, read)
            else:
                yield place, _text(name, _utf8_text(content, place), read)
        except UsageError as error:
            raise place.fault(str(error)) from None


def _contents(path: FilePath) -> Iterator[tuple[DocumentPlace, bytes, bytes]]:
    """Yield the position, the attributes and the content of every `<DOC>`."""
    line = 1
    place: DocumentPlace | None = None
    attributes = b""
    parts: list[bytes] = []
    with LineBlocks(path, longest=LARGEST + (1 << 20)) as blocks:
        while block := blocks.read(sizes.TEXT_BLOCK):
            end = 0
            for tag in (*_DOC.finditer(block), None):
                text = block[end : tag.start() if tag else len(block)]
                if place is None:
                    _check_blank(text, path, line)
                else:
                    parts.append(text)
                    if sum(map(len, parts)) > LARGEST:
                        raise place.fault(f"the doc has more than {LARGEST} bytes")
                line += text.count(b"\n")
                if tag is None:
                    break
                end = tag.end()
                here = DocumentPlace(path, line)
                if not tag[1]:
                    if place is not None:
                        problem = f"found <DOC> inside the <DOC> of line {place.line}"
                        raise here.fault(f"{problem}; expected </DOC>")
                    place, attributes, parts = here, tag[2] or b"", []
                elif place is None:
                    raise here.fault("found </DOC> outside a doc; expected <DOC>")
                else:
                    yield place, attributes, b"".join(parts)
                    place = None
    if place is not None:
        raise place.fault("the <DOC> has no closing tag; expected </DOC>")


def _blank_lines(found: re.Match[bytes]) -> bytes:
    """Return only the line breaks of a match, so that later lines keep their numbers."""
    return b"\n" * found[0].count(b"\n")


def _check_blank(text: bytes, path: FilePath, line: int) -> None:
    """Raise an error if there is text between docs."""
    if stray := text.strip():
        line += text[: text.index(stray)].count(b"\n")
        shown = quoted(stray.split(b"\n", 1)[0])
        raise DocumentPlace(path, line).fault(f"{shown} is outside <DOC>…</DOC>; expected <DOC>")


def _utf8_text(content: bytes, place: DocumentPlace) -> str:
    """Decode the content of a doc as UTF-8.

    Raises
    ------
    InputError
        If a line is not UTF-8.
    """
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = (place.line or 1) + content.count(b"\n", 0, error.start)
        shown = quoted(content[content.rfind(b"\n", 0, error.start) + 1 :].split(b"\n", 1)[0])
        raise DocumentPlace(place.path, line).fault(
            f"the line is not UTF-8: {shown}; expected UTF-8. Convert the file, for example with"
            " `iconv -f latin1 -t utf-8`"
        ) from None


def _text(name: str, content: str, read: MarkupRead) -> Document:
    """Return a doc with its title and its text without tags."""
    title = ""
    if found := _TITLE.search(content):
        read.titles[found[1].upper()] = None
        title = " ".join(_words(found[2], read).split())
        content = f"{content[: found.start()]}\n\n{content[found.end() :]}"
    return Document(name, "text", _words(content, read), title=title)


def _words(markup: str, read: MarkupRead) -> str:
    """Return the text of markup without the tags; empty lines separate paragraphs."""

    def between(tag: re.Match[str]) -> str:
        name = (tag[1] or "").lower()
        if name:
            read.tags[name.upper()] = None
        return "" if not name or name in _INLINE else "\n\n"

    text = _ENTITY.sub(_character, _TAG.sub(between, markup))
    lines = [line.rstrip() for line in text.split("\n")]
    kept = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
    return "\n".join(kept).strip("\n")


def _character(entity: re.Match[str]) -> str:
    return _TREC_ENTITIES.get(entity[0].lower()) or unescape(entity[0])


def _page(name: str, content: bytes, header: re.Match[bytes] | None, read: MarkupRead) -> Document:
    """Return a page as a doc; the URL is taken from the first line of the page's `<DOCHDR>`."""
    charset = url = b""
    if header is not None:
        charset = b"".join(_CHARSET.findall(header[1])[:1])
        url = b"".join(header[1].split(maxsplit=1)[:1])
        content = _OLD_ID.sub(b"", content[: header.start()]) + content[header.end() :]
    html, is_whole = decoded_page(content.strip(), is_html=True, charset=charset.decode("latin-1"))
    read.broken += not is_whole
    address = url.decode("utf-8", "replace") if b"://" in url else ""
    return Document(name, "html", html, title=page_title(html), url=address)
