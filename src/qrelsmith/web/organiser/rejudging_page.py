"""The organiser's pages of disagreements, and of rounds in which docs are judged again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from qrelsmith.agreement.disagreement.disagreement_result import Disagreements
from qrelsmith.agreement.disagreement.rules import SERIOUS_EITHER_WAY
from qrelsmith.base.errors import QrelsmithError
from qrelsmith.web.accounts.access import ORGANISERS, WATCHERS, account_of, page
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.core.database import writing
from qrelsmith.web.desk.aspects import contested_aspects
from qrelsmith.web.desk.contested import Contested, contested_docs
from qrelsmith.web.desk.matters import Matter, seen_matters
from qrelsmith.web.desk.page import next_contested
from qrelsmith.web.desk.verdicts import reveal
from qrelsmith.web.graded.scale import current_scale
from qrelsmith.web.models import Assessor, RejudgingRound
from qrelsmith.web.organiser.disagreements import (
    OpenDisagreement,
    default_question,
    disagreements,
    voices,
)
from qrelsmith.web.organiser.first_looks import FirstLook, looks_at
from qrelsmith.web.organiser.rounds import (
    Wish,
    has_answers,
    newest_round,
    open_round,
    outcome,
    rejudged_in,
    rounds,
)
from qrelsmith.web.site.parameters import ParameterError, choice, form_text, form_whole, query_text
from qrelsmith.web.site.remarks import remark

# Most rows shown on a page; a round includes all rows.
_SHOWN = 500
_WHO = ("reference", "everybody", "one")
_LABELS = ("blind", "shown")
_REASON = RejudgingRound.Reason.DISAGREEMENT


@page(WATCHERS)
def disagreements_page(request: HttpRequest) -> HttpResponse:
    """Show disagreements of groups, and the docs that can be judged again."""
    asked = _question(request.GET)
    context: dict[str, Any] = {
        "question": asked,
        "voices": voices(),
        "rule": SERIOUS_EITHER_WAY,
        "rounds": rounds(),
        "newest": newest_round(),
        "assessors": Assessor.objects.order_by("group", "name"),
    }
    seen = seen_matters(account_of(request))
    context["aspects"], context["more_aspects"] = _contested_rows(contested_aspects(), seen)
    status = 200
    if asked is None:
        context["docs"], context["more_docs"] = _contested_rows(contested_docs(), seen)
    else:
        try:
            answer = disagreements(asked, is_wanted_now="now" in request.GET)
        except QrelsmithError as error:
            context["problem"], status = str(error), 200 if not request.GET else 400
        else:
            context |= {
                "found": answer.value,
                "computed": answer,
                **_disagreement_rows(answer.value, seen),
            }
    return render(request, "organiser/disagreements.html", context, status=status)


@page(ORGANISERS, methods=("POST",))
def open_for_disagreements(request: HttpRequest) -> HttpResponse:
    """Open a round for the serious disagreements."""
    asked = _question(request.POST)
    if asked is None:
        raise ParameterError(
            gettext("Serious disagreements are found between groups, but there is only one group.")
        )
    who = choice(request.POST.get("who", ""), "who", _WHO)
    wish = wish_of(request, _REASON, rule=asked.rule, reference=asked.reference, who=who)
    try:
        found = disagreements(asked, is_wanted_now=True).value
    except QrelsmithError as error:
        raise ParameterError(remark(str(error))) from None
    before = rejudged_in(_REASON)
    looks = looks_at(docs for docs in found.serious.docs if docs not in before)
    return show_new_round(request, open_round(_of_whom(looks, asked, who), wish))


@page(WATCHERS)
def round_page(request: HttpRequest, number: int) -> HttpResponse:
    """Show the progress and results of a round."""
    round_ = get_object_or_404(RejudgingRound, number=number)
    state = next(each for each in rounds() if each.round == round_)
    result = outcome(number)
    grades = sorted({grade for row in result.value.rejudged.rows for grade in row.counts})
    scale = current_scale()
    # Aspects have several scales: only codes have the same words on all of them.
    label = scale.family("").label_of_code if has_answers(number) else scale.label
    context = {
        "state": state,
        "computed": result,
        "grades": [label(grade) for grade in grades],
        "rows": [
            (row, [(row.counts[grade], row.counts[grade] / row.rejudged) for grade in grades])
            for row in result.value.rejudged.rows
            if row.rejudged
        ],
        "changes": [
            (label(change.before), label(change.after), change.docs,
             change.before == change.after)
            for change in result.value.changes
        ],
        "waiting": result.value.rejudged.waiting,
        "consistency": result.value.consistency if state.round.reason == "repeat" else (),
    }  # fmt: skip
    return render(request, "organiser/round.html", context)


def wish_of(request: HttpRequest, reason: str, *, rule: str, reference: str, who: str) -> Wish:
    """Return the round requested by a form."""
    assessor = None
    if who == "one":
        name = form_text(request, "assessor", longest=200)
        assessor = Assessor.objects.filter(name=name).first()
        if assessor is None:
            raise ParameterError(gettext("Assessor not found."))
    after = form_whole(request, "after")
    shown = choice(request.POST.get("labels", "blind"), "labels", _LABELS)
    return Wish(reason, rule, reference, shown == "shown", assessor, after)


def show_new_round(request: HttpRequest, round_: RejudgingRound) -> HttpResponse:
    """Log that a round was opened, and redirect to the round with a message."""
    note_action(request, "open-round", f"{round_.number} {round_.reason}")
    messages.success(request, gettext("The round is open and is shown to its assessors."))
    return redirect("round", round_.number)


@page(ORGANISERS, methods=("POST",))
def reveal_listed(request: HttpRequest) -> HttpResponse:
    """Reveal the labels of the serious disagreements; later verdicts do not count as blind."""
    asked = _question(request.POST)
    if asked is None:
        raise ParameterError(
            gettext("Serious disagreements are found between groups, but there is only one group.")
        )
    try:
        serious = disagreements(asked).value.serious
    except QrelsmithError as error:
        raise ParameterError(remark(str(error))) from None
    docs = [serious.docs[row] for row in serious.in_original_order().tolist()[:_SHOWN]]
    with writing():
        for matter in {Matter(look.topic, look.doc) for look in looks_at(docs)}:
            reveal(account_of(request), matter)
    query = request.POST.copy()
    query.pop("csrfmiddlewaretoken", None)
    return redirect(f"{reverse('disagreements')}?{query.urlencode()}")


@page(ORGANISERS)
def next_case(request: HttpRequest) -> HttpResponse:
    """Redirect to the next disagreement that the user has neither decided nor seen."""
    asked = default_question()
    if asked is None:
        return next_contested(request, contested_docs(), "desk")
    with suppress(QrelsmithError):
        serious = disagreements(asked).value.serious
        docs = [serious.docs[row] for row in serious.in_original_order().tolist()]
        seen = seen_matters(account_of(request)) or set()
        for look in sorted(looks_at(docs[:_SHOWN]), key=lambda look: docs.index(look[-2:])):
            if Matter(look.topic, look.doc) not in seen:
                return redirect("desk", look.assigned)
    messages.success(
        request, gettext("No disagreements are left: you have decided or viewed all of them.")
    )
    return redirect("disagreements")


def _question(query: QueryDict) -> OpenDisagreement | None:
    """Parse the disagreement query of an address or form, with defaults for missing fields."""
    usual = default_question()
    if usual is None:
        return None
    names = tuple(voices())
    reference = choice(query.get("reference") or usual.reference, "reference", names)
    others = tuple(
        sorted({choice(each, "other", names) for each in query.getlist("other")} - {reference})
    ) or tuple(name for name in names if name != reference)
    return OpenDisagreement(
        reference=reference,
        others=others,
        rule=query_text(query, "rule") or SERIOUS_EITHER_WAY,
        ordering=query_text(query, "ordering", longest=100),
    )


def _of_whom(looks: Iterable[FirstLook], asked: OpenDisagreement, who: str) -> list[FirstLook]:
    """Return first-round judgments of the groups that judge again or set the order."""
    wanted = {asked.reference, *(asked.others if who == "everybody" else ())}
    return [look for look in looks if (look.group or look.assessor_name) in wanted]


def _contested_rows(
    contested: Sequence[Contested], seen: set[Matter] | None
) -> tuple[list[tuple[Contested, str]], int]:
    """Return a page's rows and the number of further rows; labels of unseen docs are hidden."""
    rows = [
        (each, "" if seen is not None and each.matter not in seen else " · ".join(each.labels))
        for each in contested[:_SHOWN]
    ]
    return rows, len(contested) - len(rows)


