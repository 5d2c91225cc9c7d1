"""Export and import of all records, in the folder `app` of an export."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from django.db import transaction

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.campaign_folder import MANIFEST, RECORDS_FOLDER
from qrelsmith.io.manifest import read_manifest
from qrelsmith.io.text import read_bytes
from qrelsmith.io.writing import write_text
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.event_lines import EVENTS
from qrelsmith.web.core.lines import write_records
from qrelsmith.web.graded.kind import DOCS
from qrelsmith.web.judging.chain import hold_all
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.pairs.kind import PAIRS
from qrelsmith.web.records import (
    assignments,
    contests,
    desk,
    docs,
    hits,
    items,
    judgments,
    model_replies,
    models,
    rounds,
    sittings,
    versions,
)
from qrelsmith.web.records.heads import check_heads
from qrelsmith.web.records.parts import Coming, File, Part
from qrelsmith.web.verification.whole import rebuilt

FORMAT = 1
EXPORT_COMMAND = ("qrelsmith", "export")
_MARK = "format.json"
_EVENTS = EVENTS.kind.name


@cache
def _parts() -> tuple[Part, ...]:
    """Return the parts in the order of import: records may refer to records of earlier parts."""
    others = [kind for kind in KINDS if kind not in (DOCS, PAIRS)]
    return (
        versions.PART, assignments.ASSESSOR_PART, models.PART, rounds.PART, assignments.PART,
        docs.PART, judgments.part_of(DOCS), contests.PART, judgments.part_of(PAIRS),
        *(part for kind in others for part in (items.items_part(kind), judgments.part_of(kind))),
        hits.PART, sittings.PART, desk.PART, model_replies.PART,
    )  # fmt: skip


def _files() -> list[File]:
    return [file for part in _parts() for file in part.files]


def write_all_records(folder: Path) -> dict[str, int]:
    """Write all records into a folder of an export; return the number of records by kind."""
    target = folder / RECORDS_FOLDER
    target.mkdir()
    write_text(target / _MARK, json.dumps({"format": FORMAT}) + "\n")
    return {kind.name: write_records(target, kind, records()) for kind, records in _files()}


def records_of(campaign: Campaign) -> Path | None:
    """Return the folder with the records of an exported campaign, or None if there is none.

    Raises
    ------
    InputError
        If the records are newer than this program, or one of their files is missing.
    """
    folder = campaign.folder / RECORDS_FOLDER
    mark = folder / _MARK
    manifest = campaign.folder / MANIFEST
    files = (mark, *(folder / kind.file for kind, _ in _files() if not kind.is_since_0_1))
    there = [path for path in files if path.exists()]
    if not there and not (manifest.exists() and read_manifest(manifest).command == EXPORT_COMMAND):
        return None
    for path in (*files, manifest):
        if not path.exists():
            raise InputError("the file is missing; every export must contain it", path=path)
    try:
        found = json.loads(read_bytes(mark))["format"]
    except (ValueError, KeyError, TypeError):
        raise InputError(f'expected {{"format": {FORMAT}}}', path=mark) from None
    if found != FORMAT:
        raise InputError(f"found format {quoted(found)}; expected {FORMAT}", path=mark)
    return folder


def import_all_records(folder: Path, *, docs_beside: Counts | None, is_dry: bool) -> list[Counts]:
    """Import all records of a folder, and rebuild the labels.

    A dry import rolls all changes back at the end.

    Parameters
    ----------
    folder : path
        The records.
    docs_beside : Counts or None
        The docs in the same import, if any; they need not be in the database yet.
    is_dry : bool
        Whether to record nothing.

    Raises
    ------
    InputError
        If a record is invalid or contradicts existing data, or the numbers differ from those in the
        manifest. Nothing is recorded then.
    """
    expected = read_manifest(folder.parent / MANIFEST).parameters
    if _EVENTS not in expected:
        raise InputError("the number of events is missing", path=folder.parent / MANIFEST)
    counted = [
        (folder / kind.file, _lines(folder / kind.file), expected[kind.name])
        for kind, _ in _files()
        if isinstance(expected.get(kind.name), int)
    ]
    for path, count, wanted in counted:
        if count < wanted:
            raise _count_error(path, count, wanted)
    coming = Coming(folder, bool(expected[_EVENTS]), docs_beside.digests if docs_beside else {})
    with writing():
        hold_all()
        counts = [part.take_in(coming) for part in _parts()]
        # Checked last: a contradiction found by an import explains more than a wrong count.
        for path, count, wanted in counted:
            if count > wanted:
                raise _count_error(path, count, wanted)
        check_heads(folder)
        if is_dry:
            transaction.set_rollback(True)
        elif any(part.decides_labels and of.new for part, of in zip(_parts(), counts, strict=True)):
            rebuilt()
    return counts


def _lines(path: Path) -> int:
    """Return the number of records in a file."""
    return sum(
        bool(line.strip()) and not line.startswith(b"#") for line in read_bytes(path).split(b"\n")
    )


def _count_error(path: Path, found: int, wanted: int) -> InputError:
    return InputError(f"found {found} records; expected {wanted} ({MANIFEST})", path=path)
