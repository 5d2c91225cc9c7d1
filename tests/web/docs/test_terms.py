"""Terms of topics in every script, found in their docs."""

from __future__ import annotations

import pytest
from tests.web.docs.reading_docs import CASES

from qrelsmith.web.docs.clusters import clusters, densest
from qrelsmith.web.docs.languages import language_of, right_to_left
from qrelsmith.web.docs.matching import Matcher
from qrelsmith.web.docs.parts import parts_of
from qrelsmith.web.docs.stems import stem
from qrelsmith.web.docs.terms import topic_terms


def found(title: str, text: str) -> list[str]:
    """Return the words highlighted in a text for a topic."""
    language = language_of(title)
    hits = Matcher(topic_terms(title, language), language).hits(text)
    return [text[hit.start : hit.end] for hit in hits]


@pytest.mark.parametrize("name", CASES)
def test_the_language_of_a_title_is_detected(name: str) -> None:
    assert language_of(CASES[name].title) == CASES[name].language


@pytest.mark.parametrize("name", CASES)
def test_words_that_a_reader_looks_for_are_found(name: str) -> None:
    case = CASES[name]
    marks = found(case.title, case.doc)
    missed = [word for word in case.expected if word not in marks]
    # A stem more or less does not matter, but a missed word does.
    assert len(missed) <= len(case.expected) * 0.2, (missed, marks)
    assert len([mark for mark in marks if mark not in case.expected]) <= 1, marks


def test_words_without_content_are_not_terms() -> None:
    assert "في" in CASES["Arabic"].title
    assert "في" not in found(CASES["Arabic"].title, CASES["Arabic"].doc)
    assert topic_terms("the heat of a pump") == ["heat", "pump"]


@pytest.mark.parametrize(
    ("title", "terms"),
    [
        ("C++, C# and F#; C++17", ["c++", "c#", "f#", "c++17"]),
        ("node.js 3.5 on .NET for AT&T", ["node.js", "3.5", ".net", "at&t"]),
        ("wi-fi, it's TCP/IP", ["wi-fi", "it's", "tcp", "ip"]),
        ("फ़ील्ड में मशीन अनुवाद", ["फ़ील्ड", "मशीन", "अनुवाद"]),
        ("বাংলা ভাষায় যন্ত্র অনুবাদ", ["বাংলা", "ভাষায়", "যন্ত্র", "অনুবাদ"]),
        ("தமிழ் மொழியில் இயந்திர மொழிபெயர்ப்பு", ["தமிழ்", "மொழியில்", "இயந்திர", "மொழிபெயர்ப்பு"]),
        ("การแปลภาษาด้วยเครื่องในบ้านเก่า", ["แปล", "ภาษา", "เครื่อง", "บ้าน", "เก่า"]),
        ("おすすめのごみ分別の使い方について", ["おすすめ", "ごみ", "分別", "使い方"]),
        # 热泵 is in no dictionary: single characters are joined.
        ("旧房子里的热泵供暖费用", ["旧房子", "热泵", "供暖", "费用"]),
        ("오래된 집의 히트펌프", ["오래", "집", "히트펌프"]),
        ("كفاءة المضخات في البيوت", ["كفاءة", "المضخات", "البيوت"]),
    ],
)
def test_the_words_of_a_title_are_whole_and_as_typed(title: str, terms: list[str]) -> None:
    assert topic_terms(title) == terms


def test_a_phrase_is_found_as_a_whole() -> None:
    text = "Heat pumps; a heat\npump; the heat of a pump."
    hits = Matcher(["heat\u00a0pump"], "en").hits(text)
    assert [text[hit.start : hit.end] for hit in hits] == ["Heat pumps", "heat\npump"]


def test_forms_of_a_word_have_one_stem() -> None:
    assert stem("Häusern", "de") == stem("haus", "de")
    assert stem("heating", "en") == stem("heats", "en")
    assert stem("والمضخات", "ar") == stem("المضخة", "ar")
    assert stem("café", "fr") == stem("cafe", "fr")


def test_the_text_direction_is_that_of_most_letters() -> None:
    assert right_to_left(["C++ هي لغة برمجة"])
    assert not right_to_left(["The word بيت means house"])


def test_the_cluster_with_the_most_different_words_is_the_densest() -> None:
    far = [(n * 5000, n * 5000 + 4, 0) for n in range(8)]
    dense = [(21_000, 21_004, 0), (21_050, 21_054, 1), (21_200, 21_204, 2)]
    groups = clusters(sorted([*far, *dense]))
    best = groups[densest(groups)]
    assert (best.terms, best.end) == (3, 21_204)
    assert clusters([]) == []


def test_parts_of_a_page_are_complete_pages_with_all_its_words() -> None:
    body = (
        "<div><table><tbody>"
        + "<tr><td>one <b>two</b></td></tr>" * 60_000
        + "</tbody></table></div>"
    )
    parts = parts_of(body)
    assert len(parts) > 4
    assert all(part.startswith("<div><table><tbody><tr>") for part in parts)
    assert all(part.endswith("</tr></tbody></table></div>") for part in parts)
    assert sum(part.count("two") for part in parts) == 60_000
    assert parts_of("<p>short</p>") == ["<p>short</p>"]
