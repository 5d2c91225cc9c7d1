"""Claims of the server are compared with the accounts of a campaign."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory, override_settings

from qrelsmith.web.accounts.sessions import SessionStore
from qrelsmith.web.hub.admission import SIGNED_BY, AdmitMembers
from qrelsmith.web.hub.claims import HEADER, MemberClaim, sign

SECRET = b"a secret of a start"


@pytest.mark.parametrize(
    ("role", "is_active", "status"),
    [("organiser", True, 200), ("organiser", False, 403), ("viewer", True, 403)],
)
def test_a_claim_admits_an_active_account_with_the_same_role(
    lite_app: Any, role: str, is_active: bool, status: int
) -> None:
    account = lite_app.account("olga", role="organiser")
    account.is_active = is_active
    account.save()
    header = sign(MemberClaim("olga", role), SECRET, "GET", "/?")
    request = RequestFactory().get("/", headers={HEADER: header, "host": "127.0.0.1"})
    request.session = SessionStore()
    seen = []

    def page(asked: Any) -> HttpResponse:
        seen.append(asked.user)
        return HttpResponse("the page")

    with override_settings(**{SIGNED_BY: SECRET}):
        answer = AdmitMembers(page)(request)
    assert answer.status_code == status
    assert seen == ([account] if status == 200 else [])
