"""The docs in the form of a campaign folder."""

from __future__ import annotations

from pathlib import Path

from django.db.models import F

from qrelsmith.collection.document import form_fields
from qrelsmith.io.json_lines import json_line
from qrelsmith.io.writing import replacing
from qrelsmith.web.core.database import in_byte_order
from qrelsmith.web.models import DocVersion

_CHUNK = 200


def write_documents(path: Path) -> None:
    """Write the current version of all docs whose content the app has as JSONL, by name."""
    current = DocVersion.objects.select_related("doc").filter(version=F("doc__version"))
    ordered = current.exclude(content=b"").order_by(in_byte_order("doc__name"))
    with replacing(path) as out:
        for each in ordered.iterator(chunk_size=_CHUNK):
            fields = {"doc_id": each.doc.name, **form_fields(each.form, each.text)}
            fields |= {
                name: getattr(each, name) for name in ("title", "url") if getattr(each, name)
            }
            out.write(json_line(fields).encode("utf-8"))
