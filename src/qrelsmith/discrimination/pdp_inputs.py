"""The label sets, preferences, runs and grade matrix from which PDP is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import InputError, ShapeError, UndefinedError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.runs import Run
from qrelsmith.discrimination.grade_matrices import read_matrix
from qrelsmith.discrimination.preferences.grade_matrix import PAPER_CLIP, GradeMatrix
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.evaluation.held_runs import campaign_runs
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.preference_sources import PreferencesLike, preferences_of
from qrelsmith.judgments.run_sources import RunsLike, runs_of
from qrelsmith.judgments.topic_sources import TopicSet, topics_of
from qrelsmith.pairs.outcomes import Sign, Way
from qrelsmith.pairs.preferences import Preferences

_CONTINUUM = (
    "the grades are on a continuous scale; group grades into bins with `qrelsmith transform --cuts`"
)


@dataclass(frozen=True, slots=True)
class ChosenSets:
    """The requested label sets of a campaign, and the scales of the sets with levels."""

    all: tuple[str, ...]
    scales: Mapping[str, Scale | None]
    lacking: Mapping[str, str]


def chosen_sets(campaign: CampaignLabels, wanted: Sequence[str], scale: Scale | None) -> ChosenSets:
    """Return the requested label sets (default: all), and the scales of sets that have levels."""
    for name in wanted:
        campaign.check(name)
    names = tuple(wanted) or tuple(campaign.label_sets)
    real = [] if scale is not None else [n for n in names if campaign.scale_text(n) == "real"]
    if len(real) == len(names):
        raise UndefinedError(
            "the grades of all label sets are on a continuous scale; expected at least one label"
            " set with levels"
        )
    scales = {name: scale or campaign.declared_scale(name) for name in names if name not in real}
    return ChosenSets(names, scales, dict.fromkeys(real, _CONTINUUM))


def own_preferences(
    campaign: CampaignLabels, given: PreferencesLike, *, sign: Sign, outcomes: Way | None
) -> Preferences:
    """Return the given preferences, or the campaign's preferences by default."""
    if given is not None:
        own = preferences_of(given, way=outcomes, sign=sign)
    elif campaign.preferences is None:
        raise InputError(
            "the campaign has no preferences; expected a file preferences.*, or --preferences",
            path=campaign.folder,
        )
    else:
        own = campaign.preferences
    if not len(own):
        raise UndefinedError("no preferences found; expected at least one")
    return own


def common_topics(
    campaign: CampaignLabels, names: Sequence[str], topic_set: TopicSet | None
) -> tuple[str, ...]:
    """Return the requested topics that all given label sets have."""
    if set(names) == set(campaign.label_sets):
        topics = set(campaign.topics)
    else:
        topics = set.intersection(*(set(campaign.label_sets[name].topics) for name in names))
    wanted = topics_of(topic_set)
    kept = topics if wanted is None else topics.intersection(wanted)
    if not kept:
        raise UndefinedError("the label sets have no topic in common; expected at least one")
    return tuple(sorted(kept))


def runs_to_depth(
    campaign: CampaignLabels, runs: RunsLike, depth: int, order: str, jobs: int | None
) -> Sequence[Run]:
    """Return the given runs, or the campaign's runs by default."""
    if runs is not None:
        return load_runs(runs_of(runs, order=order), depth=depth, order=order, jobs=jobs)
    return campaign_runs(campaign, depth=depth, order=order, jobs=jobs)


def preferences_on_topics(preferences: Preferences, topic_set: TopicSet | None) -> Preferences:
    """Return the preferences of a set of topics."""
    topics = topics_of(topic_set)
    return preferences if topics is None else preferences.restricted_to(topics)


def read_grade_matrix(
    source: FloatArray | FilePath, scale: Scale | None, mode: Mode, *, paper: bool
) -> GradeMatrix:
    """Return the given grade matrix, from an array or a file."""
    path = source if isinstance(source, str | PathLike) else None
    values = read_matrix(source) if isinstance(source, str | PathLike) else source
    try:
        return GradeMatrix.from_values(
            values,
            levels=None if scale is None else scale.levels,
            mode=mode,
            clip=PAPER_CLIP if paper else 0.0,
        )
    except ShapeError as error:
        if path is None:
            raise
        raise InputError(str(error), path=path) from None


def check_depths(*, depth: int, within: int | None, resamples: int) -> None:
    """Raise an error if a given number is below 1."""
    for name, value in (("depth", depth), ("within", within), ("resamples", resamples)):
        if value is not None and value < 1:
            raise UsageError(f"{name} is {value}; expected 1 or more")
