"""The transformations of Table 2: source labels, number of target levels, and method."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import product

from qrelsmith.sweep.cells import Parameter

# The paper's notation of the methods.
_WRITTEN = {
    "hit-ta": "H_t+a¹",
    "hit-at": "H_a+t¹",
    "topicwide": "Tw_α¹",
    "hit2": "H²",
    "doc-at": "D_a+t²",
    "doc-ta": "D_t+a²",
}
SINGLE = ("hit-ta", "hit-at", "topicwide")
DOUBLE = ("hit2", "doc-at", "doc-ta")
# Ten labels have two middle labels. With the lower one, a+t and t+a would be the same method.
BY = "median-mean"


@dataclass(frozen=True, slots=True)
class Transformation:
    """A reduction of crowd labels to fewer levels.

    Attributes
    ----------
    method : str
        A name of `CUT_METHODS`.
    source, levels : int
        The levels of the crowd's scale and of the target scale.
    target : str
        The target of double-data-set methods: the experts `TR2` and `So4`, these with unjudged docs
        as not relevant (`TR2_a`, `So4_a`), or the crowds `S2` and `S4`. Empty for other methods.
    """

    method: str
    source: int
    levels: int
    target: str = ""

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The transformation as parameters of a cell."""
        return dict(asdict(self))

    @property
    def scales(self) -> str:
        """The source scale and the number of target levels."""
        return f"{crowd(self.source)} → {self.levels}"

    @property
    def written(self) -> str:
        """The method and the target."""
        return _WRITTEN[self.method] + (f", {self.target}" if self.target else "")

    @property
    def name(self) -> str:
        """The transformation in the paper's notation."""
        inside = f"{self.scales}, {self.target}" if self.target else self.scales
        return f"{_WRITTEN[self.method]} ({inside})"


def crowd(levels: int) -> str:
    """Return the name of a crowd's labels; S100 has the 101 levels from 0 to 100."""
    return "S100" if levels == 101 else f"S{levels}"


def expert_of(levels: int) -> str:
    """Return the expert with this number of levels."""
    return "TR2" if levels == 2 else "So4"


def of_scales(source: int, levels: int) -> tuple[Transformation, ...]:
    """Return the nine transformations between two scales, in the order of Table 4.

    Docs that an expert has not judged are not relevant, as in the paper from section 3.4 on.
    """
    targets = (f"{expert_of(levels)}_a", crowd(levels))
    return (
        *(Transformation(method, source, levels) for method in SINGLE),
        *(Transformation(m, source, levels, target) for m, target in product(DOUBLE, targets)),
    )


SCALES_CUT = ((4, 2), (101, 2), (101, 4))
TRANSFORMATIONS = tuple(one for scales in SCALES_CUT for one in of_scales(*scales))
