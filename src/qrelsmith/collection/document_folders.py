"""Docs as a folder of pages, texts, Markdown, JSON, tables and code; the doc's id is the path."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from qrelsmith.base.errors import InputWarning, UsageError, quoted
from qrelsmith.collection.document import LARGEST, Document, DocumentPlace
from qrelsmith.collection.folder_pictures import PICTURE_SUFFIXES, with_pictures
from qrelsmith.io.page_encoding import decoded_page
from qrelsmith.io.text import FilePath, read_raw

_FORMS = {
    ".html": "html", ".htm": "html", ".txt": "text", ".md": "md", ".markdown": "md",
    ".json": "json", ".csv": "csv", ".tsv": "csv",
    **dict.fromkeys((".c", ".cpp", ".go", ".java", ".js", ".py", ".rs", ".sh", ".sql"), "code"),
}  # fmt: skip
_TITLE = re.compile(r"<title[^>]{0,200}>(.{0,2000}?)</title", re.IGNORECASE | re.DOTALL)


def read_document_folder(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    """Yield the docs of a folder and its subfolders, by their paths.

    Raises
    ------
    InputError
        At a file with another suffix, a path that cannot be an id, a link that leads out of the
        folder, or if the folder has no doc.
    """
    folder = Path(path)
    inside = folder.resolve()
    files = sorted(
        file
        for file in folder.rglob("*")
        if file.is_file() and file.name[0] != "." and file.suffix.lower() not in PICTURE_SUFFIXES
    )
    if not files:
        raise DocumentPlace(path).fault("the folder has no docs; expected .html and .txt files")
    broken = 0
    for file in files:
        place = DocumentPlace(file)
        form = _FORMS.get(file.suffix.lower())
        if form is None:
            raise place.fault(f"the suffix is {quoted(file.suffix)}; expected {', '.join(_FORMS)}")
        if not file.resolve().is_relative_to(inside):
            # A folder from an untrusted source must not show assessors other files of this machine.
            raise place.fault("the link leads out of the folder; expected the file itself")
        raw = read_raw(file, most=LARGEST)
        content, is_whole = decoded_page(raw, is_html=form == "html")
        broken += not is_whole
        content = with_pictures(content, form, file, inside)
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
            f"{path}: {broken} docs contain bytes that are invalid in their encoding; "
            "they are shown as �, as in browsers",
            InputWarning,
            stacklevel=2,
        )


def page_title(html: str) -> str:
    """Return the text of a page's `<title>`, in one line; empty if there is none."""
    found = _TITLE.search(html)
    return " ".join(unescape(found[1]).split())[:500] if found else ""
