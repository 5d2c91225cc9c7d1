"""The scorecard as the page shows it: rows by use, passes of one model folded, words and shapes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from qrelsmith.base.content import Action, CellVerdict, Scorecard, ScorecardCell
from qrelsmith.report.names import stem
from qrelsmith.report.prose import breakable, clean, prose

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
_MIXED = ("mixed", "mixed")
# How much each verdict speaks for a label set: the most useful sets stand on top.
_USEFUL = {
    "good": 3, "probably good": 2, "fair or better": 1, "fair": 1, "unclear": 0, "fair or worse": 0,
    "probably bad": -1, "bad": -1, "none": 0,
}  # fmt: skip
# The length of the line on which a cell's interval is drawn, and of its margins.
_LONG, _MARGIN = 160.0, 5.0


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """A cell; `figure` is empty where there is none, `strip` draws its interval.

    `brief` is the figure in two decimals, where it has an interval.
    """

    style: str
    word: str
    figure: str
    sentence: str
    decide: str
    topics: int
    strip: Markup
    brief: str = ""


@dataclass(frozen=True, slots=True)
class ShownQuestion:
    """A column; `place` is the anchor of the section with its numbers, if there is one.

    `figure` says what the figure is, and from where on it is good.
    """

    name: str
    asks: str
    place: str
    place_title: str
    figure: str


@dataclass(frozen=True, slots=True)
class ShownSet:
    """A row; `members` are the rows that it folds, `folded` says whether it is such a row."""

    number: int
    name: str
    parts: Sequence[str]
    use: str
    is_reference: bool
    verdicts: Sequence[ShownVerdict]
    members: int = 0
    folded: bool = False


@dataclass(frozen=True, slots=True)
class ShownScorecard:
    """The scorecard.

    `dots` draws for each question where all label sets are; `silent` are the questions without a
    verdict on any of them, and why.
    """

    reference: str
    questions: Sequence[ShownQuestion]
    rows: Sequence[ShownSet]
    names: Sequence[str]
    actions: Sequence[Action]
    dots: Sequence[tuple[str, Markup]]
    silent: Sequence[tuple[str, str]]


def scorecard_rows(card: Scorecard, sections: Mapping[str, str]) -> ShownScorecard:
    """The scorecard for the page.

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
        name: _Axis.over(cells, card.words.get(name, {}))
        for name, cells in by_question.items()
        if any(cell.verdict != "none" for cell in cells)
    }
    rows = _rows(card, axes)
    return ShownScorecard(
        reference=clean(card.reference),
        questions=[_question(card, name, sections) for name in axes],
        rows=rows,
        names=[row.name for row in rows if not row.members],
        actions=[
            Action(prose(one.what), prose(one.why), prose(one.cost), clean(one.command))
            for one in card.actions
        ],
        dots=[(f"dots-{stem(name)}", axis.dots) for name, axis in axes.items()],
        silent=[
            (_sentence(card.questions[name]), prose(cells[-1].sentence))
            for name, cells in by_question.items()
            if name not in axes
        ],
    )


def _question(card: Scorecard, name: str, sections: Mapping[str, str]) -> ShownQuestion:
    section = card.sections.get(name, "")
    known = section in sections
    return ShownQuestion(
        name=clean(name),
        asks=_sentence(card.questions[name]),
        place=f"section-{stem(section)}" if known else "",
        place_title=clean(sections.get(section, "")),
        figure=prose(card.figures.get(name, "")).replace(" 0.", "\N{NO-BREAK SPACE}."),
    )


def _sentence(asks: str) -> str:
    """A question as it begins a sentence; the page adds the mark."""
    return prose(asks[:1].upper() + asks[1:])


def _rows(card: Scorecard, axes: Mapping[str, _Axis]) -> list[ShownSet]:
    """The reference first, then what is of most use; the passes of a model stand together."""
    families: dict[str, list[str]] = {}
    for name in card.label_sets:
        families.setdefault(card.families.get(name, name), []).append(name)

    def use_of(item: tuple[str, list[str]]) -> tuple[bool, float]:
        cells = [cell for name in item[1] for cell in card.of(name)]
        useful = sum(_USEFUL[cell.verdict] for cell in cells) / len(item[1])
        return card.reference not in item[1], -useful

    rows: list[ShownSet] = []
    for family, names in sorted(families.items(), key=use_of):
        if len(names) > 1:
            rows.append(_family_row(card, family, names, len(rows), axes))
        rows += [
            _set_row(card, name, len(rows) + place, axes, folded=len(names) > 1)
            for place, name in enumerate(names)
        ]
    return rows


