"""The organiser's pages of people: accounts, invites, and the log of actions."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from qrelsmith.base.errors import QrelsmithError
from qrelsmith.web.accounts.access import ORGANISERS, account_of, page
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.accounts.assessors import is_model, model_groups
from qrelsmith.web.accounts.invites import make_invite, make_invites, open_invite, open_invites
from qrelsmith.web.accounts.openid_page import change_address
from qrelsmith.web.accounts.openid_settings import openid
from qrelsmith.web.core.database import writing
from qrelsmith.web.maintenance.forget import end_sessions
from qrelsmith.web.models import Account, Assessor, Invite, OrganiserAction, Role
from qrelsmith.web.site.parameters import ParameterError, choice, form_text

_SHOWN = 200
_LONGEST_LIST = 200_000


@page(ORGANISERS)
def people(request: HttpRequest) -> HttpResponse:
    """Show accounts, open invites, and assessors without an account."""
    return render(request, "people.html", _people())


@page(ORGANISERS, methods=("POST",))
def invite(request: HttpRequest) -> HttpResponse:
    """Create an invite and show its link once."""
    role = Role(choice(request.POST.get("role", ""), "role", tuple(Role.values)))
    if role == Role.ADMIN and account_of(request).role != Role.ADMIN:
        raise ParameterError(gettext("Only an admin can create an admin."))
    assessor = None
    if role == Role.ASSESSOR:
        name = form_text(request, "assessor", longest=200)
        assessor = Assessor.objects.filter(name=name).first()
        is_taken = Account.objects.filter(assessor=assessor).exists()
        if assessor is None or is_taken or is_model(assessor):
            raise ParameterError(gettext("No assessor without an account has this name."))
    token = make_invite(role, assessor=assessor, created_by=account_of(request))
    note_action(request, "invite", assessor.name if assessor else role.value)
    return _with_link(request, token)


@page(ORGANISERS, methods=("POST",))
def invite_many(request: HttpRequest) -> HttpResponse:
    """Create invites from a list and show their links once."""
    text = form_text(request, "names", longest=_LONGEST_LIST)
    try:
        with writing():
            made = make_invites(text, created_by=account_of(request))
            for name, _ in made:
                note_action(request, "invite", name)
    except QrelsmithError as error:
        context = _people() | {"names": text, "problem": str(error)}
        return render(request, "people.html", context, status=400)
    links = [(name, _link(request, token)) for name, token in made]
    return render(request, "people.html", _people() | {"links": links})


@page(ORGANISERS, methods=("POST",))
def withdraw(request: HttpRequest, invite_id: int) -> HttpResponse:
    """Withdraw an unused invite."""
    found = Invite.objects.select_related("assessor", "account").filter(used_at=None)
    invite = get_object_or_404(found, pk=invite_id)
    if invite.role == Role.ADMIN and account_of(request).role != Role.ADMIN:
        raise ParameterError(gettext("Only an admin can manage admins."))
    name = _account_name(invite.account) if invite.account else ""
    note_action(
        request, "withdraw", invite.assessor.name if invite.assessor else name or invite.role
    )
    invite.delete()
    return redirect("people")


@page(ORGANISERS, methods=("POST",))
def renew(request: HttpRequest, account_id: int) -> HttpResponse:
    """Create a link for setting an account's new password."""
    account = _manageable(request, account_id)
    token = make_invite(Role(account.role), account=account, created_by=account_of(request))
    note_action(request, "renew", _account_name(account))
    return _with_link(request, token)


@page(ORGANISERS, methods=("POST",))
def switch(request: HttpRequest, account_id: int) -> HttpResponse:
    """Disable or enable an account."""
    account = _manageable(request, account_id)
    if account == account_of(request):
        raise ParameterError(gettext("You can't disable your own account."))
    account.is_active = not account.is_active
    account.save(update_fields=["is_active"])
    if not account.is_active:
        end_sessions(account)
    note_action(request, "enable" if account.is_active else "disable", _account_name(account))
    return redirect("people")


@page(ORGANISERS, methods=("POST",))
def address(request: HttpRequest, account_id: int) -> HttpResponse:
    """Change the e-mail address for logins with a provider, and remove earlier links."""
    account = _manageable(request, account_id)
    change_address(request, account, _account_name(account))
    return redirect("people")


@page(ORGANISERS)
def log(request: HttpRequest) -> HttpResponse:
    """Show the latest actions of organisers and commands."""
    actions = list(OrganiserAction.objects.order_by("-id")[:_SHOWN])
    names = Account.objects.in_bulk([each.account for each in actions if each.account])
    rows = [{"action": each, "account": names.get(each.account or 0)} for each in actions]
    return render(request, "log.html", {"rows": rows})


def _people() -> dict[str, object]:
    accounts = Account.objects.select_related("assessor").filter(forgotten_at=None)
    # Crowd workers are numerous and have no password. The pages of crowd work show crowd workers.
    accounts = accounts.filter(assessor__crowd_worker=None)
    return {
        "accounts": accounts.order_by("role", "login"),
        "invites": open_invites().select_related("assessor", "account").order_by("expires_at"),
        "assessors": Assessor.objects.filter(account=None, crowd_worker=None)
        .exclude(group__in=model_groups())
        .order_by("group", "name"),
        "roles": Role.values,
        "openid": openid(),
    }


def _with_link(request: HttpRequest, token: str) -> HttpResponse:
    context = _people() | {"link": _link(request, token), "link_for": open_invite(token)}
    return render(request, "people.html", context)


def _link(request: HttpRequest, token: str) -> str:
    return f"{request.build_absolute_uri(reverse('invite'))}#{token}"


def _manageable(request: HttpRequest, account_id: int) -> Account:
    """Return an account that the user may manage; organisers cannot manage admins."""
    accounts = Account.objects.filter(forgotten_at=None, assessor__crowd_worker=None)
    account = get_object_or_404(accounts, pk=account_id)
    if account.role == Role.ADMIN and account_of(request).role != Role.ADMIN:
        raise ParameterError(gettext("Only an admin can manage admins."))
    return account


def _account_name(account: Account) -> str:
    """Return the name of an account in the log: a pseudonym or a number."""
    return account.assessor.name if account.assessor else f"account {account.pk}"
