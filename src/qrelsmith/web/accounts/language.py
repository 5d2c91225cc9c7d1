"""The interface language: the browser's language, unless the user chooses another language."""

from __future__ import annotations

from urllib.parse import quote, urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import Resolver404, get_script_prefix, resolve, reverse
from django.utils.http import url_has_allowed_host_and_scheme

from qrelsmith.web.accounts.access import policy_of, public
from qrelsmith.web.site.parameters import choice, form_text


@public(methods=("POST",))
def switch(request: HttpRequest) -> HttpResponse:
    """Store the language in a cookie, and show the page again."""
    known = tuple(code for code, _ in settings.LANGUAGES)
    chosen = choice(request.POST.get("language", ""), "language", known)
    back = _back(request)
    secret = form_text(request, "invite")
    if secret and back == reverse("invite"):
        # The secret goes after the # again, where logs do not record it.
        back += f"#{quote(secret)}"
    response = redirect(back)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        chosen,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    return response


def _back(request: HttpRequest) -> str:
    """Return the page that the request came from if the app has it, else the front page."""
    page = request.headers.get("Referer", "")
    is_ours = url_has_allowed_host_and_scheme(
        page, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    parts = urlsplit(page) if is_ours else None
    if parts is None:
        return reverse("home")
    try:
        policy = policy_of(resolve(_own_path(parts.path)).func)
    except Resolver404:
        return reverse("home")
    can_be_shown = policy is not None and "GET" in policy.methods and not policy.is_api
    query = f"?{parts.query}" if parts.query else ""
    return f"{parts.path}{query}" if can_be_shown else reverse("home")


def _own_path(path: str) -> str:
    """Return a path without the prefix at which the app is mounted."""
    return f"/{path.removeprefix(get_script_prefix())}"
