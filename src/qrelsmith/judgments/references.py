"""The label set of a campaign that the others are compared with, where nobody names one."""

from __future__ import annotations

from collections.abc import Mapping

from qrelsmith.campaign.campaign import Campaign
from qrelsmith.collection.qrels import stem


def gold_set(campaign: Campaign, kinds: Mapping[str, str]) -> str | None:
    """The label set of a group with the role gold, else the one called gold, else None."""
    gold = {name for name, group in campaign.groups.items() if group.role == "gold"}
    for path in campaign.qrels:
        source = campaign.qrels_of.get(path.name)
        if source is not None and source.group in gold:
            return stem(path)
    return next((name for name in kinds if name in gold), "gold" if "gold" in kinds else None)


def only_set_by_people(kinds: Mapping[str, str]) -> str | None:
    """The only label set of the kind `people`, else the only one that is not of a `model`."""
    people = [name for name, kind in kinds.items() if kind == "people"]
    others = people or [name for name, kind in kinds.items() if kind != "model"]
    return others[0] if len(others) == 1 else None
