"""The addresses of the organiser's pages of figures, rounds, versions and exports."""

from __future__ import annotations

from django.urls import path

from qrelsmith.web.desk import page as desk
from qrelsmith.web.desk import pair_page as pair_desk
from qrelsmith.web.organiser import agreement_page as agreement
from qrelsmith.web.organiser import contests_page as contests
from qrelsmith.web.organiser import exports_page as exports
from qrelsmith.web.organiser import progress_page as progress
from qrelsmith.web.organiser import rejudging_page as rejudging
from qrelsmith.web.organiser import signs_page as signs
from qrelsmith.web.organiser import versions_page as versions
from qrelsmith.web.sampling import page as sampling

organiser_patterns = [
    path("organiser/progress", progress.progress_page, name="progress"),
    path("organiser/agreement", agreement.agreement_page, name="agreement"),
    path("organiser/assessors", agreement.assessors_page, name="assessors"),
    path("organiser/assessors/repeat", agreement.open_for_repeats, name="open-repeats"),
    path("organiser/signs", signs.signs_page, name="signs"),
    path("organiser/disagreements", rejudging.disagreements_page, name="disagreements"),
    path(
        "organiser/disagreements/round", rejudging.open_for_disagreements, name="open-disagreements"
    ),
    path("organiser/disagreements/reveal", rejudging.reveal_listed, name="reveal-disagreements"),
    path("organiser/desk/next", rejudging.next_case, name="desk-next"),
    path("organiser/desk/<int:assigned_id>", desk.desk, name="desk"),
    path("organiser/desk/<int:assigned_id>/verdict", desk.adjudicating, name="desk-verdict"),
    path("organiser/desk/<int:assigned_id>/reveal", desk.revealing, name="desk-reveal"),
    path("organiser/desk/<int:assigned_id>/say", desk.asking, name="desk-say"),
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
    path("organiser/exports", exports.exports_page, name="exports"),
    path("organiser/exports/make", exports.make_export, name="export-make"),
    path("organiser/exports/<str:file>", exports.download, name="export"),
    path("organiser/exports/<str:file>/delete", exports.remove, name="export-delete"),
]
