"""Docs into the database, in batches."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from itertools import islice

from django.db.models import F

from qrelsmith.data.documents import Document, Place
from qrelsmith.errors import quoted
from qrelsmith.web.database import writing
from qrelsmith.web.importing.counts import Counts
from qrelsmith.web.models import Doc, DocVersion

_BATCH = 500


def import_docs(
    documents: Iterable[tuple[Place, Document]],
    *,
    is_dry: bool = False,
    advance: Callable[[int], None] = lambda _: None,
) -> Counts:
    """Record docs; one whose content has changed becomes a new version.

    Raises
    ------
    InputError
        At a doc that is not as it should be, or comes twice.
    """
    counts = Counts("docs")
    stream = iter(documents)
    while batch := list(islice(stream, _BATCH)):
        for place, document in batch:
            if document.doc_id in counts.names:
                raise place.fault(f"the doc {quoted(document.doc_id)} comes twice; expected once")
            counts.names.add(document.doc_id)
        if is_dry:
            _compare([document for _, document in batch], counts)
        else:
            with writing():
                _record([document for _, document in batch], counts)
        advance(len(batch))
    return counts


def _compare(documents: list[Document], counts: Counts) -> list[Document]:
    """Count what is new or has changed; these documents."""
    names = [document.doc_id for document in documents]
    versions = DocVersion.objects.filter(doc__name__in=names, version=F("doc__version"))
    current = dict(versions.values_list("doc__name", "sha256"))
    others = [each for each in documents if current.get(each.doc_id) != each.sha256]
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
    versions = []
    for document in others:
        doc = docs[document.doc_id]
        doc.version += 1
        versions.append(
            DocVersion(
                doc=doc,
                version=doc.version,
                form=document.form,
                title=_storable(document.title),
                url=_storable(document.url),
                sha256=document.sha256,
                content=zlib.compress(document.content.encode("utf-8")),
            )
        )
    DocVersion.objects.bulk_create(versions)
    Doc.objects.filter(name__in=names).update(version=F("version") + 1)


def _storable(text: str) -> str:
    """Text as PostgreSQL can hold it; NUL becomes what browsers show for it."""
    return text.replace("\x00", "\ufffd")
