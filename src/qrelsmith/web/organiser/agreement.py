"""Current agreement of assessors and groups."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.agreement.agree import By, agree
from qrelsmith.agreement.scoped_agreement import BETWEEN, ScopedAgreement
from qrelsmith.base.errors import UndefinedError
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.web.organiser.figures import figures
from qrelsmith.web.organiser.history import Moment, agreement_so_far
from qrelsmith.web.project import current_instance
from qrelsmith.web.tables.event_table import EventTable
from qrelsmith.web.tables.judged import judgments_from

# Above this number of assessors, all pairs would be too many rows. The page then shows the
# agreement of each assessor with all others.
MOST_PAIRED = 24
# Limit of cells of the ratings held in memory for a page.
MOST_CELLS = 60_000_000
_MANY_LEVELS = 12
_ALWAYS = "agreement"


@dataclass(frozen=True, slots=True)
class LiveAgreement:
    """Agreement of all labels together, and of groups, topics and assessors.

    Attributes
    ----------
    overall : ScopedAgreement or None
        All labels together; None if there are too many.
    labels : ScopedAgreement or None
        The share of pairs that agree. It is defined for any labels, and gives the numbers of docs,
        assessors and pairs.
    topics : ScopedAgreement or None
        The mean over the topics.
    groups : sequence of ScopedAgreement
        Within every group of at least two assessors.
    between : sequence of ScopedAgreement
        Between any two groups, as the mean over topics.
    pairs : sequence of ScopedAgreement
        Between any two assessors with common docs; empty if there are many assessors.
    assessors : sequence of ScopedAgreement
        Mean of each assessor's agreement with all others.
    by_topic : sequence of ScopedAgreement
        Each topic, without intervals.
    cells : int
        Largest possible number of ratings: assessors times docs.
    past : sequence of Moment
        All labels together at earlier times.
    """

    overall: ScopedAgreement | None = None
    labels: ScopedAgreement | None = None
    topics: ScopedAgreement | None = None
    groups: Sequence[ScopedAgreement] = ()
    between: Sequence[ScopedAgreement] = ()
    pairs: Sequence[ScopedAgreement] = ()
    assessors: Sequence[ScopedAgreement] = ()
    by_topic: Sequence[ScopedAgreement] = ()
    cells: int = 0
    past: Sequence[Moment] = ()


def coefficient_names() -> tuple[str, ...]:
    """Return the available coefficients."""
    return tuple(sorted(COEFFICIENTS.names()))


def default_coefficient() -> str:
    """Return Krippendorff's α: ratio for numbers, ordinal for few levels, else interval."""
    campaign = current_instance().campaign
    if campaign.scale is None:
        return "alpha-ratio"
    return "alpha-interval" if len(campaign.scale.levels) > _MANY_LEVELS else "alpha-ordinal"


@figures("agreement", LiveAgreement)
def _agreement(events: EventTable, coefficient: str) -> LiveAgreement:
    """Compute the agreement of the current labels of the first round."""
    return agreement_of(judgments_from(events), coefficient)


def agreement_of(judgments: Judgments, coefficient: str) -> LiveAgreement:
    """Compute the agreement of judgments."""
    cells = len(judgments.assessors) * _units(judgments)
    if cells > MOST_CELLS:
        return LiveAgreement(cells=cells)
    if not len(judgments):
        return LiveAgreement()
    scale = current_instance().campaign.scale

    def parts(by: By | None, *, resamples: int = 1) -> Sequence[ScopedAgreement]:
        return agree(judgments, coefficient, by=by, scale=scale, resamples=resamples).parts

    overall, mean, *topics = parts("topic")
    groups = parts("group")[1:] if judgments.group is not None else ()
    return LiveAgreement(
        overall=overall,
        labels=agree(judgments, _ALWAYS, resamples=0).parts[0],
        topics=mean,
        groups=[part for part in groups if BETWEEN not in part.scope],
        between=_between(judgments, parts),
        pairs=_pairs(judgments, parts),
        assessors=parts("assessor", resamples=0)[1:],
        by_topic=topics,
        cells=cells,
        past=agreement_so_far(judgments, coefficient, scale),
    )


def _units(judgments: Judgments) -> int:
    return int(np.unique(judgments.topic * max(len(judgments.docs), 1) + judgments.doc).size)


def _between(
    judgments: Judgments, parts: Callable[[By], Sequence[ScopedAgreement]]
) -> Sequence[ScopedAgreement]:
    """Compute the agreement of each pair of groups, as the mean over topics."""
    if judgments.group is None:
        return ()
    try:
        return parts("group-pair")[1:]
    except UndefinedError:
        return ()


def _pairs(
    judgments: Judgments, parts: Callable[[By], Sequence[ScopedAgreement]]
) -> Sequence[ScopedAgreement]:
    if len(judgments.assessors) > MOST_PAIRED:
        return ()
    return [part for part in parts("pair")[1:] if part.units or not math.isnan(part.value)]
