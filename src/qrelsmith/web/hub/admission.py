"""Authentication in a campaign's app, only by signed claims of the server."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Sum
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from qrelsmith.web.accounts.invites import accept_invite, make_invites, open_invite
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.hub.claims import HEADER, MemberClaim, open_claim
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.models import Account, Role
from qrelsmith.web.site.answers import answered, failed
from qrelsmith.web.site.errors import refused

# Paths that only the server may request.
STATUS, INVITE, JOIN = "/.server/status", "/.server/invite", "/.server/join"
INVITES = "/.server/invites"
# The setting with the secret that signs claims.
SIGNED_BY = "QRELSMITH_HUB_SECRET"
_NAMED = Prepared[Account](
    lambda login: Account.objects.select_related("assessor__crowd_worker").filter(login=login)
)
# The session key of the login to which the session's messages belong.
_SESSION = "member"


class AdmitMembers:
    """Middleware that takes the account from a signed claim and refuses requests without one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response
        self._secret: bytes = getattr(settings, SIGNED_BY)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Authenticate the request, and pass it to the next handler."""
        header = request.headers.get(HEADER, "")
        target = request.META.get("QUERY_STRING", "")
        claim = open_claim(
            header, self._secret, request.method or "", f"{request.path_info}?{target}"
        )
        if claim is None:
            return HttpResponse("ask the server of this campaign\n", "text/plain", status=403)
        if claim.is_server:
            return _for_server(request)
        if not claim.login:
            _keep_workers_only(request)
            return self._get_response(request)
        account = _account(claim)
        if account is None:
            message = gettext("Your account in this campaign is disabled or has another role.")
            return refused(request, 403, "role", message)
        request.user = account
        if request.session.get(_SESSION, claim.login) != claim.login:
            request.session.flush()
        response = self._get_response(request)
        if request.session.modified and not request.session.is_empty():
            request.session[_SESSION] = claim.login
        return response


def _keep_workers_only(request: HttpRequest) -> None:
    """Accept only crowd workers, who have no server account but a session of the campaign."""
    user = request.user
    if not (
        isinstance(user, Account)
        and user.assessor is not None
        and hasattr(user.assessor, "crowd_worker")
    ):
        request.user = AnonymousUser()


def _account(claim: MemberClaim) -> Account | None:
    """Return the account of a member, created on first access."""
    account = _NAMED.first(claim.login)
    if account is None and claim.role != Role.ASSESSOR:
        with writing():
            account, is_new = Account.objects.get_or_create(
                login=claim.login, defaults={"role": claim.role}
            )
            if is_new:
                account.set_unusable_password()
                account.save()
    if account is None or not account.is_active or account.role != claim.role:
        return None
    return account


def _for_server(request: HttpRequest) -> HttpResponse:
    """Answer a request that the server itself has sent."""
    if request.path_info == STATUS:
        counts = [kind.streams.objects.aggregate(Sum("judged"), Sum("total")) for kind in KINDS]
        sums = {
            name: sum(count[f"{name}__sum"] or 0 for count in counts)
            for name in ("judged", "total")
        }
        return answered(sums)
    if request.path_info == INVITES:
        return answered(dict(make_invites(request.POST.get("names", ""))))
    token = request.POST.get("token", "")
    invite = open_invite(token)
    if invite is None:
        return failed(410, "over", "")
    login = invite.account.login if invite.account else request.POST.get("login", "")
    if request.path_info == JOIN:
        # Passwords are stored by the server; nobody can log in with a password here.
        account = accept_invite(token, login=login, password=None)
        if account is None:
            return failed(409, "taken", "")
        login = account.login
    assessor = invite.assessor.name if invite.assessor else ""
    is_renewal = invite.account is not None
    return answered(
        {"login": login, "role": invite.role, "assessor": assessor, "is_renewal": is_renewal}
    )
