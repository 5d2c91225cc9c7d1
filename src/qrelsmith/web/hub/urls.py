"""URL routes of the server of several campaigns."""

from __future__ import annotations

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path

from qrelsmith.web.accounts.urls import entrance_patterns
from qrelsmith.web.hub import accounts_page, campaign_page, forwarding, front_page, joining
from qrelsmith.web.serving import files_page as files

urlpatterns: list[URLPattern | URLResolver] = [
    path("", front_page.home, name="home"),
    path("health", files.health, name="health"),
    path("static/<str:digest>/<path:name>", files.asset, name="asset"),
    *entrance_patterns,
    path("accounts", accounts_page.accounts, name="accounts"),
    path("accounts/<int:account_id>/renew", accounts_page.renew, name="account-renew"),
    path("accounts/<int:account_id>/email", accounts_page.address, name="account-email"),
    path("accounts/<int:account_id>/switch", accounts_page.switch, name="account-switch"),
    path("campaigns/<str:name>", campaign_page.manage, name="campaign"),
    # Below a campaign's path, the server itself handles accounts and static files.
    path("c/<str:name>/login", front_page.enter, name="campaign-login"),
    path("c/<str:name>/logout", front_page.leave, name="campaign-logout"),
    path("c/<str:name>/invite", joining.join, name="campaign-invite"),
    path("c/<str:campaign>/static/<str:digest>/<path:name>", front_page.asset),
    path("c/<str:name>/", forwarding.forward, name="campaign-home"),
    path("c/<str:name>/<path:path>", forwarding.forward, name="campaign-page"),
]
if find_spec("qrelsmith.web.setup") is not None:
    urlpatterns.append(path("new/", include("qrelsmith.web.setup.urls")))

handler400 = "qrelsmith.web.site.errors.bad_request"
handler403 = "qrelsmith.web.site.errors.not_allowed"
handler404 = "qrelsmith.web.site.errors.not_found"
handler500 = "qrelsmith.web.site.errors.broken_page"
