"""Preferences from any accepted input: objects, data frames, paths, a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from qrelsmith.base.errors import InputError
from qrelsmith.judgments.campaign_sources import campaign_of

if TYPE_CHECKING:
    from qrelsmith.pairs.outcomes import Sign, Way
    from qrelsmith.pairs.preferences import Preferences

PreferencesLike: TypeAlias = Any


def preferences_of(
    source: PreferencesLike, *, way: Way | None = None, sign: Sign = "negative-left"
) -> Preferences:
    """Return preferences from Preferences, path, DataFrame, {topic: answers}, campaign or list.

    Parameters
    ----------
    source : Preferences, path, data frame, mapping, campaign, or a list of these
        The preferences; None: there are none.
    way, sign
        How outcomes are written, as in `read_preferences`.

    Raises
    ------
    InputError
        If a file is malformed, or the campaign has no preferences.
    UsageError
        If the source is none of these.
    """
    from qrelsmith.pairs.preference_files import read_preferences
    from qrelsmith.pairs.preferences import Preferences

    if source is None:
        return Preferences.from_rows([])
    campaign = campaign_of(source)
    if campaign is not None:
        if campaign.preferences is None:
            raise InputError(
                "the campaign has no preferences; expected a file preferences.*",
                path=campaign.folder,
            )
        return campaign.preferences
    if isinstance(source, list | tuple) and not all(
        isinstance(each, list | tuple) for each in source
    ):
        return Preferences.join([preferences_of(each, way=way, sign=sign) for each in source])
    return read_preferences(source, way=way, sign=sign)
