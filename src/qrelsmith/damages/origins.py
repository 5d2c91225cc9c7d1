"""The origins of label sets: facts about label sets besides the grades."""

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
    """Facts about label sets besides their grades, by name.

    Attributes
    ----------
    judgments : mapping of str to Judgments
        The judgments from which a label set was created.
    people, models : mapping of str to str
        The names of sets by people; the model of each set by a model.
    ranking_teams : mapping of str to tuple of str
        The teams that rank with the model of a set.
    lowest : float or None
        The lowest grade of the declared scale.
    off_scale : mapping of str to int
        The number of grades of a set outside its scale.
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
        As in `find_damages`.
    campaign : CampaignLabels or None
        The campaign with the labels.
    sets : iterable of str
        The label sets to examine.
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
    """Count each label set's grades outside a scale; empty if the reader rejects such grades."""
    if scale is None or off_scale == "error":
        return {}
    with warnings.catch_warnings():
        # Warnings about the labels were issued when they were read with the scale.
        warnings.simplefilter("ignore", InputWarning)
        given = label_sets_of(labels)
    return {
        name: int(((qrels.grade >= 0) & ~scale.holds(qrels.grade)).sum())
        for name, qrels in given.items()
    }
