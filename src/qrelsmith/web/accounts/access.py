"""Access rights of views. Requests to a view without declared access rights are refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext

from qrelsmith.web.accounts.token_access import token_refusal
from qrelsmith.web.models import Account, Assessor, Role
from qrelsmith.web.openapi.problems import problem
from qrelsmith.web.site.errors import refused

View = TypeVar("View", bound=Callable[..., HttpResponseBase])

EVERYBODY = frozenset(Role)
JUDGES = frozenset({Role.ASSESSOR})
ORGANISERS = frozenset({Role.ADMIN, Role.ORGANISER})
WATCHERS = ORGANISERS | {Role.VIEWER}


@dataclass(frozen=True, slots=True)
class Policy:
    """The right to call a view.

    Attributes
    ----------
    roles : frozenset of Role
        The allowed roles; empty for a view that needs no login.
    methods : tuple of str
        The allowed HTTP methods.
    is_api : bool
        Whether refusals are JSON instead of a page.
    scope : str
        The required scope of a token; empty for a view that takes no token. A view that needs a
        token ignores sessions.
    """

    roles: frozenset[Role]
    methods: tuple[str, ...] = ("GET",)
    is_api: bool = False
    scope: str = ""


def page(roles: frozenset[Role], *, methods: tuple[str, ...] = ("GET",)) -> Callable[[View], View]:
    """Return a decorator for pages that some roles may open."""
    return _with(Policy(roles, methods))


def api(roles: frozenset[Role], *, methods: tuple[str, ...] = ("GET",)) -> Callable[[View], View]:
    """Return a decorator for JSON views that some roles may call."""
    return _with(Policy(roles, methods, is_api=True))


def token_api(scope: str, *, methods: tuple[str, ...] = ("GET",)) -> Callable[[View], View]:
    """Return a decorator for views that authenticate with a token, without cookies or CSRF."""

    def mark(view: View) -> View:
        view.csrf_exempt = True  # type: ignore[attr-defined]
        return _with(Policy(frozenset(), methods, is_api=True, scope=scope))(view)

    return mark


def public(*, methods: tuple[str, ...] = ("GET",)) -> Callable[[View], View]:
    """Return a decorator for pages that need no login."""
    return _with(Policy(frozenset(), methods))


def policy_of(view: Callable[..., Any]) -> Policy | None:
    """Return the policy of a view, or None if it has none."""
    found = getattr(view, "policy", None)
    return found if isinstance(found, Policy) else None


class DenyUnlessAllowed:
    """Middleware that refuses requests unless the view's policy allows them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request to the next handler."""
        return self._get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        """Return a refusal, or None if the request is allowed."""
        policy = policy_of(view)
        if policy is None:
            return refused(request, 403, "role", gettext("Forbidden."))
        if policy.scope:
            return _token_refusal(request, policy)
        if policy.roles:
            user = request.user
            if not isinstance(user, Account):
                if policy.is_api:
                    message = gettext("Log in again. Your judgments are saved.")
                    return refused(request, 401, "login", message)
                return redirect(
                    f"{reverse('login')}?{urlencode({'next': request.get_full_path()})}"
                )
            if Role(user.role) not in policy.roles:
                return refused(
                    request, 403, "role", gettext("Your role does not allow this action.")
                )
        if (request.method or "") not in _with_head(policy.methods):
            answer = refused(request, 405, "method", gettext("Method not allowed."))
            answer["Allow"] = ", ".join(policy.methods)
            return answer
        return None


def account_of(request: HttpRequest) -> Account:
    """Return the account of a request to a view that needs a login."""
    user = request.user
    if not isinstance(user, Account):
        raise TypeError("expected a view that requires a login; its policy admits any visitor")
    return user


def assessor_of(request: HttpRequest) -> Assessor | None:
    """Return the assessor of the request's account; None for accounts that do not judge."""
    return account_of(request).assessor


def _token_refusal(request: HttpRequest, policy: Policy) -> HttpResponse | None:
    if (request.method or "") in _with_head(policy.methods):
        return token_refusal(request, policy.scope)
    answer = problem(405, f"Expected {' or '.join(policy.methods)}.")
    answer["Allow"] = ", ".join(policy.methods)
    return answer


def _with(policy: Policy) -> Callable[[View], View]:
    def mark(view: View) -> View:
        view.policy = policy  # type: ignore[attr-defined]
        return view

    return mark


def _with_head(methods: tuple[str, ...]) -> tuple[str, ...]:
    return (*methods, "HEAD") if "GET" in methods else methods
