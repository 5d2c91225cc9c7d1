"""The folder `app` of an export: all records, out and in."""

from __future__ import annotations

import json
from pathlib import Path

from qrelsmith.data.campaign import Campaign
from qrelsmith.data.campaign_folder import RECORDS_FOLDER
from qrelsmith.data.text import read_bytes
from qrelsmith.data.writing import write_text
from qrelsmith.errors import InputError, quoted
from qrelsmith.web.importing.counts import Counts
from qrelsmith.web.records.assignments import (
    ASSESSORS,
    ASSIGNMENTS,
    assessor_records,
    assignment_records,
    import_assessors,
    import_assignments,
)
from qrelsmith.web.records.events import EVENTS, event_records, import_events
from qrelsmith.web.records.lines import write_records
from qrelsmith.web.records.versions import (
    SCALES,
    TOPICS,
    import_versions,
    scale_records,
    topic_records,
)
from qrelsmith.web.verification import rebuilt

FORMAT = 1
_MARK = "format.json"


def write_all_records(folder: Path) -> int:
    """Write all records into a folder of an export; how many events they hold."""
    target = folder / RECORDS_FOLDER
    target.mkdir()
    write_text(target / _MARK, json.dumps({"format": FORMAT}) + "\n")
    write_records(target, SCALES, scale_records())
    write_records(target, TOPICS, topic_records())
    write_records(target, ASSESSORS, assessor_records())
    write_records(target, ASSIGNMENTS, assignment_records())
    return write_records(target, EVENTS, event_records())


def records_of(campaign: Campaign) -> Path | None:
    """The folder with the records of a campaign that was exported, None if it was not.

    Raises
    ------
    InputError
        If they are newer than this program.
    """
    folder = campaign.folder / RECORDS_FOLDER
    mark = folder / _MARK
    if not mark.exists():
        return None
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


def import_all_records(folder: Path, *, is_dry: bool) -> list[Counts]:
    """Bring all records of a folder into the database, and the labels to what they say.

    Raises
    ------
    InputError
        At a record that is not as it should be, or contradicts what is there.
    """
    counts = [
        import_versions(folder, is_dry=is_dry),
        import_assessors(folder, is_dry=is_dry),
        import_assignments(folder, is_dry=is_dry),
    ]
    if is_dry and counts[-1].new:
        # Their assignments are not there to hold them against.
        return counts
    counts.append(import_events(folder, is_dry=is_dry))
    if not is_dry and counts[-1].new:
        rebuilt()
    return counts
