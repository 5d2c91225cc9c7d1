"""The scorecard of an audit as data: possible uses of each label set, and next steps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from qrelsmith.base.errors import UnknownNameError
from qrelsmith.base.tables import Table

CellVerdict = Literal[
    "good", "probably good", "fair or better", "fair", "fair or worse", "probably bad", "bad",
    "unclear", "none",
]  # fmt: skip
"""`unclear`: good, fair and bad are all possible; `none`: no value for the label set."""

CLEAR: tuple[CellVerdict, ...] = ("good", "fair", "bad", "none")
"""The final verdicts, which more labels are not expected to change."""

# Order of the verdicts by their support for a label set.
_USEFUL: Mapping[CellVerdict, int] = {
    "good": 3, "probably good": 2, "fair or better": 1, "fair": 1, "unclear": 0, "fair or worse": 0,
    "probably bad": -1, "bad": -1, "none": 0,
}  # fmt: skip

COLUMNS = (
    "label_set", "question", "verdict", "value", "low", "high", "over", "topics", "sentence",
    "decide", "p_good", "p_bad",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ScorecardCell:
    """A cell of the scorecard: the answer to one question about one label set.

    Attributes
    ----------
    label_set, question : str
        The label set, and the name of the question.
    verdict : str
        A word of `CellVerdict`.
    value, low, high : float
        The question's figure with its 95% interval; nan if undefined.
    over : str
        Population of the interval, such as `topics`; empty without an interval.
    topics : int
        Number of topics in the computation.
    sentence : str
        The verdict in plain words, with all its figures.
    detail : str
        The part of `sentence` without figure, bounds and verdict, which the page shows separately.
    decide : str
        Data that would decide an undecided cell; empty for other cells.
    more_topics : int
        Approximate number of additional topics that would decide the cell; 0 if topics alone would
        not.
    contested : int
        Number of disputed docs, for the question about disputed labels.
    p_good, p_bad : float
        The probabilities that the true answer is good, and that it is bad; nan for figures without
        a distribution.
    unit : float
        The reference value of the figure, such as the best mean score for a loss.
    """

    label_set: str
    question: str
    verdict: CellVerdict
    value: float
    low: float
    high: float
    over: str
    topics: int
    sentence: str
    decide: str = ""
    more_topics: int = 0
    contested: int = 0
    p_good: float = math.nan
    p_bad: float = math.nan
    unit: float = 1.0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SetView:
    """The data for pictures of a label set and the reference, on their common topics.

    Attributes
    ----------
    means, places : sequence of (float, float)
        The mean score and the place of each system in the scorecard, by the reference and by the
        label set; 1 is the best place, and ties have their mean place.
    rows, columns : sequence of str
        The grades of the reference and of the label set, lowest first; ranges of grades if there
        are too many.
    docs : sequence of sequence of int
        [row][column]: the number of docs with these two grades.
    """

    means: Sequence[tuple[float, float]] = ()
    places: Sequence[tuple[float, float]] = ()
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    docs: Sequence[Sequence[int]] = ()

    def most_moved(self, number: int) -> list[int]:
        """Return the systems with the largest changes of rank, largest first."""
        moves = [abs(here - before) for before, here in self.places]
        order = sorted(range(len(moves)), key=lambda system: -moves[system])
        return [system for system in order[:number] if moves[system] >= 1]


@dataclass(frozen=True, slots=True)
class Action:
    """A recommended action.

    Attributes
    ----------
    what, why : str
        The action and its reason, one sentence each.
    cost : str
        The effort, such as `12 docs to judge`.
    command : str
        A command for the action; may be empty.
    is_setup : bool
        Whether the action is only a prerequisite of the other commands.
    label_sets : tuple of str
        The label sets concerned; empty: all.
    """

    what: str
    why: str
    cost: str
    command: str = ""
    is_setup: bool = False
    label_sets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scorecard:
    """Label sets by questions.

    Attributes
    ----------
    cells : tuple of ScorecardCell
        A cell for each label set and question, in the order of both.
    reference : str
        The label set with which all other sets are compared; empty if none was chosen.
    label_sets : tuple of str
        The label sets, the reference first.
    questions : mapping of str to str
        The text of each question, by its name, in the order of the columns.
    actions : tuple of Action
        The next steps, the most useful first.
    uses : mapping of str to str
        The possible uses of each label set, in one line.
    families : mapping of str to str
        The model of label sets that are passes of one model; a page combines them in one row.
    sections : mapping of str to str
        The section with the numbers of a question, by its name.
    words : mapping of str to mapping of str to str
        Display names of the verdicts on a question, if the verdict's own word does not fit.
    figures : mapping of str to (str, str)
        The name of each question's figure, and its bounds in words.
    purposes : mapping of str to str
        The purpose for which a label set can replace the reference if a question's answer is good.
    measure : str
        The measure that ranks the systems.
    systems : tuple of str
        The systems that are ranked.
    views : mapping of str to SetView
        The data for the pictures of each label set except the reference.
    """

    cells: tuple[ScorecardCell, ...]
    reference: str
    label_sets: tuple[str, ...]
    questions: Mapping[str, str]
    actions: tuple[Action, ...] = ()
    uses: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    sections: Mapping[str, str] = field(default_factory=dict)
    words: Mapping[str, Mapping[CellVerdict, str]] = field(default_factory=dict)
    figures: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    purposes: Mapping[str, str] = field(default_factory=dict)
    measure: str = ""
    systems: tuple[str, ...] = ()
    views: Mapping[str, SetView] = field(default_factory=dict)

    def by_use(self) -> list[list[str]]:
        """Return the reference, then the label sets by use, with passes of one model together."""
        together: dict[str, list[str]] = {}
        for name in self.label_sets:
            together.setdefault(self.families.get(name, name), []).append(name)

        def order(names: list[str]) -> tuple[bool, float]:
            useful = sum(_USEFUL[cell.verdict] for name in names for cell in self.of(name))
            return self.reference not in names, -useful / len(names)

        return sorted(together.values(), key=order)

    def cell(self, label_set: str, question: str) -> ScorecardCell:
        """Return the cell of a label set and a question.

        Raises
        ------
        UnknownNameError
            If there is no such label set or question.
        """
        if question not in self.questions:
            raise UnknownNameError("question of the scorecard", question, self.questions)
        for cell in self.cells:
            if (cell.label_set, cell.question) == (label_set, question):
                return cell
        raise UnknownNameError("label set", label_set, self.label_sets)

    def of(self, label_set: str) -> tuple[ScorecardCell, ...]:
        """Return the cells of a label set, in the order of the questions."""
        return tuple(cell for cell in self.cells if cell.label_set == label_set)

    def table(self) -> Table:
        """Return a row for each label set and question."""
        return Table.of(
            COLUMNS,
            [
                (
                    cell.label_set, cell.question, cell.verdict, cell.value, cell.low, cell.high,
                    cell.over, cell.topics, cell.sentence, cell.decide,
                    *(None if math.isnan(p) else p for p in (cell.p_good, cell.p_bad)),
                )
                for cell in self.cells
            ],
        )  # fmt: skip
