"""The grades for selecting candidates: from a qrels file, or from grading in the app."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F

from qrelsmith.base.errors import InputError, UndefinedError
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.preference_settings import PreferenceJudging
from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.label_transforms import aggregated_qrels
from qrelsmith.web.graded.judgments import UNJUDGED_CODE, judgments_of_round
from qrelsmith.web.graded.labels import AGGREGATION
from qrelsmith.web.models import Assignment

# The judging round used for preferences.
_ROUND = 1


@dataclass(frozen=True, slots=True)
class Graded:
    """The grades for selecting candidates.

    Attributes
    ----------
    qrels : Qrels or None
        One grade per doc; None if there are none yet.
    unfinished : tuple of str
        Topics left out because not all their docs are graded.
    """

    qrels: Qrels | None
    unfinished: tuple[str, ...] = ()


def grades(campaign: Campaign, preferring: PreferenceJudging, *, unfinished: bool) -> Graded:
    """Return the grades from the source named in `[preferences]`.

    Grades from the app are aggregated by the lower median over the first round.

    Parameters
    ----------
    campaign : Campaign
        The campaign.
    preferring : PreferenceJudging
        The table `[preferences]`.
    unfinished : bool
        Whether to include open topics with unfinished grading.

    Raises
    ------
    InputError
        If the qrels file is missing or invalid.
    """
    if preferring.source_file:
        path = campaign.folder / preferring.source_file
        if not path.is_file():
            raise InputError(
                "file not found; expected the qrels that 'source' in [preferences] names", path=path
            )
        return Graded(read_qrels(path))
    judgments = judgments_of_round(_ROUND)
    if judgments is None:
        return Graded(None)
    now = judgments.current()
    now = now.select(now.grade != UNJUDGED_CODE)
    try:
        qrels = aggregated_qrels(now, AGGREGATION, scale=campaign.scale).qrels
    except UndefinedError:
        return Graded(None)
    left_out = () if unfinished else _unfinished_topics()
    kept = set(qrels.topics) - set(left_out)
    return Graded(qrels.restricted_to(kept) if kept else None, left_out)


def _unfinished_topics() -> tuple[str, ...]:
    """Return the topics with an open assignment that has unjudged docs."""
    waiting = Assignment.objects.filter(round=_ROUND, is_open=True, judged__lt=F("total"))
    return tuple(waiting.values_list("topic__name", flat=True).distinct().order_by("topic__name"))
