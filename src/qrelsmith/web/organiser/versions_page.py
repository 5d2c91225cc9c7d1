"""The organiser's pages of changes made after judging began, and of labels made before them."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext

from qrelsmith.web.accounts.access import ORGANISERS, WATCHERS, page
from qrelsmith.web.docs.text import visible_text
from qrelsmith.web.graded.scale import current_scale, scale_versions
from qrelsmith.web.models import Assessor, Doc, DocVersion, RejudgingRound, Topic, TopicVersion
from qrelsmith.web.organiser.differences import scale_sides, side_by_side, topic_sides
from qrelsmith.web.organiser.rejudging_page import show_new_round, wish_of
from qrelsmith.web.organiser.rounds import newest_round, open_round, rounds
from qrelsmith.web.organiser.stale import (
    PARTS,
    changed_docs,
    changed_scales,
    changed_topics,
    stale_labels,
    waiting,
)
from qrelsmith.web.site.parameters import ParameterError, choice, query_text

_MOST_DOCS = 200
# Largest number of characters of a text to compare.
_MOST_TEXT = 60_000
_WHO = ("everybody", "one")
_REASON = RejudgingRound.Reason.STALE


@page(WATCHERS)
def versions_page(request: HttpRequest) -> HttpResponse:
    """Show out-of-date labels, the changes, and a form to open a round for the labels."""
    parts, topic = _requested_parts(request.GET)
    docs, more = changed_docs(_MOST_DOCS)
    rows = stale_labels()
    context = {
        "rows": rows,
        "labels": sum(row.labels for row in rows),
        "parts": parts,
        "topic": topic,
        "topics": Topic.objects.order_by("name").values_list("name", flat=True),
        "waiting": len(waiting(parts, topic=topic)),
        "changed_topics": [
            (changed.name, version, changed.version, count, _topic_sides(changed, version))
            for changed, version, count in changed_topics()
        ],
        "changed_docs": docs,
        "more_docs": more,
        "changed_scales": [
            (version, count, scale_sides(scale_versions()[version], current_scale()))
            for version, count in changed_scales()
        ],
        "rounds": [item for item in rounds() if item.round.reason == _REASON],
        "newest": newest_round(),
        "assessors": Assessor.objects.order_by("group", "name"),
    }
    return render(request, "organiser/versions.html", context)


@page(WATCHERS)
def doc_versions(request: HttpRequest, doc_id: int) -> HttpResponse:
    """Show an older version of a doc beside the current version."""
    doc = get_object_or_404(Doc, pk=doc_id)
    versions = DocVersion.objects.filter(doc=doc)
    new = versions.filter(version=doc.version).first()
    old = versions.filter(sha256=query_text(request.GET, "sha256", longest=64)).first()
    if old is None:
        old = versions.filter(version__lt=doc.version).order_by("-version").first()
    if old is None or new is None:
        raise Http404
    texts = [visible_text(each) if each.content else "" for each in (old, new)]
    context = {
        "doc": doc,
        "old": old,
        "new": new,
        "is_missing": not (old.content and new.content),
        "is_cut": max(map(len, texts)) > _MOST_TEXT,
        "sides": [
            side_by_side("title", old.title, new.title),
            side_by_side("text", *(text[:_MOST_TEXT] for text in texts)),
        ],
    }
    return render(request, "organiser/doc_versions.html", context)


@page(ORGANISERS, methods=("POST",))
def open_for_stale(request: HttpRequest) -> HttpResponse:
    """Open a round for labels that are out of date."""
    parts, topic = _requested_parts(request.POST)
    who = choice(request.POST.get("who", ""), "who", _WHO)
    rule = " ".join((*parts, *((f"of topic {topic}",) if topic else ())))
    wish = wish_of(request, _REASON, rule=rule, reference="", who=who)
    return show_new_round(request, open_round(waiting(parts, topic=topic), wish))


def _requested_parts(query: QueryDict) -> tuple[tuple[str, ...], str]:
    """Return the requested parts and topic; by default all."""
    parts = {choice(each, "part", PARTS) for each in query.getlist("part")} or set(PARTS)
    topic = query_text(query, "topic")
    if topic and not Topic.objects.filter(name=topic).exists():
        raise ParameterError(gettext("Topic not found."))
    return tuple(part for part in PARTS if part in parts), topic


def _topic_sides(topic: Topic, version: int) -> list[object]:
    old, new = (
        TopicVersion.objects.get(topic=topic, version=each) for each in (version, topic.version)
    )
    return list(topic_sides(old, new))
