"""Checks that model settings are unchanged, and that judgments name a setting of their model."""

from __future__ import annotations

from django.db.models import F

from qrelsmith.base.errors import quoted
from qrelsmith.models.replies import ReplyError, parsed_reply
from qrelsmith.web.core.checks import Check
from qrelsmith.web.model_assessors.settings import digest_of
from qrelsmith.web.models import Event, ModelReply, ModelSetting


def setting_faults() -> tuple[int, list[str]]:
    """Return how many settings and judgments were checked, and the errors as sentences."""
    faults = []
    last: dict[int, int] = {}
    settings = list(
        ModelSetting.objects.select_related("assessor").order_by("assessor_id", "version")
    )
    for setting in settings:
        expected = last.get(setting.assessor_id, 0) + 1
        last[setting.assessor_id] = setting.version
        name = f"version {setting.version} of {setting.assessor.name}"
        if setting.version != expected:
            faults.append(f"{name} follows version {expected - 1}")
        if setting.prompt_sha256 != digest_of(setting.prompt):
            faults.append(f"the prompt of {name} does not match its digest")
    judged = Event.objects.exclude(setting=None)
    strangers = judged.exclude(setting__assessor=F("assessor")).order_by("id")
    faults += [f"event {event.op_id} names another assessor's setting" for event in strangers]
    # Each label has one author: a model, or a person.
    mixed = Event.objects.filter(setting=None, assigned__events__setting__isnull=False).distinct()
    faults += [
        f"event {event.op_id} names no setting, but its label is from a model"
        for event in mixed.order_by("id")
    ]
    return len(settings) + judged.count(), faults


def reply_check() -> Check:
    """Check that a model's labels match its replies."""
    check = Check("model labels match the replies")
    judged = Event.objects.exclude(setting=None)
    places = ("setting_id", "assignment__topic_id", "assigned__doc_id")
    labels: dict[tuple[int, int, int], set[float]] = {}
    for *place, value in judged.values_list(*places, "value").iterator():
        labels.setdefault((place[0], place[1], place[2]), set()).add(value)
    replies = ModelReply.objects.filter(fault="", other=None).order_by("pk")
    columns = ("op_id", "setting_id", "topic_id", "doc_id", "answer")
    for op_id, setting, topic, doc, answer in replies.values_list(*columns).iterator():
        check.rows += 1
        given = labels.get((setting, topic, doc), set())
        try:
            parsed_reply(answer, kind="grade", grades=given)
        except ReplyError:
            said = ", ".join(map(str, sorted(given))) or "missing"
            check.fault(f"the answer of reply {op_id} is {quoted(answer)}; its label is {said}")
    return check
