"""The training page for crowd workers: an item, the worker's answer, the correct answer."""

from __future__ import annotations

import math
from typing import Any

from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from qrelsmith.web.accounts.access import JUDGES, page
from qrelsmith.web.crowd.training import Lesson, learn, lesson
from qrelsmith.web.crowd.work_page import sitting_of
from qrelsmith.web.docs.terms import terms_query
from qrelsmith.web.graded.doc_page import doc_frame, requested_version
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.models import Batch, Doc, DocVersion, Sitting, Topic, TopicVersion
from qrelsmith.web.pairs.choices import current_choices
from qrelsmith.web.site.parameters import ParameterError, form_text, no_number

_SIDES = {Batch.Kind.PAIRS: ("left", "right"), Batch.Kind.DOCS: ("doc",)}


@page(JUDGES, methods=("GET", "POST"))
def training(request: HttpRequest, number: int) -> HttpResponse:
    """Show a training item and record its answer; then show the correct answer."""
    sitting = sitting_of(request)
    current = _lesson(sitting, number)
    if sitting.ended_at is not None and current.answer is None:
        return redirect("work")
    if request.method == "POST":
        learn(sitting, number, _answer(request, sitting))
        return redirect("training", number)
    return render(request, "crowd/training.html", _context(sitting, current))


@page(JUDGES)
def training_doc(request: HttpRequest, number: int, side: str) -> HttpResponse:
    """Return a doc of a training item, rendered like `doc`."""
    sitting = sitting_of(request)
    found = _lesson(sitting, number)
    if side not in _SIDES[Batch.Kind(sitting.batch.kind)]:
        raise Http404
    doc = Doc.objects.get(name=found.known[side])
    return doc_frame(request, requested_version(request, doc))


def _lesson(sitting: Sitting, number: int) -> Lesson:
    found = lesson(sitting.worker, sitting.batch, number)
    if found is None:
        raise Http404
    return found


def _answer(request: HttpRequest, sitting: Sitting) -> float:
    """Return the submitted answer: the outcome of a pair, or a grade on the scale."""
    try:
        value = float(form_text(request, "value"))
    except ValueError:
        raise no_number("value") from None
    if sitting.batch.kind == Batch.Kind.PAIRS:
        is_known = value in current_choices().outcomes
    else:
        is_known = math.isfinite(value) and current_scale().has(value)
    if not is_known:
        raise ParameterError(gettext("Choose one of the listed answers."))
    return value


def _context(sitting: Sitting, current: Lesson) -> dict[str, Any]:
    topic = Topic.objects.get(name=current.known["topic"])
    text = TopicVersion.objects.get(topic=topic, version=topic.version)
    is_pairs = sitting.batch.kind == Batch.Kind.PAIRS
    sides = [
        {"side": side, "title": _title(current.known[side])}
        for side in _SIDES[Batch.Kind(sitting.batch.kind)]
    ]
    return {
        "sitting": sitting,
        "lesson": current,
        "topic": topic,
        "text": text,
        **terms_query(text),
        "sides": sides,
        "is_pairs": is_pairs,
        "choices": _pair_choices() if is_pairs else _grade_choices(),
        "control": "buttons" if is_pairs else current_scale().control,
        "instructions": _instructions(is_pairs=is_pairs),
        "is_last": current.number == current.total,
    }


def _title(doc: str) -> str:
    versions = DocVersion.objects.filter(doc__name=doc, version=F("doc__version"))
    return versions.values_list("title", flat=True).first() or ""


def _pair_choices() -> list[dict[str, Any]]:
    return [
        {"value": each["outcome"], "label": each["label"]} for each in current_choices().buttons()
    ]


def _grade_choices() -> list[dict[str, Any]]:
    levels = current_scale().content["levels"]
    return [
        {"value": level["grade"], "label": level["label"] or level["grade"], "text": level["text"]}
        for level in levels
    ]


def _instructions(*, is_pairs: bool) -> str:
    if is_pairs:
        return current_choices().instructions
    return str(current_scale().content["instructions"])
