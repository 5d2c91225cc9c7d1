"""JSON responses for the script of the preference page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from qrelsmith.web.accounts.access import JUDGES, api, assessor_of
from qrelsmith.web.docs.passages import text_json
from qrelsmith.web.docs.views import render_doc
from qrelsmith.web.graded.assigned import topic_text
from qrelsmith.web.graded.doc_page import reading_json, requested_look, requested_version
from qrelsmith.web.pairs.choices import current_choices
from qrelsmith.web.pairs.claims import next_pair, pair_ahead
from qrelsmith.web.pairs.shown import (
    contest_progress,
    contests_json,
    own_contest,
    own_pair,
    pair_json,
    visible_doc,
    without_pair,
)
from qrelsmith.web.site.answers import answered
from qrelsmith.web.site.parameters import query_whole


@api(JUDGES)
def contests(request: HttpRequest) -> HttpResponse:
    """Return the preference tasks whose pairs the user may judge."""
    assessor = assessor_of(request)
    return answered({"contests": contests_json(assessor) if assessor else []})


@api(JUDGES)
def following(request: HttpRequest, contest_id: int) -> HttpResponse:
    """Return the user's current pair, or assign the next pair.

    Without a pair, `reason` is `done`, `closed`, or `waiting` (for the answers of other assessors).
    With `besides`, the number of the current pair, return the next pair if it is already
    determined. A crowd worker gets no pair here: `reason` is `hit`, and `address` is the next page
    of the HIT.
    """
    contest, assessor = own_contest(contest_id, assessor_of(request))
    besides = query_whole(request.GET, "besides", default=0)
    if besides:
        task = pair_ahead(contest, assessor, besides=besides)
    else:
        task = next_pair(contest, assessor)
    if task is None:
        contest.refresh_from_db(fields=("is_open", "is_done", "judged", "total", "revision"))
    progress = {"contest": contest_progress(contest, assessor)}
    if task is None and hasattr(assessor, "crowd_worker"):
        # The pairs of a HIT are from several tasks, so the next pair is on another page.
        return answered({"pair": None, "reason": "hit", "address": reverse("work"), **progress})
    if task is None:
        return answered({"pair": None, **without_pair(contest, assessor), **progress})
    task.contest = contest
    pair = pair_json(task, assessor, topic_text(contest), current_choices())
    return answered({"pair": pair, **progress})


@api(JUDGES)
def pair(request: HttpRequest, contest_id: int, pair_id: int) -> HttpResponse:
    """Return a pair that was assigned to the user, so that the user can go back to it."""
    contest, assessor = own_contest(contest_id, assessor_of(request))
    task = own_pair(contest, pair_id, assessor)
    shown = pair_json(task, assessor, topic_text(task.contest), current_choices())
    return answered({"pair": shown, "contest": contest_progress(task.contest, assessor)})


@api(JUDGES)
def text(request: HttpRequest, pair_id: int, side: str) -> HttpResponse:
    """Return the text of a doc of a pair."""
    version = requested_version(request, visible_doc(pair_id, side, assessor_of(request)))
    return answered(text_json(version))


@api(JUDGES)
def count_hits(request: HttpRequest, pair_id: int, side: str) -> HttpResponse:
    """Return how often a text occurs in a view of a doc; the frame has an anchor for each match."""
    version = requested_version(request, visible_doc(pair_id, side, assessor_of(request)))
    return answered({"count": render_doc(version, requested_look(request)).found})


@api(JUDGES)
def reading(request: HttpRequest, pair_id: int, side: str) -> HttpResponse:
    """Return the positions of terms in a view of a doc, as for a graded doc."""
    version = requested_version(request, visible_doc(pair_id, side, assessor_of(request)))
    return answered(reading_json(version, requested_look(request)))
