"""Invite, login, logout."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.contrib.auth import authenticate, login, logout
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext

from qrelsmith.web.accounts.access import EVERYBODY, page, public
from qrelsmith.web.accounts.invites import accept_invite, open_invite
from qrelsmith.web.accounts.login import accounts_named, attempt, forgive
from qrelsmith.web.site.parameters import form_text


@public(methods=("GET", "POST"))
def enter(request: HttpRequest, more: Mapping[str, object] | None = None) -> HttpResponse:
    """Log in with a name and a password; `more` is passed to the page's template."""
    target = _target(request)
    shown = {"next": target, **(more or {})}
    if request.method != "POST":
        return render(request, "login.html", shown)
    name, password = form_text(request, "login"), form_text(request, "password")
    address = request.META.get("REMOTE_ADDR", "")
    counted = attempt(name, address)
    if counted is None:
        shown["problem"] = gettext("Too many attempts. Try again in 15 minutes.")
        return render(request, "login.html", shown, status=429)
    account = authenticate(request, login=name, password=password)
    if account is None:
        shown |= {"login": name, "problem": gettext("The name or the password is wrong.")}
        return render(request, "login.html", shown, status=403)
    forgive(counted)
    login(request, account)
    return redirect(target)


@page(EVERYBODY, methods=("POST",))
def leave(request: HttpRequest) -> HttpResponse:
    """Log out."""
    logout(request)
    return redirect(f"{reverse('login')}?left=1")


@public(methods=("GET", "POST"))
def accept_invitation(
    request: HttpRequest, more: Mapping[str, object] | None = None, *, needs_password: bool = True
) -> HttpResponse:
    """Create an account with a name and a password; opening the link does not use up the invite.

    The secret follows the # of the link and is sent with the form, so the server never sees it in
    an address or a log.
    """
    if request.method != "POST":
        return render(request, "invite_open.html")
    token = re.split("[#/]", form_text(request, "token").strip())[-1]
    invite = open_invite(token)
    if invite is None:
        return render(request, "invite_over.html", status=410)
    shown = {"invite": invite, "token": token, **(more or {})}
    if "password" not in request.POST:
        return render(request, "invite.html", shown)
    has_password = needs_password or invite.account is not None
    password = form_text(request, "password") if has_password else None
    name = invite.account.login if invite.account else form_text(request, "login").strip()
    problems = account_problems(name, password, is_new=invite.account is None)
    if has_password and password != form_text(request, "again"):
        problems.append(gettext("The two passwords do not match."))
    account = None if problems else accept_invite(token, login=name, password=password)
    if account is None:
        problems = problems or [gettext("The name is taken, or the invite has already been used.")]
        is_name = any("name" in problem for problem in problems)
        shown |= {"login": name, "problems": problems, "is_name": is_name}
        return render(request, "invite.html", shown, status=400)
    login(request, account, backend="qrelsmith.web.accounts.login.AccountBackend")
    return redirect("home")


@public()
def old_link(request: HttpRequest, token: str) -> HttpResponse:
    """Redirect a link of version 0.1.0, whose path contains the secret."""
    return redirect(f"{reverse('invite')}#{token}")


def account_problems(name: str, password: str | None, *, is_new: bool) -> list[str]:
    """Return the problems with a name and password; empty if both are allowed."""
    problems = []
    if is_new and (not name or not name.isprintable()):
        problems.append(gettext("Choose a name."))
    elif is_new and accounts_named(name):
        problems.append(gettext("This name is taken."))
    try:
        if password is not None:
            validate_password(password)
    except ValidationError as error:
        problems += error.messages
    return problems


def _target(request: HttpRequest) -> str:
    """Return the address of the page to show after the login, always in this app."""
    home = reverse("home")
    target = request.POST.get("next") or request.GET.get("next") or home
    is_ours = url_has_allowed_host_and_scheme(
        target, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return target if is_ours else home
