"""Labels of groups of assessors: their label sets, and the topics they saw in each ordering."""

from __future__ import annotations

import numpy as np

from qrelsmith.campaign.aspect_settings import CONTRADICTS
from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.judgments.environments import sessions_of
from qrelsmith.judgments.judgment_events import Judgments


def label_set_of(judgments: Judgments, name: str) -> Qrels:
    """One grade a doc: the lower median of the assessors' current grades; codes are left out.

    Of aspects the code of an answer that contradicts one stays, and is below all levels.

    Parameters
    ----------
    judgments : Judgments
        Those of a group.
    name : str
        What to call the qrels.
    """
    kept = (CONTRADICTS,) if judgments.aspect is not None else ()
    ratings = judgments.ratings(kept=kept)
    grades = AGGREGATIONS.get("median")(ratings.values)
    rows = zip(ratings.units, grades.tolist(), strict=True)
    return Qrels.from_rows(
        ((topic, doc, grade) for (topic, doc), grade in rows if not np.isnan(grade)), name=name
    )


def topics_by_ordering(judgments: Judgments, group: str) -> dict[str, tuple[str, ...]]:
    """Return the topics that a group was shown in each ordering, both sorted.

    Such are the PRI-Gold and RND-Gold topics of ordering-gold-bronze. Topics that the group was
    shown in several orderings, or whose judgments do not say, are in none.
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
