"""The front page of the server: the campaigns of an account."""

from __future__ import annotations

from importlib.util import find_spec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.web.accounts import openid_page
from qrelsmith.web.accounts.access import EVERYBODY, ORGANISERS, account_of, page, public
from qrelsmith.web.hub.models import HubCampaign
from qrelsmith.web.hub.progress import refresh
from qrelsmith.web.hub.registry import campaign_named, find_campaigns, role_in, title_of
from qrelsmith.web.models import Role
from qrelsmith.web.serving import files_page


@page(EVERYBODY)
def home(request: HttpRequest) -> HttpResponse:
    """Show the account's campaigns with role and progress."""
    account = account_of(request)
    if account.role in ORGANISERS:
        find_campaigns()
    rows = []
    for campaign in HubCampaign.objects.order_by("name"):
        member = role_in(campaign, account)
        if member is None or campaign_named(campaign.name) is None:
            continue
        can_manage = member.role in ORGANISERS
        if campaign.archived_at is not None and not can_manage:
            continue
        refresh(campaign)
        rows.append({
            "campaign": campaign, "title": title_of(campaign), "role": member.role,
            "can_manage": can_manage,
        })  # fmt: skip
    can_make = account.role in ORGANISERS and find_spec("qrelsmith.web.setup") is not None
    context = {"rows": rows, "can_make": can_make, "is_admin": account.role == Role.ADMIN}
    return render(request, "hub/home.html", context)


@public(methods=("GET", "POST"))
def enter(request: HttpRequest, name: str) -> HttpResponse:
    """Log in to the server from a page of a campaign."""
    return openid_page.enter(request)


@page(EVERYBODY, methods=("POST",))
def leave(request: HttpRequest, name: str) -> HttpResponse:
    """Log out of the server from a page of a campaign."""
    return openid_page.leave(request)


@public()
def asset(request: HttpRequest, campaign: str, digest: str, name: str) -> HttpResponse:
    """Return a static file; each campaign has separate addresses, for the service worker."""
    return files_page.asset(request, digest, name)
