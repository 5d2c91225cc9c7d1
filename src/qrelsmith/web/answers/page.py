"""The page for judging answers, and the effect of nugget edits on other assessors."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from django.db.models import F, Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils import timezone

from qrelsmith.answers.judged_aspects import DROPPED, EDIT, answer_doc, importance_of
from qrelsmith.base.items import citation_aspect
from qrelsmith.web.accounts.access import JUDGES, api, assessor_of, page
from qrelsmith.web.answers.kind import ASPECTS, AspectSubmission, judged_items
from qrelsmith.web.core.database import writing
from qrelsmith.web.docs.passages import text_json
from qrelsmith.web.docs.terms import topic_language
from qrelsmith.web.docs.views import render_doc
from qrelsmith.web.graded.doc_page import (
    doc_frame,
    reading_json,
    requested_look,
    requested_version,
    sandbox_of,
)
from qrelsmith.web.graded.earlier_labels import FIRST_ROUND
from qrelsmith.web.graded.early_repeats import without_early
from qrelsmith.web.graded.page import judging_terms
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.judging.accepting import judge, person
from qrelsmith.web.models import AnswerAspect, AnswerAssignment, Doc, TopicVersion
from qrelsmith.web.site.answers import answered
from qrelsmith.web.site.parameters import form_number, form_op_id, form_text, form_whole

_NUGGET = "nugget"


@page(JUDGES)
def judging(request: HttpRequest, answers_id: int, position: int = 0) -> HttpResponse:
    """Show the answers to a topic, at an aspect or at the last position."""
    assignment = _own(answers_id, request)
    AnswerAssignment.objects.filter(pk=answers_id, opened_at=None).update(opened_at=timezone.now())
    follow_edits(assignment.topic_id)
    topic = _text(assignment)
    state = _state(assignment, topic) | {"position": position}
    answers = _answer_rows(assignment, state["items"])
    context = {
        "assignment": assignment,
        "topic": topic,
        "is_closed": any(each["turns"] for each in answers),  # also shown in the narrative
        "state": state,
        "answers": answers,
        "op_id": secrets.token_hex(16),
        "can_edit": _is_editable(assignment)
        and any(each["family"] == _NUGGET for each in state["items"]),
        **judging_terms(current_scale()),
    }
    return render(request, "answer.html", context)


@page(JUDGES, methods=("POST",))
def nuggets(request: HttpRequest, answers_id: int) -> HttpResponse:
    """Edit, split, merge or drop a nugget (`aspect`; 0: a new nugget)."""
    assignment = _own(answers_id, request)
    if not _is_editable(assignment):
        raise Http404
    number, place = form_whole(request, "aspect"), form_whole(request, "place")
    text, split, into = (
        form_text(request, name, longest=2000).strip() for name in ("text", "split", "into")
    )
    weight = form_number(request, "value")
    old = number and get_object_or_404(assignment.items, pk=number, family=_NUGGET)
    changes = [(number, 0.0 if into else weight, text, into)] if text else []
    changes += [(0, weight, split, old.aspect)] if split and old else []
    for step, change in enumerate(changes):
        _take_edit(assignment, place, change, op_id=f"{form_op_id(request)}{step}")
    follow_edits(assignment.topic_id)
    position = old.position if old else form_whole(request, "position")
    return redirect("answer", assignment.pk, position)


@page(JUDGES)
def doc(request: HttpRequest, aspect_id: int) -> HttpResponse:
    """Show the doc cited by a sentence."""
    version = requested_version(request, _item(request, aspect_id).doc)
    return doc_frame(request, version, sandbox=sandbox_of(current_scale()))


@api(JUDGES)
def words(request: HttpRequest, aspect_id: int, what: str) -> HttpResponse:
    """Return the text of the answer or doc, the places of terms, or how often a text occurs."""
    version = requested_version(request, _item(request, aspect_id).doc)
    if what == "text":
        return answered(text_json(version))
    look = requested_look(request)
    if what == "reading":
        return answered(reading_json(version, look))
    if what != "find":
        raise Http404
    return answered({"count": render_doc(version, look).found})


def patterns() -> list[URLPattern]:
    """Return the URL patterns of these pages."""
    return [
        path("answers/<int:answers_id>", judging, name="answers"),
        path("answers/<int:answers_id>/<int:position>", judging, name="answer"),
        path("answers/<int:answers_id>/nuggets", nuggets, name="nuggets"),
        path("cited/<int:aspect_id>", doc, name="cited"),
        path("api/cited/<int:aspect_id>/<str:what>", words, name="api-cited"),
    ]


# Edits of nuggets.


def _is_editable(assignment: AnswerAssignment) -> bool:
    """Return whether an assessor may edit nuggets: not in later rounds, and not in HITs."""
    return assignment.round == FIRST_ROUND and not assignment.hit


def follow_edits(topic: int) -> None:
    """Apply nugget edits to the aspects of a topic's answers, and add new nuggets.

    The latest edit of a nugget counts, whichever assessor made it; withdrawn edits do not count.
    """
    edits = AnswerAspect.objects.filter(assignment__topic=topic, family=EDIT)
    if not edits.exists():
        return
    with writing():
        list(AnswerAssignment.objects.select_for_update().filter(topic=topic).order_by("pk"))
        now: dict[str, tuple[str, str]] = {}
        ordered = edits.annotate(last=Max("events__id")).order_by("is_judged", "last")
        for each in ordered:
            if each.is_judged:
                now[each.aspect] = each.wording, importance_of(each.value or 0.0)
            else:
                now.setdefault(each.aspect, (each.text, each.importance))
        added = set(edits.filter(text="").values_list("aspect", flat=True))
        for aspect, (text, importance) in now.items():
            same = AnswerAspect.objects.filter(assignment__topic=topic, aspect=aspect)
            others = same.exclude(family=EDIT).exclude(text=text, importance=importance)
            # A submitted HIT stays complete.
            others = others.exclude(
                ~Q(assignment__hit=""), assignment__is_open=False, is_judged=False
            )
            # The text of a dropped nugget stays readable.
            columns = {"text": text} if text else {}
            others.update(importance=importance, **columns)
            if aspect in added and importance != DROPPED:
                _add(topic, aspect, text, importance)


def _add(topic: int, aspect: str, text: str, importance: str) -> None:
    """Add a new nugget to every answer without it; only while the assignments are locked."""
    first = AnswerAssignment.objects.filter(topic=topic, hit="", round=FIRST_ROUND, is_open=True)
    for assignment in first.select_related("topic"):
        have = assignment.items.filter(aspect=aspect).exclude(family=EDIT)
        there = set(have.values_list("place", flat=True))
        names = {
            place: answer_doc(assignment.topic.name, answer["run"])
            for place, answer in enumerate(assignment.answers, start=1)
            if place not in there
        }
        docs = dict(Doc.objects.filter(name__in=names.values()).values_list("name", "pk"))
        _append(
            assignment,
            [
                AnswerAspect(
                    place=place, family=_NUGGET, aspect=aspect, text=text, importance=importance,
                    doc_id=docs[name],
                )
                for place, name in names.items()
            ],
        )  # fmt: skip


def _take_edit(
    assignment: AnswerAssignment, place: int, change: tuple[int, float, str, str], *, op_id: str
) -> None:
    """Accept an edit of a nugget as a judgment; the number of a new nugget is 0.

    The item of an edit and its event are written together: a refused edit leaves no rows behind.
    """
    if assignment.events.filter(op_id=op_id).exists():
        return  # the form was sent twice
    number, weight, text, related = change
    with writing():
        locked = AnswerAssignment.objects.select_for_update().get(pk=assignment.pk)
        edit = ASPECTS.items().get(pk=_edit(locked, assignment, number, place).pk)
        submission = AspectSubmission(
            op_id, edit.pk, weight, text, ASPECTS.current_digest(edit, "sha256"), edit.revision,
            related=related, input_kind="form",
        )  # fmt: skip
        judge(ASPECTS, submission, person(assignment.assessor, assignment.pk))


def _edit(
    locked: AnswerAssignment, assignment: AnswerAssignment, number: int, place: int
) -> AnswerAspect:
    """Return the item whose label is the edit of a nugget or a new nugget."""
    if number:
        nugget = locked.items.get(pk=number)
        mine = locked.items.filter(family=EDIT, aspect=nugget.aspect).first()
        if mine is not None:
            return mine
        every = AnswerAspect.objects.filter(assignment__topic=locked.topic_id, family=EDIT)
        first = every.filter(aspect=nugget.aspect).order_by("pk").first() or nugget
        edit = AnswerAspect(
            aspect=nugget.aspect, text=first.text, importance=first.importance, place=nugget.place
        )
    else:
        own = f"{assignment.assessor.name}."
        taken = locked.items.filter(family=EDIT, aspect__startswith=own).count()
        edit = AnswerAspect(aspect=f"{own}{taken + 1}", importance=DROPPED, place=place)
    if not 1 <= edit.place <= len(locked.answers):
        raise Http404
    run = locked.answers[edit.place - 1]["run"]
    edit.doc = Doc.objects.get(name=answer_doc(assignment.topic.name, run))
    edit.family = EDIT
    _append(locked, [edit])
    return edit


def _append(assignment: AnswerAssignment, more: Iterable[AnswerAspect]) -> None:
    last = assignment.items.aggregate(last=Max("position"))["last"] or 0
    new = list(more)
    for position, each in enumerate(new, start=last + 1):
        each.assignment, each.position = assignment, position
        each.save()
    counted = AnswerAssignment.objects.filter(pk=assignment.pk)
    counted.update(total=F("total") + len(new))


# The data for the script.


def _state(assignment: AnswerAssignment, topic: TopicVersion) -> dict[str, Any]:
    rows, scale = _rows(assignment), current_scale()
    language = topic_language(topic)
    families = {each["family"] for each in rows} | {_NUGGET, EDIT}
    return {
        "assignment": assignment.pk,
        "is_open": assignment.is_open,
        "topic": {"name": assignment.topic.name, "title": topic.title, "language": language},
        "topic_version": topic.version,
        "scales": {
            name: {"version": scale.version, **scale.family(name).content} for name in families
        },
        "answers": len(assignment.answers),
        "items": rows,
    }


def _answer_rows(assignment: AnswerAssignment, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the answers as the page shows them: turns, and sentences with numbered citations."""
    row_of = {(row["place"], row["name"]): row for row in rows}
    drawn = []
    for place, answer in enumerate(assignment.answers, start=1):
        numbers: dict[str, int] = {}
        sentences = []
        for sentence, (text, docs) in enumerate(answer["sentences"]):
            marks = [
                {
                    "number": numbers.setdefault(name, len(numbers) + 1),
                    "title": row["title"] if row else name,
                    "position": row["position"] if row else None,
                }
                for name in docs
                for row in [row_of.get((place, citation_aspect(sentence, name)))]
            ]
            sentences.append({"text": text, "marks": marks})
        turns = answer["turns"] if len(answer["turns"]) > 1 else []
        expected = answer.get("expected", "")
        drawn.append({"turns": turns, "sentences": sentences, "expected": expected})
    return drawn


def _rows(assignment: AnswerAssignment) -> list[dict[str, Any]]:
    found = ASPECTS.items().filter(assignment=assignment).order_by("position")
    return [ASPECTS.row_json(each) for each in found.filter(~Q(family=EDIT) | Q(is_judged=True))]


def _own(pk: int, request: HttpRequest) -> AnswerAssignment:
    own = AnswerAssignment.objects.filter(pk=pk, assessor=assessor_of(request))
    shown = without_early(own.select_related("topic", "assessor"), judged_items())
    return get_object_or_404(shown)


def _item(request: HttpRequest, pk: int) -> AnswerAspect:
    found = AnswerAspect.objects.select_related("doc")
    return get_object_or_404(found, pk=pk, assignment__assessor=assessor_of(request))


def _text(assignment: AnswerAssignment) -> TopicVersion:
    topic = assignment.topic
    return TopicVersion.objects.select_related("topic").get(topic=topic, version=topic.version)
