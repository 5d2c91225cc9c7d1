"""Docs in Markdown, JSON, tables and code: read, rendered with every word, and written back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qrelsmith.collection.document import Document, form_fields
from qrelsmith.collection.documents import read_documents
from qrelsmith.collection.pages.apart import clean_html
from qrelsmith.collection.pages.words import text_of

MARKDOWN = "# Pumps\n\n* one\n* *two*\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
CARD = '{"name": "Pump & co", "price": 1.50e1, "sizes": ["S", null], "name": "again"}'


@pytest.mark.parametrize(
    ("form", "content", "markup", "words"),
    [
        ("md", MARKDOWN, "<li><em>two</em></li>", "Pumps one two a b 1 2"),
        ("json", CARD, "<dt>price</dt><dd>1.50e1</dd>",
         "name Pump & co price 1.50e1 sizes S null name again"),
        ("json", '[{"a": 1, "b": true}, {"a": 2, "b": "x"}]', "<td>true</td>", "a b 1 true 2 x"),
        ("json", "{'a': 1}", "<pre>", "{'a': 1}"),
        ("csv", 'a\tb\n1\t"x\ty"\n', "<th>b</th>", "a b 1 x y"),
        ("code", "\tif a < b:\n", "<pre>\tif a &lt; b:", "if a < b:"),
    ],
)  # fmt: skip
def test_every_word_is_shown_once_and_in_order(
    form: str, content: str, markup: str, words: str
) -> None:
    assert markup in (clean_html(content, form) or "")
    assert " ".join(text_of(content, form).split()) == words


@pytest.mark.parametrize("depth", [59, 60, 61])
def test_words_nested_too_deeply_for_rendering_are_shown(depth: int) -> None:
    assert "the words" in text_of("> " * depth + "the words", "md")


def test_a_folder_contains_other_forms_by_their_suffixes(tmp_path: Path) -> None:
    for name, content in (("a.md", "# A"), ("b.json", "{}"), ("c.tsv", "x"), ("d.py", "pass")):
        (tmp_path / name).write_text(content)
    assert [(doc.doc_id, doc.form) for doc in read_documents(tmp_path)] == [
        ("a", "md"), ("b", "json"), ("c", "csv"), ("d", "code"),
    ]  # fmt: skip


def test_json_lines_name_their_form(tmp_path: Path) -> None:
    path = tmp_path / "documents.jsonl"
    lines = [
        {"doc_id": "d1", "text": '{"a": [1]}', "form": "json"},
        {"doc_id": "d2", "text": "# x", "form": "md"},
        {"doc_id": "d3", "text": "x", "form": "tablet"},
        {"doc_id": "d4", "html": "<p>x"},
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = list(read_documents(path))
    assert [(doc.form, doc.content) for doc in found] == [
        ("json", '{"a": [1]}'), ("md", "# x"), ("text", "x"), ("html", "<p>x"),
    ]  # fmt: skip
    again = [{"doc_id": doc.doc_id, **form_fields(doc.form, doc.content)} for doc in found]
    path.write_text("".join(json.dumps(line) + "\n" for line in again))
    assert list(read_documents(path)) == found


def test_the_form_is_part_of_the_digest() -> None:
    assert len({Document("d", form, "x").sha256 for form in ("text", "md", "code")}) == 3


def test_only_images_from_the_folder_are_embedded(tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    (folder / "img").mkdir(parents=True)
    for place in (folder / "img" / "a b.png", tmp_path / "secret.png"):
        place.write_bytes(b"bytes")
    (folder / "page.html").write_text(
        '<img alt="x" src="img/a%20b.png"> <img src=../secret.png> <img src="http://x/y.png">'
    )
    (folder / "text.md").write_text("![x](img/a%20b.png) ![y](img/none.png) ![](../secret.png)")
    page, text = read_documents(folder)
    picture = "data:image/png;base64,Ynl0ZXM="
    assert page.content == (
        f'<img alt="x" src="{picture}"> <img src=../secret.png> <img src="http://x/y.png">'
    )
    assert text.content == f"![x]({picture}) ![y](img/none.png) ![](../secret.png)"
    assert f'<img src="{picture}" alt="x">' in (clean_html(text.content, "md") or "")
