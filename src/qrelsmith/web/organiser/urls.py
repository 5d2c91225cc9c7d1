"""URL routes of the organiser's pages."""

from __future__ import annotations

from django.urls import path

from qrelsmith.web.desk import page as desk
from qrelsmith.web.desk import pair_page as pair_desk
from qrelsmith.web.models import AnswerAssignment
from qrelsmith.web.organiser import agreement_page as agreement
from qrelsmith.web.organiser import alerts_page as alerts
from qrelsmith.web.organiser import audits_page as audits
from qrelsmith.web.organiser import contests_page as contests
from qrelsmith.web.organiser import crowds_page as crowds
from qrelsmith.web.organiser import exports_page as exports
from qrelsmith.web.organiser import matrix_page as matrix
from qrelsmith.web.organiser import people_page as people
from qrelsmith.web.organiser import progress_page as progress
from qrelsmith.web.organiser import rejudging_page as rejudging
from qrelsmith.web.organiser import signs_page as signs
from qrelsmith.web.organiser import tokens_page as tokens
from qrelsmith.web.organiser import versions_page as versions
from qrelsmith.web.sampling import page as sampling

organiser_patterns = [
    path("organiser/", matrix.overview, name="overview"),
    path("organiser/people", people.people, name="people"),
    path("organiser/invites", people.invite, name="invite-make"),
    path("organiser/invites/<int:invite_id>/withdraw", people.withdraw, name="invite-withdraw"),
    path("organiser/accounts/<int:account_id>/renew", people.renew, name="account-renew"),
    path("organiser/accounts/<int:account_id>/switch", people.switch, name="account-switch"),
    path("organiser/accounts/<int:account_id>/email", people.address, name="account-email"),
    path("organiser/invites/many", people.invite_many, name="invite-many"),
    path("organiser/cells/<int:assessor_id>/<int:topic_id>", matrix.cell, name="cell"),
    path("organiser/assignments/<int:assignment_id>", matrix.change_one, name="assignment-change"),
    path(
        "organiser/answers/<int:assignment_id>",
        matrix.change_one,
        {"table": AnswerAssignment},
        name="answers-change",
    ),
    path("api/organiser/matrix", matrix.matrix, name="api-matrix"),
    path("api/organiser/matrix/figures", matrix.figures, name="api-matrix-figures"),
    path("api/organiser/matrix/change", matrix.change, name="api-matrix-change"),
    path("organiser/crowd", crowds.crowd, name="crowd"),
    path("organiser/crowd/codes", crowds.approve, name="crowd-approve"),
    path("organiser/crowd/<int:batch_id>", crowds.batch, name="crowd-batch"),
    path("organiser/crowd/<int:batch_id>/switch", crowds.switch, name="crowd-switch"),
    path("organiser/crowd/<int:batch_id>/payments", crowds.payments, name="crowd-payments"),
    path("organiser/log", people.log, name="log"),
    path("organiser/tokens/run", tokens.run_model, name="model-run"),
    path("organiser/tokens/key", tokens.change_key, name="model-key"),
    path("organiser/tokens", tokens.tokens, name="tokens"),
    path("organiser/tokens/<int:token_id>/revoke", tokens.revoking, name="token-revoke"),
    path("organiser/progress", progress.progress_page, name="progress"),
    path("organiser/agreement", agreement.agreement_page, name="agreement"),
    path("organiser/assessors", agreement.assessors_page, name="assessors"),
    path("organiser/assessors/repeat", agreement.open_for_repeats, name="open-repeats"),
    path("organiser/signs", signs.signs_page, name="signs"),
    path("organiser/alerts/<int:assessor_id>/<str:alert>", alerts.alert_page, name="alert"),
    path(
        "organiser/alerts/<int:assessor_id>/<str:alert>/act", alerts.act_on_alert, name="alert-act"
    ),
    path("organiser/disagreements", rejudging.disagreements_page, name="disagreements"),
    path(
        "organiser/disagreements/round", rejudging.open_for_disagreements, name="open-disagreements"
    ),
    path("organiser/disagreements/reveal", rejudging.reveal_listed, name="reveal-disagreements"),
    path("organiser/desk/next", rejudging.next_case, name="desk-next"),
    path("organiser/desk/aspects/next", desk.next_aspect, name="desk-aspect-next"),
    *(
        path(f"organiser/desk/{place}{action}", view, name=f"{name}{action.replace('/', '-')}")
        for place, name in (
            ("<int:assigned_id>", "desk"),
            ("aspects/<int:aspect_id>", "desk-aspect"),
        )
        for action, view in (
            ("", desk.desk),
            ("/verdict", desk.adjudicating),
            ("/reveal", desk.revealing),
            ("/say", desk.asking),
        )
    ),
    path("organiser/desk/pairs/next", pair_desk.next_pair_case, name="desk-pair-next"),
    path("organiser/desk/pairs/discuss", pair_desk.opening_discussions, name="discuss-open"),
    path("organiser/desk/pairs/<int:pair_id>", pair_desk.pair_desk, name="desk-pair"),
    path(
        "organiser/desk/pairs/<int:pair_id>/verdict", pair_desk.deciding, name="desk-pair-verdict"
    ),
    path(
        "organiser/desk/pairs/<int:pair_id>/reveal",
        pair_desk.revealing_pair,
        name="desk-pair-reveal",
    ),
    path("organiser/desk/pairs/<int:pair_id>/say", pair_desk.asking_pair, name="desk-pair-say"),
    path("organiser/rounds/<int:number>", rejudging.round_page, name="round"),
    path("organiser/sample", sampling.sample_page, name="sample"),
    path("organiser/versions", versions.versions_page, name="versions"),
    path("organiser/versions/docs/<int:doc_id>", versions.doc_versions, name="doc-versions"),
    path("organiser/versions/round", versions.open_for_stale, name="open-stale"),
    path("organiser/preferences", contests.contests_page, name="organiser-contests"),
    path("organiser/challenges", contests.challenges_page, name="challenges"),
    path("organiser/audits", audits.audits_page, name="audits"),
    path("organiser/audits/make", audits.make_audit, name="audit-make"),
    path("organiser/audits/<str:name>", audits.audit_page, name="audit"),
    path("organiser/audits/<str:name>/delete", audits.remove_audit, name="audit-delete"),
    path("organiser/audits/<str:name>/files/<path:path>", audits.audit_file, name="audit-file"),
    path("organiser/backups", audits.backups_page, name="backups"),
    path("organiser/backups/make", audits.make_backup, name="backup-make"),
    path("organiser/exports", exports.exports_page, name="exports"),
    path("organiser/jobs/<int:job_id>/cancel", exports.cancel_job, name="job-cancel"),
    path("organiser/exports/make", exports.make_export, name="export-make"),
    path("organiser/exports/<str:file>", exports.download, name="export"),
    path("organiser/exports/<str:file>/delete", exports.remove, name="export-delete"),
]
