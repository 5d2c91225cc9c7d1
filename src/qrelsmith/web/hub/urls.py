"""The addresses of the server of several campaigns."""

from __future__ import annotations

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path

from qrelsmith.web.accounts import entrance, language
from qrelsmith.web.hub import front_page
from qrelsmith.web.serving import files_page as files

urlpatterns: list[URLPattern | URLResolver] = [
    path("", front_page.home, name="home"),
    path("health", files.health, name="health"),
    path("static/<str:digest>/<path:name>", files.asset, name="asset"),
    path("login", entrance.enter, name="login"),
    path("logout", entrance.leave, name="logout"),
    path("invite", entrance.accept_invitation, name="invite"),
    path("language", language.switch, name="language"),
]
if find_spec("qrelsmith.web.setup") is not None:
    urlpatterns.append(path("new/", include("qrelsmith.web.setup.urls")))

handler400 = "qrelsmith.web.site.errors.bad_request"
handler403 = "qrelsmith.web.site.errors.not_allowed"
handler404 = "qrelsmith.web.site.errors.not_found"
handler500 = "qrelsmith.web.site.errors.broken_page"
