"""The origins of label sets: what is known of them besides their grades."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from qrelsmith.base.errors import InputWarning
from qrelsmith.base.scales import Scale
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.sources import LabelSets, label_sets_of


@dataclass(frozen=True, eq=False, slots=True)
class Origins:
    """Facts on label sets besides their grades, by name.

    Attributes
    ----------
    judgments : mapping of str to Judgments
        The judgments that stand behind a label set.
    people, models : mapping of str to str
        Sets by people; the model of each set by a model.
    ranking_teams : mapping of str to tuple of str
        The teams that rank with the model of a set.
    lowest : float or None
        The lowest grade of the declared scale.
    off_scale : mapping of str to int
        How many grades of a set are off its scale.
    """

    judgments: Mapping[str, Judgments]
    people: frozenset[str]
    models: Mapping[str, str]
    ranking_teams: Mapping[str, tuple[str, ...]]
    lowest: float | None
    off_scale: Mapping[str, int]


def origins_of(
    labels: LabelSets,
    campaign: CampaignLabels | None,
    sets: Iterable[str],
    scale: Scale | None,
    off_scale: OffScale,
) -> Origins:
    """Return the origins of label sets, as far as they are known.

    Parameters
    ----------
    labels, scale, off_scale
        As of `find_damages`.
    campaign : CampaignLabels or None
        The campaign that the labels are.
    sets : iterable of str
        The label sets that are looked at.
    """
    if campaign is None:
        lowest = None if scale is None else scale.levels[0]
        return Origins({}, frozenset(), {}, {}, lowest, _off_scale(labels, scale, off_scale))
    sets = set(sets)
    groups = {name: of for name, of in campaign.groups.items() if name in sets}
    kinds = {name: campaign.kind(name) for name in sets}
    models = {name: model for name, model in campaign.campaign.models.items() if name in sets}
    declared = scale or campaign.campaign.scale
    return Origins(
        judgments=groups,
        people=frozenset(
            name
            for name, kind in kinds.items()
            if kind == "people" or (name in groups and kind != "model")
        ),
        models={name: model.family for name, model in models.items() if model.family},
        ranking_teams={name: model.teams for name, model in models.items()},
        lowest=None if declared is None else declared.levels[0],
        off_scale={name: wrong.count for name, wrong in campaign.off_scale.items()},
    )


def _off_scale(labels: LabelSets, scale: Scale | None, off_scale: OffScale) -> dict[str, int]:
    """Return how many grades of each label set are off a scale, where that is no error."""
    if scale is None or off_scale == "error":
        return {}
    with warnings.catch_warnings():
        # What is odd about the labels was said when they were read with the scale.
        warnings.simplefilter("ignore", InputWarning)
        given = label_sets_of(labels)
    return {
        name: int(((qrels.grade >= 0) & ~scale.holds(qrels.grade)).sum())
        for name, qrels in given.items()
    }