def _disagreement_rows(listed: Disagreements, seen: set[Matter] | None) -> dict[str, Any]:
    """Return the serious disagreements as rows, without labels of docs not seen by the user."""
    labels, scale = listed.serious, current_scale()
    order = labels.in_original_order().tolist()
    before = rejudged_in(_REASON)
    shown = order[:_SHOWN]
    looks = {
        (look.topic_name, look.doc_name): look
        for look in looks_at(labels.docs[row] for row in shown)
    }
    hidden = {
        docs
        for docs, look in looks.items()
        if seen is not None and Matter(look.topic, look.doc) not in seen
    }
    rows = [
        {
            "topic": labels.docs[row][0],
            "doc": labels.docs[row][1],
            "assigned": looks[labels.docs[row]].assigned if labels.docs[row] in looks else None,
            "is_hidden": labels.docs[row] in hidden,
            "position": labels.positions[row],
            "ordering": labels.orderings[row],
            "assessor": labels.assessors[row],
            "gold": scale.label(labels.gold[row]),
            "others": [scale.label(grade) for grade in labels.bronze[row].tolist()],
            "round": before.get(labels.docs[row]),
        }
        for row in shown
    ]
    waiting = [docs for docs in labels.docs if docs not in before]
    return {
        "rows": rows,
        "hidden": len(hidden),
        "waiting": len(waiting),
        "more": len(order) - len(shown),
        "high": scale.label(listed.high),
        "relevant": scale.label(listed.relevant),
    }
