"""What commands compare: label sets, sets of topics and runs, from files or a campaign folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from qrelsmith.analyses.campaign_labels import CampaignLabels
from qrelsmith.cli.label_sets import (
    Empty,
    LabelSet,
    TopicSet,
    label_sets_and_runs,
    on_topics,
    read_label_sets,
)
from qrelsmith.cli.options import Common
from qrelsmith.cli.scoring import Scoring
from qrelsmith.data.campaign import Campaign, read_campaign
from qrelsmith.data.text import FilePath
from qrelsmith.errors import InputError, UsageError, quoted


@dataclass(frozen=True, slots=True)
class ComparedSets:
    """What is compared.

    Attributes
    ----------
    sets : list of LabelSet
        The label sets.
    topic_sets : list of TopicSet
        The sets of topics that are looked at.
    runs : sequence of path
        The run files.
    scoring : mapping of str to Scoring
        How the runs are scored under each label set.
    campaign : Campaign or None
        Where they come from, if it is one folder.
    pool_depth : int or None
        The depth of the campaign's pools.
    """

    sets: list[LabelSet]
    topic_sets: list[TopicSet]
    runs: Sequence[FilePath]
    scoring: Mapping[str, Scoring]
    campaign: Campaign | None = None
    pool_depth: int | None = None

    @property
    def first_scoring(self) -> Scoring:
        """The scoring of the first label set; all have the same measures and run order."""
        return self.scoring[self.sets[0].name]


def campaign_options(function: Callable[..., None]) -> Callable[..., None]:
    """Which parts of a campaign folder count: `chosen_sets` and `orderings`."""
    for option in (
        click.option(
            "--ordering", "orderings", multiple=True, metavar="NAME",
            help="Of a campaign, the topics that its reference was shown in this ordering; repeat"
            " as --topic-set.",
        ),
        click.option(
            "--label-set", "chosen_sets", multiple=True, metavar="NAME",
            help="Of a campaign, only this label set (a qrels file or a group); repeat.",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


def campaign_folder(files: Sequence[FilePath]) -> FilePath | None:
    """The folder, if it is all that is named."""
    return files[0] if len(files) == 1 and Path(files[0]).is_dir() else None


def compared_sets(
    files: Sequence[str],
    label_sets: Sequence[str],
    topic_sets: Sequence[str],
    chosen_sets: Sequence[str],
    orderings: Sequence[str],
    scoring: Scoring,
    common: Common,
    *,
    empty: Empty = "zero",
) -> ComparedSets:
    """Read what is compared: files, or the label sets and runs of a campaign folder.

    Raises
    ------
    click.UsageError
        If options of files and of a campaign are mixed, or a measure is missing.
    InputError
        If there are no judgments, no topic in all label sets, or none of a set of topics is left.
    UsageError
        If the campaign has no such label set or ordering.
    """
    folder = None if label_sets else campaign_folder(files)
    if folder is None:
        if chosen_sets or orderings:
            raise click.UsageError("--label-set and --ordering are for a campaign folder")
        check_measures(scoring)
        named, runs = label_sets_and_runs(files, label_sets)
        sets, chosen = read_label_sets(named, topic_sets, scoring, common, empty=empty)
        return ComparedSets(sets, chosen, runs, {name: scoring for name, _ in sets})
    return _of_campaign(
        CampaignLabels(read_campaign(folder)),
        topic_sets,
        chosen_sets,
        orderings,
        scoring,
        common,
        empty=empty,
    )


def check_measures(scoring: Scoring) -> None:
    """Raise `click.MissingParameter` unless there is a measure."""
    if not scoring.measures:
        raise click.MissingParameter(param_hint="'-m' / '--measure'", param_type="option")


def _of_campaign(
    labels: CampaignLabels,
    topic_sets: Sequence[str],
    chosen_sets: Sequence[str],
    orderings: Sequence[str],
    scoring: Scoring,
    common: Common,
    *,
    empty: Empty,
) -> ComparedSets:
    campaign = labels.campaign
    if not campaign.runs:
        raise InputError("the campaign has no runs; expected files in runs/", path=campaign.folder)
    for name in chosen_sets:
        labels.check(name)
    scoring = replace(scoring, measures=scoring.measures or campaign.measures)
    check_measures(scoring)
    names = tuple(dict.fromkeys(chosen_sets)) or (labels.reference, *labels.others)
    sets, chosen = on_topics(
        [LabelSet(name, labels.label_sets[name]) for name in names],
        topic_sets,
        scoring,
        common,
        empty=empty,
        also={ordering: _shown(labels, ordering) for ordering in orderings},
        shared=labels.topics,
    )
    return ComparedSets(
        sets,
        chosen,
        campaign.runs,
        {name: _scored(scoring, labels, name) for name in names},
        campaign,
        None if labels.pools is None else labels.pools.depth,
    )


def _shown(labels: CampaignLabels, ordering: str) -> tuple[str, ...]:
    """The topics of an ordering."""
    if ordering not in labels.orderings:
        there = ", ".join(labels.orderings) or "none"
        raise UsageError(
            f"{labels.reference} was shown no topic in the ordering {quoted(ordering)} (there are:"
            f" {there})"
        )
    return labels.orderings[ordering]


def _scored(scoring: Scoring, labels: CampaignLabels, name: str) -> Scoring:
    """The scale of the campaign, unless another one is named or the label set is on another one."""
    if scoring.scale is not None or scoring.gains is not None or labels.top(name) is None:
        return scoring
    return replace(scoring, scale=labels.campaign.scale)
