"""Labels of groups of assessors: their label sets, and their topics in each ordering."""

from __future__ import annotations

import numpy as np

from qrelsmith.campaign.aspect_settings import CONTRADICTS
from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.judgments.environments import sessions_of
from qrelsmith.judgments.judgment_events import Judgments


def label_set_of(
    judgments: Judgments, name: str, *, aggregation: str = "median", one_voice: str | None = None
) -> Qrels:
    """Return one grade per doc from the assessors' current grades; codes are left out.

    For aspects, the code of an answer that contradicts the aspect is kept: this code counts as
    lower than all levels, or as 0 if grades are summed.

    Parameters
    ----------
    judgments : Judgments
        The judgments of a group.
    name : str
        The name of the qrels.
    aggregation : str
        How several grades are combined; by default, the lower median.
    one_voice : str, optional
        The group whose assessors count as one assessor.
    """
    kept = (CONTRADICTS,) if judgments.aspect is not None else ()
    ratings = judgments.ratings(kept=kept)
    combine, values = AGGREGATIONS.get(aggregation), ratings.values
    if kept and not takes_levels(aggregation):
        values = np.where(values == CONTRADICTS, 0.0, values)
    if one_voice is not None:
        group = judgments.by_group().get(one_voice)
        members = () if group is None else group.assessors
        is_member = np.isin(ratings.assessors, members)
        values = np.vstack([values[~is_member], combine(values[is_member])])
    grades = combine(values)
    rows = zip(ratings.units, grades.tolist(), strict=True)
    return Qrels.from_rows(
        ((topic, doc, grade) for (topic, doc), grade in rows if not np.isnan(grade)), name=name
    )


_BETWEEN = ("mean", "median-mean", "sum", "logsum")


def takes_levels(aggregation: str) -> bool:
    """Return whether the result of an aggregation is always a level."""
    return AGGREGATIONS.get(aggregation).entry.name not in _BETWEEN


def topics_by_ordering(judgments: Judgments, group: str) -> dict[str, tuple[str, ...]]:
    """Return, for each ordering, the sorted topics whose docs a group saw in this ordering.

    Examples are the PRI-Gold and RND-Gold topics of ordering-gold-bronze. Topics shown to the group
    in several orderings, or in an unknown ordering, are left out.
    """
    orderings: dict[str, set[str]] = {}
    for session in sessions_of(judgments).sessions:
        if session.group == group:
            orderings.setdefault(session.topic, set()).add(session.ordering)
    topics: dict[str, list[str]] = {}
    for topic, shown in sorted(orderings.items()):
        ordering = next(iter(shown))
        if len(shown) == 1 and ordering and "+" not in ordering:
            topics.setdefault(ordering, []).append(topic)
    return {ordering: tuple(found) for ordering, found in sorted(topics.items())}
