"""The organiser's first page: the matrix of assessors and topics, with actions on its cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from qrelsmith.answers.judged_aspects import answer_doc
from qrelsmith.web.accounts.access import ORGANISERS, WATCHERS, account_of, api, page
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.answers.kind import judged_items, run_of
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.desk.aspects import kind_name
from qrelsmith.web.desk.matters import Matter, seen_matters
from qrelsmith.web.graded.scale import ShownScale, current_scale
from qrelsmith.web.models import (
    AnswerAspect,
    AnswerAssignment,
    Assessor,
    AssignedDoc,
    Assignment,
    Doc,
    PairTask,
    Topic,
)
from qrelsmith.web.organiser.matrix import (
    Work,
    matrix_changes,
    matrix_counts,
    matrix_figures,
    matrix_sums,
    work_of,
)
from qrelsmith.web.organiser.reassigning import Handed, assignments_of, reassign, switch_all
from qrelsmith.web.site.answers import answered, failed
from qrelsmith.web.site.parameters import (
    ParameterError,
    choice,
    form_text,
    json_body,
    query_whole,
    whole_numbers,
)

_DEEDS = ("close", "open", "reassign")
_MOST = 20_000


@page(WATCHERS)
def overview(request: HttpRequest) -> HttpResponse:
    """Show the campaign's progress; a script fills the matrix."""
    context = {"sums": matrix_sums(), "pairs": PairTask.objects.exists()}
    return render(request, "overview.html", context)


@api(WATCHERS)
def matrix(request: HttpRequest) -> HttpResponse:
    """Return the counts of all cells or, with `since`, of those with newer events."""
    if "since" not in request.GET:
        return answered(matrix_counts())
    docs, answers = (
        query_whole(request.GET, name, default=0, most=2**31) for name in ("since", "answers")
    )
    return answered(matrix_changes(docs, answers))


@api(WATCHERS)
def figures(request: HttpRequest) -> HttpResponse:
    """Return pace, agreement and flags."""
    return answered(matrix_figures())


@api(ORGANISERS, methods=("POST",))
def change(request: HttpRequest) -> HttpResponse:
    """Close, reopen or reassign the assignments of the selected assessors and topics."""
    body = json_body(request)
    deed = choice(body.get("deed"), "deed", _DEEDS)
    rows, columns = (set(whole_numbers(body, name, most=_MOST)) for name in ("assessors", "topics"))
    try:
        handed = apply_change(request, deed, assignments_of(rows, columns), str(body.get("to", "")))
    except RefusedError as error:
        return failed(409, error.reason, error.message)
    return answered({"done": handed.done, "left": handed.left})


@page(WATCHERS)
def cell(request: HttpRequest, assessor_id: int, topic_id: int) -> HttpResponse:
    """Show the docs of an assessor in a topic, with their labels and links to Adjudication."""
    assessor = get_object_or_404(Assessor, pk=assessor_id)
    topic = get_object_or_404(Topic, pk=topic_id)
    own = Assignment.objects.filter(assessor=assessor, topic=topic).order_by("round", "hit")
    answers = AnswerAssignment.objects.filter(assessor=assessor, topic=topic, hit="")
    docs = AssignedDoc.objects.filter(assignment__in=own).select_related("assignment", "doc")
    scale = current_scale()
    others: dict[int, list[str]] = {}
    labels = AssignedDoc.objects.filter(assignment__topic=topic, is_judged=True).exclude(
        assignment__assessor=assessor
    )
    for doc, value in labels.order_by("value").values_list("doc", "value"):
        others.setdefault(doc, []).append("" if value is None else scale.label(value))
    seen = seen_matters(account_of(request), topic.pk)
    context = {
        "assessor": assessor,
        "topic": topic,
        "assignments": [
            *((row, "assignment-change", row.judged, row.total) for row in own),
            *((row, "answers-change", *_judged_of(row)) for row in answers.order_by("round")),
        ],
        "rows": [
            {
                "doc": each,
                "label": _label(each, scale),
                "others": others.get(each.doc_id, ()),
                "is_hidden": _is_hidden(each, others.get(each.doc_id, ()), seen, scale),
            }
            for each in docs.order_by("assignment__round", "assignment__hit", "position")
        ],
        "aspects": _aspect_rows(assessor, topic, seen, scale),
    }
    return render(request, "organiser/cell.html", context)


