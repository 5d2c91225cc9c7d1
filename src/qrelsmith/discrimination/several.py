"""Several settings on the same topics, each compared with another setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.discrimination.collection import (
    CollectionPdp,
    check_resampling,
    resampled_means,
    summed_up,
    weights_of_tests,
)
from qrelsmith.discrimination.comparison import (
    PdpComparison,
    check_topics,
    difference_of,
    same_tests,
)
from qrelsmith.discrimination.draws import Draws
from qrelsmith.discrimination.estimate import estimate
from qrelsmith.discrimination.plackett_luce import EXACT_DOCS
from qrelsmith.discrimination.resampling import Resampler
from qrelsmith.discrimination.setting import Setting

_WEIGHTS_AT_ONCE = 1 << 22


@dataclass(frozen=True, slots=True)
class HeldAgainst:
    """The PDP of a setting, and the difference from the PDP of another setting.

    Attributes
    ----------
    pdp : CollectionPdp
        The PDP of the setting.
    comparison : PdpComparison
        The setting's PDP minus the other setting's PDP; all 0 if a setting is compared with itself.
    """

    pdp: CollectionPdp
    comparison: PdpComparison


def compare_each(
    settings: Sequence[Setting],
    *,
    against: Sequence[int],
    rng: np.random.Generator | Draws,
    resamples: int = 1000,
    confidence: float = 0.95,
    exact_docs: int = EXACT_DOCS,
    samples: int = 10_000,
) -> tuple[HeldAgainst, ...]:
    """Return the settings' PDP (see `collection_pdp`) and comparisons (see `compare_pdp`).

    Every setting is resampled once, and settings with the same tests share the weights of tests. So
    20 settings need 20 bootstraps instead of 60.

    Parameters
    ----------
    settings : sequence of Setting
        The settings. Their grades must be for the same topics in the same order.
    against : sequence of int
        For each setting, the position of the setting with which it is compared.
    rng, resamples, confidence, exact_docs, samples
        As in `collection_pdp`.

    Returns
    -------
    tuple of HeldAgainst
        In the order of the settings.

    Raises
    ------
    UsageError
        If `against` does not name one position for each setting.
    ShapeError
        If the numbers of topics differ.
    UsageError, UndefinedError
        As in `collection_pdp`.
    """
    check_resampling(resamples, confidence)
    if len(against) != len(settings) or any(not 0 <= n < len(settings) for n in against):
        raise UsageError(
            f"against={list(against)!r}; expected the position of a setting for each of the"
            f" {len(settings)} settings"
        )
    draws = rng if isinstance(rng, Draws) else Draws.of(rng)
    rankings = [draws.rankings() for _ in settings]
    estimates = [
        estimate(setting, exact_docs=exact_docs, samples=samples, rng=of_setting)
        for setting, of_setting in zip(settings, rankings, strict=True)
    ]
    for place, other in enumerate(against):
        check_topics(estimates[place], estimates[other])
    again = [Resampler.of(estimated, exact_docs=exact_docs) for estimated in estimates]
    values, unsmoothed = _resample(settings, again, resamples, exact_docs, samples, draws, rankings)
    centres = [
        one.unsmooth_estimate(exact_docs=exact_docs, samples=samples, rng=of_setting)
        for one, of_setting in zip(again, rankings, strict=True)
    ]
    drawn = (
        draws.topics(resamples, estimates[0].topics.size) if estimates else np.ones((resamples, 0))
    )
    results = []
    for place, other in enumerate(against):
        results.append(
            HeldAgainst(
                pdp=summed_up(
                    estimates[place],
                    resampled_means(values[place], drawn),
                    resamples=resamples,
                    confidence=confidence,
                ),
                comparison=difference_of(
                    estimates[place],
                    estimates[other],
                    unsmoothed[place] - unsmoothed[other],
                    drawn,
                    centre=centres[place] - centres[other],
                    same=place == other
                    or same_tests(settings[place].evidence, settings[other].evidence),
                    confidence=confidence,
                ),
            )
        )
    return tuple(results)


def _resample(
    settings: Sequence[Setting],
    again: Sequence[Resampler],
    resamples: int,
    exact_docs: int,
    samples: int,
    draws: Draws,
    rankings: Sequence[np.random.Generator],
) -> tuple[list[FloatArray], list[FloatArray]]:
    """Return each setting's PDP by topic [resample, topic], with and without smoothing."""
    estimates = [one.found for one in again]
    values = [np.empty((resamples, estimated.topics.size)) for estimated in estimates]
    unsmoothed = [np.empty_like(each) for each in values]
    # The first of the settings with the same tests.
    like = [
        next(n for n in range(place + 1) if n == place or _alike(settings[n], setting))
        for place, setting in enumerate(settings)
    ]
    streams = {place: draws.tests() for place in set(like)}
    most = max(
        (0 if estimated.tally is None else estimated.tally.test_count for estimated in estimates),
        default=0,
    )
    step = max(1, _WEIGHTS_AT_ONCE // max(1, most))
    for start in range(0, resamples, step):
        rows = slice(start, min(start + step, resamples))
        weights: dict[int, FloatArray] = {}
        for place, setting in enumerate(settings):
            if like[place] == place:
                count = rows.stop - rows.start
                weights[place] = weights_of_tests(setting, resamples=count, rng=streams[place])
            drawn, rng = weights[like[place]], rankings[place]
            values[place][rows] = again[place].topics(
                drawn, exact_docs=exact_docs, samples=samples, rng=rng
            )
            unsmoothed[place][rows] = again[place].unsmooth(
                values[place][rows], drawn, exact_docs=exact_docs, samples=samples, rng=rng
            )
    return values, unsmoothed


def _alike(one: Setting, other: Setting) -> bool:
    return same_tests(one.evidence, other.evidence)