def _set_row(
    card: Scorecard, name: str, number: int, axes: Mapping[str, _Axis], *, folded: bool
) -> ShownSet:
    return ShownSet(
        number=number,
        name=clean(name),
        parts=breakable(clean(name)),
        use=prose(card.uses.get(name, "")),
        is_reference=name == card.reference,
        verdicts=[_verdict(card.cell(name, question), axis) for question, axis in axes.items()],
        folded=folded,
    )


def _family_row(
    card: Scorecard, family: str, names: Sequence[str], number: int, axes: Mapping[str, _Axis]
) -> ShownSet:
    """One row for all passes of a model: what they agree on."""
    uses = {card.uses.get(name, "") for name in names}
    return ShownSet(
        number=number,
        name=clean(family),
        parts=breakable(clean(family)),
        use=prose(uses.pop() if len(uses) == 1 else "The passes differ; open them to see how."),
        is_reference=card.reference in names,
        verdicts=[
            _common_verdict([card.cell(name, question) for name in names], axis)
            for question, axis in axes.items()
        ],
        members=len(names),
    )


def _common_verdict(cells: Sequence[ScorecardCell], axis: _Axis) -> ShownVerdict:
    verdicts = [cell.verdict for cell in cells]
    style, word = axis.style_and_word(verdicts[0]) if len(set(verdicts)) == 1 else _MIXED
    told = "; ".join(
        f"{clean(cell.label_set)}: {axis.style_and_word(cell.verdict)[1]}" for cell in cells
    )
    figures = [cell.value for cell in cells if math.isfinite(cell.value)]
    figure = f"{_short(min(figures))} to {_short(max(figures))}" if figures else ""
    return ShownVerdict(style, word, figure, f"{told}.", "", cells[0].topics, Markup())


def _verdict(cell: ScorecardCell, axis: _Axis) -> ShownVerdict:
    style, word = axis.style_and_word(cell.verdict)
    figure = _short(cell.value) if math.isfinite(cell.value) else ""
    brief = ""
    if figure and math.isfinite(cell.low) and math.isfinite(cell.high):
        figure += f" [{_short(cell.low)}, {_short(cell.high)}]"
        value, low, high = (_short(end, 2) for end in (cell.value, cell.low, cell.high))
        brief = f"{value} [{low}, {high}]"
    return ShownVerdict(
        style=style,
        word=word,
        figure=figure,
        sentence=prose(cell.sentence),
        decide=prose(cell.decide),
        topics=cell.topics,
        strip=axis.strip(cell) if figure else Markup(),
        brief="" if cell.verdict == "none" else brief,
    )


def _short(value: float, decimals: int = 3) -> str:
    """A figure with three decimals, as the sentences write it: without a zero before the point."""
    text = f"{value:.{decimals}f}"
    text = text.rstrip("0").rstrip(".") if float(value).is_integer() else text
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


@dataclass(frozen=True, slots=True)
class _Axis:
    """The values of a question along a line, and the words of its verdicts."""

    name: str
    low: float
    high: float
    values: Sequence[float]
    words: Mapping[CellVerdict, str]

    @classmethod
    def over(cls, cells: Sequence[ScorecardCell], words: Mapping[CellVerdict, str]) -> _Axis:
        """An axis that holds the figures of all cells, and the interval from 0 to 1 or −1 to 1."""
        values = [cell.value for cell in cells if math.isfinite(cell.value)]
        ends = [end for cell in cells for end in (cell.low, cell.high) if math.isfinite(end)]
        low = min([0.0, *values, *ends])
        high = max([1.0, *values, *ends])
        return cls(cells[0].question if cells else "", low, high, values, words)

    def style_and_word(self, verdict: CellVerdict) -> tuple[str, str]:
        """The class and the word of a verdict."""
        style, word = _WORDS[verdict]
        return style, self.words.get(verdict, word)

    def at(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return _MARGIN + share * (_LONG - 2 * _MARGIN)

    @property
    def dots(self) -> Markup:
        """Where all label sets are."""
        marks = "".join(
            f'<circle cx="{self.at(value):.1f}" cy="8" r="1.6"/>' for value in self.values
        )
        return Markup(f'<path class="rail" d="M{_MARGIN:g} 8H{_LONG - _MARGIN:g}"/>{marks}')  # noqa: S704 - numbers

    def strip(self, cell: ScorecardCell) -> Markup:
        """Where a cell is, with its interval."""
        across = self.at(cell.value)
        bar = ""
        if math.isfinite(cell.low) and math.isfinite(cell.high):
            bar = f'<path class="bar" d="M{self.at(cell.low):.1f} 8H{self.at(cell.high):.1f}"/>'
        return Markup(  # noqa: S704 - numbers and a stem
            f'<svg class="strip" viewBox="0 0 {_LONG:g} 16" aria-hidden="true">'
            f'<use href="#dots-{stem(cell.question)}"/>{bar}'
            f'<circle class="here" cx="{across:.1f}" cy="8" r="4"/></svg>'
        )