@page(ORGANISERS, methods=("POST",))
def change_one(
    request: HttpRequest, assignment_id: int, table: type[Work] = Assignment
) -> HttpResponse:
    """Close, reopen or reassign one assignment of docs or of answers."""
    deed = choice(request.POST.get("deed"), "deed", _DEEDS)
    found = [each for each in work_of(pk=assignment_id) if isinstance(each, table)]
    if not found:
        raise Http404
    (assignment,) = found
    try:
        handed = apply_change(request, deed, [assignment], form_text(request, "to", longest=200))
    except RefusedError as error:
        raise ParameterError(error.message) from None
    if not handed.done:
        raise ParameterError(
            gettext(
                "Nothing was changed: nothing is left to judge, or the assessor already has this"
                " work."
            )
        )
    return redirect("cell", assignment.assessor_id, assignment.topic_id)


def apply_change(request: HttpRequest, deed: str, assignments: list[Work], name: str) -> Handed:
    """Close, reopen or reassign assignments, and log the action.

    Raises
    ------
    RefusedError
        If the new assessor is unknown or cannot take over.
    """
    to = Assessor.objects.filter(name=name).first() if deed == "reassign" else None
    if deed == "reassign" and to is None:
        raise RefusedError("unknown", gettext("Assessor not found."))
    with writing():
        if to is None:
            handed = switch_all(assignments, is_open=deed == "open")
        else:
            handed = reassign(assignments, to)
        for each in assignments[:1]:
            about = f"{each.topic.name} {each.assessor.name}"
            more = f" +{len(assignments) - 1}" if len(assignments) > 1 else ""
            note_action(request, deed, about + more + (f" → {to.name}" if to else ""))
    return handed


def _judged_of(answers: AnswerAssignment) -> tuple[int, int]:
    """Return the number of judged aspects and the number of all aspects of an assignment."""
    own = judged_items().filter(assignment=answers)
    return own.filter(is_judged=True).count(), own.count()


def _aspect_rows(
    assessor: Assessor, topic: Topic, seen: set[Matter] | None, scale: ShownScale
) -> list[dict[str, Any]]:
    """Return the aspects that an assessor judges in a topic, with their labels."""
    every = judged_items().filter(assignment__topic=topic).select_related("assignment__topic")
    own: list[AnswerAspect] = []
    others: dict[tuple[str, str], list[str]] = {}
    for item in every.order_by("assignment__round", "position"):
        if item.assignment.assessor_id == assessor.pk:
            own.append(item)
        elif item.value is not None:
            labels = others.setdefault((run_of(item), item.aspect), [])
            labels.append(scale.family(item.family).label(item.value))
    names = {run_of(item): answer_doc(topic.name, run_of(item)) for item in own}
    docs = dict(Doc.objects.filter(name__in=names.values()).values_list("name", "pk"))
    rows = []
    for item in own:
        label = "" if item.value is None else scale.family(item.family).label(item.value)
        labels = others.get((run_of(item), item.aspect), [])
        matter = Matter(topic.pk, docs[names[run_of(item)]], aspect=item.aspect)
        is_seen = seen is None or not item.is_judged or matter in seen
        rows.append(
            {
                "item": item, "kind": kind_name(item.family), "label": label,
                "others": sorted(labels),
                "is_hidden": len({label, *labels} - {""}) > 1 and not is_seen,
            }
        )  # fmt: skip
    return rows


def _is_hidden(
    doc: AssignedDoc, others: Sequence[str], seen: set[Matter] | None, scale: Any
) -> bool:
    """Return whether labels are hidden because the user can still decide the doc blind."""
    labels = {*others, *([_label(doc, scale)] if doc.is_judged else [])}
    is_seen = seen is None or Matter(doc.assignment.topic_id, doc.doc_id) in seen
    return len(labels) > 1 and not is_seen


def _label(doc: AssignedDoc, scale: Any) -> str:
    return "" if doc.value is None else str(scale.label(doc.value))
