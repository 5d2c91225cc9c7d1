"""The front page of the server: the campaigns that an account may enter."""

from __future__ import annotations

from importlib.util import find_spec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from qrelsmith.web.accounts.access import EVERYBODY, ORGANISERS, account_of, page
from qrelsmith.web.hub.models import HubCampaign
from qrelsmith.web.hub.registry import campaign_named, find_campaigns, role_in, title_of


@page(EVERYBODY)
def home(request: HttpRequest) -> HttpResponse:
    """Return the list of campaigns with role and progress."""
    account = account_of(request)
    if account.role in ORGANISERS:
        find_campaigns()
    rows = []
    for campaign in HubCampaign.objects.order_by("name"):
        member = role_in(campaign, account)
        if member is not None and campaign_named(campaign.name) is not None:
            rows.append({"campaign": campaign, "title": title_of(campaign), "role": member.role})
    can_make = account.role in ORGANISERS and find_spec("qrelsmith.web.setup") is not None
    return render(request, "hub/home.html", {"rows": rows, "can_make": can_make})
