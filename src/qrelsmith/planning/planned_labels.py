"""The label sets for which preference tests are planned, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

from qrelsmith.base.errors import InputError, UndefinedError, UsageError, quoted
from qrelsmith.base.scales import Scale
from qrelsmith.io.cells import OffScale
from qrelsmith.io.given_values import is_frame, is_nested
from qrelsmith.judgments.given_labels import on_scale
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.sources import LabelSets, as_judgments
from qrelsmith.judgments.topic_sources import TopicSet, of_topics


def planned_label_sets(
    labels: LabelSets,
    campaign: CampaignLabels | None,
    wanted: Sequence[str],
    *,
    topic_set: TopicSet | None,
    scale: Scale | None,
    off_scale: OffScale,
) -> dict[str, Judgments]:
    """Return the judgments of each set, by the set's name."""
    named: dict[str, Judgments] = {}
    if campaign is not None:
        for name in wanted:
            campaign.check(name)
        for name in wanted or campaign.label_sets:
            if wanted or scale is not None or campaign.scale_text(name) != "real":
                own = campaign.judgments_of(name)
                named[name] = on_scale(own, scale, off_scale=off_scale)
        if not named:
            raise UndefinedError(
                "the grades of all label sets are on a continuous scale; expected at least one"
                " label set with levels"
            )
    elif wanted:
        raise UsageError("label_set needs a campaign")
    else:
        for name, each in _sources(labels).items():
            named[name] = as_judgments(each, scale=scale, off_scale=off_scale)
    for name, judgments in named.items():
        if not len(judgments):
            raise InputError("no judgments found; expected at least one", path=name)
    return {name: of_topics(judgments, topic_set) for name, judgments in named.items()}


def planned_reference(campaign: CampaignLabels | None, judgments: Mapping[str, Judgments]) -> str:
    """Return the reference of the comparisons: the campaign's reference, if it is included."""
    if campaign is not None and campaign.reference in judgments:
        return campaign.reference
    return next(iter(judgments))


def planned_scales(
    campaign: CampaignLabels | None, judgments: Mapping[str, Judgments], scale: Scale | None
) -> dict[str, Scale]:
    """Return the given or declared scales."""
    known = {
        name: scale or (None if campaign is None else campaign.declared_scale(name))
        for name in judgments
    }
    return {name: each for name, each in known.items() if each is not None}


def _sources(labels: LabelSets) -> dict[str, Any]:
    """Return several sources of labels by name."""
    if isinstance(labels, Mapping) and not is_nested(labels) and not is_frame(labels):
        return {str(name): source for name, source in labels.items()}
    listed = list(labels) if isinstance(labels, list | tuple) else [labels]
    named: dict[str, Any] = {}
    for source in listed:
        is_path = isinstance(source, str | PathLike)
        name = str(source) if is_path else getattr(source, "name", "qrels")
        if name in named:
            raise UsageError(
                f"two label sets are called {quoted(name)}; use different names: {{name: qrels}}"
            )
        named[name] = source
    return named
