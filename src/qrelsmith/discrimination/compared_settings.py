"""Methods of labelling by name, each on its own scale: the input of `pdp compare`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError, UndefinedError, UsageError, quoted
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import stem
from qrelsmith.collection.runs import Run
from qrelsmith.discrimination.pdp_inputs import runs_to_depth
from qrelsmith.io.cells import OffScale
from qrelsmith.io.given_values import is_frame, is_nested
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.sources import as_judgments, check_any
from qrelsmith.judgments.topic_sources import TopicSet, topics_of
from qrelsmith.pairs.preferences import Preferences


@dataclass(frozen=True, slots=True)
class ComparedSettings:
    """Methods of labelling the same topics.

    Attributes
    ----------
    judgments : mapping of str to Judgments
        The judgments by name.
    scales : mapping of str to Scale
        The known scales; other methods have the levels that occur among their grades.
    campaigns : sequence of CampaignLabels
        The campaigns among the methods, as sources of preferences and runs.
    """

    judgments: Mapping[str, Judgments]
    scales: Mapping[str, Scale]
    campaigns: Sequence[CampaignLabels]

    def preferences(self) -> Preferences:
        """Return the preferences of the campaigns.

        Raises
        ------
        UsageError
            If no campaign has preferences.
        """
        own = [each.preferences for each in self.campaigns if each.preferences is not None]
        if not own:
            raise UsageError("no preferences found; expected a file or campaigns with preferences")
        return own[0] if len(own) == 1 else Preferences.join(own)

    def runs(self, *, depth: int, order: str, jobs: int | None) -> Sequence[Run]:
        """Return the runs of the first campaign that has runs."""
        own = next((each for each in self.campaigns if each.campaign.runs), None)
        return () if own is None else runs_to_depth(own, None, depth, order, jobs)

    def topics(self, topic_set: TopicSet | None) -> Sequence[str]:
        """Return the requested topics that occur in all methods.

        Raises
        ------
        UndefinedError
            If there are no such topics.
        """
        common = set.intersection(*(set(each.topics) for each in self.judgments.values()))
        wanted = topics_of(topic_set)
        kept = common if wanted is None else common.intersection(wanted)
        if not kept:
            raise UndefinedError("the settings have no topic in common; expected at least one")
        return sorted(kept)


def compared_settings(
    labels: Any, scale: Scale | Sequence[Scale] | None, *, off_scale: OffScale
) -> ComparedSettings:
    """Return methods of labelling from {name: labels}, or from labels, paths and campaigns.

    A folder that is not a campaign contains one qrels file per assessor.

    Raises
    ------
    InputError
        If a file is malformed, or contains no judgments.
    UsageError
        If there is only one method, two methods have the same name, or the number of scales is
        wrong.
    """
    named = _settings_by_name(labels)
    if len(named) < 2:
        raise UsageError(
            f"there {'is one setting' if named else 'are no settings'} to compare; expected two or"
            " more: a campaign with its label sets, files, folders, or campaigns"
        )
    scales = _scales(scale, list(named))
    judgments: dict[str, Judgments] = {}
    campaigns: list[CampaignLabels] = []
    for name, source in named.items():
        campaign = campaign_of(source)
        if campaign is not None:
            campaigns.append(campaign)
            if campaign.campaign.scale is not None:
                scales.setdefault(name, campaign.campaign.scale)
        judgments[name] = as_judgments(
            campaign or _files_of(source), scale=scales.get(name), off_scale=off_scale
        )
        check_any(judgments[name], source)
    return ComparedSettings(judgments, scales, campaigns)


def _settings_by_name(labels: Any) -> dict[str, Any]:
    if isinstance(labels, Mapping) and not is_nested(labels) and not is_frame(labels):
        return {str(name): source for name, source in labels.items()}
    listed = list(labels) if isinstance(labels, list | tuple) else [labels]
    paths = [each for each in listed if isinstance(each, str | PathLike)]
    short = [_short(path) for path in paths]
    named: dict[str, Any] = {}
    for source in listed:
        name = str(getattr(source, "name", "labels"))
        if isinstance(source, str | PathLike):
            name = _short(source)
            name = str(source) if short.count(name) > 1 else name
        if name in named:
            raise UsageError(f"two settings are named {quoted(name)}; pass {{name: labels}}")
        named[name] = source
    return named


def _short(path: str | PathLike[str]) -> str:
    """Return the name of a folder, or the name of a file without its suffixes."""
    if Path(path).is_dir():
        return Path(path).resolve().name
    return re.sub(r"\.(csv|tsv|jsonl|parquet)$", "", stem(path))


def _scales(scale: Scale | Sequence[Scale] | None, names: Sequence[str]) -> dict[str, Scale]:
    """Return the scales of the settings, given one common scale or one scale per setting."""
    if scale is None:
        return {}
    levels = [scale] if isinstance(scale, Scale) else list(scale)
    if len(levels) not in (1, len(names)):
        raise UsageError(
            f"found {len(levels)} scales for {len(names)} settings; expected one "
            "for all settings, or one per setting in the same order"
        )
    return dict(zip(names, levels * (len(names) // len(levels)), strict=True))


def _files_of(source: Any) -> Any:
    """Return the files of a folder, or any other source unchanged."""
    if not isinstance(source, str | PathLike) or not Path(source).is_dir():
        return source
    files = sorted(file for file in Path(source).iterdir() if file.is_file())
    files = [file for file in files if not file.name.startswith(".")]
    if not files:
        raise InputError(
            "the folder has no files; expected the qrels of each assessor", path=source
        )
    return files
