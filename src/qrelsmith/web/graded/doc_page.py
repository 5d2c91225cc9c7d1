"""Display of an untrusted doc, with headers that disable all active content."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from qrelsmith.web.accounts.access import EVERYBODY, account_of, page
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.docs.views import VIEWS, Look, block_rows, render_doc
from qrelsmith.web.graded.scale import ShownScale, current_scale
from qrelsmith.web.models import AssignedDoc, Doc, DocVersion, Role
from qrelsmith.web.site.parameters import choice, query_text, query_whole

# A frame for selecting passages is accessible to the page around it; no script runs in the frame.
OPEN = "allow-same-origin"
DOC_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:;"
    " media-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)

_WITH_DIGEST = Prepared[DocVersion](
    lambda doc, sha256: (
        DocVersion.objects.filter(doc=doc, sha256=sha256)
        .exclude(content=b"")
        .order_by("-version")[:1]
    )
)
_CURRENT = Prepared[DocVersion](
    lambda doc, version: DocVersion.objects.filter(doc=doc, version=version).exclude(content=b"")
)


@page(EVERYBODY)
def doc(request: HttpRequest, assigned_id: int) -> HttpResponse:
    """Return the version of an assigned doc with the requested digest, in one of three views."""
    version = requested_version(request, visible_doc(request, assigned_id).doc)
    return doc_frame(request, version, sandbox=sandbox_of(current_scale()))


def sandbox_of(scale: ShownScale) -> str:
    """Return the permissions of a doc's frame: none, or access for selecting passages."""
    return OPEN if scale.asks("excerpt") else ""


def doc_frame(request: HttpRequest, version: DocVersion, *, sandbox: str = "") -> HttpResponse:
    """Return a version of a doc with the HTTP headers for untrusted content."""
    content = render_doc(version, requested_look(request)).html
    # In a separate tab, no page needs access to the doc. Without the header, a frame is assumed.
    if request.headers.get("Sec-Fetch-Dest", "iframe") != "iframe":
        sandbox = ""
    response = HttpResponse(content, content_type="text/html; charset=utf-8")
    response["Content-Security-Policy"] = DOC_POLICY.replace(
        "sandbox;", f"sandbox {sandbox};" if sandbox else "sandbox;"
    )
    response["X-Content-Type-Options"] = "nosniff"
    response["Referrer-Policy"] = "no-referrer"
    response["Cache-Control"] = "private, max-age=600"
    response["Vary"] = "Sec-Fetch-Dest"
    return response


def requested_look(request: HttpRequest) -> Look:
    """Return the view of a doc that the request asks for."""
    return Look(
        view=choice(request.GET.get("view", "page"), "view", VIEWS),
        # The words of a phrase are joined by no-break spaces.
        terms=tuple(filter(None, query_text(request.GET, "terms", longest=2000).split(" "))),
        find=query_text(request.GET, "find"),
        language=query_text(request.GET, "lang", longest=8),
        part=query_whole(request.GET, "part", default=0),
    )


def reading_json(version: DocVersion, look: Look) -> dict[str, Any]:
    """Return the positions of terms in a view of a doc, with the blocks for the text view."""
    if look.view == "text":
        return block_rows(version, look)
    return {"reading": render_doc(version, look).reading}


def visible_doc(request: HttpRequest, assigned_id: int) -> AssignedDoc:
    """Return an assigned doc that the user may see: assessors see only their own docs."""
    account = account_of(request)
    found = AssignedDoc.objects.select_related("assignment", "doc")
    assigned = get_object_or_404(found, pk=assigned_id)
    if account.role == Role.ASSESSOR and assigned.assignment.assessor_id != account.assessor_id:
        raise Http404
    return assigned


def requested_version(request: HttpRequest, doc: Doc) -> DocVersion:
    """Return the version with the digest in the address, or the current version."""
    digest = query_text(request.GET, "sha256", longest=64)
    version = _WITH_DIGEST.first(doc.pk, digest) if digest else _CURRENT.first(doc.pk, doc.version)
    if version is None:
        raise Http404
    return version
