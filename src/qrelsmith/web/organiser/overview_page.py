"""The organiser's pages: how far the campaign is, who takes part, what was done."""

from __future__ import annotations

from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from qrelsmith.web.accounts.access import ORGANISERS, WATCHERS, account_of, page
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.accounts.assessors import is_model, model_groups
from qrelsmith.web.accounts.invites import make_invite, open_invite
from qrelsmith.web.core.closing import close_assignment, reopen_assignment
from qrelsmith.web.core.database import writing
from qrelsmith.web.maintenance.forget import end_sessions
from qrelsmith.web.models import Account, Assessor, Assignment, Invite, OrganiserAction, Role
from qrelsmith.web.site.parameters import ParameterError, choice, form_text, query_whole

_SHOWN = 200
# A page with more assignments than this would be slow; there is a next one.
_ROWS = 500


@page(WATCHERS)
def overview(request: HttpRequest) -> HttpResponse:
    """How far the campaign is."""
    assignments = Assignment.objects.select_related("topic", "assessor").order_by(
        "assessor__name", "topic__name", "round", "hit"
    )
    sums = Assignment.objects.aggregate(total=Sum("total"), judged=Sum("judged"), count=Count("id"))
    start = query_whole(request.GET, "from", default=0)
    rows = list(assignments[start : start + _ROWS])
    context = {
        "assignments": rows,
        "sums": sums,
        "first": start + 1,
        "last": start + len(rows),
        "earlier": max(start - _ROWS, 0) if start else None,
        "later": start + _ROWS if start + _ROWS < sums["count"] else None,
    }
    return render(request, "overview.html", context)


@page(ORGANISERS)
def people(request: HttpRequest) -> HttpResponse:
    """Accounts, open invites, and assessors whom nobody judges for yet."""
    return render(request, "people.html", _people())


@page(ORGANISERS, methods=("POST",))
def invite(request: HttpRequest) -> HttpResponse:
    """Make an invite and show its link, this once."""
    role = Role(choice(request.POST.get("role", ""), "role", tuple(Role.values)))
    if role == Role.ADMIN and account_of(request).role != Role.ADMIN:
        raise ParameterError("only an admin makes an admin")
    assessor = None
    if role == Role.ASSESSOR:
        name = form_text(request, "assessor", longest=200)
        assessor = Assessor.objects.filter(name=name).first()
        is_taken = Account.objects.filter(assessor=assessor).exists()
        if assessor is None or is_taken or is_model(assessor):
            raise ParameterError("assessor is none that has no account yet")
    token = make_invite(role, assessor=assessor, created_by=account_of(request))
    note_action(request, "invite", assessor.name if assessor else role.value)
    return _with_link(request, token)


@page(ORGANISERS, methods=("POST",))
def withdraw(request: HttpRequest, invite_id: int) -> HttpResponse:
    """Make an invite that nobody has used worthless."""
    found = Invite.objects.select_related("assessor", "account").filter(used_at=None)
    invite = get_object_or_404(found, pk=invite_id)
    if invite.role == Role.ADMIN and account_of(request).role != Role.ADMIN:
        raise ParameterError("only an admin manages an admin")
    name = _shown_name(invite.account) if invite.account else ""
    note_action(
        request, "withdraw", invite.assessor.name if invite.assessor else name or invite.role
    )
    invite.delete()
    return redirect("people")


@page(ORGANISERS, methods=("POST",))
def renew(request: HttpRequest, account_id: int) -> HttpResponse:
    """Make a link with which an account gets a new password."""
    account = _manageable(request, account_id)
    token = make_invite(Role(account.role), account=account, created_by=account_of(request))
    note_action(request, "renew", _shown_name(account))
    return _with_link(request, token)


@page(ORGANISERS, methods=("POST",))
def switch(request: HttpRequest, account_id: int) -> HttpResponse:
    """Shut an account out, or let it in again."""
    account = _manageable(request, account_id)
    if account == account_of(request):
        raise ParameterError(gettext("Nobody shuts out him- or herself."))
    account.is_active = not account.is_active
    account.save(update_fields=["is_active"])
    if not account.is_active:
        end_sessions(account)
    note_action(request, "enable" if account.is_active else "disable", _shown_name(account))
    return redirect("people")


@page(ORGANISERS, methods=("POST",))
def close(request: HttpRequest, assignment_id: int) -> HttpResponse:
    """Close an assignment to judging, or open it again."""
    assignment = get_object_or_404(Assignment, pk=assignment_id)
    action, change = (
        ("close", close_assignment) if assignment.is_open else ("open", reopen_assignment)
    )
    with writing():
        change(assignment.pk)
        note_action(request, action, f"{assignment.topic.name} {assignment.assessor.name}")
    return redirect("overview")


@page(ORGANISERS)
def log(request: HttpRequest) -> HttpResponse:
    """What organisers and commands did lately."""
    actions = list(OrganiserAction.objects.order_by("-id")[:_SHOWN])
    names = Account.objects.in_bulk([each.account for each in actions if each.account])
    rows = [{"action": each, "account": names.get(each.account or 0)} for each in actions]
    return render(request, "log.html", {"rows": rows})


def _people() -> dict[str, object]:
    accounts = Account.objects.select_related("assessor").filter(forgotten_at=None)
    # Crowd workers have no password and are many; the pages of crowd work show them.
    accounts = accounts.filter(assessor__crowd_worker=None)
    return {
        "accounts": accounts.order_by("role", "login"),
        "invites": Invite.objects.select_related("assessor", "account")
        .filter(used_at=None, expires_at__gt=timezone.now())
        .order_by("expires_at"),
        "assessors": Assessor.objects.filter(account=None, crowd_worker=None)
        .exclude(group__in=model_groups())
        .order_by("group", "name"),
        "roles": Role.values,
    }


def _with_link(request: HttpRequest, token: str) -> HttpResponse:
    link = f"{request.build_absolute_uri(reverse('invite'))}#{token}"
    context = _people() | {"link": link, "link_for": open_invite(token)}
    return render(request, "people.html", context)


def _manageable(request: HttpRequest, account_id: int) -> Account:
    """An account that the one who asks may manage: an organiser no admin's."""
    accounts = Account.objects.filter(forgotten_at=None, assessor__crowd_worker=None)
    account = get_object_or_404(accounts, pk=account_id)
    if account.role == Role.ADMIN and account_of(request).role != Role.ADMIN:
        raise ParameterError("only an admin manages an admin")
    return account


def _shown_name(account: Account) -> str:
    """What the log calls an account: a pseudonym, or a number."""
    return account.assessor.name if account.assessor else f"account {account.pk}"
