"""The parameters of the synthetic annotations of Chu et al. 2021, section 4.1."""

from __future__ import annotations

import math
from dataclasses import dataclass

from qrelsmith.base.errors import UsageError, quoted

BIASES = ("assessor", "assessor-topic", "annotation")
JUDGING = ("perceived", "random")
# The largest number of anything that is drawn, so that numpy can address it.
MOST = 1_000_000
# The exponential of a larger number overflows.
_LARGEST_W = 700.0


@dataclass(frozen=True, slots=True)
class Design:
    """The design of a simulation; the defaults are from the paper.

    A topic q has α_q, β_q ~ U(shape), and its docs have relevance r ~ Beta(α_q, β_q). An assessor
    perceives r + σ ε1 + σ e^w ε2 (Eq. 15), with ε1, ε2 ~ N(0, 1), w ~ U(w) for each annotation, and
    σ ~ U(sigma) for each batch.

    Attributes
    ----------
    topics : int
        |Q|, the number of topics.
    batch_size : int
        Y, the number of topics with the same assessors and σ; the last batch may be smaller.
    docs : int
        K, the number of docs per topic.
    assessors : int
        |U_q|, the number of assessors, who judge every doc.
    shape : (float, float)
        The range of α_q and β_q.
    sigma : (float, float)
        The range of σ_u, which all assessors of a batch share; larger is worse.
    w : (float, float)
        The range of w; the annotation's own error is e^w times the assessor's error.
    bias : str
        The unit for which ε1 is drawn, which the paper leaves open. `assessor`: once per assessor
        for the whole batch, a constant bias. `assessor-topic`: again for each topic. `annotation`:
        again for each doc, so that ε1 only adds to ε2.
    judging : str
        `perceived`, or `random`: grades are independent of relevance (the paper's random
        annotation, whose PDP is ln K!).
    """

    topics: int = 10_000
    batch_size: int = 100
    docs: int = 5
    assessors: int = 15
    shape: tuple[float, float] = (2.0, 5.0)
    sigma: tuple[float, float] = (0.001, 0.3)
    w: tuple[float, float] = (-0.5, 0.5)
    bias: str = "assessor"
    judging: str = "perceived"

    def __post_init__(self) -> None:
        for name in ("topics", "batch_size", "docs", "assessors"):
            check_count(name, getattr(self, name))
        check_range("shape", self.shape, above=0.0)
        check_range("sigma", self.sigma, least=0.0)
        check_range("w", self.w)
        if self.w[1] > _LARGEST_W:
            raise UsageError(
                f"w={self.w!r}; expected at most {_LARGEST_W:g}, so that e^w is finite"
            )
        one_of("bias", self.bias, BIASES)
        one_of("judging", self.judging, JUDGING)

    @property
    def batches(self) -> int:
        """The number of batches."""
        return math.ceil(self.topics / self.batch_size)

    def topics_of(self, batch: int) -> range:
        """Return the numbers of the topics of a batch."""
        if not 0 <= batch < self.batches:
            raise UsageError(f"the batch is {batch}; expected 0 to {self.batches - 1}")
        first = batch * self.batch_size
        return range(first, min(first + self.batch_size, self.topics))


def at_least(name: str, value: float, least: float) -> None:
    """Raise `UsageError` unless a parameter is a finite number and large enough."""
    if not least <= value < math.inf:
        raise UsageError(f"{name}={value!r}; expected a finite number, {least:g} or more")


def check_count(name: str, value: int, *, least: int = 1) -> None:
    """Raise `UsageError` unless this number of items can be drawn."""
    if not least <= value <= MOST:
        raise UsageError(f"{name}={value!r}; expected a whole number from {least} to {MOST}")


def check_range(
    name: str, ends: tuple[float, float], *, least: float = -math.inf, above: float = -math.inf
) -> None:
    """Raise `UsageError` unless (low, high) is a finite range within the limits."""
    low, high = ends
    if not (-math.inf < low <= high < math.inf and low >= least and low > above):
        floor = f", low above {above:g}" if above > -math.inf else ""
        floor = f", low {least:g} or more" if least > -math.inf else floor
        raise UsageError(f"{name}={ends!r}; expected (low, high), finite, low ≤ high{floor}")


def one_of(name: str, value: str, choices: tuple[str, ...]) -> None:
    """Raise `UsageError` unless a parameter is one of its choices."""
    if value not in choices:
        raise UsageError(f"{name}={quoted(value)}; expected one of {', '.join(choices)}")
