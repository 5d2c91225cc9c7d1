"""Login and invites, with a password or an OpenID Connect provider."""

from __future__ import annotations

import time
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext

from qrelsmith.web.accounts import entrance
from qrelsmith.web.accounts.access import EVERYBODY, account_of, page, public
from qrelsmith.web.accounts.actions import note_action
from qrelsmith.web.accounts.identities import (
    LoginRefusedError,
    OpenIdPerson,
    account_of_person,
    link,
)
from qrelsmith.web.accounts.openid_settings import OpenId, openid
from qrelsmith.web.core.database import writing
from qrelsmith.web.models import Account
from qrelsmith.web.site.parameters import form_text, wrong_form

_BACKEND = "qrelsmith.web.accounts.login.AccountBackend"
# Session keys of the library, and of this module.
_STATES, _NEXT = "oidc_states", "oidc_login_next"
_PENDING, _IS_USED = "openid_pending", "openid"
# The parameter of the login page after a logout.
_ENDED = "ended"
# How long a login can take.
_PATIENCE_S = 600


@public(methods=("GET", "POST"))
def enter(request: HttpRequest) -> HttpResponse:
    """Log in with a name and a password, and link the provider's person if the box is ticked."""
    provider = openid()
    if provider is None:
        return entrance.enter(request)
    pending = request.session.get(_PENDING)
    answer = entrance.enter(request, _login_context(request, provider))
    if request.method == "POST" and answer.status_code == HTTPStatus.FOUND:
        _keep_link(request, provider, pending, is_wanted="link" in request.POST)
    return answer


@public(methods=("GET", "POST"))
def accept_invitation(request: HttpRequest) -> HttpResponse:
    """Create an account with a password, or for the person whom the provider authenticated."""
    provider = openid()
    if provider is None:
        return entrance.accept_invitation(request)
    pending = request.session.get(_PENDING)
    is_wanted = pending is not None and "link" in request.POST
    answer = entrance.accept_invitation(
        request, _login_context(request, provider), needs_password=not is_wanted
    )
    if answer.status_code == HTTPStatus.FOUND:
        _keep_link(request, provider, pending, is_wanted=is_wanted)
    return answer


def change_address(request: HttpRequest, account: Account, name: str) -> None:
    """Change the e-mail address for logins with a provider, and remove earlier links.

    Parameters
    ----------
    request : HttpRequest
        The request with the new address.
    account : Account
        The account.
    name : str
        The name of the account in the log.
    """
    _configured_provider()
    email = form_text(request, "email", longest=254).strip()
    try:
        if email:
            validate_email(email)
    except ValidationError:
        raise wrong_form("email") from None
    with writing():
        note_action(request, "email", name)
        account.email = email
        account.save(update_fields=["email"])
        account.identities.all().delete()


@public()
def begin(request: HttpRequest) -> HttpResponseBase:
    """Redirect to the provider."""
    provider = _configured_provider()
    from qrelsmith.web.accounts import openid_client

    try:
        redirection = openid_client.begin(request)
    except LoginRefusedError as error:
        return _login_page(request, provider, str(error), HTTPStatus.BAD_GATEWAY)
    if not request.user.is_authenticated:
        request.session.set_expiry(_PATIENCE_S)
    return redirection


@public()
def answer(request: HttpRequest) -> HttpResponse:
    """Log in the person whom the provider's answer authenticates."""
    provider = _configured_provider()
    from qrelsmith.web.accounts.openid_client import person_of

    try:
        person = person_of(request, _sent(request, provider))
        account = account_of_person(person, provider)
    except LoginRefusedError as error:
        return _login_page(request, provider, str(error), HTTPStatus.FORBIDDEN)
    if account is None:
        request.session[_PENDING] = {"subject": person.subject, "shown": person.shown}
        return _login_page(request, provider, _unknown(person, provider), HTTPStatus.FORBIDDEN)
    target = request.session.pop(_NEXT, None) or reverse("home")
    login(request, account, backend=_BACKEND)
    request.session.set_expiry(None)
    request.session[_IS_USED] = True
    return redirect(target)


@page(EVERYBODY, methods=("POST",))
def leave(request: HttpRequest) -> HttpResponse:
    """Log out of the server; the next page offers to log out of the provider, too."""
    is_used = request.session.get(_IS_USED, False)
    answer = entrance.leave(request)
    return redirect(f"{reverse('login')}?{_ENDED}=1") if is_used else answer


@public()
def leave_provider(request: HttpRequest) -> HttpResponse:
    """Redirect to the page on which the provider logs out, or to the login page."""
    provider = _configured_provider()
    from qrelsmith.web.accounts.openid_client import addresses

    try:
        end = addresses().get("end_session_endpoint")
    except LoginRefusedError as error:
        return _login_page(request, provider, str(error), HTTPStatus.BAD_GATEWAY)
    if not end:
        return redirect("login")
    back = request.build_absolute_uri(reverse("login"))
    query = urlencode({"client_id": provider.client, "post_logout_redirect_uri": back})
    return redirect(f"{end}?{query}")


def _keep_link(
    request: HttpRequest, provider: OpenId, pending: dict[str, Any] | None, *, is_wanted: bool
) -> None:
    """After a login, link the account to the provider's person if the user has asked for it."""
    # The session was short before the login.
    request.session.set_expiry(None)
    request.session.pop(_PENDING, None)
    request.session[_IS_USED] = pending is not None
    if pending is not None and is_wanted:
        link(account_of(request), pending["subject"], provider)


def _sent(request: HttpRequest, provider: OpenId) -> dict[str, Any]:
    """Return the nonce and code verifier stored for an answer's state, and delete the state.

    Raises
    ------
    LoginRefusedError
        If this browser has not begun the login, or the provider refused it.
    """
    states = request.session.get(_STATES, {})
    sent: dict[str, Any] | None = states.pop(request.GET.get("state", ""), None)
    if sent is None or sent["added_on"] < time.time() - _PATIENCE_S:
        raise LoginRefusedError(
            gettext("This login has expired or was started in another browser. Start again.")
        )
    request.session[_STATES] = states
    if "code" not in request.GET:
        names = {"provider": provider.provider}
        raise LoginRefusedError(gettext("%(provider)s did not log you in. Start again.") % names)
    return sent


def _unknown(person: OpenIdPerson, provider: OpenId) -> str:
    names = {"provider": provider.provider, "person": person.shown}
    if person.email and not person.is_verified:
        return (
            gettext(
                "%(provider)s has not verified the address %(person)s, and no account is linked to"
                " this"
                " address."
            )
            % names
        )
    return gettext("No account here is linked to %(person)s at %(provider)s.") % names


def _login_page(request: HttpRequest, provider: OpenId, problem: str, status: int) -> HttpResponse:
    context = {**_login_context(request, provider), "problem": problem, "next": reverse("home")}
    return render(request, "login.html", context, status=status)


def _login_context(request: HttpRequest, provider: OpenId) -> dict[str, object]:
    pending = request.session.get(_PENDING)
    return {
        "provider": provider.provider,
        "pending": pending and pending["shown"],
        "is_ended": _ENDED in request.GET,
    }


def _configured_provider() -> OpenId:
    found = openid()
    if found is None:
        raise Http404
    return found
