"""Import of a file of a model's labels, recorded as events of its assessor."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from django.db import transaction

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.collection.pools.pool_sets import PoolSet, read_pool_set
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.judgment_files import Judgments, read_judgments
from qrelsmith.web.accounts.assessors import new_model_assessor
from qrelsmith.web.core.assignments import record_assignment
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.judging.batches import BatchRefusedError
from qrelsmith.web.model_assessors.labels import GivenLabel, Key
from qrelsmith.web.model_assessors.recording import faults_of, record
from qrelsmith.web.model_assessors.settings import GivenSetting, recorded_setting
from qrelsmith.web.models import Assessor, AssignedDoc, Assignment, Doc, Event, ModelSetting, Topic

_CHUNK = 1000
_UNJUDGED = -1.0


def read_labels(path: FilePath, campaign: Campaign, *, assessor: str) -> Judgments:
    """Return one assessor's labels from a file, each in its latest revision.

    If all labels are by one assessor, that assessor may have a different name; otherwise, only the
    labels of `assessor` are returned.

    Raises
    ------
    InputError
        If the file is invalid, or has labels of other assessors only.
    """
    labels = read_judgments(path, scale=campaign.scale)
    if len(labels.assessors) > 1:
        if assessor not in labels.assessors:
            listed = ", ".join(labels.assessors[:12])
            raise InputError(
                f"the labels are by {listed}; expected labels by {quoted(assessor)}", path=path
            )
        labels = labels.restricted_to(assessors=[assessor])
    now = labels.current()
    return now.select(now.grade != _UNJUDGED)


def import_labels(
    judgments: Judgments,
    setting: GivenSetting,
    *,
    assessor: str,
    group: str,
    campaign: Campaign,
    path: FilePath,
    is_dry: bool = False,
    advance: Callable[[], None] = lambda: None,
) -> list[Counts]:
    """Record the labels of a file; existing labels do not change.

    If the assessor has no assignment for a topic, one is created from the topic's pool and further
    docs of the file. If any label cannot be recorded, no label is recorded.

    Parameters
    ----------
    judgments : Judgments
        The labels of one assessor.
    setting : GivenSetting
        The model, prompt and parameters behind the labels.
    assessor, group : str
        The model, and its group if the model is new here.
    campaign : Campaign
        The campaign, for its pools.
    path : path
        The file, for error messages.
    is_dry : bool
        Whether to roll back all changes at the end.
    advance : callable
        Called after each part of about a thousand labels.

    Raises
    ------
    InputError
        If a topic or doc is unknown, or a label cannot be recorded.
    UsageError
        If the assessor is not a model.
    """
    topics = Counts("assignments")
    settings = Counts("models")
    labels = Counts("labels")
    with writing():
        model = new_model_assessor(assessor, group=group)
        _assign(judgments, model, campaign, topics, path)
        before = ModelSetting.objects.count()
        version = recorded_setting(setting, model)
        settings.new = ModelSetting.objects.count() - before
        settings.same = 1 - settings.new
        given = list(_new_labels(judgments))
        for start in range(0, len(given), _CHUNK):
            _record(given[start : start + _CHUNK], version, setting, labels, path)
            advance()
        if is_dry:
            transaction.set_rollback(True)
    return [topics, settings, labels]


def parts_of(judgments: Judgments) -> int:
    """Return how often `import_labels` calls `advance`."""
    return -(-len(judgments) // _CHUNK)


def _assign(
    judgments: Judgments, assessor: Assessor, campaign: Campaign, counts: Counts, path: FilePath
) -> None:
    topic_ids = dict(Topic.objects.values_list("name", "id"))
    there = set(
        Assignment.objects.filter(assessor=assessor, round=1).values_list("topic__name", flat=True)
    )
    missing = [topic for topic in judgments.topics if topic not in there]
    counts.same = len(judgments.topics) - len(missing)
    for topic in missing:
        if topic not in topic_ids:
            raise InputError(
                f"the topic {quoted(topic)} is not in the campaign; expected one of its topics",
                path=path,
            )
    if not missing:
        return
    docs = dict(Doc.objects.values_list("name", "id"))
    pools = read_pool_set(campaign.pools) if campaign.pools else None
    for topic in missing:
        counts.new += 1
        part = judgments.restricted_to(topics=[topic])
        names = dict.fromkeys((*_pool(topic, pools), *part.docs))
        unknown = next((name for name in names if name not in docs), None)
        if unknown is not None:
            raise InputError(
                f"the doc {quoted(unknown)} of topic {quoted(topic)} is not in the "
                "campaign; expected one of its docs",
                path=path,
            )
        assignment = Assignment(assessor=assessor, topic_id=topic_ids[topic])
        record_assignment(assignment, [docs[name] for name in names])


def _pool(topic: str, pools: PoolSet | None) -> tuple[str, ...]:
    if pools is None:
        return ()
    return pools.pools[0].docs.get(topic, ())


def _new_labels(judgments: Judgments) -> Iterator[tuple[GivenLabel, datetime | None]]:
    """Yield the labels with their times; operation ids and revisions are added later."""
    times: list[datetime | None] = [None] * len(judgments)
    if judgments.judged_at is not None:
        times = judgments.judged_at.tolist()
    active = [math.nan] * len(judgments)
    if judgments.active_ms is not None:
        active = judgments.active_ms.tolist()
    for place, grade in enumerate(judgments.grade.tolist()):
        label = GivenLabel(
            op_id="",
            topic=judgments.topics[judgments.topic[place]],
            doc=judgments.docs[judgments.doc[place]],
            grade=grade,
            note=judgments.note[place] if judgments.note else "",
            active_ms=None if math.isnan(active[place]) else int(active[place]),
        )
        time = times[place]
        yield label, None if time is None else time.replace(tzinfo=UTC)


def _record(
    labels: Sequence[tuple[GivenLabel, datetime | None]],
    version: ModelSetting,
    setting: GivenSetting,
    counts: Counts,
    path: FilePath,
) -> None:
    current = _current([label for label, _ in labels], version.assessor)
    new: list[GivenLabel] = []
    times: list[datetime | None] = []
    for label, time in labels:
        revision, value, note, used = current.get(label.key, (0, None, "", None))
        if (value, note, used) == (label.grade, label.note, version.pk):
            counts.same += 1
            continue
        counts.changed += revision > 0
        counts.new += revision == 0
        new.append(replace(label, revision=revision, op_id=_op_id(label, version, revision)))
        times.append(time)
    if not new:
        return
    try:
        record(new, setting, assessor=version.assessor, judged_at=times, input_kind="file")
    except BatchRefusedError as error:
        fault = faults_of(error)[0]
        label = new[int(fault.place[1])]
        raise InputError(
            f"topic {quoted(label.topic)}, doc {quoted(label.doc)}: {fault.place[-1]} is"
            f" {fault.found}; expected {fault.expected}",
            path=path,
        ) from None


def _current(
    labels: Sequence[GivenLabel], assessor: Assessor
) -> dict[Key, tuple[int, float | None, str, int | None]]:
    """Return revision, value, note and setting of the existing labels of the model."""
    rows = AssignedDoc.objects.filter(
        assignment__assessor=assessor,
        assignment__round=1,
        assignment__topic__name__in={label.topic for label in labels},
        revision__gt=0,
    )
    wanted = {label.key: None for label in labels}
    current = {
        (topic, doc, 1): (pk, revision, value, note)
        for pk, topic, doc, revision, value, note in rows.values_list(
            "pk", "assignment__topic__name", "doc__name", "revision", "value", "note"
        )
        if (topic, doc, 1) in wanted
    }
    keys = [pk for pk, *_ in current.values()]
    used = {
        (assigned, revision): setting
        for assigned, revision, setting in Event.objects.filter(assigned__in=keys).values_list(
            "assigned_id", "revision", "setting_id"
        )
    }
    return {
        key: (revision, value, note, used.get((pk, revision)))
        for key, (pk, revision, value, note) in current.items()
    }


def _op_id(label: GivenLabel, version: ModelSetting, revision: int) -> str:
    """Return an operation id that is the same if a file is imported twice at the same time."""
    text = "\n".join((version.assessor.name, str(version.version), *map(str, label.key)))
    digest = hashlib.sha256(f"{text}\n{revision}\n{label.grade}".encode())
    return f"file-{digest.hexdigest()[:48]}"
