"""The PDP of several label sets, each compared with a reference.

A label set is the content of one qrels file or of one group of assessors.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from qrelsmith.base.errors import UndefinedError, UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.base.scales import Scale
from qrelsmith.discrimination import (
    CollectionPdp,
    Draws,
    PdpComparison,
    Setting,
    collection_pdp,
    compare_each,
)
from qrelsmith.discrimination.common_docs import CommonDocs
from qrelsmith.discrimination.label_pdp import GradedDocs
from qrelsmith.discrimination.pdp_result import LabelSetPdp, PdpOfLabels
from qrelsmith.discrimination.plackett_luce import EXACT_DOCS
from qrelsmith.discrimination.preference_accuracy import preference_accuracy
from qrelsmith.discrimination.preferences.kinds import WeightedTests, weight_by_kind
from qrelsmith.discrimination.preferences.options import (
    Mode,
    Smoothing,
    Strength,
    Untested,
    Weighting,
)
from qrelsmith.stats.population import FEWEST_TOPICS


@dataclass(frozen=True, slots=True)
class Reading:
    """The interpretation of preferences as grade matrices of PDP; see `grade_matrix`.

    If `weighting` is `none`, all tests have the same weight; if it is `kinds`, each test represents
    the pairs of docs of its kind (`weight_by_kind`). If `batches` is `assessors`, there is a matrix
    for each batch of topics that share assessors; if it is `all`, one matrix for all topics. If
    `batches` is None, there is a matrix for each batch if there are enough tests.
    """

    smoothing: Smoothing = "jeffreys"
    untested: Untested = "error"
    strength: Strength = "sign"
    batches: Literal["assessors", "all"] | None = None
    weighting: Weighting = "none"


@dataclass(frozen=True, slots=True)
class Sampling:
    """Options of sampling: entropies of many docs, and the number of bootstrap samples."""

    exact_docs: int = EXACT_DOCS
    samples: int = 10_000
    resamples: int = 1000


def pdp_of_label_sets(
    common: CommonDocs,
    *,
    reference: str,
    scales: Mapping[str, Scale],
    seed: int = 0,
    modes: Sequence[Mode] = ("aggregate", "individual"),
    reading: Reading = Reading(),
    sampling: Sampling = Sampling(),
) -> PdpOfLabels:
    """Compute the PDP of label sets on the docs that all sets grade, with the same preferences.

    Parameters
    ----------
    reference : str
        The label set with which the other sets are compared.
    scales : mapping of str to Scale
        The scale of each label set; a set without a scale has the levels that occur among its
        grades.
    seed : int
        Seed of the bootstrap.
    modes : sequence of {'aggregate', 'individual'}
        If each doc has one grade, both modes are the same, and there is one row.
    reading : Reading
        How preferences are interpreted.
    sampling : Sampling
        Numbers of samples; without resamples there are no intervals.

    Returns
    -------
    PdpOfLabels
        Label sets without PDP are in `lacking`: sets with grades on a continuous scale, or with two
        docs of a list whose pair of grades no preference compares.
    """
    settings: dict[tuple[str, Mode], Setting] = {}
    lacking = {}
    weighted = None
    if reading.weighting == "kinds":
        grades = [graded.grades for graded in common.graded.values()]
        weighted = weight_by_kind(common.tests, grades)
    names = sorted(common.graded, key=lambda name: (name != reference, name))
    for name in names:
        graded = common.graded[name]
        levels = scales[name].levels if name in scales else graded.levels()
        several = bool(((~np.isnan(graded.grades)).sum(axis=2) > 1).any())
        asked: Sequence[Mode] = modes if several else ("aggregate",)
        try:
            own_settings = {
                (name, mode): _setting(common, graded, levels, mode, reading, weighted)
                for mode in asked
            }
        except (UndefinedError, UsageError) as error:
            # Advice on options for the caller does not help readers of a report.
            lacking[name] = str(error).partition(", or use")[0]
        else:
            settings |= own_settings
    topics = common.graded[names[0]].topics
    accuracies = {
        name: preference_accuracy(
            common.tests,
            common.graded[name].grades,
            drawn=Draws.of_topics(topics, seed=seed).topics(sampling.resamples, len(topics)),
        )
        for name in names
    }
    return PdpOfLabels(
        sets=_rows(common, settings, reference, Draws.of_topics(topics, seed=seed), sampling),
        lacking=lacking,
        accuracies=accuracies,
        common=common,
        reference=reference,
        has_intervals=sampling.resamples > 0,
    )


def over_topics(found: CollectionPdp) -> CollectionPdp:
    """Return a PDP, without its interval if there are too few topics."""
    few = found.defined < FEWEST_TOPICS
    return replace(found, low=math.nan, high=math.nan, se=math.nan) if few else found


def _setting(
    common: CommonDocs,
    graded: GradedDocs,
    levels: tuple[float, ...],
    mode: Mode,
    reading: Reading,
    weighted: WeightedTests | None,
) -> Setting:
    """Return a setting with a PDP; there is a grade matrix per batch if tests are sufficient.

    Raises
    ------
    UndefinedError
        If a pair of grades has no test even in the pooled batches.
    UsageError
        If there are too many grades.
    """
    setting = Setting(
        graded.grades,
        common.tests if weighted is None else weighted.tests,
        levels=levels,
        mode=mode,
        smoothing=reading.smoothing,
        untested=reading.untested,
        strength=reading.strength,
        weights=weighted,
        lists=common.lists,
    )
    several = graded.batches.max(initial=0) > 0 and reading.batches != "all"
    if several:
        apart = replace(setting, batches=graded.batches)
        with contextlib.ExitStack() as stack:
            if reading.batches is None:
                stack.enter_context(contextlib.suppress(UndefinedError))
            collection_pdp(apart, rng=rng_for(0), resamples=0)
            return apart
    collection_pdp(setting, rng=rng_for(0), resamples=0)
    return setting


def _rows(
    common: CommonDocs,
    settings: Mapping[tuple[str, Mode], Setting],
    reference: str,
    draws: Draws,
    sampling: Sampling,
) -> tuple[LabelSetPdp, ...]:
    """Return a row for each setting, with intervals."""
    keys = list(settings)
    against = [_position_of_reference(keys, place, reference) for place in range(len(keys))]
    estimates = compare_each(
        list(settings.values()),
        against=against,
        rng=draws,
        resamples=sampling.resamples,
        exact_docs=sampling.exact_docs,
        samples=sampling.samples,
    )
    rows = []
    for place, ((name, mode), row) in enumerate(zip(keys, estimates, strict=True)):
        graded = common.graded[name]
        rows.append(
            LabelSetPdp(
                name=name,
                mode=mode,
                assessors=int((~np.isnan(graded.grades)).any(axis=1).sum(axis=1).max()),
                pdp=over_topics(row.pdp),
                comparison=None if against[place] == place else _over_topics(row.comparison),
                topics=graded.topics,
                lists=common.lists,
            )
        )
    return tuple(rows)


def _over_topics(found: PdpComparison) -> PdpComparison:
    few = found.defined < FEWEST_TOPICS
    return replace(found, low=math.nan, high=math.nan, p=math.nan) if few else found


def _position_of_reference(keys: list[tuple[str, Mode]], place: int, reference: str) -> int:
    """Return the position of the reference in the same mode, otherwise in aggregate mode."""
    name, mode = keys[place]
    there: list[tuple[str, Mode]] = [(reference, mode), (reference, "aggregate")]
    others = [keys.index(key) for key in there if key in keys and name != reference]
    return others[0] if others else place
