"""Untrusted docs: their headers, their versions, access to them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from qrelsmith.collection.document import Document, DocumentPlace
from qrelsmith.collection.pages import apart
from qrelsmith.web.importing.docs import import_docs
from qrelsmith.web.models import Assignment, Doc, DocVersion

# Exactly as in the design.
POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:;"
    " media-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
)


@pytest.fixture
def assigned(lite_app: Any) -> Any:
    """Return the HTML doc of `b1` at position 2."""
    lite_app.account("b1")
    return Assignment.objects.get(assessor__name="b1", topic__name="q1").docs.get(position=2)


@pytest.mark.parametrize("view", ["page", "text", "source"])
def test_a_doc_has_no_permissions(lite_app: Any, assigned: Any, view: str) -> None:
    answer = lite_app.client("b1").get(f"/doc/{assigned.pk}?view={view}")
    assert answer.status_code == 200
    assert answer["Content-Security-Policy"] == POLICY
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["Content-Type"] == "text/html; charset=utf-8"
    assert "Set-Cookie" not in answer.headers


def test_a_page_of_the_app_runs_only_scripts_of_the_app(lite_app: Any) -> None:
    answer = lite_app.client("b1").get("/")
    policy = answer["Content-Security-Policy"]
    for part in ("default-src 'none'", "script-src 'self'", "frame-src 'self'",
                 "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"):  # fmt: skip
        assert part in policy.split("; ")
    assert "unsafe" not in policy
    assert answer["Cache-Control"] == "private, no-store"


@pytest.mark.parametrize("path", ["/nosuch", "/judge/1/99", "/doc/99999", "/api/nosuch"])
def test_errors_have_the_headers_too(lite_app: Any, path: str) -> None:
    answer = lite_app.client("b1").get(path)
    assert answer.status_code == 404
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_the_digest_selects_the_displayed_version(lite_app: Any, assigned: Any) -> None:
    client = lite_app.client("b1")
    old = DocVersion.objects.get(doc=assigned.doc)
    new = Document(assigned.doc.name, "html", "<p>quite new</p>")
    import_docs([(DocumentPlace("x"), new)])
    page = f"/doc/{assigned.pk}"
    assert b"quite new" in client.get(page).content
    assert b"quite new" not in client.get(f"{page}?sha256={old.sha256}").content
    assert b"quite new" in client.get(f"{page}?sha256={new.sha256}").content
    assert client.get(f"{page}?sha256={'0' * 64}").status_code == 404


def test_matches_and_terms_are_marked_and_counted(lite_app: Any, assigned: Any) -> None:
    client = lite_app.client("b1")
    page = client.get(f"/doc/{assigned.pk}?terms=word&find=word+word").content.decode()
    assert page.count('class="qrelsmith-find"') == 10
    assert 'id="qrelsmith-f10"' in page
    answer = client.get(f"/api/docs/{assigned.pk}/find?find=word+word").json()
    assert answer == {"count": 10}


def test_the_text_for_selecting_passages_is_plain_text(lite_app: Any, assigned: Any) -> None:
    answer = lite_app.client("b1").get(f"/api/docs/{assigned.pk}/text").json()
    assert answer["text"] == ("word " * 20 + " 1").replace("  ", " ")


def test_organisers_see_every_doc(lite_app: Any, assigned: Any) -> None:
    for role in ("organiser", "viewer", "admin"):
        client = lite_app.client(f"the-{role}", role=role)
        assert client.get(f"/doc/{assigned.pk}").status_code == 200


def test_a_doc_without_content_is_not_found(lite_app: Any, assigned: Any) -> None:
    DocVersion.objects.filter(doc=assigned.doc).delete()
    Doc.objects.filter(pk=assigned.doc_id).update(version=0)
    client = lite_app.client("b1")
    assert client.get(f"/doc/{assigned.pk}").status_code == 404
    page = client.get(f"/judge/{assigned.assignment_id}/2")
    assert page.status_code == 200, "the page itself says that there is nothing to see"


def show(assigned: Any, html: str) -> str:
    """Return the address of an assigned doc whose newest version is some HTML."""
    import_docs([(DocumentPlace("x"), Document(assigned.doc.name, "html", html))])
    return f"/doc/{assigned.pk}"


def test_a_page_that_is_too_complex_is_shown_as_text_with_a_note(
    lite_app: Any, assigned: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(apart, "_PATIENCE_S", 1.0)
    client = lite_app.client("b1")
    address = show(assigned, f"<p>first words</p>{'<div>' * 200_000}<p>last words & more")
    page = client.get(f"{address}?find=words").content.decode()
    assert 'data-note="This page is too large for a browser, so only its text is shown."' in page
    assert page.count('class="qrelsmith-find"') == 2
    assert "last <mark" in page
    answer = client.get(f"/api/docs/{assigned.pk}/text").json()
    assert " ".join(answer["text"].split()) == "first words last words & more"
    assert "&lt;div&gt;" in client.get(f"{address}?view=source").content.decode()


def test_huge_pages_are_shown_in_parts_with_all_their_words_and_terms(
    lite_app: Any, assigned: Any
) -> None:
    client = lite_app.client("b1")
    address = show(assigned, "<div><p>" + "heat pump " * 200_001 + "</p><p>end</div>")
    reading = client.get(f"/api/docs/{assigned.pk}/reading?terms=heat").json()["reading"]
    pages = [
        client.get(f"{address}?terms=heat&part={part}").content.decode().partition("<body>")[2]
        for part in range(reading["parts"])
    ]
    assert len(pages) > 4
    assert sum(len(re.findall("pump", page)) for page in pages) == 200_001
    assert all("qrelsmith-term" in page and page.count("<div>") == 1 for page in pages[:-1])
    assert max(map(len, pages)) < 3_000_000
