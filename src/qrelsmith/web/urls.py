"""URL routes of the app."""

from __future__ import annotations

from django.urls import path

from qrelsmith.web.accounts import entrance
from qrelsmith.web.accounts.urls import entrance_patterns
from qrelsmith.web.answers import page as answers
from qrelsmith.web.crowd import arrival_page as hits
from qrelsmith.web.crowd import training_page as training
from qrelsmith.web.crowd import work_page as work
from qrelsmith.web.desk import discussing_page
from qrelsmith.web.desk import page as desk
from qrelsmith.web.graded import api
from qrelsmith.web.graded import doc_page as doc
from qrelsmith.web.graded import page as judging
from qrelsmith.web.home import front_page, instructions
from qrelsmith.web.judging.api import judging_patterns
from qrelsmith.web.model_assessors import api as model_api
from qrelsmith.web.organiser.urls import organiser_patterns
from qrelsmith.web.pairs import api as preference_api
from qrelsmith.web.pairs import page as preferring
from qrelsmith.web.serving import files_page as files
from qrelsmith.web.serving import metrics_page

urlpatterns = [
    # Routes are tried in this order: those requested at every judgment come first.
    *judging_patterns(),
    path("api/assignments", api.assignments, name="api-assignments"),
    path("api/assignments/<int:assignment_id>", api.assignment, name="api-assignment"),
    path("api/session", api.session, name="api-session"),
    path("api/assignments/<int:assignment_id>/docs", api.docs, name="api-docs"),
    path("api/assignments/<int:assignment_id>/docs/<int:position>", api.doc_at, name="api-doc"),
    path("api/assignments/<int:assignment_id>/next", api.following, name="api-next"),
    path("api/assignments/<int:assignment_id>/activity", api.activity, name="api-activity"),
    path("api/contests", preference_api.contests, name="api-contests"),
    path("api/contests/<int:contest_id>/next", preference_api.following, name="api-pair-next"),
    path("api/contests/<int:contest_id>/pairs/<int:pair_id>", preference_api.pair, name="api-pair"),
    path("api/pairs/<int:pair_id>/<str:side>/text", preference_api.text, name="api-pair-text"),
    path(
        "api/pairs/<int:pair_id>/<str:side>/reading",
        preference_api.reading,
        name="api-pair-reading",
    ),
    path(
        "api/pairs/<int:pair_id>/<str:side>/find", preference_api.count_hits, name="api-pair-find"
    ),
    path("", front_page.home, name="home"),
    path("health", files.health, name="health"),
    path("metrics", metrics_page.metrics, name="metrics"),
    path("static/<str:digest>/<path:name>", files.asset, name="asset"),
    *entrance_patterns,
    path("invite/<str:token>", entrance.old_link, name="invite-old"),
    path("instructions", instructions.instructions, name="instructions"),
    path("judge/<int:assignment_id>", judging.resume, name="resume"),
    path("judge/<int:assignment_id>/undo", judging.undoing, name="undo"),
    path("judge/<int:assignment_id>/<int:position>", judging.judging, name="judge"),
    path("questions/<int:assignment_id>", desk.questions, name="questions"),
    path("discuss", discussing_page.discussions, name="discussions"),
    path("discuss/<int:pair_id>", discussing_page.discussing, name="discuss"),
    path("doc/<int:assigned_id>", doc.doc, name="doc"),
    path("prefer/<int:contest_id>", preferring.resume, name="prefer-next"),
    path("prefer/<int:contest_id>/undo", preferring.undoing, name="prefer-undo"),
    path("prefer/<int:contest_id>/<int:pair_id>", preferring.preferring, name="prefer"),
    path("pair/<int:pair_id>/<str:side>", preferring.pair_doc, name="pair-doc"),
    path("hit/<str:batch>", hits.arrive, name="hit"),
    path("work", work.work, name="work"),
    path("work/hand-in", work.handing_in, name="hand-in"),
    path("work/training/<int:number>", training.training, name="training"),
    path("work/training/<int:number>/<str:side>", training.training_doc, name="training-doc"),
    *answers.patterns(),
    *organiser_patterns,
    path("api/openapi.json", model_api.document, name="api-document"),
    path("api/topics", model_api.topics, name="api-topics"),
    path("api/work", model_api.work, name="api-work"),
    path("api/judgments", model_api.judgments, name="api-batch"),
    path("api/docs/<int:assigned_id>/text", api.text, name="api-text"),
    path("api/docs/<int:assigned_id>/reading", api.reading, name="api-reading"),
    path("api/docs/<int:assigned_id>/find", api.count_hits, name="api-find"),
]

handler400 = "qrelsmith.web.site.errors.bad_request"
handler403 = "qrelsmith.web.site.errors.not_allowed"
handler404 = "qrelsmith.web.site.errors.not_found"
handler500 = "qrelsmith.web.site.errors.broken_page"
