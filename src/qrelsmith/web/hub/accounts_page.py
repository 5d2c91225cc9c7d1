"""The page of the server's accounts, for server admins."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from qrelsmith.web.accounts.access import account_of, page
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.accounts.invites import make_invite
from qrelsmith.web.accounts.openid_page import change_address
from qrelsmith.web.accounts.openid_settings import openid
from qrelsmith.web.maintenance.forget import end_sessions
from qrelsmith.web.models import Account, Role
from qrelsmith.web.site.parameters import ParameterError, choice

_ADMINS = frozenset({Role.ADMIN})
# Assessors join by the invite of a campaign.
_ROLES = (Role.ADMIN.value, Role.ORGANISER.value)


@page(_ADMINS, methods=("GET", "POST"))
def accounts(request: HttpRequest) -> HttpResponse:
    """Show all accounts; a form creates an invite and shows its link once."""
    accounts = Account.objects.order_by("login").prefetch_related("memberships__campaign")
    context = _context(accounts)
    if request.method == "POST":
        role = Role(choice(request.POST.get("role", ""), "role", _ROLES))
        note_action(request, "invite", role.value)
        context["link"] = _link(request, make_invite(role, created_by=account_of(request)))
    return render(request, "hub/accounts.html", context)


@page(_ADMINS, methods=("POST",))
def renew(request: HttpRequest, account_id: int) -> HttpResponse:
    """Create a link for setting an account's new password."""
    account = get_object_or_404(Account, pk=account_id)
    note_action(request, "renew", f"account {account.pk}")
    token = make_invite(Role(account.role), account=account, created_by=account_of(request))
    context = _context([account]) | {"link": _link(request, token)}
    return render(request, "hub/accounts.html", context)


@page(_ADMINS, methods=("POST",))
def address(request: HttpRequest, account_id: int) -> HttpResponse:
    """Change the e-mail address for logins with a provider, and remove earlier links."""
    account = get_object_or_404(Account, pk=account_id)
    change_address(request, account, f"account {account.pk}")
    return redirect("accounts")


@page(_ADMINS, methods=("POST",))
def switch(request: HttpRequest, account_id: int) -> HttpResponse:
    """Disable an account in all campaigns, or enable it again."""
    account = get_object_or_404(Account, pk=account_id)
    if account == account_of(request):
        raise ParameterError(gettext("You can't disable your own account."))
    account.is_active = not account.is_active
    account.save(update_fields=["is_active"])
    if not account.is_active:
        end_sessions(account)
    note_action(request, "enable" if account.is_active else "disable", f"account {account.pk}")
    return redirect("accounts")


def _context(accounts: Iterable[Account]) -> dict[str, object]:
    return {"accounts": accounts, "roles": _ROLES, "openid": openid()}


def _link(request: HttpRequest, token: str) -> str:
    return f"{request.build_absolute_uri(reverse('invite'))}#{token}"
