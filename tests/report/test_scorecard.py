"""The scorecard on the page: rows by use, passes folded, every verdict in a word and a shape."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from qrelsmith.base.content import Action, CellVerdict, Report, Scorecard, ScorecardCell
from qrelsmith.report.html import page
from qrelsmith.report.shown_scorecard import scorecard_rows

NAN = float("nan")


def cell(name: str, question: str, verdict: CellVerdict) -> ScorecardCell:
    if verdict == "none":
        return ScorecardCell(name, question, verdict, NAN, NAN, NAN, "", 0, "Nobody <asked>.")
    told = f"{name} is {verdict} at {question}."
    return ScorecardCell(name, question, verdict, 0.75, 0.5, 0.9, "topics", 53, told)


VERDICTS: dict[str, tuple[CellVerdict, CellVerdict, CellVerdict]] = {
    "people": ("none", "good", "none"),
    "poor": ("bad", "fair", "none"),
    "m.run1": ("good", "good", "none"),
    "m.run2": ("good", "unclear", "none"),
    "best": ("good", "good", "none"),
}
QUESTIONS = {"agrees": "do the grades <agree>?", "complete": "is all judged?", "mute": "is it odd?"}
CARD = Scorecard(
    cells=tuple(
        cell(name, question, verdict)
        for name, verdicts in VERDICTS.items()
        for question, verdict in zip(QUESTIONS, verdicts, strict=True)
    ),
    reference="people",
    label_sets=tuple(VERDICTS),
    questions=QUESTIONS,
    actions=(Action("Judge <more>.", "Since.", "12 docs", "qrelsmith plan"),),
    uses={"best": "May stand in."},
    families={"m.run1": "m", "m.run2": "m"},
)


def test_the_reference_stands_on_top_and_then_what_is_of_most_use() -> None:
    rows = scorecard_rows(CARD, {}).rows
    assert [(row.name, row.members) for row in rows] == [
        ("people", 0), ("best", 0), ("m", 2), ("m.run1", 0), ("m.run2", 0), ("poor", 0),
    ]  # fmt: skip


def test_a_family_says_what_its_passes_agree_on() -> None:
    family = scorecard_rows(CARD, {}).rows[2]
    assert [verdict.word for verdict in family.verdicts] == ["good", "mixed"]
    assert family.verdicts[1].sentence == "m.run1: good; m.run2: unclear."


def test_a_question_without_any_verdict_is_no_column_but_said_below() -> None:
    shown = scorecard_rows(CARD, {})
    assert [question.name for question in shown.questions] == ["agrees", "complete"]
    assert shown.silent == [("Is it odd?", "Nobody <asked>.")]


def test_every_verdict_has_a_word_and_a_shape(small_report: Report) -> None:
    text = page(replace(small_report, scorecard=CARD), {})
    cells = re.findall(r'<button type="button" class="cell (\w+)".*?</button>', text, re.DOTALL)
    assert set(cells) == {"good", "doubtful", "bad", "unknown", "mixed", "none"}
    for style, word in (("good", "good"), ("unknown", "unclear"), ("mixed", "mixed")):
        button = re.search(rf'class="cell {style}".*?</button>', text, re.DOTALL)
        assert button is not None
        assert f'href="#icon-{style}"' in button[0]
        assert f"<span>{word}<" in button[0]
        assert f'id="icon-{style}"' in text


def test_a_cell_shows_its_figure_and_a_question_its_own_words(small_report: Report) -> None:
    told = replace(CARD, words={"agrees": {"good": "nothing found"}})
    text = page(replace(small_report, scorecard=told), {})
    assert "<span>nothing found<small>.75 [.50, .90]</small></span>" in text
    # No bare dash stands for a cell without a verdict.
    assert re.search(r'class="cell none".*?<span>no verdict</span></button>', text)
    assert ">–<" not in text


def test_words_of_the_scorecard_are_escaped(small_report: Report) -> None:
    text = page(replace(small_report, scorecard=CARD), {})
    assert "<asked>" not in text
    assert "<more>" not in text
    assert "Do the grades &lt;agree&gt;?" in text


@pytest.fixture(scope="module")
def small_report() -> Report:
    return Report("T", "s", (), (), '{"format": 1}')
