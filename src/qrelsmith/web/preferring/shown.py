"""Contests and pairs as pages and scripts see them: never grades, purposes or other assessors."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse

from qrelsmith.analyses.topk_sessions import TopkSetting
from qrelsmith.web.models import Assessor, Contest, Doc, DocVersion, PairTask, TopicVersion
from qrelsmith.web.preferring.choices import Choices
from qrelsmith.web.preferring.claims import own_pairs
from qrelsmith.web.preferring.contests import judging_groups
from qrelsmith.web.project import current_instance
from qrelsmith.web.rendering.terms import topic_terms

SIDES = ("left", "right")
# Of these the number of pairs is known, or bounded, before the first is answered.
_BOUNDED = ("tournament", "round-robin")


def contests_for(assessor: Assessor | None) -> QuerySet[Contest]:
    """The contests whose pairs an assessor may judge, by topic."""
    found = Contest.objects.select_related("topic")
    if assessor is None or assessor.group not in judging_groups(current_instance().campaign):
        return found.none()
    return found.filter(Q(assessor=None) | Q(assessor=assessor)).order_by("topic__name")


def own_contest(pk: int, assessor: Assessor | None) -> tuple[Contest, Assessor]:
    """A contest that this assessor may judge; 404 otherwise."""
    if assessor is None:
        raise Http404
    return get_object_or_404(contests_for(assessor), pk=pk), assessor


def own_pair(contest: Contest, pk: int, assessor: Assessor) -> PairTask:
    """A pair of a contest that was handed out to this assessor, in play or not; 404 otherwise."""
    pairs = PairTask.objects.select_related("left", "right")
    task = get_object_or_404(pairs, pk=pk, contest=contest, assessor=assessor)
    task.contest = contest
    return task


def visible_doc(pk: int, side: str, assessor: Assessor | None) -> Doc:
    """A doc of a pair that was handed out to this assessor; 404 otherwise."""
    if side not in SIDES or assessor is None:
        raise Http404
    pairs = PairTask.objects.select_related("left", "right")
    task = get_object_or_404(pairs, pk=pk, assessor=assessor)
    return task.left if side == "left" else task.right


def topic_of(contest: Contest) -> TopicVersion:
    """The topic as it reads now."""
    topic = contest.topic
    return TopicVersion.objects.get(topic=topic, version=topic.version)


def shown_contest(contest: Contest, assessor: Assessor) -> dict[str, Any]:
    """How far a contest is.

    `own` are the assessor's answers; `expected` is about how many pairs it will have in the end,
    and `is_bound` says that it will not have more.
    """
    setting = contest.setting
    is_bound = not setting["challenges"] and not setting["swapped"]
    return {
        "contest": contest.pk,
        "revision": contest.revision,
        "topic": contest.topic.name,
        "is_open": contest.is_open,
        "is_done": contest.is_done,
        "own": own_pairs(contest, assessor).filter(is_judged=True).count(),
        "judged": contest.judged,
        "total": contest.total,
        "expected": contest.total
        if contest.is_done
        else max(contest.total, int(setting["expected"])),
        "is_bound": is_bound and TopkSetting(method=setting["method"]).name in _BOUNDED,
    }


def without_pair(contest: Contest, assessor: Assessor) -> dict[str, Any]:
    """Why there is no pair to compare now, and the last one, to go back to it."""
    reason = "waiting" if contest.is_open else "closed"
    last = own_pairs(contest, assessor).reverse().values_list("pk", flat=True).first()
    return {"reason": "done" if contest.is_done else reason, "previous": last}


def shown_texts(topic: TopicVersion, choices: Choices) -> dict[str, Any]:
    """The texts by which pairs are judged."""
    return {
        "text": {
            "version": topic.version,
            "title": topic.title,
            "description": topic.description,
            "narrative": topic.narrative,
            "terms": topic_terms(topic.title),
        },
        "settings_version": choices.version,
        "choices": choices.shown(),
        "instructions": choices.instructions,
    }


def shown_answer(task: PairTask) -> dict[str, Any]:
    """A pair with its current answer; not its round, which would tell challenge pairs apart."""
    return {
        "pair": task.pk,
        "revision": task.revision,
        "outcome": task.outcome,
        "withdrawn": task.withdrawn,
    }


def shown_pair(
    task: PairTask, assessor: Assessor, topic: TopicVersion, choices: Choices, *, view: str = "page"
) -> dict[str, Any]:
    """A pair with all that an answer to it must name."""
    around = own_pairs(task.contest, assessor)
    before = around.filter(position__lt=task.position)
    # Nobody goes on past a pair that is not answered, but to those that were.
    after = around.filter(position__gt=task.position)
    after = after if task.is_judged else after.filter(is_judged=True)
    return shown_answer(task) | {
        "number": before.count() + 1,
        "left": shown_side(task, "left", topic, view=view),
        "right": shown_side(task, "right", topic, view=view),
        "topic_version": topic.version,
        "settings_version": choices.version,
        "choices": choices.shown(),
        "previous": before.reverse().values_list("pk", flat=True).first(),
        "following": after.values_list("pk", flat=True).first(),
    }


def shown_side(
    task: PairTask, side: str, topic: TopicVersion, *, view: str = "page"
) -> dict[str, Any]:
    """A doc of a pair."""
    content = doc_content(task.left if side == "left" else task.right)
    if content is None:
        return {"title": "", "url": "", "form": "", "frame": "", "sha256": ""}
    query = {"view": view, "sha256": content.sha256, "terms": " ".join(topic_terms(topic.title))}
    return {
        "title": content.title,
        "url": content.url,
        "form": content.form,
        "frame": f"{reverse('pair-doc', args=[task.pk, side])}?{urlencode(query)}",
        "sha256": content.sha256,
    }


def doc_content(doc: Doc) -> DocVersion | None:
    """The doc as it reads now; None if its content is not here."""
    return DocVersion.objects.filter(doc=doc, version=doc.version).defer("content").first()
