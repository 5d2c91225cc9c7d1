"""The registry of coefficients, and the two ways to register a coefficient.

A coefficient is a function `f(ratings[assessor, unit], *, scale, undefined) → AgreementResult` that
is registered with `COEFFICIENTS.add`. A coefficient computed from sums over units is registered by
`add_coefficient` instead. The builder of such a coefficient takes labels and returns an estimator:
a function that computes values from many sets of unit weights at once. Bootstrap samples and topics
are represented by such weights.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Real
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from qrelsmith.agreement.labels import Labels
from qrelsmith.agreement.result import AgreementResult, fill_for
from qrelsmith.base.arrays import AnyArray, FloatArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.registry import Registry

UNDEFINED_REASON = "no disagreement is expected (0/0): all counted labels are equal"


class Coefficient(Protocol):
    """The contract of a registered coefficient."""

    def __call__(
        self, ratings: ArrayLike, *, scale: ArrayLike | None = None, undefined: str = "nan"
    ) -> AgreementResult:
        """Return the agreement of `ratings[assessor, unit]`."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Estimates:
    """The values of a coefficient for several sets of unit weights.

    Attributes
    ----------
    value : ndarray, [sample]
        The coefficient.
    observed, expected : ndarray, [sample]
        The observed and expected disagreement; nan if the coefficient has none.
    flags : mapping of str to ndarray, [sample]
        Facts to report: a Boolean or a count for each sample.
    """

    value: FloatArray
    observed: FloatArray
    expected: FloatArray
    flags: Mapping[str, AnyArray] = field(default_factory=dict)


Estimator = Callable[[FloatArray], Estimates]
"""weights[sample, unit] ≥ 0 → Estimates; a weight is the number of occurrences of the unit."""

Builder = Callable[[Labels, float], Estimator]
"""Labels, and the value for 0/0 → Estimator."""


def _to_result(
    label: str,
    value: object,
    ratings: ArrayLike,
    *,
    scale: ArrayLike | None = None,
    undefined: str = "nan",
) -> AgreementResult:
    """Return the result of a plug-in's coefficient, adding the counts to a plain number."""
    if isinstance(value, AgreementResult):
        return value
    if isinstance(value, bool) or not isinstance(value, Real):
        raise UsageError(
            f"{label} returned {quoted(value)}; expected a number, or an AgreementResult"
        )
    labels = Labels.of(ratings, scale=scale)
    number = float(value)
    if math.isnan(number) and labels.pairs:
        number = fill_for(undefined)
    return AgreementResult(
        coefficient=label.partition(" ")[0],
        value=number,
        units=labels.units,
        assessors=labels.assessors,
        pairs=labels.pairs,
        observed=math.nan,
        expected=math.nan,
        reason="the coefficient is undefined here" if math.isnan(number) else "",
    )


COEFFICIENTS: Registry[Coefficient] = Registry(
    "coefficient",
    arguments=("ratings",),
    context=["scale", "undefined"],
    facts={
        "build": None,
        "by_assessor": True,
        "scale_matters": False,
        "together": False,
        "raters": None,
        "least": -1.0,
        "for_more": "",
        "in_audit": False,
        "meant": (),
    },
    elsewhere="meant",
    finish=_to_result,
)


def add_coefficient(
    name: str,
    build: Builder,
    *,
    summary: str,
    formula: str,
    source: str,
    by_assessor: bool = False,
    scale_matters: bool = False,
    together: bool = True,
    least: float = -1.0,
    raters: int | None = None,
    for_more: str = "",
    in_audit: bool = False,
    meant: tuple[str, ...] = (),
) -> None:
    """Register a coefficient that is a function of sums over units.

    Parameters
    ----------
    build : callable
        Builds the estimator.
    summary, formula, source : str
        Shown in the list of coefficients.
    by_assessor : bool
        Whether it matters who gave a label.
    scale_matters : bool
        Whether unused levels change the value.
    together : bool
        Whether several topics can be evaluated together as sets of weights, because labels of other
        topics enter only through weights.
    least : float
        The minimum possible value; the maximum is 1.
    raters : int, optional
        Number of assessors that the coefficient compares; by default, any number.
    for_more : str
        Text that names coefficients for more assessors.
    in_audit : bool
        Whether the audit shows the coefficient.
    meant : tuple of str
        Common names without level or weights, used for hints in errors.
    """

    def coefficient(
        ratings: ArrayLike, *, scale: ArrayLike | None = None, undefined: str = "nan"
    ) -> AgreementResult:
        fill = fill_for(undefined)
        labels = Labels.of(ratings, scale=scale)
        estimates = build(labels, fill)(np.ones((1, labels.codes.shape[1])))
        return _result(name, labels, estimates, scale_matters=scale_matters)

    coefficient.__doc__ = summary
    coefficient.__name__ = coefficient.__qualname__ = name.replace("-", "_")
    COEFFICIENTS.add(
        name,
        formula=formula,
        source=source,
        build=build,
        by_assessor=by_assessor,
        scale_matters=scale_matters,
        together=together,
        least=least,
        raters=raters,
        for_more=for_more,
        in_audit=in_audit,
        meant=meant,
    )(coefficient)


def measure_agreement(
    name: str, ratings: ArrayLike, *, scale: ArrayLike | None, undefined: str
) -> AgreementResult:
    """Return the named coefficient on all units."""
    result: AgreementResult = COEFFICIENTS.get(name)(ratings, scale=scale, undefined=undefined)
    return result


def _result(
    name: str, labels: Labels, estimates: Estimates, *, scale_matters: bool
) -> AgreementResult:
    """Return the first estimate, with the numbers of units, assessors and pairs."""
    expected = float(estimates.expected[0])
    flags = [
        flag if values.dtype == np.bool_ else f"{flag}={int(values[0])}"
        for flag, values in estimates.flags.items()
        if values[0]
    ]
    if expected == 0:
        flags.append("undefined")
    if scale_matters and not labels.scale_given and labels.pairs:
        flags.append("levels-seen")
    return AgreementResult(
        coefficient=name,
        value=float(estimates.value[0]),
        units=labels.units,
        assessors=labels.assessors,
        pairs=labels.pairs,
        observed=float(estimates.observed[0]),
        expected=expected,
        flags=tuple(flags),
        reason=_reason(labels, expected),
    )


def _reason(labels: Labels, expected: float) -> str:
    """Return the reason why the value is undefined or replaced."""
    if labels.active.size == 0:
        return "there are no labels"
    if labels.active.size == 1:
        return "there is only one assessor"
    if labels.pairs == 0:
        return "no unit has two labels"
    if expected == 0:
        return UNDEFINED_REASON
    return ""


def no_pairs(samples: int) -> FloatArray:
    """Return an estimator's result if no labels can be compared: nan [sample]."""
    return np.full(samples, math.nan)
