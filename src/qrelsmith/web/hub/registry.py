"""The registry of the server's campaigns and their members."""

from __future__ import annotations

import re
from pathlib import Path

from qrelsmith.base.errors import InputError, QrelsmithError, UsageError, quoted
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.hub.models import HubCampaign, Member
from qrelsmith.web.models import Account, Role
from qrelsmith.web.project import current_instance

# Valid as part of a URL and of a schema name.
NAME = re.compile("[a-z0-9][a-z0-9_-]{0,39}")


def hub_folder() -> Path:
    """Return the folder that contains the campaigns."""
    return current_instance().campaign.folder


def folder_of(campaign: HubCampaign) -> Path:
    """Return the folder of a campaign."""
    return hub_folder() / campaign.name


def title_of(campaign: HubCampaign) -> str:
    """Return the title of a campaign, or its name if it has no readable title."""
    try:
        return read_campaign(folder_of(campaign)).title or campaign.name
    except QrelsmithError:
        return campaign.name


def check_name(name: str) -> None:
    """Check that a new campaign can have this name.

    Raises
    ------
    UsageError
        If the name has characters that are not allowed in an address, or is taken.
    """
    if not NAME.fullmatch(name):
        raise UsageError(
            f"the name is {quoted(name)}; expected up to 40 lower-case letters, digits, - and _"
        )
    if (hub_folder() / name).exists():
        raise UsageError(f"the name {quoted(name)} is taken")


def register(folder: Path, organiser: Account) -> HubCampaign:
    """Register a campaign's folder, and give its organiser access.

    Raises
    ------
    InputError
        If the folder is not a campaign, is elsewhere, or has a name not allowed in an address.
    """
    if folder.resolve().parent != hub_folder().resolve() or not NAME.fullmatch(folder.name):
        raise InputError(f"expected a folder in {hub_folder()} with a valid name", path=folder)
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
    """Register folders added manually, and return notes on folders that cannot be served."""
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
                f"{path.parent} is not served, because its name is not made of lower-case letters,"
                " digits, - and _"
            )
    return notes


def role_in(campaign: HubCampaign, account: Account) -> Member | None:
    """Return an account's membership in a campaign; server admins are members of all campaigns."""
    member = _MEMBER.first(campaign.pk, account.pk)
    if member is None and account.role == Role.ADMIN:
        return Member(campaign=campaign, account=account, role=Role.ADMIN, login=account.login)
    return member


def campaign_named(name: str) -> HubCampaign | None:
    """Return the campaign with a name, or None if its folder does not exist."""
    found = _NAMED.first(name)
    return found if found is not None and (folder_of(found) / SETTINGS).is_file() else None


def open_campaign(name: str) -> HubCampaign | None:
    """Return the campaign with a name, or None if it is archived or has no folder."""
    found = campaign_named(name)
    return found if found is not None and found.archived_at is None else None


# Campaign and member are queried at every request to a campaign.
_NAMED = Prepared[HubCampaign](lambda name: HubCampaign.objects.filter(name=name))
_MEMBER = Prepared[Member](
    lambda campaign, account: Member.objects.filter(campaign=campaign, account=account)
)
