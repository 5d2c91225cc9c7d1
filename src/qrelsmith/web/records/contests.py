"""Contests and their pairs as records, out and in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from django.db import IntegrityError

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.lines import Cell, Kind, Record, json_text, read_records
from qrelsmith.web.models import Assessor, Contest, Doc, PairTask, PreferenceVersion, Topic
from qrelsmith.web.records.parts import Part

CHOICES = Kind(
    "preference_versions.jsonl", texts=("content",), numbers=("version",), times=("created_at",)
)
CONTESTS = Kind(
    "contests.jsonl",
    texts=("topic", "assessor", "candidates", "nonrelevant", "setting", "head"),
    numbers=("is_open",),
    times=("created_at",),
)
PAIRS = Kind(
    "pairs.jsonl",
    texts=("topic", "left", "right", "purpose", "better", "hit", "assessor"),
    numbers=("number", "round", "slot", "position", "withdrawn"),
    times=("claimed_at",),
)
_SIDES = ("", "left", "right")
_CHUNK = 2000


def choices_records() -> Iterator[Mapping[str, Cell]]:
    """All versions of the choices."""
    for each in PreferenceVersion.objects.order_by("version"):
        yield {
            "content": json_text(each.content),
            "version": each.version,
            "created_at": each.created_at,
        }


def contest_records() -> Iterator[Mapping[str, Cell]]:
    """All contests, by topic."""
    found = Contest.objects.select_related("assessor", "topic")
    for contest in found.order_by("topic__name"):
        yield {
            "topic": contest.topic.name,
            "assessor": contest.assessor.name if contest.assessor else "",
            "candidates": json_text(contest.candidates),
            "nonrelevant": json_text(contest.nonrelevant),
            "setting": json_text(contest.setting),
            "is_open": int(contest.is_open),
            "created_at": contest.created_at,
            "head": contest.head,
        }


def pair_records() -> Iterator[Mapping[str, Cell]]:
    """All pairs, those that were withdrawn, too, by topic and number; not their answers."""
    found = PairTask.objects.select_related("assessor", "contest__topic", "left", "right")
    for task in found.order_by("contest__topic__name", "number").iterator(chunk_size=_CHUNK):
        yield {
            "topic": task.contest.topic.name,
            "left": task.left.name,
            "right": task.right.name,
            "purpose": task.purpose,
            "better": task.better,
            "hit": task.hit,
            "assessor": task.assessor.name if task.assessor else "",
            "number": task.number,
            "round": task.round,
            "slot": task.slot,
            "position": task.position,
            "withdrawn": int(task.withdrawn),
            "claimed_at": task.claimed_at,
        }


def import_contests(folder: Path) -> Counts:
    """Record the contests of a folder with their pairs; those that are there are left as they are.

    Docs that are not in the database come in as names without content.

    Raises
    ------
    InputError
        At a record that is not as it should be, or of a topic or an assessor that is not known.
    """
    counts = Counts("contest records")
    there = set(Contest.objects.values_list("topic__name", flat=True))
    assessors = {each.name: each for each in Assessor.objects.all()}
    topics = {each.name: each for each in Topic.objects.all()}
    new: dict[str, Contest] = {}
    with writing():
        _record_choices(folder)
        for record in read_records(folder, CONTESTS):
            name = record.text("topic")
            if name in there:
                counts.same += 1
                continue
            if name not in topics or name in new:
                raise record.fault(
                    f"the topic is {quoted(name)}; expected a topic of the app, once"
                )
            counts.new += 1
            new[name] = Contest.objects.create(
                topic=topics[name],
                assessor=_assessor(record, assessors),
                candidates=record.json("candidates", dict),
                nonrelevant=record.json("nonrelevant", list),
                setting=record.json("setting", dict),
                is_open=bool(record.need("is_open")),
                created_at=record.need_time("created_at"),
            )
        _record_pairs(folder, new, there, assessors)
    return counts


def _record_choices(folder: Path) -> None:
    known = set(PreferenceVersion.objects.values_list("version", flat=True))
    for record in read_records(folder, CHOICES):
        version = record.need("version")
        if version not in known:
            PreferenceVersion.objects.create(
                version=version,
                content=record.json("content", dict),
                created_at=record.need_time("created_at"),
            )


def _record_pairs(
    folder: Path, new: Mapping[str, Contest], there: set[str], assessors: Mapping[str, Assessor]
) -> None:
    records = [
        record for record in read_records(folder, PAIRS) if record.text("topic") not in there
    ]
    names = {record.text(side) for record in records for side in ("left", "right")}
    Doc.objects.bulk_create((Doc(name=name) for name in sorted(names)), ignore_conflicts=True)
    docs = dict(Doc.objects.filter(name__in=names).values_list("name", "id"))
    tasks = []
    for record in records:
        if record.text("topic") not in new:
            raise record.fault(f"the topic {quoted(record.text('topic'))} has no contest")
        if record.text("purpose") not in PairTask.Purpose.values:
            purposes = ", ".join(PairTask.Purpose.values)
            raise record.fault(
                f"purpose is {quoted(record.text('purpose'))}; expected one of {purposes}"
            )
        if record.text("better") not in _SIDES:
            raise record.fault(
                f"better is {quoted(record.text('better'))}; expected left, right or nothing"
            )
        tasks.append(
            PairTask(
                contest=new[record.text("topic")],
                left_id=docs[record.text("left")],
                right_id=docs[record.text("right")],
                purpose=record.text("purpose"),
                better=record.text("better"),
                hit=record.text("hit"),
                assessor=_assessor(record, assessors),
                number=record.need("number"),
                round=record.need("round"),
                slot=record.need("slot"),
                position=record.need("position"),
                withdrawn=bool(record.need("withdrawn")),
                claimed_at=record.time("claimed_at"),
            )
        )
    try:
        PairTask.objects.bulk_create(tasks, batch_size=_CHUNK)
    except IntegrityError:
        raise records[-1].fault("a pair up to here has a number or a slot that is taken") from None


def _assessor(record: Record, assessors: Mapping[str, Assessor]) -> Assessor | None:
    name = record.text("assessor")
    if name and name not in assessors:
        raise record.fault(f"the assessor {quoted(name)} is unknown")
    return assessors[name] if name else None


PART = Part(
    ((CHOICES, choices_records), (CONTESTS, contest_records), (PAIRS, pair_records)),
    lambda coming: import_contests(coming.folder),
    decides_labels=True,
)
