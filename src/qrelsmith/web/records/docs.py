"""Export and import of the versions of judged docs as records, with digests instead of contents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from django.db.models import Exists, OuterRef

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import in_byte_order
from qrelsmith.web.core.lines import Cell, Kind, Record, read_records
from qrelsmith.web.models import AssignedDoc, Doc, DocVersion
from qrelsmith.web.records.parts import Part

DOCS = Kind(
    "doc-versions.jsonl", texts=("doc", "sha256"), numbers=("version",), times=("created_at",)
)
_BATCH = 1000


def doc_records() -> Iterator[Mapping[str, Cell]]:
    """Yield all versions of every doc that was ever judged."""
    judged = AssignedDoc.objects.filter(doc=OuterRef("doc"), revision__gt=0)
    versions = DocVersion.objects.filter(Exists(judged)).order_by(
        in_byte_order("doc__name"), "version"
    )
    columns = versions.values_list("doc__name", "sha256", "version", "created_at")
    for doc, sha256, version, created_at in columns.iterator(chunk_size=_BATCH):
        yield {"doc": doc, "sha256": sha256, "version": version, "created_at": created_at}


def import_docs(folder: Path) -> Counts:
    """Record unknown versions, without their content, which a later import of docs adds.

    Raises
    ------
    InputError
        If a version is of a doc that is not assigned, or differs from the version here.
    """
    counts = Counts("doc versions")
    records = read_records(folder, DOCS)
    while batch := list(islice(records, _BATCH)):
        _record(batch, counts)
    return counts


def _record(batch: list[Record], counts: Counts) -> None:
    names = {record.text("doc") for record in batch}
    docs = {doc.name: doc for doc in Doc.objects.filter(name__in=sorted(names))}
    digests: dict[str, dict[int, str]] = {name: {} for name in docs}
    versions = DocVersion.objects.filter(doc__in=docs.values())
    for name, version, sha256 in versions.values_list("doc__name", "version", "sha256"):
        digests[name][version] = sha256
    new, changed = [], {}
    for record in batch:
        name, version, sha256 = record.text("doc"), record.need("version"), record.text("sha256")
        if name not in docs:
            raise record.fault(
                f"the doc {quoted(name)} is not in an assignment; expected an assigned doc"
            )
        if sha256 in digests[name].values():
            counts.same += 1
            continue
        if version in digests[name]:
            raise record.fault(
                f"version {version} of the doc {quoted(name)} differs; expected a "
                f"digest that begins with {digests[name][version][:12]}"
            )
        counts.new += 1
        digests[name][version] = sha256
        new.append(
            DocVersion(
                doc=docs[name],
                version=version,
                sha256=sha256,
                content=b"",
                created_at=record.need_time("created_at"),
            )
        )
        if version > docs[name].version:
            docs[name].version = version
            changed[name] = docs[name]
    DocVersion.objects.bulk_create(new)
    Doc.objects.bulk_update(changed.values(), ["version"])


PART = Part(((DOCS, doc_records),), lambda coming: import_docs(coming.folder))
