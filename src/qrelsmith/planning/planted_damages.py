"""Damage in a simulated campaign: requests for damage, and simulated damage with its source."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from qrelsmith.base.errors import UnknownNameError, UsageError, quoted
from qrelsmith.base.rng import rng_for
from qrelsmith.planning import damage_plants  # noqa: F401 (registers them)
from qrelsmith.planning.damaged_groups import PLANTS, GroupEvents
from qrelsmith.planning.simulation import CampaignDesign, GroupDesign, SimulatedCampaign


@dataclass(frozen=True, slots=True)
class PlantedDamage:
    """A simulated data problem in the labels of a group.

    Attributes
    ----------
    damage : str
        The kind of damage, as named in `find_damages`.
    size : float
        Its size, in the unit of its kind.
    group : str
        The group, which is the label set with the damage.
    culprits : tuple of str
        The topics, assessors or team that are its source; empty for the whole group.
    """

    damage: str
    size: float
    group: str
    culprits: tuple[str, ...] = ()

    def sentence(self) -> str:
        """Return a sentence with the damage, its size and its source."""
        whose = f": {' '.join(self.culprits)}" if self.culprits else ""
        return f"{self.damage} ({self.size:g}) is simulated in {self.group}{whose}"


def parse_damages(texts: Sequence[str], design: CampaignDesign) -> list[PlantedDamage]:
    """Parse requests for damage, such as `shifted:2@bronze`; the default group is the last one.

    Raises
    ------
    UnknownNameError
        If there is no such damage or group.
    UsageError
        If a size is invalid.
    """
    groups = [group.name for group in design.groups]
    asked = []
    for text in texts:
        words = re.fullmatch(r"([^:@]*)(?::([^@]*))?(?:@(.*))?", text, re.DOTALL)
        name, size, group = words.groups() if words else (text, None, None)
        if name not in PLANTS.names():
            raise UnknownNameError("damage", name, PLANTS.names())
        if group is not None and group not in groups:
            raise UnknownNameError("group", group, groups)
        asked.append(PlantedDamage(name, _size(name, size, text), group or groups[-1]))
    return asked


def _size(name: str, text: str | None, whole_text: str) -> float:
    about = PLANTS.get(name).entry.about
    if text is None:
        return float(about["size"])
    try:
        size = float(text)
    except ValueError:
        size = np.nan
    if not 0 < size <= about["most"] or not np.isfinite(size) or (about["whole"] and size % 1):
        number = "a whole number" if about["whole"] else "a number"
        most = f" to {about['most']:g}" if np.isfinite(about["most"]) else ""
        raise UsageError(
            f"damage {quoted(whole_text)}: the size is {quoted(text)}; expected {number} above"
            f" 0{most} ({about['unit']})"
        )
    return size


def prepare_design(design: CampaignDesign, asked: Sequence[PlantedDamage]) -> CampaignDesign:
    """Return a design that can show the requested damages; some damages need random orders."""
    at_random = {each.group for each in asked if PLANTS.get(each.damage).entry.about["random"]}

    def prepare(group: GroupDesign) -> GroupDesign:
        return replace(group, ordering="randomised") if group.name in at_random else group

    return replace(design, groups=tuple(map(prepare, design.groups)))


def plant_damages(
    campaign: SimulatedCampaign, asked: Sequence[PlantedDamage]
) -> tuple[SimulatedCampaign, tuple[PlantedDamage, ...]]:
    """Return a campaign with all damages, and the damages with their sources.

    Raises
    ------
    UsageError
        If the group judged too few topics, or no two assessors judged the same docs.
    """
    planted = []
    for damage in asked:
        first = 0
        for group in campaign.design.groups:
            if group.name == damage.group:
                break
            first += group.assessors.count
        work = GroupEvents(campaign, range(first, first + group.assessors.count))
        # Damages of a single assessor all go to the same assessor, so the kind is not a key.
        rng = rng_for(campaign.seed, "campaign", "damage", damage.group)
        events, culprits = PLANTS.get(damage.damage).entry.function(work, damage.size, rng)
        campaign = replace(campaign, events=events)
        planted.append(replace(damage, culprits=culprits))
    return campaign, tuple(planted)
