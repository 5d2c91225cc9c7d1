"""The folder `app` of an export: all records, out and in."""

from __future__ import annotations

import json
from pathlib import Path

from django.db import transaction

from qrelsmith.data.campaign import Campaign
from qrelsmith.data.campaign_folder import MANIFEST, RECORDS_FOLDER
from qrelsmith.data.manifest import read_manifest
from qrelsmith.data.text import read_bytes
from qrelsmith.data.writing import write_text
from qrelsmith.errors import InputError, quoted
from qrelsmith.web.database import writing
from qrelsmith.web.importing.counts import Counts
from qrelsmith.web.records.assignments import (
    ASSESSORS,
    ASSIGNMENTS,
    assessor_records,
    assignment_records,
    import_assessors,
    import_assignments,
)
from qrelsmith.web.records.contests import (
    CHOICES,
    CONTESTS,
    PAIRS,
    choices_records,
    contest_records,
    import_contests,
    pair_records,
)
from qrelsmith.web.records.docs import DOCS, doc_records, import_docs
from qrelsmith.web.records.events import EVENTS, event_records, import_events
from qrelsmith.web.records.hits import (
    BATCHES,
    HITS,
    WORKERS,
    batch_records,
    hit_records,
    import_hits,
    worker_records,
)
from qrelsmith.web.records.lines import write_records
from qrelsmith.web.records.models import MODELS, import_models, model_records
from qrelsmith.web.records.preference_events import (
    PREFERENCE_EVENTS,
    import_preference_events,
    preference_event_records,
)
from qrelsmith.web.records.rounds import ROUNDS, import_rounds, round_records
from qrelsmith.web.records.sittings import (
    SITTINGS,
    TRAINING,
    import_sittings,
    sitting_records,
    training_records,
)
from qrelsmith.web.records.versions import (
    SCALES,
    TOPICS,
    import_versions,
    scale_records,
    topic_records,
)
from qrelsmith.web.verification import rebuilt

FORMAT = 1
EXPORT_COMMAND = ("qrelsmith", "export")
_MARK = "format.json"
_KINDS = (
    SCALES, TOPICS, ASSESSORS, MODELS, ROUNDS, ASSIGNMENTS, DOCS, EVENTS, CHOICES, CONTESTS, PAIRS,
    PREFERENCE_EVENTS, BATCHES, WORKERS, HITS, SITTINGS, TRAINING,
)  # fmt: skip
# What current labels and answers follow from.
_REBUILT = ("events", "contest records", "preference events")


def write_all_records(folder: Path) -> dict[str, int]:
    """Write all records into a folder of an export; how many of each kind there are."""
    target = folder / RECORDS_FOLDER
    target.mkdir()
    write_text(target / _MARK, json.dumps({"format": FORMAT}) + "\n")
    records = (
        scale_records(), topic_records(), assessor_records(), model_records(), round_records(),
        assignment_records(), doc_records(), event_records(), choices_records(),
        contest_records(), pair_records(), preference_event_records(), batch_records(),
        worker_records(), hit_records(), sitting_records(), training_records(),
    )  # fmt: skip
    return {
        kind.name: write_records(target, kind, each)
        for kind, each in zip(_KINDS, records, strict=True)
    }


def records_of(campaign: Campaign) -> Path | None:
    """The folder with the records of a campaign that was exported, None if it was not.

    Raises
    ------
    InputError
        If they are newer than this program, or a file of them is missing.
    """
    folder = campaign.folder / RECORDS_FOLDER
    mark = folder / _MARK
    manifest = campaign.folder / MANIFEST
    files = (mark, *(folder / kind.file for kind in _KINDS))
    there = [path for path in files if path.exists()]
    if not there and not (manifest.exists() and read_manifest(manifest).command == EXPORT_COMMAND):
        return None
    for path in (*files, manifest):
        if not path.exists():
            raise InputError("is missing; expected it, as the folder is an export", path=path)
    try:
        found = json.loads(read_bytes(mark))["format"]
    except (ValueError, KeyError, TypeError):
        raise InputError(f'expected {{"format": {FORMAT}}}', path=mark) from None
    if found != FORMAT:
        raise InputError(
            f"format {quoted(found)} is not known to this qrelsmith, which knows {FORMAT}",
            path=mark,
        )
    return folder


def import_all_records(folder: Path, *, docs: Counts | None, is_dry: bool) -> list[Counts]:
    """Bring all records of a folder into the database, and the labels to what they say.

    A dry import does the same and takes it back.

    Parameters
    ----------
    folder : path
        The records.
    docs : Counts or None
        The docs that lie beside them, if any do; they need not be in the database yet.
    is_dry : bool
        Whether nothing is to be recorded.

    Raises
    ------
    InputError
        At a record that is not as it should be, or contradicts what is there; if there are not as
        many as the manifest counts. Nothing is recorded then.
    """
    expected = read_manifest(folder.parent / MANIFEST).parameters
    if EVENTS.name not in expected:
        raise InputError("counts no events; expected how many", path=folder.parent / MANIFEST)
    counted = [
        (folder / kind.file, _lines(folder / kind.file), expected[kind.name])
        for kind in _KINDS
        if isinstance(expected.get(kind.name), int)
    ]
    for path, found, wanted in counted:
        if found < wanted:
            raise _miscounted(path, found, wanted)
    with writing():
        counts = [
            import_versions(folder, is_judged=bool(expected[EVENTS.name])),
            import_assessors(folder),
            import_models(folder),
            import_rounds(folder),
            import_assignments(folder),
            import_docs(folder),
            import_events(folder, digests=docs.digests if docs else {}),
            import_contests(folder),
            import_preference_events(folder),
            import_hits(folder),
            import_sittings(folder),
        ]
        # Only now: what a record too many contradicts says more than that there is one.
        for path, found, wanted in counted:
            if found > wanted:
                raise _miscounted(path, found, wanted)
        if is_dry:
            transaction.set_rollback(True)
        elif any(each.new for each in counts if each.what in _REBUILT):
            rebuilt()
    return counts


def _lines(path: Path) -> int:
    """How many records a file holds."""
    return sum(
        bool(line.strip()) and not line.startswith(b"#") for line in read_bytes(path).split(b"\n")
    )


def _miscounted(path: Path, found: int, wanted: int) -> InputError:
    return InputError(f"holds {found} records; expected {wanted}, as {MANIFEST} counts", path=path)
