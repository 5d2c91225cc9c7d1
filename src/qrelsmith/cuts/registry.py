"""The registry of methods that evaluate cuts, and their arguments.

A method computes α of every set of cuts on the labels of one topic: a function `f(labels, sets, *,
by, level, undefined) → CutAlphas` that is registered with `CUT_METHODS.add`.

The attributes in `about` are

- `needs_target`: whether the method compares labels with grades on the target scale
- `unit`: the unit of the method's α: `HIT` or `doc`
- `order`: `ta` if labels are cut and then aggregated, `at` if they are aggregated and then cut
- `direct`: the method's definition for one set of cuts, `f(OneCut) → α` (`cuts.direct`), used in
  tests
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.registry import REQUIRED, Registry
from qrelsmith.cuts.cut_sets import CutSets
from qrelsmith.cuts.topic_labels import TopicLabels


@dataclass(frozen=True, slots=True, eq=False)
class CutAlphas:
    """α under every set of cuts.

    Attributes
    ----------
    alpha : ndarray, [set]
        nan if undefined.
    units : ndarray of int, [set]
        Number of units with a value: HITs for a mean over HITs, otherwise compared docs.
    of : int
        Number of units with or without a value.
    degenerate : ndarray of bool, [set]
        Whether the cuts leave only one level of the cut labels or aggregated grades.
    """

    alpha: FloatArray
    units: IntArray
    of: int
    degenerate: BoolArray


class CutMethod(Protocol):
    """The contract of a registered method."""

    def __call__(
        self,
        labels: TopicLabels,
        sets: CutSets,
        *,
        by: str = "median",
        level: str = "ordinal",
        undefined: str = "nan",
    ) -> CutAlphas:
        """Return α of every set of cuts.

        Parameters
        ----------
        labels : TopicLabels
            The labels on the source scale, with target grades if there are any.
        sets : CutSets
            The cuts.
        by : str
            How several labels are aggregated: one of `AGGREGATED_BY`.
        level : str
            Level of measurement of α on the target scale: one of `LEVELS_OF_MEASUREMENT`.
        undefined : str
            Value for 0/0: `nan`, `one` or `zero`.
        """
        ...


CUT_METHODS: Registry[CutMethod] = Registry(
    "method of finding cuts",
    arguments=("labels", "sets"),
    context=["by", "level", "undefined"],
    facts=dict.fromkeys(("direct", "needs_target", "order", "unit"), REQUIRED),
    contract=CutMethod.__call__,
)


def of_docs(alpha: FloatArray, docs: int, degenerate: BoolArray) -> CutAlphas:
    """Return the result of a method with one α over docs."""
    units = np.where(np.isnan(alpha), 0, docs).astype(np.int64)
    return CutAlphas(alpha=alpha, units=units, of=docs, degenerate=degenerate)
