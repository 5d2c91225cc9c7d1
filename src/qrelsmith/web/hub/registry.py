"""Which folders of the server are campaigns, and who may enter each."""

from __future__ import annotations

import re
from pathlib import Path

from qrelsmith.base.errors import InputError, QrelsmithError, UsageError, quoted
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.web.core.database import writing
from qrelsmith.web.hub.models import HubCampaign, Member
from qrelsmith.web.models import Account, Role
from qrelsmith.web.project import current_instance

# A part of an address and of the name of a schema.
NAME = re.compile("[a-z0-9][a-z0-9_-]{0,39}")


def hub_folder() -> Path:
    """Return the folder whose folders are the campaigns."""
    return current_instance().campaign.folder


def folder_of(campaign: HubCampaign) -> Path:
    """Return the folder of a campaign."""
    return hub_folder() / campaign.name


def title_of(campaign: HubCampaign) -> str:
    """Return the title of a campaign, its name where it has none or cannot be read."""
    try:
        return read_campaign(folder_of(campaign)).title or campaign.name
    except QrelsmithError:
        return campaign.name


def check_name(name: str) -> None:
    """Raise unless a campaign can have this name here.

    Raises
    ------
    UsageError
        If it has other characters than an address, or is taken.
    """
    if not NAME.fullmatch(name):
        raise UsageError(
            f"the name is {quoted(name)}; expected up to 40 lower-case letters, digits, - and _"
        )
    if (hub_folder() / name).exists():
        raise UsageError(f"the name {quoted(name)} is taken")


def register(folder: Path, organiser: Account) -> HubCampaign:
    """Put a campaign's folder under the server; its organiser can enter it from now on.

    Raises
    ------
    InputError
        If the folder is not a campaign's, is elsewhere, or has a name that no address can have.
    """
    if folder.resolve().parent != hub_folder().resolve() or not NAME.fullmatch(folder.name):
        raise InputError(f"expected a folder of {hub_folder()} with a short name", path=folder)
    read_campaign(folder)
    with writing():
        campaign, _ = HubCampaign.objects.get_or_create(name=folder.name)
        Member.objects.get_or_create(
            campaign=campaign,
            account=organiser,
            defaults={"role": Role.ORGANISER, "login": organiser.login},
        )
    return campaign


def find_campaigns() -> list[str]:
    """Take in folders that were put here by hand; return notes on those that cannot be served."""
    notes = []
    known = set(HubCampaign.objects.values_list("name", flat=True))
    for path in sorted(hub_folder().glob(f"*/{SETTINGS}")):
        name = path.parent.name
        if name in known or name.startswith("."):
            continue
        if NAME.fullmatch(name):
            HubCampaign.objects.get_or_create(name=name)
        else:
            notes.append(
                f"{path.parent} is not served: its name needs lower-case letters, digits, - and _"
            )
    return notes


def role_in(campaign: HubCampaign, account: Account) -> Member | None:
    """Return the membership of an account in a campaign; an admin of the server has every one."""
    member = Member.objects.filter(campaign=campaign, account=account).first()
    if member is None and account.role == Role.ADMIN:
        return Member(campaign=campaign, account=account, role=Role.ADMIN, login=account.login)
    return member


def campaign_named(name: str) -> HubCampaign | None:
    """Return the campaign of a name, None if its folder is gone."""
    found = HubCampaign.objects.filter(name=name).first()
    return found if found is not None and (folder_of(found) / SETTINGS).is_file() else None


def open_campaign(name: str) -> HubCampaign | None:
    """Return the campaign of a name, None if it is archived or its folder is gone."""
    found = campaign_named(name)
    return found if found is not None and found.archived_at is None else None
