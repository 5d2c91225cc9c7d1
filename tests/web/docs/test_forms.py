"""A doc in JSON on the page of the app, arranged as in the campaign's settings."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest


def test_a_card_shows_its_fields_by_role(lite_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from qrelsmith.campaign.judging_settings import CardField, Judging
    from qrelsmith.collection.document import Document, DocumentPlace
    from qrelsmith.web.docs import views
    from qrelsmith.web.importing.docs import import_docs
    from qrelsmith.web.models import Assignment

    lite_app.account("b1")
    doc = Assignment.objects.get(assessor__name="b1", topic__name="q1").docs.get(position=2).doc
    card = Judging(card=(CardField("Full name", "title"), CardField("price", "price")))
    instance = SimpleNamespace(campaign=SimpleNamespace(judging=card))
    monkeypatch.setattr(views, "current_instance", lambda: instance)
    content = '{"price": 2, "Full name": "Pump"}'
    import_docs([(DocumentPlace(Path("d")), Document(doc.name, "json", content))])
    doc.refresh_from_db()
    shown = views.render_doc(doc.versions.get(version=doc.version), views.Look()).html
    assert shown.index("<dt>price</dt>") < shown.index("<dt>Full name</dt>")
    assert ".card > .f-full-name { order: -2; }" in shown
    assert ".card > .f-price > dd { font-size: 1.2rem; font-weight: 650; }" in shown


def test_instructions_are_markdown_and_harmless() -> None:
    from qrelsmith.web.templatetags.prose import prose

    text = "* one\n* [two](https://example.org)\n\n<b id=grade>x</b> [y](javascript:z)\nnext"
    assert str(prose(text)) == (
        "<ul>\n<li>one</li>\n"
        '<li><a href="https://example.org" target="_blank" rel="noopener noreferrer">two</a></li>'
        "\n</ul>\n<p>&lt;b id=grade&gt;x&lt;/b&gt; [y](javascript:z)<br>\nnext</p>\n"
    )
