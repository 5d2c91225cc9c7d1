"""Preference tasks and pairs for pages and scripts, without grades, purposes or other assessors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, F, Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse

from qrelsmith.topk.topk_sessions import TopkSetting
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.docs.terms import terms_query, topic_language, topic_terms
from qrelsmith.web.models import Assessor, Contest, Doc, DocVersion, Hit, PairTask, TopicVersion
from qrelsmith.web.pairs.choices import Choices
from qrelsmith.web.pairs.claims import own_pairs
from qrelsmith.web.pairs.contests import judging_groups
from qrelsmith.web.project import current_instance

SIDES = ("left", "right")


# Number of pairs of a task that an assessor has answered.
_ANSWERED = Prepared[int](
    lambda contest, assessor: (
        PairTask.objects.filter(
            contest=contest, assessor=assessor, withdrawn=False, position__gt=0, is_judged=True
        )
        .values("contest")
        .annotate(count=Count("id"))
        .values_list("count", flat=True)
    )
)

# Query for a preference task that an assessor outside the crowd may judge.
_OPEN_TO = Prepared[Contest](lambda pk, assessor: _open_to(assessor).filter(pk=pk))
# Query for the pairs of an assessor, in order, with whether they are answered.
_OWN = Prepared[tuple[int, bool]](
    lambda contest, assessor: own_pairs(contest, assessor).values_list("pk", "is_judged")
)
# Query for a pair of an assessor, with its docs.
_WITH_DOCS = Prepared[PairTask](
    lambda pk, assessor: PairTask.objects.select_related("left", "right").filter(
        pk=pk, assessor=assessor
    )
)
# Query for the current versions of two docs, without their text.
_CONTENTS = Prepared[DocVersion](
    lambda left, right: DocVersion.objects.filter(
        doc__in=(left, right), version=F("doc__version")
    ).defer("content")
)


def contests_for(assessor: Assessor | None) -> QuerySet[Contest]:
    """Return the preference tasks whose pairs an assessor may judge, by topic."""
    if assessor is not None and hasattr(assessor, "crowd_worker"):
        # Crowd workers have pairs only in HITs.
        held = PairTask.objects.filter(assessor=assessor).exclude(hit="")
        return _contests_with_topics().filter(pk__in=held.values("contest")).order_by("topic__name")
    if assessor is None or assessor.group not in judging_groups(current_instance().campaign):
        return Contest.objects.none()
    return _open_to(assessor).order_by("topic__name")


def own_contest(pk: int, assessor: Assessor | None) -> tuple[Contest, Assessor]:
    """Return a task that this assessor may judge; 404 otherwise."""
    if assessor is None:
        raise Http404
    if hasattr(assessor, "crowd_worker"):
        return get_object_or_404(contests_for(assessor), pk=pk), assessor
    is_judging = assessor.group in judging_groups(current_instance().campaign)
    contest = _OPEN_TO.first(pk, assessor.pk) if is_judging else None
    if contest is None:
        raise Http404
    return contest, assessor


def own_pair(contest: Contest, pk: int, assessor: Assessor) -> PairTask:
    """Return a pair that was assigned to this assessor, valid or not; 404 otherwise.

    The pairs of a HIT may be from different tasks, so the pair itself names its task.
    """
    pairs = PairTask.objects.select_related("contest__topic", "left", "right")
    found = pairs.filter(Q(contest=contest) | ~Q(hit=""))
    return get_object_or_404(found, pk=pk, assessor=assessor)


def visible_doc(pk: int, side: str, assessor: Assessor | None) -> Doc:
    """Return a doc of a pair that was assigned to this assessor; 404 otherwise."""
    if side not in SIDES or assessor is None:
        raise Http404
    task = _WITH_DOCS.first(pk, assessor.pk)
    if task is None:
        raise Http404
    return task.left if side == "left" else task.right


def contests_json(assessor: Assessor) -> list[dict[str, Any]]:
    """Return the preference tasks of an assessor, with progress."""
    pairs = PairTask.objects.filter(assessor=assessor, is_judged=True, withdrawn=False)
    own = dict(pairs.values_list("contest").annotate(Count("id")).order_by())
    return [_contest_json(each, own.get(each.pk, 0)) for each in contests_for(assessor)]


def contest_progress(contest: Contest, assessor: Assessor) -> dict[str, Any]:
    """Return the progress of a task.

    `own` is the number of the assessor's answers. `expected` is the approximate final number of
    pairs; `is_bound` tells whether `expected` is an upper bound. `share` is the number of
    pairs that one assessor can answer, each pair once. For a crowd worker, the progress is that of
    the HIT, and `is_hit` is true.
    """
    if hasattr(assessor, "crowd_worker"):
        taken = Hit.objects.filter(worker=assessor.crowd_worker, state=Hit.State.TAKEN)
        held = PairTask.objects.filter(hit__in=taken.values("key"), withdrawn=False)
        done = held.filter(is_judged=True).count()
        total = held.count()
        counts = {"own": done, "judged": done, "expected": total, "share": total, "is_hit": True}
        return _contest_json(contest, done) | counts
    return _contest_json(contest, _ANSWERED.first(contest.pk, assessor.pk) or 0)


def pairs_left(progress: Mapping[str, Any]) -> int:
    """Return the approximate number of pairs left for the assessor, as `progress.js` does."""
    of_all = progress["expected"] - progress["judged"]
    return int(max(min(of_all, progress["share"] - progress["own"]), 0))


def without_pair(contest: Contest, assessor: Assessor) -> dict[str, Any]:
    """Return why there is no pair to compare now, and the latest pair, for going back."""
    reason = "waiting" if contest.is_open else "closed"
    compared = own_pairs(contest, assessor).filter(is_judged=True).reverse()
    last = compared.values_list("pk", flat=True).first()
    return {"reason": "done" if contest.is_done else reason, "previous": last}


def texts_json(topic: TopicVersion, choices: Choices) -> dict[str, Any]:
    """Return the texts shown with pairs."""
    return {
        "text": {
            "version": topic.version,
            "title": topic.title,
            "description": topic.description,
            "narrative": topic.narrative,
            "language": (language := topic_language(topic)),
            "terms": topic_terms(topic.title, language),
        },
        "settings_version": choices.version,
        "choices": choices.buttons(),
        "instructions": choices.instructions,
    }


def answer_json(task: PairTask) -> dict[str, Any]:
    """Return a pair with its answer, but without its round, which would reveal attention checks."""
    return {
        "pair": task.pk,
        "revision": task.revision,
        "outcome": task.outcome,
        "passages": task.passages,
        "withdrawn": task.withdrawn,
    }


def pair_json(
    task: PairTask, assessor: Assessor, topic: TopicVersion, choices: Choices, *, view: str = "page"
) -> dict[str, Any]:
    """Return a pair with all fields that an answer must name."""
    pairs = _OWN.rows(task.contest_id, assessor.pk)
    if task.hit:
        # Previous and next pair in the HIT, whatever their topics.
        own = PairTask.objects.filter(hit=task.hit, assessor=assessor, withdrawn=False)
        pairs = list(own.order_by("position").values_list("pk", "is_judged"))
    place = next((n for n, (pk, _) in enumerate(pairs) if pk == task.pk), len(pairs))
    # If this pair is unanswered, only answered pairs after it can be opened.
    after = (pk for pk, is_judged in pairs[place + 1 :] if is_judged or task.is_judged)
    contents = doc_contents(task)
    return answer_json(task) | {
        "number": place + 1,
        "left": _side_json(task, "left", contents.get(task.left_id), topic, view),
        "right": _side_json(task, "right", contents.get(task.right_id), topic, view),
        "topic_version": topic.version,
        "settings_version": choices.version,
        "choices": choices.buttons(),
        "previous": pairs[place - 1][0] if place else None,
        "following": next(after, None),
    }


def doc_contents(task: PairTask) -> dict[int, DocVersion]:
    """Return the current versions of a pair's docs, without their text, by the doc's key."""
    return {each.doc_id: each for each in _CONTENTS.rows(task.left_id, task.right_id)}


def _contests_with_topics() -> QuerySet[Contest]:
    return Contest.objects.select_related("topic").defer("candidates", "nonrelevant")


def _open_to(assessor: Assessor | int) -> QuerySet[Contest]:
    """Return the tasks that are not assigned to another assessor."""
    return _contests_with_topics().filter(Q(assessor=None) | Q(assessor=assessor))


def _side_json(
    task: PairTask, side: str, content: DocVersion | None, topic: TopicVersion, view: str
) -> dict[str, Any]:
    if content is None:
        return {"title": "", "url": "", "form": "", "frame": "", "sha256": ""}
    query = {"view": view, "sha256": content.sha256, **terms_query(topic)}
    return {
        "title": content.title,
        "url": content.url,
        "form": content.form,
        "frame": f"{reverse('pair-doc', args=[task.pk, side])}?{urlencode(query)}",
        "sha256": content.sha256,
    }


def _contest_json(contest: Contest, own: int) -> dict[str, Any]:
    setting = contest.setting
    forecast = contest.total if contest.is_done else int(setting["expected"])
    is_bound = not setting["challenges"] and not setting["swapped"]
    return {
        "contest": contest.pk,
        "revision": contest.revision,
        "topic": contest.topic.name,
        "is_open": contest.is_open,
        "is_done": contest.is_done,
        "own": own,
        "judged": contest.judged,
        "total": contest.total,
        "expected": (expected := max(contest.total, forecast)),
        "share": -(-expected // int(setting["per_pair"])),
        "is_hit": False,
        "is_bound": is_bound and TopkSetting(method=setting["method"]).is_bounded,
    }
