"""Docs as a folder of .html, .htm and .txt files; the doc's id is the path without its suffix."""

from __future__ import annotations

import codecs
import re
import warnings
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from qrelsmith.base.errors import InputWarning, UsageError, quoted
from qrelsmith.collection.document import LARGEST, Document, DocumentPlace
from qrelsmith.io.text import FilePath, read_raw

_FORMS = {".html": "html", ".htm": "html", ".txt": "text"}
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHARSET = re.compile(
    rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})""", re.IGNORECASE
)
_TITLE = re.compile(r"<title[^>]{0,200}>(.{0,2000}?)</title", re.IGNORECASE | re.DOTALL)


def read_document_folder(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    """The docs of a folder and of those in it, by their paths.

    Raises
    ------
    InputError
        At a file with another suffix, a path that makes no id, a link that leads out of the folder,
        or if the folder holds no doc.
    """
    folder = Path(path)
    inside = folder.resolve()
    files = sorted(file for file in folder.rglob("*") if file.is_file() and file.name[0] != ".")
    if not files:
        raise DocumentPlace(path).fault("the folder holds no doc; expected .html and .txt files")
    broken = 0
    for file in files:
        place = DocumentPlace(file)
        form = _FORMS.get(file.suffix.lower())
        if form is None:
            raise place.fault(f"the suffix is {quoted(file.suffix)}; expected .html, .htm or .txt")
        if not file.resolve().is_relative_to(inside):
            # A folder that came from elsewhere must not show assessors what else lies here.
            raise place.fault("leads out of the folder; expected the file itself")
        raw = read_raw(file, most=LARGEST)
        content, is_whole = decoded_page(raw, is_html=form == "html")
        broken += not is_whole
        try:
            yield (
                place,
                Document(
                    doc_id=file.relative_to(folder).with_suffix("").as_posix(),
                    form=form,
                    content=content.replace("\r\n", "\n"),
                    title=page_title(content) if form == "html" else "",
                ),
            )
        except UsageError as error:
            raise place.fault(str(error)) from None
    if broken:
        warnings.warn(
            f"{path}: {broken} docs hold bytes that are no characters of their encoding; they are"
            " shown as �, as browsers do",
            InputWarning,
            stacklevel=2,
        )


def decoded_page(content: bytes, *, is_html: bool, charset: str = "") -> tuple[str, bool]:
    """A page as text, decoded as browsers do it, and whether every byte had a meaning.

    A byte-order mark decides, then the charset that came with it, then the one in its `<meta>`,
    then UTF-8, and windows-1252 if it is no UTF-8.
    """
    for mark, name in _BOMS:
        if content.startswith(mark):
            return _decode(content.removeprefix(codecs.BOM_UTF8), name)
    if not charset and is_html:
        found = _CHARSET.search(content[:4096])
        charset = found[1].decode("ascii") if found else ""
    if charset:
        try:
            codecs.lookup(charset)
            return _decode(content, charset)
        except (LookupError, UnicodeError):
            pass
    text, is_whole = _decode(content, "utf-8")
    return (text, True) if is_whole else _decode(content, "windows-1252")


def page_title(html: str) -> str:
    """The text of a page's `<title>`, in one line; empty if there is none."""
    found = _TITLE.search(html)
    return " ".join(unescape(found[1]).split())[:500] if found else ""


def _decode(content: bytes, charset: str) -> tuple[str, bool]:
    try:
        return content.decode(charset), True
    except UnicodeDecodeError:
        return content.decode(charset, "replace"), False
