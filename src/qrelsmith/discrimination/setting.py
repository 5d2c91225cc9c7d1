"""An annotation setting: grades, and the preferences between docs of different grades."""

from __future__ import annotations

from dataclasses import dataclass

from numpy.typing import ArrayLike

from qrelsmith.base.arrays import IntArray
from qrelsmith.base.errors import ShapeError
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix
from qrelsmith.discrimination.preferences.kinds import WeightedTests
from qrelsmith.discrimination.preferences.options import Mode, Smoothing, Strength, Untested
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests


@dataclass(frozen=True, slots=True)
class DocLists:
    """Lists of docs for PDP, such as the top K of each run for each topic.

    Attributes
    ----------
    topics : int array [list]
        The topic of each list; a topic may have any number of lists.
    docs : int array [list, k]
        Positions of docs on the doc axis of the grades; −1 after the end of a shorter list.
    """

    topics: IntArray
    docs: IntArray

    def __post_init__(self) -> None:
        if self.topics.ndim != 1 or self.docs.ndim != 2 or len(self.topics) != len(self.docs):
            raise ShapeError(
                "topics and docs must have the shapes [list] and [list, k]; found "
                f"{list(self.topics.shape)} and {list(self.docs.shape)}"
            )


@dataclass(frozen=True, slots=True)
class Setting:
    """A method of judging that is compared with other methods.

    Attributes
    ----------
    grades : array_like [topic, doc, assessor]
        Grades of the pool; nan and codes below 0 are missing.
    evidence : PreferenceTests or GradeMatrix
        How docs of different grades compare: tests on docs of the pool, or a grade-level matrix
        (whose levels, mode and clip are then used, and the next four attributes are not).
    levels, mode, smoothing, untested, strength
        As in `grade_matrix`.
    batches : array_like of int [topic], optional
        The batch of each topic.
    weights : array_like [test] or WeightedTests, optional
        The number of pairs of docs that each test represents; by default, 1. Estimates of
        `weight_by_kind` are computed again in each resample.
    lists : DocLists, optional
        The docs for PDP; by default, all docs of a topic that have a grade.
    """

    grades: ArrayLike
    evidence: PreferenceTests | GradeMatrix
    levels: ArrayLike | None = None
    mode: Mode = "individual"
    smoothing: Smoothing = "jeffreys"
    untested: Untested = "error"
    strength: Strength = "sign"
    batches: ArrayLike | None = None
    weights: ArrayLike | WeightedTests | None = None
    lists: DocLists | None = None
