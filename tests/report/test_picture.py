from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from qrelsmith.base.content import Figure, Intervals, Points, Report
from qrelsmith.report.palette import LIGHT
from qrelsmith.report.picture import picture

from .test_plots import HOSTILE, KINDS, drawings

SVG = "{http://www.w3.org/2000/svg}"


def parsed(text: str | bytes) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314 - written by us a moment ago


@pytest.fixture(scope="module", params=KINDS)
def hostile(request: pytest.FixtureRequest) -> Figure:
    return Figure("k", "<t> & 't' \x00", drawings(HOSTILE)[request.param], 'c "<script>"')


def test_hostile_names_are_shown_as_text_only(hostile: Figure) -> None:
    drawn = picture(hostile, name="n")
    for text in (drawn.svg, drawn.inline.encode()):
        root = parsed(text)
        tags = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert tags <= {"svg", "title", "desc", "g", "path", "circle", "text"}
        shown = ["".join(element.itertext()) for element in root.iter()]
        assert any("<script>alert(1)</script>" in word for word in shown)
        assert any('$x^2$ & "q"' in word for word in shown)
        assert any("日本語の名前" in word for word in shown)


def test_the_drawing_in_the_page_needs_no_inline_style_and_only_its_own_ids(
    hostile: Figure,
) -> None:
    inline = picture(hostile, name="n").inline
    root = parsed(inline)
    assert {element.get("id") for element in root.iter()} == {None, "n-title", "n-desc"}
    attributes = {name for element in root.iter() for name in element.attrib}
    assert not attributes & {"style", "clip-path", "href", "onload", "xmlns"}
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "n-title n-desc"
    assert [child.tag for child in root[:2]] == ["title", "desc"]


def test_every_colour_in_the_page_is_a_role(audit: Report) -> None:
    for section in audit.sections:
        for figure in section.figures:
            root = parsed(picture(figure, name="n").inline)
            for element in root.iter():
                assert element.get("fill", "none") == "none"
                assert element.get("stroke", "none") == "none"
                for name in element.get("class", "").split():
                    assert name[2:] in LIGHT
            # Equal attributes are given once, for a group.
            of_group = {
                text: group.get("class") for group in root.iter("g") for text in group.iter("text")
            }
            classes = {text.get("class", of_group.get(text)) for text in root.iter("text")}
            assert classes
            assert None not in classes


def test_a_separate_file_has_a_white_background() -> None:
    figure = Figure("k", "Title", Points(["a"], [1.0], [2.0], "x", "y"), "Caption")
    drawn = picture(figure, name="n", notices=("These data are simulated.",))
    root = parsed(drawn.svg)
    assert root[2].get("fill") == LIGHT["paper"]
    assert root.get("font-family", "").endswith("sans-serif")
    assert "class" not in {name for element in root.iter() for name in element.attrib}
    assert root[1].text == "Caption These data are simulated."
    assert drawn.pdf.startswith(b"%PDF")


@pytest.mark.full
def test_the_same_figure_gives_the_same_bytes_without_a_date(hostile: Figure) -> None:
    one, other = picture(hostile, name="n"), picture(hostile, name="n")
    assert (one.inline, one.svg, one.pdf) == (other.inline, other.svg, other.pdf)
    assert b"CreationDate" not in one.pdf
    assert b"Date" not in one.svg
    assert b"atplotlib" not in one.svg + one.pdf


def test_two_drawings_in_a_page_have_different_ids() -> None:
    figure = Figure("k", "T", Intervals(["a"], [1.0], [0.5], [1.5], "x"), "c")
    ids = [set(re.findall(r' id="([^"]+)"', picture(figure, name=name).inline)) for name in "ab"]
    assert ids[0]
    assert not ids[0] & ids[1]


def test_a_tooltip_has_the_full_name_and_the_numbers() -> None:
    name = "a" * 300
    figure = Figure("k", "T", Intervals([name], [1.25], [0.5], [1.5], "x"), "c")
    tips = [found.text for found in parsed(picture(figure, name="n").inline).iter("title")]
    assert f"{name}: 1.250  [0.500, 1.500]" in tips
