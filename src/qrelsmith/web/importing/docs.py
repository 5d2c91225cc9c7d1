"""Docs into the database, in batches that are each committed: an import can be resumed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from itertools import islice

from qrelsmith.data.documents import Document, Place
from qrelsmith.errors import quoted
from qrelsmith.web.database import writing
from qrelsmith.web.importing.counts import Counts
from qrelsmith.web.models import Doc, DocVersion

_BATCH = 500


def import_docs(
    documents: Iterable[tuple[Place, Document]], *, advance: Callable[[int], None] = lambda _: None
) -> Counts:
    """Record docs; one whose content has changed becomes a new version.

    Raises
    ------
    InputError
        At a doc that is not as it should be, or comes twice.
    """
    counts = Counts("docs")
    seen: set[str] = set()
    stream = iter(documents)
    while batch := list(islice(stream, _BATCH)):
        for place, document in batch:
            if document.doc_id in seen:
                raise place.fault(f"the doc {quoted(document.doc_id)} comes twice; expected once")
            seen.add(document.doc_id)
        with writing():
            _record([document for _, document in batch], counts)
        advance(len(batch))
    return counts


def _record(documents: list[Document], counts: Counts) -> None:
    names = [document.doc_id for document in documents]
    known = {doc.name: doc for doc in Doc.objects.filter(name__in=names)}
    new = [Doc(name=name) for name in names if name not in known]
    known |= {doc.name: doc for doc in Doc.objects.bulk_create(new)}
    current = {
        version.doc_id: version.sha256
        for version in DocVersion.objects.filter(doc__in=known.values())
        .order_by("version")
        .only("doc_id", "sha256")
    }
    changed, versions = [], []
    for document in documents:
        doc, digest = known[document.doc_id], document.sha256
        if current.get(doc.pk) == digest:
            counts.same += 1
            continue
        if doc.version:
            counts.changed += 1
        else:
            counts.new += 1
        doc.version += 1
        changed.append(doc)
        versions.append(
            DocVersion(
                doc=doc,
                version=doc.version,
                form=document.form,
                title=_storable(document.title),
                url=_storable(document.url),
                sha256=digest,
                content=zlib.compress(document.content.encode("utf-8")),
            )
        )
    DocVersion.objects.bulk_create(versions)
    Doc.objects.bulk_update(changed, ["version"])


def _storable(text: str) -> str:
    """Text as PostgreSQL can hold it; NUL becomes what browsers show for it."""
    return text.replace("\x00", "\ufffd")
