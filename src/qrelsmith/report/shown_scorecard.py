"""The scorecard as the page shows it: a card for each label set, in words and pictures."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from qrelsmith.base.content import Action, CellVerdict, Scorecard, ScorecardCell
from qrelsmith.report.figure_axis import FigureAxis
from qrelsmith.report.names import stem
from qrelsmith.report.prose import breakable, clean, prose
from qrelsmith.report.set_pictures import ShownGrades, grades_view, scatter_view

# Class and icon, and word, of each verdict.
_WORDS = {
    "good": ("good", "good"),
    "probably good": ("good", "probably good"),
    "fair or better": ("doubtful", "fair or better"),
    "fair": ("doubtful", "fair"),
    "fair or worse": ("doubtful", "fair or worse"),
    "probably bad": ("bad", "probably bad"),
    "bad": ("bad", "bad"),
    "unclear": ("unknown", "unclear"),
    "none": ("none", "no verdict"),
}
_MOVED = 3  # systems that a card names


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """A verdict on a label set.

    Attributes
    ----------
    style, word : str
        Class and icon, and the word.
    label, asks : str
        The purpose, or the question where there is none; the question.
    place, place_title : str
        Anchor and title of the section with its numbers; empty where there is none.
    figure, brief : str
        The figure with its interval; its name and rounded value. A share of a whole is in percent.
    sentence, decide : str
        The verdict with all its figures, and what would settle an open one.
    strip : Markup
        The figure with its interval, among those of all label sets.
    order : int
        The order on the card: purposes, then other questions.
    on_card, is_share : bool
        Whether the card shows it, and whether the figure is a share of a whole.
    """

    style: str
    word: str
    label: str
    asks: str
    place: str
    place_title: str
    figure: str
    sentence: str
    decide: str
    strip: Markup
    brief: str
    order: int
    on_card: bool
    is_share: bool


@dataclass(frozen=True, slots=True)
class ShownMove:
    """A system with its places under the reference and under the label set."""

    system: str
    before: str
    here: str


@dataclass(frozen=True, slots=True)
class ShownSet:
    """A card.

    `data` are means and places of the systems for the page's script, as JSON; `loss` is the loss
    when the best system is chosen by the label set, if known. `passes` counts the further passes of
    one model that follow its first; `folded` says whether the card is one of these.
    """

    anchor: str
    name: str
    parts: Sequence[str]
    use: str
    is_reference: bool
    verdicts: Sequence[ShownVerdict]
    silent: Sequence[str]
    scatter: Markup
    grades: ShownGrades | None
    moves: Sequence[ShownMove]
    data: str
    passes: int
    folded: bool
    loss: str
    loss_sentence: str


@dataclass(frozen=True, slots=True)
class ShownScorecard:
    """The scorecard.

    `silent` are the questions without a verdict on any label set, and why; `first` is the next step
    of the reference or the best label set.
    """

    reference: str
    measure: str
    sets: Sequence[ShownSet]
    systems: Sequence[str]
    actions: Sequence[Action]
    dots: Sequence[tuple[str, Markup]]
    silent: Sequence[tuple[str, str]]
    best: ShownSet | None
    first: Action | None


def scorecard_view(card: Scorecard, sections: Mapping[str, str]) -> ShownScorecard:
    """Return the scorecard for the page.

    Parameters
    ----------
    card : Scorecard
        What is shown.
    sections : mapping of str to str
        The titles of the report's sections by their keys.
    """
    by_question = {
        name: [cell for cell in card.cells if cell.question == name] for name in card.questions
    }
    axes = {
        name: FigureAxis.over(cells)
        for name, cells in by_question.items()
        if any(cell.verdict != "none" for cell in cells)
    }
    sets = [
        _set_view(card, name, axes, sections, passes=len(names) - 1, folded=place > 0)
        for names in card.by_use()
        for place, name in enumerate(names)
    ]
    others = [shown for shown in sets if not shown.is_reference and shown.verdicts]
    best = others[0] if others else None
    actions = [
        replace(
            step,
            what=prose(step.what),
            why=prose(step.why),
            cost=prose(step.cost),
            command=clean(step.command),
            label_sets=tuple(map(clean, step.label_sets)),
        )
        for step in card.actions
    ]
    named = {clean(card.reference)} | ({best.name} if best else set())
    return ShownScorecard(
        reference=clean(card.reference),
        measure=clean(card.measure),
        sets=sets,
        systems=[clean(system) for system in card.systems],
        actions=actions,
        dots=[(f"dots-{stem(name)}", axis.dots) for name, axis in axes.items()],
        silent=[
            (_sentence(card.questions[name]), prose(cells[-1].sentence))
            for name, cells in by_question.items()
            if name not in axes
        ],
        best=best,
        first=next(
            (
                step
                for step in actions
                if not step.is_setup and (not step.label_sets or named & {*step.label_sets})
            ),
            None,
        ),
    )


def _sentence(asks: str) -> str:
    """Return a question as it begins a sentence; the page adds the mark."""
    return prose(asks[:1].upper() + asks[1:])


def _set_view(
    card: Scorecard,
    name: str,
    axes: Mapping[str, FigureAxis],
    sections: Mapping[str, str],
    *,
    passes: int,
    folded: bool,
) -> ShownSet:
    cells = [cell for cell in card.of(name) if cell.question in axes]
    view = card.views.get(name)
    moved = [] if view is None else view.most_moved(_MOVED)
    verdicts = [
        _verdict(card, cell, axes[cell.question], sections)
        for cell in cells
        if cell.verdict != "none"
    ]
    return ShownSet(
        anchor=f"set-{stem(name)}",
        name=clean(name),
        parts=breakable(clean(name)),
        use=prose(card.uses.get(name, "")),
        is_reference=name == card.reference,
        verdicts=verdicts,
        silent=[
            f"{_sentence(card.questions[cell.question])} {prose(cell.sentence)}"
            for cell in cells
            if cell.verdict == "none"
        ],
        scatter=Markup() if view is None else scatter_view(view, moved),
        grades=None if view is None else grades_view(view),
        moves=[
            ShownMove(clean(card.systems[system]), *(f"{at:g}" for at in view.places[system]))
            for system in moved
            if view is not None
        ],
        data="" if view is None else _data(view.means, view.places),
        passes=0 if folded else passes,
        folded=folded,
        loss=next((cell.figure for cell in verdicts if cell.is_share), ""),
        loss_sentence=next(
            (_loss(cell, card) for cell in cells if cell.unit != 1 and math.isfinite(cell.value)),
            "",
        ),
    )


def _loss(cell: ScorecardCell, card: Scorecard) -> str:
    share = f"{FigureAxis(0, 1, (), is_share=True).text(cell, 3)} of {card.reference}'s best mean"
    about = f"{share} {card.measure}, with its 95% interval; a loss below 0 is a gain"
    if cell.low <= 0:
        return prose(f"Choosing the best system by it costs nothing measurable ({about}).")
    return prose(f"Choosing the best system by it costs some effectiveness ({about}).")


def _data(means: Sequence[tuple[float, float]], places: Sequence[tuple[float, float]]) -> str:
    rows = [
        [*(round(mean, 4) for mean in both), *at] for both, at in zip(means, places, strict=True)
    ]
    return json.dumps(rows, separators=(",", ":")).replace("NaN", "null").replace(".0,", ",")


def _verdict(
    card: Scorecard, cell: ScorecardCell, axis: FigureAxis, sections: Mapping[str, str]
) -> ShownVerdict:
    style, word = _WORDS[cell.verdict]
    words: Mapping[CellVerdict, str] = card.words.get(cell.question, {})
    section = card.sections.get(cell.question, "")
    purpose = card.purposes.get(cell.question, "")
    asks = _sentence(card.questions[cell.question])
    figure, name = axis.text(cell, 3), card.figures.get(cell.question, "").partition(",")[0]
    return ShownVerdict(
        style=style,
        word=words.get(cell.verdict, word),
        label=prose(purpose[:1].upper() + purpose[1:]) if purpose else asks,
        asks=asks,
        place=f"section-{stem(section)}" if section in sections else "",
        place_title=clean(sections.get(section, "")),
        figure=figure,
        sentence=prose(cell.sentence),
        decide=prose(cell.decide),
        strip=axis.strip(cell) if figure else Markup(),
        brief=f"{name} {axis.text(cell, 2).split(' ')[0]}" if math.isfinite(cell.low) else "",
        is_share=axis.is_share,
        order=0 if purpose else 1,
        on_card=bool(purpose) or style != "good" or cell.label_set == card.reference,
    )
