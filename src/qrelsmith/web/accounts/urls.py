"""URL routes of login, invites and language, the same on every server."""

from __future__ import annotations

from django.urls import URLPattern, path

from qrelsmith.web.accounts import language, openid_page

entrance_patterns: list[URLPattern] = [
    path("login", openid_page.enter, name="login"),
    path("login/openid", openid_page.begin, name="openid"),
    path("login/openid/answer", openid_page.answer, name="openid-callback"),
    path("logout", openid_page.leave, name="logout"),
    path("logout/openid", openid_page.leave_provider, name="openid-logout"),
    path("invite", openid_page.accept_invitation, name="invite"),
    path("language", language.switch, name="language"),
]
