"""URL routes of the pages of a new campaign, below `new/` of the server."""

from __future__ import annotations

from django.urls import path

from qrelsmith.web.setup import pages

urlpatterns = [
    path("", pages.new_campaign, name="new-campaign"),
    path("preview", pages.preview_instructions, name="new-preview-instructions"),
    path("<str:name>/delete", pages.delete_draft, name="new-delete"),
    path("<str:name>/preview", pages.preview_docs, name="new-preview-docs"),
    path("<str:name>/<str:step_name>", pages.step, name="new-step"),
]
