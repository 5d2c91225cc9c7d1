"""The addresses of the app."""

from __future__ import annotations

from django.urls import path

from qrelsmith.web.views import api, doc, entrance, judging, organiser, site

urlpatterns = [
    path("", site.home, name="home"),
    path("health", site.health, name="health"),
    path("static/<str:digest>/<path:name>", site.asset, name="asset"),
    path("login", entrance.enter, name="login"),
    path("logout", entrance.leave, name="logout"),
    path("invite/<str:token>", entrance.invited, name="invite"),
    path("instructions", judging.instructions, name="instructions"),
    path("judge/<int:assignment_id>", judging.resume, name="resume"),
    path("judge/<int:assignment_id>/undo", judging.undoing, name="undo"),
    path("judge/<int:assignment_id>/<int:position>", judging.judging, name="judge"),
    path("doc/<int:assigned_id>", doc.doc, name="doc"),
    path("organiser/", organiser.overview, name="overview"),
    path("organiser/people", organiser.people, name="people"),
    path("organiser/invites", organiser.invite, name="invite-make"),
    path("organiser/invites/<int:invite_id>/withdraw", organiser.withdraw, name="invite-withdraw"),
    path("organiser/accounts/<int:account_id>/renew", organiser.renew, name="account-renew"),
    path("organiser/accounts/<int:account_id>/switch", organiser.switch, name="account-switch"),
    path(
        "organiser/assignments/<int:assignment_id>/close", organiser.close, name="assignment-close"
    ),
    path("organiser/log", organiser.log, name="log"),
    path("api/docs/<int:assigned_id>/text", api.text, name="api-text"),
    path("api/docs/<int:assigned_id>/find", api.found, name="api-find"),
    path("api/assignments", api.assignments, name="api-assignments"),
    path("api/assignments/<int:assignment_id>", api.assignment, name="api-assignment"),
    path("api/session", api.session, name="api-session"),
    path("api/assignments/<int:assignment_id>/docs", api.docs, name="api-docs"),
    path("api/assignments/<int:assignment_id>/docs/<int:position>", api.doc_at, name="api-doc"),
    path("api/assignments/<int:assignment_id>/next", api.following, name="api-next"),
    path("api/assignments/<int:assignment_id>/judgments", api.judgments, name="api-judgments"),
    path("api/assignments/<int:assignment_id>/undo", api.undos, name="api-undo"),
    path("api/assignments/<int:assignment_id>/activity", api.activity, name="api-activity"),
]

handler400 = "qrelsmith.web.views.errors.bad_request"
handler403 = "qrelsmith.web.views.errors.not_allowed"
handler404 = "qrelsmith.web.views.errors.not_found"
handler500 = "qrelsmith.web.views.errors.broken"
