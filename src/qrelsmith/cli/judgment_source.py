"""Judgments that a command is given: files, or a campaign folder with its scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from qrelsmith.cli.options import parse_scale
from qrelsmith.cli.run_files import campaign_folder
from qrelsmith.data.campaign import Campaign, read_campaign
from qrelsmith.data.judgments import Judgments, read_judgments
from qrelsmith.data.text import FilePath
from qrelsmith.data.topic_set import read_topic_set, restricted_judgments
from qrelsmith.errors import InputError
from qrelsmith.scales import Scale


class JudgmentSource(NamedTuple):
    """Judgments and where they come from.

    Attributes
    ----------
    judgments : Judgments
        At least one.
    scale : Scale or None
        The one that was named, else the campaign's.
    files : tuple of path
        What was read.
    campaign : Campaign or None
        The campaign, if its folder was named.
    """

    judgments: Judgments
    scale: Scale | None
    files: tuple[FilePath, ...]
    campaign: Campaign | None


def read_source(
    files: Sequence[FilePath],
    scale: str | None,
    off_scale: Literal["error", "missing"],
    topic_set: FilePath | None = None,
) -> JudgmentSource:
    """Read judgments from a file, from qrels of each assessor, or from a campaign folder.

    With a topic set only those of its topics.

    Raises
    ------
    InputError
        If there are none, or a file is not as it should be.
    """
    folder = campaign_folder(files)
    campaign = None if folder is None else read_campaign(folder)
    paths = tuple(files) if campaign is None else _judgments(campaign)
    levels = parse_scale(scale, off_scale, default=None if campaign is None else campaign.scale)
    judgments = read_judgments(*paths, scale=levels, off_scale=off_scale)
    if not len(judgments):
        raise InputError("there are no judgments; expected at least one", path=paths[0])
    if topic_set is not None:
        judgments = restricted_judgments(judgments, read_topic_set(topic_set), path=topic_set)
    return JudgmentSource(judgments, levels, paths, campaign)


def _judgments(campaign: Campaign) -> tuple[FilePath, ...]:
    if campaign.judgments is None:
        raise InputError("the campaign has no file judgments.*", path=campaign.folder)
    return (campaign.judgments,)
