"""Slow figures of the organiser's pages, computed by a background job.

The result is in the database, so that all processes of the app show it. A page waits only briefly
for a new result. Then it shows the previous result with a note, or says that the first result is in
progress.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Count, Max
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from qrelsmith.web.jobs.queue import ask, key_of, latest, unfinished_jobs
from qrelsmith.web.jobs.results import read_result, result_text
from qrelsmith.web.jobs.runner import JobWork, background, is_served, work_now
from qrelsmith.web.models import Event
from qrelsmith.web.organiser.computed import Computed, computed
from qrelsmith.web.tables.event_table import all_events, database_place

Compute = TypeVar("Compute", bound=Callable[..., Any])
# How long a page waits for new figures, and the age of figures at which it requests new figures.
WAIT_S = 0.25
MOST_AGE_S = 10.0
_TURN_S = 0.03
_AGAIN_S = "2"
_JOB = "figures"
_HELD = 24


@dataclass(frozen=True, slots=True)
class _Figures:
    """The type of figures, and the function that computes them from the events."""

    shape: Any
    compute: Callable[..., Any]
    follows_events: bool


@dataclass(frozen=True, slots=True)
class _Result:
    """Figures stored by a job, and the events from which they were computed."""

    value: str
    newest: int
    events: int
    at: datetime
    seconds: float


_FIGURES: dict[str, _Figures] = {}
_READ: dict[tuple[object, ...], tuple[int, Computed[Any]]] = {}


def figures(name: str, shape: Any, *, follows_events: bool = True) -> Callable[[Compute], Compute]:
    """Register a function that computes figures from the events and some options.

    Parameters
    ----------
    name : str
        The name of the figures.
    shape : type
        The dataclass that the function returns.
    follows_events : bool
        Whether the figures depend only on the events.
    """

    def register(compute: Compute) -> Compute:
        _FIGURES[name] = _Figures(shape, compute, follows_events)
        return compute

    return register


def current_figures(name: str, *options: str, is_wanted_now: bool = False) -> Computed[Any] | None:
    """Return figures that are at most a few seconds old; None until a first result exists.

    A process that serves no requests computes the figures itself.
    """
    own = _FIGURES[name]
    if is_served():
        return _shared_figures(name, options)
    if own.follows_events:
        return computed(name, lambda events: own.compute(events, *options), *options,
                        is_wanted_now=is_wanted_now)  # fmt: skip
    return _now(name, options)


def show_figures(
    request: HttpRequest, template: str, found: Computed[Any] | None, context: Mapping[str, Any]
) -> HttpResponse:
    """Render a page of figures, which reloads while new figures are in progress."""
    answer = render(request, template, {**context, "computed": found})
    if found is None or (is_served() and found.newer and _age_s(found) > MOST_AGE_S):
        answer["Refresh"] = _AGAIN_S
    return answer


def _shared_figures(name: str, options: tuple[str, ...]) -> Computed[Any] | None:
    """Return the newest figures of any process, and request newer figures if they are outdated."""
    wanted = {"name": name, "options": list(options)}
    newest, count = Event.objects.aggregate(newest=Max("pk"), count=Count("pk")).values()
    # Look for an unfinished job first: if it ends now, its result is read next.
    is_asked = unfinished_jobs(_JOB, wanted).exists()
    held = _read(wanted)
    if held is not None and not _is_due(held, name, (newest or 0, count)):
        return replace(held, newer=max(count - held.events, 0))
    if not is_asked:
        ask(_JOB, wanted)
    work_now()
    deadline = time.monotonic() + WAIT_S
    while (is_asked := unfinished_jobs(_JOB, wanted).exists()) and time.monotonic() < deadline:
        time.sleep(_TURN_S)
    held = _read(wanted)
    if held is None and not is_asked:
        # The job failed. Computing here raises the error for this request.
        return _now(name, options)
    return held and replace(held, newer=max(count - held.events, int(is_asked)))


def _is_due(held: Computed[Any], name: str, events: tuple[int, int]) -> bool:
    if _FIGURES[name].follows_events and (held.newest, held.events) == events:
        return False
    # Figures that take less time than a page waits are recomputed on each view.
    return held.seconds < WAIT_S or _age_s(held) > MOST_AGE_S


def _age_s(held: Computed[Any]) -> float:
    return (timezone.now() - held.at).total_seconds()


def _read(wanted: dict[str, Any]) -> Computed[Any] | None:
    """Return the figures of the newest finished job."""
    job = latest(_JOB, wanted)
    if job is None:
        return None
    key = (*database_place(), key_of(wanted))
    number, held = _READ.get(key, (0, None))
    if held is None or number != job.pk:
        result = read_result(job.result, _Result)
        value = read_result(result.value, _FIGURES[wanted["name"]].shape)
        held = Computed(value, result.newest, result.events, result.at, result.seconds)
        while len(_READ) >= _HELD:
            _READ.pop(next(iter(_READ)))
        _READ[key] = (job.pk, held)
    return held


def _now(name: str, options: tuple[str, ...]) -> Computed[Any]:
    """Compute figures from the current events."""
    started, events = time.perf_counter(), all_events()
    at = timezone.now()
    value = _FIGURES[name].compute(events, *options)
    return Computed(value, events.newest, len(events), at, time.perf_counter() - started)


@background(_JOB, is_quick=True)
def _compute(work: JobWork) -> str:
    """Compute figures as a job; the result also identifies the events that were used."""
    done = _now(work.options["name"], tuple(work.options["options"]))
    work.step()
    value = result_text(done.value)
    return result_text(_Result(value, done.newest, done.events, done.at, done.seconds))
