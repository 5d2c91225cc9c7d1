"""The scorecard on the page: cards by use, passes collapsed, verdicts as words and shapes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from qrelsmith.base.content import Action, CellVerdict, Report, Scorecard, ScorecardCell, SetView
from qrelsmith.report.html import page
from qrelsmith.report.shown_scorecard import scorecard_view

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
VIEW = SetView(
    means=[(0.5, 0.4), (0.3, 0.6)],
    places=[(1, 2), (2, 1)],
    rows=["0", "1"],
    columns=["0", "1"],
    docs=[[2, 0], [1, 3]],
)


def test_the_reference_is_first_then_the_most_useful_sets_with_passes_collapsed() -> None:
    sets = scorecard_view(CARD, {}).sets
    assert [(one.name, one.passes, one.folded) for one in sets] == [
        ("people", 0, False), ("best", 0, False), ("m.run1", 1, False), ("m.run2", 0, True),
        ("poor", 0, False),
    ]  # fmt: skip


def test_a_question_without_any_verdict_is_below_the_cards() -> None:
    shown = scorecard_view(CARD, {})
    assert {cell.asks for one in shown.sets for cell in one.verdicts} == {
        "Do the grades <agree>?", "Is all judged?",
    }  # fmt: skip
    assert shown.silent == [("Nobody <asked>.", "Is it odd?")]


def test_every_verdict_has_a_word_and_a_shape(small_report: Report) -> None:
    text = page(replace(small_report, scorecard=CARD), {})
    for style, word in (("good", "good"), ("unknown", "unclear"), ("bad", "bad")):
        assert re.search(
            rf'<span class="word {style}"><svg[^>]*><use href="#icon-{style}"/></svg>{word}</span>',
            text,
        )
        assert f'id="icon-{style}"' in text


def test_a_figure_has_its_interval_and_each_question_its_own_labels(small_report: Report) -> None:
    told = replace(CARD, words={"agrees": {"good": "nothing found"}})
    text = page(replace(small_report, scorecard=told), {})
    assert "nothing found</span></h4>" in text
    assert "<span>.750 [.500, .900]</span>" in text
    assert ">–<" not in text


def test_a_loss_is_a_share_and_a_loss_rounded_to_zero_has_no_sign() -> None:
    loss = replace(cell("best", "loss", "good"), value=-0.0001, low=-0.02, high=0.01, unit=0.5)
    card = replace(CARD, cells=(*CARD.cells, loss), questions={**QUESTIONS, "loss": "loss"})
    best = next(one for one in scorecard_view(card, {}).sets if one.name == "best")
    assert best.loss == "0.0% [−4.0%, 2.0%]"
    assert best.loss_sentence.startswith(
        "Choosing the best system with best causes no measurable loss"
    )


def test_systems_and_grades_are_shown_as_small_pictures(small_report: Report) -> None:
    card = replace(CARD, systems=("a", "<b>"), measure="nDCG@10", views={"best": VIEW})
    best = next(one for one in scorecard_view(card, {}).sets if one.name == "best")
    assert best.scatter.count("<circle") == 2
    assert [(move.system, move.before, move.here) for move in best.moves] == [
        ("a", "1", "2"), ("<b>", "2", "1"),
    ]  # fmt: skip
    assert best.grades is not None
    # The reference's highest grade is the first row; shares are relative to the row.
    assert [(name, docs, [share.percent for share in shares]) for name, docs, shares in
            best.grades.rows] == [("1", 4, [25, 75]), ("0", 2, [100, 0])]  # fmt: skip
    text = page(replace(small_report, scorecard=card), {})
    assert "<b>" not in text
    assert "a 1 → 2" in text


def test_text_on_the_scorecard_is_escaped(small_report: Report) -> None:
    text = page(replace(small_report, scorecard=CARD), {})
    assert "<asked>" not in text
    assert "<more>" not in text
    assert "Do the grades &lt;agree&gt;?" in text


@pytest.fixture(scope="module")
def small_report() -> Report:
    return Report("T", "s", (), (), '{"format": 1}')
