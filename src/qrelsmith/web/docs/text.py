"""The text of a doc without its markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qrelsmith.collection.pages.words import text_of

if TYPE_CHECKING:
    from qrelsmith.web.models import DocVersion


def visible_text(doc: DocVersion) -> str:
    """Return the text as a person would read it, with one line per block."""
    return doc.text if doc.form == "text" else text_of(doc.text, doc.form)
