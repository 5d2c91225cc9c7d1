"""Measures that model a user who stops when satisfied.

Prsat(r) = g(r)/(gmax + 1) is the probability that the doc at rank r satisfies the user. P_ERR(r) =
Prsat(r) · Π_{j<r} (1 − Prsat(j)) is the probability that the user stops at rank r. gmax is the gain
of the scale's top level, not the highest gain of the topic.
"""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.evaluation.measures.graded import check_top, exponential_gains, plain_gains
from qrelsmith.evaluation.measures.registry import MEASURES, ranks, ratio, top

_ERR_SOURCE = "Chapelle et al. 2009; NTCIREVAL ERR; gain='exp': gdeval (with gmax 4)"
_RBU_SOURCE = "Sakai and Zeng 2019; NTCIR WWW-4 (ordering-gold-bronze)"


@MEASURES.add(
    "ERR", formula="Σ_{r≤k} P_ERR(r)/r; gain='exp': Prsat = (2^g − 1)/2^gmax", source=_ERR_SOURCE
)
def expected_reciprocal_rank(
    gains: FloatArray,
    ideal: FloatArray,
    *,
    cutoff: int | None = None,
    gain: str = "linear",
    gmax: float | None = None,
) -> FloatArray:
    """Expected reciprocal of the rank at which the user stops."""
    stop = _stopping(top(gains, cutoff), gain=gain, gmax=gmax)
    return np.asarray(stop @ (1.0 / ranks(stop.shape[-1])))


@MEASURES.add("nERR", formula="ERR@k over ERR@k of the ideal ranking", source=_ERR_SOURCE)
def normalised_expected_reciprocal_rank(
    gains: FloatArray,
    ideal: FloatArray,
    *,
    cutoff: int | None = None,
    gain: str = "linear",
    gmax: float | None = None,
) -> FloatArray:
    """ERR divided by the ERR of the ideal ranking."""
    return ratio(
        expected_reciprocal_rank(gains, ideal, cutoff=cutoff, gain=gain, gmax=gmax),
        expected_reciprocal_rank(ideal, ideal, cutoff=cutoff, gain=gain, gmax=gmax),
    )


@MEASURES.add("iRBU", formula="Σ_{r≤k} p^r · P_ERR(r)", source=_RBU_SOURCE, always=("p",))
def intentwise_rank_biased_utility(
    gains: FloatArray,
    ideal: FloatArray,
    *,
    cutoff: int | None = None,
    gmax: float | None = None,
    p: float = 0.99,
) -> FloatArray:
    """Expected utility for a user who stops when satisfied and loses patience with rank.

    The exponent of p is the rank, so rank 1 has p¹; the formula has no factor 1 − p and no term for
    effort.
    """
    if not 0 <= p <= 1:
        raise UsageError(f"iRBU(p={p!r}); expected a p from 0 to 1")
    stop = _stopping(top(gains, cutoff), gain="linear", gmax=gmax)
    return np.asarray(stop @ p ** ranks(stop.shape[-1]))


@MEASURES.add(
    "niRBU", formula="iRBU@k over iRBU@k of the ideal ranking", source=_RBU_SOURCE, always=("p",)
)
def normalised_intentwise_rank_biased_utility(
    gains: FloatArray,
    ideal: FloatArray,
    *,
    cutoff: int | None = None,
    gmax: float | None = None,
    p: float = 0.99,
) -> FloatArray:
    """Ratio of iRBU to the iRBU of the ideal ranking."""
    return ratio(
        intentwise_rank_biased_utility(gains, ideal, cutoff=cutoff, gmax=gmax, p=p),
        intentwise_rank_biased_utility(ideal, ideal, cutoff=cutoff, gmax=gmax, p=p),
    )


def _stopping(gains: FloatArray, *, gain: str, gmax: float | None) -> FloatArray:
    """P_ERR at each rank [..., k]."""
    worth = plain_gains(gains)
    highest = check_top("ERR and iRBU", worth, gmax)
    if gain == "linear":
        satisfied = worth / (highest + 1.0)
    elif gain == "exp":
        exponential_gains(np.asarray(highest))
        satisfied = exponential_gains(worth) / np.exp2(highest)
    else:
        raise UsageError(f"ERR(gain={quoted(gain)}); expected 'linear' or 'exp'")
    going_on = np.ones_like(satisfied)
    going_on[..., 1:] = np.cumprod(1.0 - satisfied, axis=-1)[..., :-1]
    return satisfied * going_on
