"""Docs as inert HTML: what is removed, what is kept, what is highlighted."""

from __future__ import annotations

import html
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.collection.page_words import markup_free
from qrelsmith.collection.pages import apart
from qrelsmith.collection.pages.apart import clean_html
from qrelsmith.collection.pages.sanitise import sanitise_html
from qrelsmith.collection.pages.words import text_of
from qrelsmith.web.docs.marks import mark_hits
from qrelsmith.web.docs.terms import topic_terms


def words(markup: str) -> str:
    """Return the text of simple markup."""
    return " ".join(html.unescape(re.sub("<[^>]*>", " ", markup)).split())


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)><script>alert(1)</script></svg>",
        "<body onload=alert(1)>",
        "<a href='javascript:alert(1)'>x</a>",
        "<a href='http://evil.example/' ping='http://evil.example/' target=_top>x</a>",
        "<iframe src=http://evil.example/></iframe>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<object data=http://evil.example/></object><embed src=http://evil.example/>",
        "<form action=http://evil.example/><button formaction=http://evil.example/>x</button>",
        "<base href=http://evil.example/>",
        "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
        "<link rel=prefetch href=http://evil.example/>",
        "<link rel=stylesheet href=http://evil.example/>",
        "<img src=http://evil.example/x.png>",
        "<img srcset='http://evil.example/x.png 2x'>",
        "<img src='data:text/html,<script>alert(1)</script>'>",
        "<video src=http://evil.example/ poster=http://evil.example/></video>",
        "<svg><image href=http://evil.example/ /><use href=http://evil.example/ /></svg>",
        "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img onerror=a&gt;'>",
        "<input autofocus onfocus=alert(1)>",
        "<details ontoggle=alert(1) open>x</details>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
        "<table background=http://evil.example/><tr><td>x</table>",
        "<template><script>alert(1)</script></template>",
        "<frameset><frame src=http://evil.example/></frameset>",
        "<SCRIPT SRC=http://evil.example/></SCRIPT>",
        "<scr<script>ipt>alert(1)</scr</script>ipt>",
    ],
)
def test_active_content_is_removed(hostile: str) -> None:
    clean = sanitise_html(f"<p>before</p>{hostile}<p>after</p>")
    tags = " ".join(re.findall(r"<(?:[^>\"]|\"[^\"]*\")*>", clean))
    tags = re.sub(r'"[^"]*"', "", tags)
    assert not re.search(r"\son\w+\s*=", tags)
    assert not re.search(r"(?:href|src|srcset|action|ping|data|poster|background)\s*=", tags)
    assert not re.search(r"<(?:script|iframe|object|embed|base|meta|link|frame|image|use)\b", tags)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<h1>Title</h1><p>One <b>two</b> &amp; three</p>", "Title One two & three"),
        ("<html><head><title>Not shown</title></head><body>Shown</body></html>", "Shown"),
        ("<noscript><p>Without <i>scripts</i></p></noscript>", "Without scripts"),
        ("<custom-element>kept</custom-element> <blink>kept</blink>", "kept kept"),
        ("<svg><text x='1'>in a picture</text></svg>", "in a picture"),
        ("<math><mi>x</mi><mo>=</mo><mn>2</mn></math>", "x = 2"),
        ("<button>Go</button><select><option>A</option></select>", "Go A"),
        ("<object data=x>instead</object>", "instead"),
        ("<iframe>never shown</iframe>shown", "shown"),
        ("<script>never shown</script>shown", "shown"),
        ("<a href='http://x.example/'>a link</a>", "a link"),
        ("<plaintext>all <b>of it", "all <b>of it"),
        ("\u202eright to left\u202c &#x5e9;&#x5dc;", "\u202eright to left\u202c של"),
        ("nul\x00 byte", "nul byte"),
        ("<p>a&nbsp;b &lt;script&gt; &amp;lt;</p>", "a b <script> &lt;"),
        ("<table><tr><td>1<td>2</table>", "1 2"),
    ],
)
def test_visible_content_is_kept(page: str, text: str) -> None:
    assert words(sanitise_html(page)) == text


def test_styles_and_pictures_in_the_doc_are_kept() -> None:
    page = (
        "<style>p { color: red }</style><p style='color: blue'><img src='data:image/png;base64,AA'>"
    )
    clean = sanitise_html(page)
    assert "<style>p { color: red }</style>" in clean
    assert 'style="color: blue"' in clean
    assert 'src="data:image/png;base64,AA"' in clean


def test_hidden_content_stays_hidden() -> None:
    assert "hidden" in sanitise_html("<p hidden>not shown</p>")
    assert "id=" in sanitise_html("<p id=menu>hidden by a style sheet</p>")


def test_a_doc_cannot_use_the_ids_of_the_app() -> None:
    page = (
        '<p id="qrelsmith-end">a</p><p id=" QRELSMITH-f1">b</p><a name="qrelsmith-s0">c</a>'
        '<mark class="x qrelsmith-term y">d</mark><p id="end" class="y">e</p><a name="f1">f</a>'
    )
    assert sanitise_html(page) == (
        "<p>a</p><p>b</p><a>c</a>"
        '<mark class="x y">d</mark><p id="end" class="y">e</p><a name="f1">f</a>'
    )


def test_a_remote_picture_is_replaced_by_its_description() -> None:
    assert sanitise_html("<img src=http://x.example/cat.png alt='A cat'>") == '<img alt="A cat">'


