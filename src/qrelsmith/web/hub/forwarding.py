"""Forwarding of requests to a campaign's process, with a claim of the server as authentication."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import ExitStack
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import quote, urlencode

from django.db import close_old_connections
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext

from qrelsmith.base.errors import InputError
from qrelsmith.web.accounts.access import public
from qrelsmith.web.accounts.token_access import unknown_token
from qrelsmith.web.hub.claims import COOKIE, HEADER, MemberClaim, sign
from qrelsmith.web.hub.guests import HIT, is_guest
from qrelsmith.web.hub.models import HubCampaign
from qrelsmith.web.hub.processes import PROCESSES, NotReadyError, Running
from qrelsmith.web.hub.registry import folder_of, open_campaign, role_in
from qrelsmith.web.hub.schemas import prepare_database
from qrelsmith.web.models import Account
from qrelsmith.web.site.answers import failed
from qrelsmith.web.site.errors import refused
from qrelsmith.web.site.headers import request_id_of

_LARGEST_BODY = 2 << 20
_CHUNK = 1 << 16
# Headers forwarded to a campaign, besides the client's address and the campaign's cookies.
_PASSED = (
    "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Content-Type", "Host",
    "If-Modified-Since", "If-None-Match", "Origin", "Range", "Referer", "Sec-Fetch-Dest",
    "Sec-Fetch-Mode", "Sec-Fetch-Site", "User-Agent", "X-CSRFToken", "X-Requested-With",
)  # fmt: skip
# The forwarded cookies. The server's session is never forwarded.
_COOKIES = (COOKIE, "qrelsmith_csrf", "qrelsmith_language")
# Headers of a single connection, and headers set by the server.
_NOT_RETURNED = {
    "connection", "keep-alive", "transfer-encoding", "date", "server", "x-request-id",
    "trailer", "upgrade", "proxy-authenticate",
}  # fmt: skip


@public(methods=("GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"))
def forward(request: HttpRequest, name: str, path: str = "") -> HttpResponseBase:
    """Return the campaign's response; users without access learn nothing about the campaign."""
    user = request.user
    account = user if isinstance(user, Account) else None
    campaign = open_campaign(name)
    member = role_in(campaign, account) if campaign and account else None
    if account is None and not (campaign and is_guest(folder_of(campaign), request, path)):
        return _turned_away(request, path)
    if campaign is None or (account is not None and member is None):
        raise Http404
    if int(request.META.get("CONTENT_LENGTH") or 0) > _LARGEST_BODY:
        return refused(request, 413, "size", gettext("This request is too large."))
    claim = MemberClaim(member.login, member.role) if member else MemberClaim()
    headers = {name: request.headers[name] for name in _PASSED if name in request.headers}
    headers["X-Request-ID"] = request_id_of(request)
    headers["X-Forwarded-For"] = request.META.get("REMOTE_ADDR", "")
    headers["X-Forwarded-Proto"] = "https" if request.is_secure() else "http"
    headers["Cookie"] = _own_cookies(request)
    try:
        return _passed_on(campaign, request, claim, path, headers)
    except NotReadyError:
        message = gettext("The campaign is starting. This page reloads automatically.")
        answer = refused(request, 503, "starting", message)
        answer["Retry-After"] = answer["Refresh"] = "3"
        return answer
    except InputError as error:
        message = gettext("The campaign cannot be opened: %(problem)s") % {"problem": error}
        return refused(request, 503, "campaign", message)
    except (OSError, http.client.HTTPException):
        message = gettext("The campaign's process has just ended. Try again.")
        return refused(request, 503, "campaign", message)


forward.csrf_exempt = True  # type: ignore[attr-defined]


def _turned_away(request: HttpRequest, path: str) -> HttpResponse:
    """Answer a request without credentials, in the same way whether the campaign exists or not."""
    if path.startswith(HIT):
        raise Http404
    if "Authorization" in request.headers:
        return unknown_token("This token is unknown.")
    if path.startswith("api/"):
        return failed(401, "login", gettext("Log in again. Your judgments are saved."))
    return redirect(f"{reverse('login')}?{urlencode({'next': request.get_full_path()})}")


def ask(campaign: HubCampaign, path: str, fields: dict[str, str] | None = None) -> Any:
    """Return a campaign's response to the server itself, or None if the campaign refuses."""
    running = _running(campaign)
    method, body = ("GET", None) if fields is None else ("POST", urlencode(fields))
    headers = {
        HEADER: sign(MemberClaim(is_server=True), running.secret.encode(), method, f"{path}?"),
        "Content-Type": "application/x-www-form-urlencoded",
    }
    with running.connection(campaign.name) as connection:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
    return json.loads(content) if answer.status == 200 else None


def _running(campaign: HubCampaign) -> Running:
    folder = folder_of(campaign)
    if PROCESSES.alive(campaign.name) is None:
        prepare_database(folder)
    close_old_connections()  # returned to the pool while the campaign answers
    return PROCESSES.of(folder)


def _passed_on(
    campaign: HubCampaign,
    request: HttpRequest,
    claim: MemberClaim,
    path: str,
    headers: dict[str, str],
) -> HttpResponseBase:
    running = _running(campaign)
    method, query = request.method or "GET", request.META.get("QUERY_STRING", "")
    headers[HEADER] = sign(claim, running.secret.encode(), method, f"/{path}?{query}")
    target = f"/{quote(path)}?{query}" if query else f"/{quote(path)}"
    with ExitStack() as stack:
        connection = stack.enter_context(running.connection(campaign.name))
        connection.request(method, target, request.body or None, headers)
        answer = connection.getresponse()
        kept = stack.pop_all()
    response: HttpResponseBase
    if answer.length is not None and answer.length <= _LARGEST_BODY:
        with kept:
            response = HttpResponse(answer.read(), status=answer.status)
    else:
        response = StreamingHttpResponse(_chunks(answer, kept), status=answer.status)
    del response["Content-Type"]
    for key, value in answer.getheaders():
        if key.lower() == "set-cookie":
            _set_cookies(response, value)
        elif key.lower() not in _NOT_RETURNED:
            response[key] = value
    return response


def _chunks(answer: http.client.HTTPResponse, stack: ExitStack) -> Iterator[bytes]:
    with stack:
        while content := answer.read(_CHUNK):
            yield content


def _own_cookies(request: HttpRequest) -> str:
    found = [(name, request.COOKIES[name]) for name in _COOKIES if name in request.COOKIES]
    return "; ".join(f"{name}={value}" for name, value in found)


def _set_cookies(response: HttpResponseBase, header: str) -> None:
    """Copy a cookie of the campaign's response, if campaigns may set it."""
    try:
        cookies = SimpleCookie(header)
    except CookieError:
        return
    for name, morsel in cookies.items():
        if name in _COOKIES:
            response.cookies[name] = morsel.value
            response.cookies[name].update(morsel)
