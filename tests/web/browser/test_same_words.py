"""People and models read the same words, whatever the markup; Chromium is the reference."""

from __future__ import annotations

from typing import Any, cast

import pytest

from qrelsmith.campaign.campaign import Campaign
from qrelsmith.collection.document import Document
from qrelsmith.collection.pages.sanitise import may_hide_words, sanitise_html
from qrelsmith.collection.pages.words import text_of
from qrelsmith.models.work import Work

# Templates around words: {0}, {1} and so on. Each word is inserted in each template.
ODD = (
    "<mglyph><p>{0}</p></mglyph>", "<malignmark>{0}</malignmark><p>{1}</p>",
    "<svg><foreignObject><p>{0}</p></foreignObject><text>{1}</text></svg>",
    "<svg><text>{0}</text><g><text>{1}</text></g></svg>", "<svg><p>{0}</p>{1}</svg>",
    "<svg><switch><text>{0}</text></switch></svg>", "<svg><textPath>{0}</textPath></svg>",
    "<svg><title>{0}</title><desc>{1}</desc><text>{2}</text></svg>", "<circle>{0}</circle>",
    "<math><mi>{0}</mi><mo>=</mo><mn>{1}</mn></math>", "<math><mtext><p>{0}</p></mtext></math>",
    "<math><annotation-xml encoding='text/html'><p>{0}</p></annotation-xml></math>{1}",
    "<template><p>{0}</p></template><p>{1}</p>", "<noscript><p>{0}</p></noscript>",
    "<select><option>{0}<option>{1}</select>", "<select><p>{0}</p><option>{1}</option></select>",
    "<frameset><frame src=x></frameset><p>{0}</p>", "<noframes>{0}</noframes><p>{1}</p>",
    "<p hidden>{0}</p><p>{1}</p>", "<!-- {0} --><p>{1}</p>", "<!-- {0} --!><p>{1}</p>",
    "<![CDATA[{0}]]><p>{1}</p>", "<svg><![CDATA[{0}]]><text><![CDATA[{1}]]></text></svg>",
    "<table>{0}<tr><td>{1}</table>", "<table><tr><p>{0}<td>{1}</tr>{2}</table>",
    "<p style='display:none'>{0}</p><p>{1}</p>", "<style>.h{{display:none}}</style><p class=h>{0}",
    "<details><summary>{0}</summary><p>{1}</p></details>", "<dialog>{0}</dialog><p>{1}</p>",
    "<object data=x>{0}</object><p>{1}", "<iframe>{0}</iframe><p>{1}</p>", "<plaintext>{0}",
    "<textarea>{0}</textarea><p>{1}</p>", "<xmp><b>{0}</b></xmp>{1}", "<ruby>{0}<rt>{1}</ruby>",
    "<b><p>{0}</b>{1}</p>", "<a>{0}<a>{1}</a>", "<title>{0}</title><p>{1}</p>",
    "<video>{0}</video><audio>{1}</audio><p>{2}</p>", "<canvas>{0}</canvas><p>{1}</p>",
    "<meter>{0}</meter><progress>{1}</progress><p>{2}", "<datalist><option>{0}</datalist><p>{1}",
)  # fmt: skip
FRAMES = ("%s", "<div>before %s after</div>", "<table><tr><td>%s</td></tr></table>", "<ul><li>%s",
          "<svg></svg><math></math>%s<p>end</p>")  # fmt: skip
PAGES = [frame % odd.format("alpha", "beta", "gamma") for odd in ODD for frame in FRAMES]


def _letters(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("first", range(0, len(PAGES), 70))
def test_the_page_and_its_text_have_the_same_words(first: int, chromium: Any) -> None:
    assert len(PAGES) >= 200
    page = chromium.new_page()
    different = []
    for html in PAGES[first : first + 70]:
        page.set_content(f"<!DOCTYPE html><body>{sanitise_html(html)}</body>")
        # The content of a field is visible, but not in innerText; details open at a click.
        page.evaluate("document.querySelectorAll('details').forEach(e => e.open = true)")
        page.evaluate("document.querySelectorAll('textarea').forEach(e => e.replaceWith(e.value))")
        shown = page.evaluate("document.body.innerText")
        if not may_hide_words(html) and _letters(shown) != _letters(text_of(html)):
            different.append((html, shown, text_of(html)))
    page.close()
    assert not different


def test_models_read_the_text_of_a_page() -> None:
    work = Work(cast("Campaign", None), {}, {})
    for html in PAGES:
        assert work._as_shown(Document("d", "html", html)).text == text_of(html)
