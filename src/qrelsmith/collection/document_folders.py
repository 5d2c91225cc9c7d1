"""Docs in a folder: files with TREC's `<DOC>`, or one doc per file with the file's path as id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.collection.document import LARGEST, Document, DocumentPlace
from qrelsmith.collection.document_markup import MarkupRead, is_document_markup, marked_documents
from qrelsmith.collection.folder_pictures import PICTURE_SUFFIXES, with_pictures
from qrelsmith.collection.page_words import page_title
from qrelsmith.io.format_marks import first_line
from qrelsmith.io.page_encoding import decoded_page
from qrelsmith.io.text import FilePath, read_raw

_FORMS = {
    ".html": "html", ".htm": "html", ".txt": "text", ".md": "md", ".markdown": "md",
    ".json": "json", ".csv": "csv", ".tsv": "csv",
    **dict.fromkeys((".c", ".cpp", ".go", ".java", ".js", ".py", ".rs", ".sh", ".sql"), "code"),
}  # fmt: skip


def read_document_folder(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    """Yield the docs of a folder and its subfolders, sorted by path.

    Raises
    ------
    InputError
        If a file has an unknown suffix and does not begin with `<DOC>`, a path cannot be an id, a
        link points outside the folder, or the folder has no doc.
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
    read = MarkupRead()
    for file in files:
        place = DocumentPlace(file)
        form = _FORMS.get(file.suffix.lower())
        is_markup = form in (None, "text") and is_document_markup(first_line(file))
        if form is None and not is_markup:
            found = f"the suffix is {quoted(file.suffix)}"
            raise place.fault(f"{found}; expected {', '.join(_FORMS)}, or a file with <DOC>")
        if not file.resolve().is_relative_to(inside):
            # A folder from an untrusted source must not show assessors other files of this machine.
            raise place.fault("the link points outside the folder; expected a file in the folder")
        if form is None or is_markup:
            yield from marked_documents(file, read)
            continue
        raw = read_raw(file, most=LARGEST)
        content, is_whole = decoded_page(raw, is_html=form == "html")
        read.broken += not is_whole
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
    read.warn(path)
