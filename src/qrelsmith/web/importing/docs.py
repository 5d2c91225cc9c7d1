"""Import of docs in batches, between which other processes can write."""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Callable, Iterable
from itertools import islice

from django.db.models import F

from qrelsmith.base.errors import InputWarning, quoted
from qrelsmith.collection.document import Document, DocumentPlace
from qrelsmith.collection.pages.sanitise import may_hide_words
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.names import check_name
from qrelsmith.web.models import Doc, DocVersion

_BATCH = 500
_LISTED = 1000
# Compression level: compression is twice as fast as with the default, and results are a few percent
# larger.
_LEVEL = 3


def import_docs(
    documents: Iterable[tuple[DocumentPlace, Document]],
    *,
    is_dry: bool = False,
    advance: Callable[[int], None] = lambda _: None,
) -> Counts:
    """Record docs; a doc with changed content gets a new version.

    Each batch is recorded separately: a killed import resumes where it stopped.

    Raises
    ------
    InputError
        If a doc is invalid, or occurs twice.
    """
    counts = Counts("docs")
    styled: list[str] = []
    stream = iter(documents)
    while batch := list(islice(stream, _BATCH)):
        for place, document in batch:
            if document.doc_id in counts.digests:
                raise place.fault(
                    f"the doc {quoted(document.doc_id)} appears twice; expected it once"
                )
            check_name(document.doc_id, what="doc", of=Doc)
            counts.digests[document.doc_id] = document.sha256
            if document.form in ("html", "md") and may_hide_words(document.content):
                styled.append(document.doc_id)
        if is_dry:
            _compare([document for _, document in batch], counts)
        else:
            with writing():
                _record([document for _, document in batch], counts)
        advance(len(batch))
    if styled:
        more = f" and {len(styled) - _LISTED:,} more" if len(styled) > _LISTED else ""
        warnings.warn(
            f"{len(styled):,} docs have styles that may hide words on the page; the"
            f" plain text, which models read, has all words: {', '.join(styled[:_LISTED])}{more}",
            InputWarning,
            stacklevel=2,
        )
    return counts


def _compare(documents: list[Document], counts: Counts) -> list[Document]:
    """Count new and changed docs, and return these docs."""
    names = [document.doc_id for document in documents]
    versions = DocVersion.objects.filter(doc__name__in=names, version=F("doc__version"))
    current = dict(versions.exclude(content=b"").values_list("doc__name", "sha256"))
    others = [each for each in documents if current.get(each.doc_id) != counts.digests[each.doc_id]]
    changed = sum(document.doc_id in current for document in others)
    counts.changed += changed
    counts.new += len(others) - changed
    counts.same += len(documents) - len(others)
    return others


def _record(documents: list[Document], counts: Counts) -> None:
    others = _compare(documents, counts)
    names = [document.doc_id for document in others]
    docs = {doc.name: doc for doc in Doc.objects.filter(name__in=names)}
    new = [Doc(name=name) for name in names if name not in docs]
    docs |= {doc.name: doc for doc in Doc.objects.bulk_create(new)}
    known = DocVersion.objects.filter(doc__name__in=names, version=F("doc__version"))
    without_content = {version.doc_id: version for version in known.filter(content=b"")}
    versions, advanced = [], []
    for document in others:
        doc = docs[document.doc_id]
        version, sha256 = without_content.get(doc.pk), counts.digests[document.doc_id]
        if version is None or version.sha256 != sha256:
            advanced.append(doc.pk)
            version = DocVersion(doc=doc, version=doc.version + 1, sha256=sha256)
        version.form = document.form
        version.title = _storable(document.title)
        version.url = _storable(document.url)
        version.content = zlib.compress(document.content.encode("utf-8"), _LEVEL)
        versions.append(version)
    fields = ("form", "title", "url", "content")
    DocVersion.objects.bulk_update([each for each in versions if each.pk], fields)
    DocVersion.objects.bulk_create([each for each in versions if not each.pk])
    Doc.objects.filter(pk__in=advanced).update(version=F("version") + 1)


def _storable(text: str) -> str:
    """Return a text that PostgreSQL can store; NUL becomes the character that browsers show."""
    return text.replace("\x00", "\ufffd")
