"""Table 4 as published, on TREC-8 topics: labels and runs are other ones than the simulated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qrelsmith_papers.scale_transformation.methods import TRANSFORMATIONS, Transformation


@dataclass(frozen=True, slots=True)
class PublishedTaus:
    """A row of the table.

    Attributes
    ----------
    own_tr2, own_so4 : float
        τ with the cuts of each topic.
    single_tr2, single_so4 : float
        τ with a single set of cuts.
    cuts : str
        These.
    """

    own_tr2: float
    own_so4: float
    single_tr2: float
    single_so4: float
    cuts: str


_ROWS = (
    # S4 → 2
    (0.70, 0.71, 0.71, 0.72, "middle"),
    (0.70, 0.71, 0.73, 0.74, "middle"),
    (0.69, 0.70, 0.72, 0.74, "middle"),
    (0.72, 0.74, 0.72, 0.73, "middle"),
    (0.72, 0.73, 0.71, 0.72, "middle"),
    (0.73, 0.75, 0.73, 0.74, "middle"),
    (0.74, 0.75, 0.73, 0.74, "middle"),
    (0.73, 0.75, 0.71, 0.72, "middle"),
    (0.73, 0.73, 0.71, 0.72, "middle"),
    # S100 → 2
    (0.71, 0.72, 0.77, 0.81, "58"),
    (0.70, 0.71, 0.75, 0.80, "58"),
    (0.72, 0.74, 0.76, 0.79, "52"),
    (0.72, 0.74, 0.75, 0.80, "58"),
    (0.76, 0.79, 0.76, 0.79, "52"),
    (0.76, 0.78, 0.76, 0.80, "59"),
    (0.77, 0.80, 0.76, 0.79, "53"),
    (0.77, 0.78, 0.75, 0.80, "55"),
    (0.77, 0.81, 0.75, 0.81, "56"),
    # S100 → 4
    (0.75, 0.76, 0.76, 0.77, "28:58:82"),
    (0.74, 0.74, 0.74, 0.76, "28:58:82"),
    (0.74, 0.76, 0.75, 0.77, "24:63:82"),
    (0.77, 0.77, 0.76, 0.79, "52:70:94"),
    (0.75, 0.76, 0.76, 0.77, "29:59:82"),
    (0.77, 0.82, 0.73, 0.77, "58:85:99"),
    (0.74, 0.76, 0.73, 0.76, "24:58:88"),
    (0.76, 0.80, 0.74, 0.75, "55:86:94"),
    (0.73, 0.76, 0.74, 0.76, "19:68:86"),
)
PUBLISHED: Mapping[Transformation, PublishedTaus] = {
    one: PublishedTaus(*row) for one, row in zip(TRANSFORMATIONS, _ROWS, strict=True)
}
