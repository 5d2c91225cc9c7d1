"""The campaign of an input, read in the same way for all commands."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.io.text import FilePath

if TYPE_CHECKING:
    from qrelsmith.campaign.campaign import Campaign
    from qrelsmith.judgments.label_sets import CampaignLabels

CampaignLike: TypeAlias = Union["Campaign", "CampaignLabels", FilePath]


def campaign_folder(source: object) -> Campaign | None:
    """Return the campaign of an input (an object or the path of a folder), even without labels.

    Raises
    ------
    InputError
        If campaign.toml is malformed.
    """
    is_folder = isinstance(source, str | PathLike) and (Path(source) / SETTINGS).is_file()
    if not is_folder and isinstance(source, str | PathLike | Qrels | Run | Mapping | list | tuple):
        return None
    from qrelsmith.campaign.campaign import Campaign, read_campaign
    from qrelsmith.judgments.label_sets import CampaignLabels

    if isinstance(source, str | PathLike):
        return read_campaign(source)
    if isinstance(source, CampaignLabels):
        return source.campaign
    return source if isinstance(source, Campaign) else None


def campaign_of(source: object) -> CampaignLabels | None:
    """Return the campaign of an input (an object or the path of a folder), with its labels.

    Raises
    ------
    InputError
        If a file of the campaign is malformed, or there are no labels.
    """
    campaign = campaign_folder(source)
    if campaign is None:
        return None
    from qrelsmith.judgments.label_sets import CampaignLabels

    return source if isinstance(source, CampaignLabels) else CampaignLabels(campaign)


def resolve_source(source: Any) -> Any:
    """Return an input's campaign, else the input itself; every command calls this function first.

    Raises
    ------
    InputError
        As in `campaign_of`.
    """
    campaign = campaign_of(source)
    return source if campaign is None else campaign
