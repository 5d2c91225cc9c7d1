"""Labels of one aspect or one kind of aspect, selected from any source by `--aspect`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qrelsmith.answers.aspects import Aspects, read_aspects
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.item_scales import is_of_aspect
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.sources import judgments_of, label_sets_of


def of_aspect(source: Any, aspect: str | None, aspects: Any = None) -> Any:
    """Return a source with the labels of one aspect, or the source itself if no aspect is named.

    Parameters
    ----------
    source : Judgments, campaign, paths, frames or qrels
        The labels.
    aspect : str or None
        The id of an aspect, or a kind: `nugget`, `rubric`, `citation`, `criterion.NAME`.
    aspects : path or Aspects, optional
        The known aspects; a campaign uses its own.

    Raises
    ------
    UsageError
        If no label is of this aspect.
    """
    if aspect is None:
        return source
    campaign = campaign_of(source)
    if campaign is not None:
        from qrelsmith.judgments.label_sets import CampaignLabels

        return CampaignLabels(campaign.campaign, reference=campaign.reference, aspect=aspect)
    declared = (
        read_aspects(aspects)
        if aspects is not None and not isinstance(aspects, Aspects)
        else aspects
    )
    if isinstance(source, Mapping) and len(source) == 1:
        source = next(iter(source.values()))
    if isinstance(source, Mapping):
        sets = label_sets_of(source)
        judgments = _only(Judgments.from_qrels(sets), aspect, declared)
        return {name: judgments.to_qrels(assessor=name) for name in judgments.assessors}
    return _only(judgments_of(source), aspect, declared)


def _only(judgments: Judgments, aspect: str, aspects: Aspects | None) -> Judgments:
    judgments_of_aspect = judgments.of_aspects(is_of_aspect(aspect, aspects))
    if not len(judgments_of_aspect):
        there = sorted(set(judgments.aspect or ()) - {""})
        shown = ", ".join(there[:5]) + (", …" if len(there) > 5 else "")
        raise UsageError(f"no label has the aspect {quoted(aspect)} (available: {shown or 'none'})")
    return judgments_of_aspect