def test_sanitising_twice_changes_nothing() -> None:
    page = "<p>a<svg><style>&lt;img src=x onerror=alert(1)&gt;</style></svg><b>c<p>d"
    once = sanitise_html(page)
    assert sanitise_html(once) == once


@given(st.text(max_size=60), st.lists(st.text(max_size=6), max_size=3), st.text(max_size=6))
def test_highlighting_changes_no_word(text: str, terms: list[str], find: str) -> None:
    body = sanitise_html(f"<p>{text}</p><style>p{{}}</style><pre>{html.escape(text)}</pre>")
    done = mark_hits(body, terms=terms, find=find)
    bare = re.sub(r'</?mark[^>]*>|<span class="qr.*?</span>|<i id="q[^>]*></i>', "", done.html)
    assert html.unescape(bare) == html.unescape(body)
    assert done.html.count('class="qrelsmith-find"') == done.found


def test_terms_match_words_in_all_their_forms_in_any_case() -> None:
    shown = mark_hits(
        "<p>List, lists, listing, enlist, LIST a-list listen</p>", terms=["list"]
    ).html
    found = re.findall(r"<mark[^>]*>([^<]*)</mark>", shown)
    assert found == ["List", "lists", "listing", "LIST", "list"]


def test_terms_in_scripts_without_blanks_are_found_anywhere() -> None:
    shown = mark_hits("<p>情報検索の評価</p>", terms=["検索"]).html
    assert ">検索</mark>" in shown


def test_nothing_is_highlighted_in_tags_styles_and_pictures() -> None:
    body = '<style>p.word{}</style><p title="word">x</p><svg><text>word</text></svg><b>word</b>'
    done = mark_hits(body, terms=["word"], find="wor")
    assert done.html.startswith(body.removesuffix("<b>word</b>"))
    assert done.found == 1


def test_a_match_may_cross_lines_and_is_numbered() -> None:
    done = mark_hits("<pre>to  be\nor not to be</pre>", find="to be")
    assert done.found == 2
    assert 'id="qrelsmith-f1">to  be</mark>' in done.html
    assert 'id="qrelsmith-f2">to be</mark>' in done.html


def test_the_search_text_is_not_a_pattern() -> None:
    assert mark_hits("<p>a.b axb (c</p>", find="a.b").found == 1
    assert mark_hits("<p>a.b axb (c</p>", find="(c").found == 1


def test_the_terms_of_a_topic_are_its_content_words() -> None:
    assert topic_terms("How to sort a list of lists") == ["sort", "list"]
    assert topic_terms("") == []
    assert topic_terms("C++ and e-mail") == ["c++", "e-mail"]


# Small pages that become huge trees: paragraphs that reopen unclosed elements (HTML Standard,
# 13.2.4.3), elements that search all elements around them (13.2.4.2), and entities in one text.
BOMBS = {
    "formatting": "<p>" + "".join(f"<font color=c{n}>" for n in range(20_000)) + "<p>x" * 20_000,
    "levels": "<div>" * 200_000 + "deep",
    "lists": "<ul><li>" * 100_000 + "deep",
    "entities": "&amp;" * 2_000_000,
    "comments": "<div><!--</div>-->" * 100_000 + "deep",
    "scripts": "<div><script></div></script>" * 100_000 + "deep",
    "noscript": "<noscript>" * 300_000 + "deep",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_page_that_is_too_complex_is_shown_quickly_as_text(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"<p>before</p>{BOMBS[name]}<p>after</p>"
    with monkeypatch.context() as patch:
        patch.setattr(apart, "_PATIENCE_S", 1.0)
        assert clean_html(page) is None
    started = time.monotonic()
    assert clean_html(page) is None
    assert time.monotonic() - started < 1, "it is known by now"
    words = text_of(page).split()
    assert (words[0], words[-1]) == ("before", "after")
    assert clean_html("<p>word</p>" * 1000) == "<p>word</p>" * 1000, "others are shown as before"


def test_large_pages_are_sanitised_like_small_ones() -> None:
    page = "<p onclick=x>word &amp; <b>日本</b><script>x</script><br></p>" * 5000
    assert clean_html(page) == sanitise_html(page)


@given(st.text(alphabet="<>/!-abp &;\n'\"", max_size=60))
def test_any_page_can_be_read_as_text(page: str) -> None:
    assert isinstance(markup_free(page), str)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<title>x</title><p>a<b>b</b>c<p>d", "abc d"),
        ("a<script>x</SCRIPT >b<style>y</style>c", "abc"),
        ("a<!-- x > -->b<!DOCTYPE html>c<?php ?>d", "abcd"),
        ("1 < 2 &amp; 3 &lt; 4", "1 < 2 & 3 < 4"),
        ("a<!-- never closed", "a"),
        ("a<b never closed", "a"),
        ("a<script>never closed", "a"),
    ],
)
def test_a_page_read_as_text_has_the_visible_words(page: str, text: str) -> None:
    assert " ".join(markup_free(page).split()) == text


def test_reading_a_page_as_text_takes_linear_time() -> None:
    for page in ("<" * 400_000, "<a " * 400_000, "<!--" * 300_000, "<script>" * 200_000):
        started = time.monotonic()
        markup_free(page)
        assert time.monotonic() - started < 10  # quadratic time would be minutes
