"""The scorecard for the page: a card for each label set, with texts and pictures."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from qrelsmith.base.content import Action, CellVerdict, Scorecard, ScorecardCell
from qrelsmith.report.figure_axis import FigureAxis
from qrelsmith.report.names import stem
from qrelsmith.report.prose import breakable, clean, prose
from qrelsmith.report.set_pictures import ShownGrades, grades_view, scatter_view

# Class and icon, and the word, of each verdict.
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
_MOVED = 3  # most systems named on a card


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """A verdict on a label set.

    Attributes
    ----------
    style, word : str
        Class and icon; the word.
    label, asks : str
        The purpose (or the question if there is no purpose), and the question.
    place : str
        Anchor of the section with its numbers; empty if there is no section.
    name, figure, brief : str
        The name of the figure; the figure with its interval; name and rounded value. Shares are
        in percent.
    sentence, decide : str
        The explanation of the verdict; for an open verdict, also the data needed to decide it.
    strip : Markup
        The figure with its interval, among the figures of all label sets.
    order : int
        The order on the card: purposes, then other questions.
    on_card, is_share : bool
        Whether the card shows the verdict, and whether the figure is a share.
    """

    style: str
    word: str
    label: str
    asks: str
    place: str
    name: str
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
    """A system with its ranks under the reference and the label set."""

    system: str
    before: str
    here: str


@dataclass(frozen=True, slots=True)
class ShownSet:
    """The card of a label set.

    `data` contains means and ranks of the systems for the page's script, as JSON. `loss` is the
    loss when the best system is chosen by the label set, if known. `passes` is the number of
    additional passes of the same model. `folded` is true on the card of an additional pass.
    """

    anchor: str
    name: str
    parts: Sequence[str]
    use: str
    is_reference: bool
    verdicts: Sequence[ShownVerdict]
    silent: Sequence[tuple[str, str]]
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
    """The scorecard for the page.

    `bounds` contains the ranges of the verdicts, and `silent` contains the reasons why questions
    have no verdict on any label set. `first` is the first recommended action for the reference or
    the best label set.
    """

    reference: str
    measure: str
    sets: Sequence[ShownSet]
    systems: Sequence[str]
    actions: Sequence[Action]
    dots: Sequence[tuple[str, Markup]]
    bounds: str
    silent: Sequence[tuple[str, str]]
    has_pictures: bool
    best: ShownSet | None
    first: Action | None


def scorecard_view(card: Scorecard, sections: Collection[str]) -> ShownScorecard:
    """Return the scorecard for the page.

    Parameters
    ----------
    card : Scorecard
        The scorecard.
    sections : collection of str
        The keys of the report's sections.
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
        bounds=", ".join("{} ({})".format(*card.figures[q]) for q in axes if q in card.figures),
        silent=_silent(
            card, [cells[-1] for name, cells in by_question.items() if name not in axes]
        ),
        has_pictures=any(shown.scatter and shown.grades for shown in sets),
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
    """Return a question as the start of a sentence, without the question mark."""
    return prose(asks[:1].upper() + asks[1:])


def _set_view(
    card: Scorecard,
    name: str,
    axes: Mapping[str, FigureAxis],
    sections: Collection[str],
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
        silent=_silent(
            card, [cell for cell in cells if cell.verdict == "none" and _is_asked(card, cell)]
        ),
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


def _silent(card: Scorecard, cells: Sequence[ScorecardCell]) -> list[tuple[str, str]]:
    """Return each reason for missing verdicts, with the questions that it applies to."""
    reasons: dict[str, list[str]] = {}
    for cell in cells:
        asks = _sentence(card.questions[cell.question])
        reasons.setdefault(prose(cell.sentence), []).append(asks)
    return [(reason, " · ".join(asks)) for reason, asks in reasons.items()]


def _is_asked(card: Scorecard, cell: ScorecardCell) -> bool:
    """Return whether the cell's question has a verdict on any label set with the same role."""
    is_reference = cell.label_set == card.reference
    return any(
        other.verdict != "none" and (other.label_set == card.reference) is is_reference
        for other in card.cells
        if other.question == cell.question
    )


def _loss(cell: ScorecardCell, card: Scorecard) -> str:
    share = FigureAxis(0, 1, (), is_share=True).text(cell, 3)
    lost = "no measurable loss" if cell.low <= 0 else "a loss"
    return prose(
        f"Choosing the best system with {cell.label_set} causes {lost}: {share} of the best mean"
        f" {card.measure} under {card.reference}. A negative loss is a gain. The system is chosen"
        " on one half of the topics, and the loss is computed on the other half."
    )


def _data(means: Sequence[tuple[float, float]], places: Sequence[tuple[float, float]]) -> str:
    rows = [
        [*(round(mean, 4) for mean in both), *at] for both, at in zip(means, places, strict=True)
    ]
    return json.dumps(rows, separators=(",", ":")).replace("NaN", "null").replace(".0,", ",")


def _verdict(
    card: Scorecard, cell: ScorecardCell, axis: FigureAxis, sections: Collection[str]
) -> ShownVerdict:
    style, word = _WORDS[cell.verdict]
    words: Mapping[CellVerdict, str] = card.words.get(cell.question, {})
    section = card.sections.get(cell.question, "")
    purpose = card.purposes.get(cell.question, "")
    asks = _sentence(card.questions[cell.question])
    figure = axis.text(cell, 3)
    name, _ = card.figures.get(cell.question, ("", ""))
    return ShownVerdict(
        style=style,
        word=words.get(cell.verdict, word),
        label=prose(purpose[:1].upper() + purpose[1:]) if purpose else asks,
        asks=asks,
        place=f"section-{stem(section)}" if section in sections else "",
        name=name,
        figure=figure,
        sentence=prose(cell.detail if name and figure else cell.sentence),
        decide=prose(cell.decide),
        strip=axis.strip(cell) if figure else Markup(),
        brief=f"{name}: {axis.text(cell, 2).split(' ')[0]}" if math.isfinite(cell.low) else "",
        is_share=axis.is_share,
        order=0 if purpose else 1,
        on_card=bool(purpose) or style != "good" or cell.label_set == card.reference,
    )
