"""`qrelsmith app export`: the whole campaign as a folder, written atomically."""

from __future__ import annotations

import secrets
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.db.models import Count, F, Sum

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.spreadsheets import without_formula
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.collection.document import form_fields
from qrelsmith.collection.topics import Topic, topics_text
from qrelsmith.io.json_lines import json_line
from qrelsmith.io.manifest import manifest_for, write_manifest
from qrelsmith.io.table_writing import write_table
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import replacing, write_text
from qrelsmith.judgments.judgment_files import Judgments, judgment_cells, write_judgments
from qrelsmith.judgments.judgment_tables import NUMBERS
from qrelsmith.judgments.rejudged_rounds import FOLDER as ROUNDS_FOLDER
from qrelsmith.judgments.rejudged_rounds import HIDDEN, SHOWN, RejudgedRound, write_rejudged_rounds
from qrelsmith.judgments.rejudged_rounds import TABLE as ROUNDS_TABLE
from qrelsmith.web.answers.kind import judged_items
from qrelsmith.web.core.campaign_chain import desk_head
from qrelsmith.web.core.database import in_byte_order, snapshot
from qrelsmith.web.core.unfinished import mark_unfinished
from qrelsmith.web.exporting.evidence import write_adjudicated, write_evidence
from qrelsmith.web.exporting.files import write_files
from qrelsmith.web.exporting.preferences import write_preferences
from qrelsmith.web.graded.judgments import judgments_of_round
from qrelsmith.web.graded.labels import write_labels
from qrelsmith.web.judging.chain import campaign_head
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.models import (
    AnswerAssignment,
    Assignment,
    DocVersion,
    RejudgingRound,
    TopicVersion,
)
from qrelsmith.web.records.folder import EXPORT_COMMAND, write_all_records

_CHUNK = 200


@dataclass(frozen=True, slots=True)
class WantedExport:
    """The optional parts of an export besides the judgments.

    Attributes
    ----------
    documents : bool
        The docs themselves.
    runs : bool
        The runs in the campaign folder.
    spreadsheet : bool
        A copy of the judgments that is safe to open in a spreadsheet.
    """

    documents: bool = False
    runs: bool = True
    spreadsheet: bool = False


def export(
    campaign: Campaign,
    folder: FilePath,
    wanted: WantedExport,
    *,
    step: Callable[[], object] = lambda: None,
) -> int:
    """Write all data of a campaign, and return the number of events.

    `step` is called between parts; it may raise an exception to stop the export.

    Raises
    ------
    UsageError
        If the folder exists and is not empty.
    InputError
        If the folder cannot be written.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{quoted(target)} already exists and is not empty; expected a new folder")
    part = target.resolve().with_name(f".{secrets.token_hex(8)}.part")
    try:
        with mark_unfinished(part):
            try:
                part.mkdir(parents=True)
                with snapshot():
                    events = _write(campaign, part, wanted, step)
                if target.exists():
                    target.rmdir()
                part.rename(target.resolve())
            except BaseException:
                shutil.rmtree(part, ignore_errors=True)
                raise
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=folder) from None
    return events


def _write(
    campaign: Campaign, folder: Path, wanted: WantedExport, step: Callable[[], object]
) -> int:
    write_files(campaign, folder, runs=wanted.runs)
    write_text(folder / "topics.jsonl", topics_text(_topics()))
    for kind in KINDS:
        kind.write_files(campaign, folder)
    step()
    if wanted.documents:
        write_documents(folder / "documents.jsonl")
    tables = (Assignment, AnswerAssignment)
    rounds = {1}.union(*(table.objects.values_list("round", flat=True) for table in tables))
    for round_ in sorted(rounds):
        step()
        judgments = judgments_of_round(round_)
        if judgments is None:
            continue
        if round_ == 1:
            write_judgments(judgments, folder / "judgments.csv")
            write_labels(judgments, folder / "labels", scale=campaign.scale)
            if wanted.spreadsheet:
                write_for_spreadsheets(judgments, folder / "labels" / "judgments-spreadsheet.csv")
        else:
            (folder / ROUNDS_FOLDER).mkdir(exist_ok=True)
            write_judgments(judgments, folder / ROUNDS_FOLDER / f"round-{round_}.csv")
    _write_rounds(folder)
    write_preferences(folder / "preferences.csv")
    write_evidence(folder)
    write_adjudicated(judgments_of_round(1), folder / "qrels", scale=campaign.scale)
    step()
    counts = write_all_records(folder)
    manifest = manifest_for(
        EXPORT_COMMAND, parameters=counts | {"head": campaign_head()} | desk_head()
    )
    write_manifest(manifest, folder / "manifest.json")
    return sum(counts[kind.lines.kind.name] for kind in KINDS)


def _write_rounds(folder: Path) -> None:
    """Write the purposes of later rounds."""
    asked = Counter(dict(Assignment.objects.values_list("round").annotate(Sum("total"))))
    aspects = judged_items().values_list("assignment__round").annotate(Count("id"))
    asked.update(dict(aspects.order_by()))
    rounds = [
        RejudgedRound(
            round_.number,
            reason=round_.reason,
            rule=round_.rule,
            reference=round_.reference,
            labels=SHOWN if round_.shows_labels else HIDDEN,
            assigned=asked[round_.number],
        )
        for round_ in RejudgingRound.objects.order_by("number")
    ]
    if rounds:
        (folder / ROUNDS_FOLDER).mkdir(exist_ok=True)
        write_rejudged_rounds(rounds, folder / ROUNDS_FOLDER / ROUNDS_TABLE)


def _topics() -> list[Topic]:
    current = TopicVersion.objects.select_related("topic").filter(version=F("topic__version"))
    return [
        Topic(
            topic.topic.name,
            title=topic.title,
            description=topic.description,
            narrative=topic.narrative,
            creator=topic.creator,
            others=topic.others,
        )
        for topic in current
    ]


def write_documents(path: Path) -> None:
    """Write the current version of each doc whose content the app has to a JSONL file, by name."""
    current = DocVersion.objects.select_related("doc").filter(version=F("doc__version"))
    ordered = current.exclude(content=b"").order_by(in_byte_order("doc__name"))
    with replacing(path) as out:
        for each in ordered.iterator(chunk_size=_CHUNK):
            fields = {"doc_id": each.doc.name, **form_fields(each.form, each.text)}
            fields |= {
                name: getattr(each, name) for name in ("title", "url") if getattr(each, name)
            }
            out.write(json_line(fields).encode("utf-8"))


def write_for_spreadsheets(judgments: Judgments, path: Path) -> None:
    """Write judgments with an apostrophe before every text that looks like a formula."""
    cells = {
        name: column if name in NUMBERS else [without_formula(cell) for cell in column]
        for name, column in judgment_cells(judgments).items()
    }
    write_table(path, cells, form="csv")
