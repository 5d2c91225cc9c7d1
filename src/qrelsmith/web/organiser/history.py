"""Progress and agreement over time as pictures, with a forecast."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise

import numpy as np
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from qrelsmith.agreement.agree import agree
from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.scales import Scale
from qrelsmith.io.times import TimeArray
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.report.picture import picture
from qrelsmith.web.organiser.progress import NO_TIMES, Progress, first_judged

# Maximum number of points of a line of counts, and of a line of coefficients, which takes longer.
_POINTS, _COEFFICIENTS = 40, 8
_TICKS = 6
_DAY_S = 86_400.0


@dataclass(frozen=True, slots=True)
class Moment:
    """A figure at a point in time.

    Attributes
    ----------
    at : datetime
        The time.
    value : float
        The number of docs judged, or a coefficient of the labels so far.
    """

    at: datetime
    value: float


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture with a table of its numbers.

    Attributes
    ----------
    svg : SafeString
        The picture.
    title, caption : str
        Content of the picture, and how to read it.
    head : str
        Heading of the numbers.
    rows : sequence of (datetime, float)
        The numbers.
    """

    svg: SafeString
    title: str
    caption: str
    head: str
    rows: Sequence[tuple[datetime, float]]


def judged_so_far() -> list[Moment]:
    """Return how many docs and aspects of answers were judged up to each of several times."""
    times = np.sort(np.concatenate([NO_TIMES, *first_judged().values()]))
    ends = _ends(times, _POINTS)
    counts = np.searchsorted(times, ends, side="right").tolist()
    return [Moment(at, count) for at, count in zip(_datetimes(ends), counts, strict=True)]


def agreement_so_far(judgments: Judgments, coefficient: str, scale: Scale | None) -> list[Moment]:
    """Return the agreement at several times, each computed from the labels up to that time."""
    times = judgments.judged_at
    if times is None or not times.size:
        return []
    ends = _ends(np.sort(times[~np.isnat(times)]), _COEFFICIENTS)
    values = [
        agree(judgments.select(times <= end), coefficient, scale=scale, resamples=0).parts[0].value
        for end in ends
    ]
    return [Moment(at, value) for at, value in zip(_datetimes(ends), values, strict=True)]


def progress_picture(moments: Sequence[Moment], progress: Progress) -> Shown | None:
    """Draw the number of judged docs over time and, if there is one, the forecast."""
    total, done_on = progress.everything.total, progress.done_on
    lines = [(gettext("judged"), moments)]
    caption = gettext("The graph includes all rounds and counts each doc at its first judgment.")
    if moments and done_on is not None and progress.everything.left:
        last = moments[-1]
        end = Moment(done_on, last.value + progress.everything.left)
        lines.append((gettext("forecast"), [last, end]))
        caption += " " + gettext(
            "The forecast assumes that as many docs are judged per day as in the last 7 days. With"
            " several groups, the forecast ends on the day on which the slowest group is done."
        )
    title = gettext("Docs judged over time")
    head = gettext("Docs judged")
    return _draw_moments(
        "progress-picture", title, caption, head, lines, heights=(0.0, float(total))
    )


def agreement_picture(moments: Sequence[Moment], coefficient: str) -> Shown | None:
    """Draw the agreement of the labels so far over time."""
    known = [each for each in moments if math.isfinite(each.value)]
    caption = gettext(
        "Each point is computed from all labels up to that time, with the corrections made by then."
    )
    title = gettext("Agreement over time")
    lines = [(coefficient, known)]
    return _draw_moments(
        "agreement-picture", title, caption, coefficient, lines, heights=(0.0, 1.0)
    )


def _draw_moments(
    name: str,
    title: str,
    caption: str,
    head: str,
    lines: Sequence[tuple[str, Sequence[Moment]]],
    *,
    heights: tuple[float, float],
) -> Shown | None:
    """Draw lines over time; None if there are fewer than two points."""
    all_ = [each for _, moments in lines for each in moments]
    if len({each.at for each in all_}) < 2:
        return None
    start, end = min(each.at for each in all_), max(each.at for each in all_)
    drawn = [
        Line(words, [_days(start, each.at) for each in moments], [each.value for each in moments])
        for words, moments in lines
    ]
    drawing = Lines(drawn, gettext("date (UTC)"), head, ticks=_ticks(start, end), heights=heights)
    made = picture(Figure(name, title, drawing, caption), name=name)
    rows = [(each.at, each.value) for each in all_]
    rows = rows[:1] + [after for before, after in pairwise(rows) if before != after]
    return Shown(mark_safe(made.inline), title, caption, head, rows)  # noqa: S308 - its own SVG


def _ticks(start: datetime, end: datetime) -> list[tuple[float, str]]:
    """Return dates or times of day as labels of the axis, without repetitions."""
    length = (end - start).total_seconds()
    form = "%m-%d" if length > (_TICKS - 1) * _DAY_S else "%m-%d %H:%M"
    ticks: dict[str, float] = {}
    for place in range(_TICKS):
        at = start + (end - start) * place / (_TICKS - 1)
        ticks.setdefault(at.strftime(form), _days(start, at))
    return [(at, text) for text, at in ticks.items()]


def _days(start: datetime, at: datetime) -> float:
    return (at - start).total_seconds() / _DAY_S


def _ends(times: TimeArray, count: int) -> TimeArray:
    """Return evenly spaced times from the first to the last of sorted times."""
    if not times.size:
        return times
    first, last = times[[0, -1]].astype(np.int64).tolist()
    ends = np.unique(np.linspace(first, last, count).astype(np.int64))
    ends[-1] = last
    return ends.astype("datetime64[us]")


def _datetimes(times: TimeArray) -> list[datetime]:
    return [datetime.fromtimestamp(each / 1e6, UTC) for each in times.astype(np.int64).tolist()]
