"""Invites to a campaign: the campaign checks the link, the server provides the account."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from qrelsmith.web.accounts.access import public
from qrelsmith.web.accounts.entrance import account_problems
from qrelsmith.web.core.database import writing
from qrelsmith.web.hub.admission import INVITE, JOIN
from qrelsmith.web.hub.forwarding import ask
from qrelsmith.web.hub.guests import knows_invite
from qrelsmith.web.hub.models import HubCampaign, Member
from qrelsmith.web.hub.registry import folder_of, open_campaign, title_of
from qrelsmith.web.models import Account, Role
from qrelsmith.web.site.parameters import form_text

_BACKEND = "qrelsmith.web.accounts.login.AccountBackend"


@public(methods=("GET", "POST"))
def join(request: HttpRequest, name: str) -> HttpResponse:
    """Join a campaign with an existing or new server account."""
    if request.method != "POST":
        return render(request, "invite_open.html")
    token = re.split("[#/]", form_text(request, "token").strip())[-1]
    campaign = open_campaign(name)
    is_made = campaign is not None and knows_invite(folder_of(campaign), token)
    invite = ask(campaign, INVITE, {"token": token}) if campaign and is_made else None
    if campaign is None or invite is None:
        return render(request, "invite_over.html", status=410)
    account = request.user if isinstance(request.user, Account) else None
    context = {"invite": invite, "token": token, "account": account, "title": title_of(campaign)}
    if account is None and "password" in request.POST:
        return _new_account(request, campaign, context)
    if account is None or "join" not in request.POST:
        return render(request, "hub/join.html", context)
    problem = _give_role(campaign, account, token, invite)
    if problem:
        return render(request, "hub/join.html", context | {"problems": [problem]}, status=400)
    return redirect(f"/c/{name}/")


def _new_account(
    request: HttpRequest, campaign: HubCampaign, context: dict[str, Any]
) -> HttpResponse:
    name, password = form_text(request, "login").strip(), form_text(request, "password")
    problems = account_problems(name, password, is_new=True)
    if password != form_text(request, "again"):
        problems.append(gettext("The two passwords do not match."))
    if not problems:
        account = Account(login=name, role=Role.VIEWER)
        account.set_password(password)
        account.save()
        problem = _give_role(campaign, account, str(context["token"]), context["invite"])
        if not problem:
            login(request, account, backend=_BACKEND)
            return redirect(f"/c/{campaign.name}/")
        account.delete()
        problems = [problem]
    context |= {"problems": problems, "login": name}
    return render(request, "hub/join.html", context, status=400)


def _give_role(campaign: HubCampaign, account: Account, token: str, invite: dict[str, Any]) -> str:
    """Give an account the role of an invite; return an error message, or an empty string."""
    if Member.objects.filter(campaign=campaign, account=account).exists():
        return gettext("You already have a role in this campaign.")
    if invite["is_renewal"] and campaign.members.filter(login=invite["login"]).exists():
        return gettext("This account is already in use. Ask the server's admin for a new password.")
    joined = ask(campaign, JOIN, {"token": token, "login": account.login})
    if joined is None:
        return gettext("The name is taken, or the invite has already been used.")
    with writing():
        Member.objects.create(
            campaign=campaign, account=account, role=joined["role"], login=joined["login"]
        )
    return ""
