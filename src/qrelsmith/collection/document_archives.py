"""Docs in WARC files: every successful response in HTML or plain text."""

from __future__ import annotations

import contextlib
import io
import warnings
import zlib
from collections.abc import Iterator
from email.message import Message
from lzma import LZMAError
from typing import Any

from qrelsmith.base.errors import (
    InputWarning,
    MissingDependencyError,
    UsageError,
    printable,
    quoted,
)
from qrelsmith.collection.document import LARGEST, Document, DocumentPlace
from qrelsmith.collection.page_words import page_title
from qrelsmith.io import sizes
from qrelsmith.io.page_encoding import decoded_page
from qrelsmith.io.text import FilePath, open_bytes

_FORMS = {"text/html": "html", "application/xhtml+xml": "html", "text/plain": "text"}


def read_document_archive(path: FilePath) -> Iterator[tuple[DocumentPlace, Document]]:
    """Yield the docs of a WARC file; a warning counts the records that are not pages.

    The doc's id is the field WARC-TREC-ID if present, otherwise the record's id.

    Raises
    ------
    InputError
        If the file is not in WARC, is damaged or incomplete, or a record cannot become a doc.
    MissingDependencyError
        If warcio is not installed.
    """
    try:
        from warcio.archiveiterator import ArchiveIterator
        from warcio.exceptions import ArchiveLoadFailed
    except ModuleNotFoundError:
        raise MissingDependencyError("warcio", extra="web", purpose="reading WARC") from None
    others = broken = 0
    place = DocumentPlace(path)
    with open_bytes(path) as stream:
        try:
            # A line without an end is assembled from blocks, each time from the beginning.
            records = ArchiveIterator(stream, block_size=sizes.ARCHIVE_BLOCK)
            while True:
                record = _next(records)
                if records.err_count:
                    raise place.fault(
                        "the WARC is damaged: a record is longer than stated in its header"
                    )
                if record is None:
                    break
                found = _page(record, place)
                if found is None:
                    others += 1
                    continue
                document, is_whole = found
                broken += not is_whole
                yield place, document
        except ArchiveLoadFailed as error:
            raise place.fault(f"invalid WARC: {printable(str(error))}") from None
        except (AttributeError, EOFError, OSError, ValueError, zlib.error, LZMAError) as error:
            # Exceptions that warcio and the decompressors raise at malformed bytes.
            reason = "" if isinstance(error, AttributeError) else f": {printable(str(error))}"
            raise place.fault(f"the WARC is damaged{reason}") from None
    if others or broken:
        warnings.warn(
            f"{path}: ignored {others} records that are not pages; in {broken} docs, bytes "
            "that are invalid in the encoding of the doc are shown as �",
            InputWarning,
            stacklevel=2,
        )


def _next(records: Any) -> Any:
    """Return the next record, or None at the end; hide messages printed by warcio."""
    with contextlib.redirect_stderr(io.StringIO()):
        return next(records, None)


def _page(record: Any, place: DocumentPlace) -> tuple[Document, bool] | None:
    """Return a record's doc, and whether all bytes could be decoded; None if it is not a page."""
    if record.rec_type not in ("response", "resource") or record.http_headers is None:
        return None
    if record.http_headers.get_statuscode() != "200":
        return None
    kind = Message()
    kind["Content-Type"] = record.http_headers.get_header("Content-Type", "text/html")
    form = _FORMS.get(kind.get_content_type())
    if form is None:
        return None
    header = record.rec_headers.get_header
    name = header("WARC-TREC-ID") or header("WARC-Record-ID", "").strip("<>")
    content = record.content_stream().read(LARGEST + 1)
    if len(content) > LARGEST:
        raise place.fault(f"the doc {quoted(name)} has more than {LARGEST} bytes")
    rest = record.raw_stream
    while getattr(rest, "limit", 0) and rest.read(1 << 16):
        pass
    if getattr(rest, "limit", 0):
        raise place.fault(
            f"the doc {quoted(name)} is truncated: the record is shorter than stated in its header"
        )
    text, is_whole = decoded_page(
        content, is_html=form == "html", charset=kind.get_content_charset("")
    )
    title = page_title(text) if form == "html" else ""
    url = header("WARC-Target-URI", "")
    try:
        return Document(name, form, text, title=title, url=url), is_whole
    except UsageError as error:
        raise place.fault(str(error)) from None
