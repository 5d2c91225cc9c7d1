"""Replies of models as records, out and in: answers, what they cost, and error records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.lines import Cell, Kind, Record, read_records
from qrelsmith.web.models import Doc, ModelReply, ModelSetting, Topic
from qrelsmith.web.records.judgments import BATCH
from qrelsmith.web.records.parts import Part

_TEXTS = ("op_id", "request", "answer", "fault")
_NUMBERS = ("tokens_in", "tokens_out", "tokens", "money", "latency_ms")
MODEL_REPLIES = Kind(
    "model_replies.jsonl",
    texts=(*_TEXTS, "assessor", "topic", "doc", "other"),
    numbers=(*_NUMBERS, "setting"),
    times=("accepted_at",),
    is_since_0_1=True,
)


def reply_records() -> Iterator[Mapping[str, Cell]]:
    """All replies, in the order in which they were recorded."""
    replies = ModelReply.objects.select_related("assessor", "setting", "topic", "doc", "other")
    for reply in replies.order_by("id").iterator(chunk_size=BATCH):
        yield {name: getattr(reply, name) for name in (*_TEXTS, *_NUMBERS, "accepted_at")} | {
            "assessor": reply.assessor.name,
            "setting": reply.setting.version,
            "topic": reply.topic.name,
            "doc": reply.doc.name,
            "other": reply.other.name if reply.other else "",
        }


def import_replies(folder: Path) -> Counts:
    """Record the replies of a folder; those that are there already are left as they are.

    Raises
    ------
    InputError
        At a reply of a setting, topic or doc that is not there.
    """
    counts = Counts("model replies")
    settings = {
        (setting.assessor.name, setting.version): setting
        for setting in ModelSetting.objects.select_related("assessor")
    }
    topics = dict(Topic.objects.values_list("name", "id"))
    records = read_records(folder, MODEL_REPLIES)
    while batch := list(islice(records, BATCH)):
        ids = [record.text("op_id") for record in batch]
        there = set(ModelReply.objects.filter(op_id__in=ids).values_list("op_id", flat=True))
        names = {record.text(side) for record in batch for side in ("doc", "other")}
        docs = dict(Doc.objects.filter(name__in=names).values_list("name", "id"))
        replies = [_reply(record, settings, topics, docs) for record in batch]
        new = [reply for reply in replies if reply.op_id not in there]
        counts.new += len(new)
        counts.same += len(batch) - len(new)
        with writing():
            ModelReply.objects.bulk_create(new)
    return counts


def _reply(
    record: Record,
    settings: Mapping[tuple[str, int], ModelSetting],
    topics: Mapping[str, int],
    docs: Mapping[str, int],
) -> ModelReply:
    if not record.text("op_id"):
        raise record.fault("the key op_id is missing")
    name, version = record.text("assessor"), record.need("setting")
    setting = settings.get((name, version))
    if setting is None:
        raise record.fault(f"setting is {version}; expected a version that {quoted(name)} has")
    return ModelReply(
        assessor=setting.assessor,
        setting=setting,
        topic_id=_key_of(record, "topic", topics),
        doc_id=_key_of(record, "doc", docs),
        other_id=_key_of(record, "other", docs) if record.text("other") else None,
        accepted_at=record.need_time("accepted_at"),
        **{key: record.text(key) for key in _TEXTS},
        **{key: record.whole(key) for key in ("tokens_in", "tokens_out", "latency_ms")},
        **{key: record.whole(key) or 0 for key in ("tokens", "money")},
    )


def _key_of(record: Record, key: str, keys: Mapping[str, int]) -> int:
    if record.text(key) not in keys:
        raise record.fault(f"the {key} {quoted(record.text(key))} is unknown")
    return keys[record.text(key)]


PART = Part(((MODEL_REPLIES, reply_records),), lambda coming: import_replies(coming.folder))
