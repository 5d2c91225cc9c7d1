"""The PDP of several label sets, each held against a reference.

A label set is what one qrels file or one group of assessors says.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from qrelsmith.analyses.common_docs import CommonDocs
from qrelsmith.analyses.label_pdp import GradedDocs
from qrelsmith.analyses.preference_accuracy import PreferenceAccuracy, preference_accuracy
from qrelsmith.discrimination import (
    CollectionPdp,
    PdpComparison,
    Setting,
    collection_pdp,
    compare_each,
)
from qrelsmith.errors import UndefinedError, UsageError
from qrelsmith.preferences import Mode
from qrelsmith.rng import rng_for
from qrelsmith.scales import Scale


@dataclass(frozen=True, slots=True)
class LabelSetPdp:
    """The PDP of a label set in one mode.

    Attributes
    ----------
    name : str
        The label set.
    mode : {'individual', 'aggregate'}
        How several grades of a doc are read; where each doc has one grade, both are the same, and
        there is one row, in aggregate mode.
    assessors : int
        How many assessors a topic has at most.
    pdp : CollectionPdp
        The PDP with its interval, and the tests behind it. Its grade matrix has a batch for each
        group of topics that share assessors, or one where such batches have too few tests.
    comparison : PdpComparison or None
        How it differs from the reference: its PDP minus that of the reference in the same mode, or
        in aggregate mode; None for the reference itself, and where the reference has no PDP.
    """

    name: str
    mode: Mode
    assessors: int
    pdp: CollectionPdp
    comparison: PdpComparison | None


@dataclass(frozen=True, slots=True)
class LabelSetPdps:
    """The PDP of every label set.

    Attributes
    ----------
    rows : tuple of LabelSetPdp
        The reference first, the others by name; of a set with two modes, aggregate first.
    lacking : mapping of str to str
        Label sets without PDP, and why.
    accuracies : mapping of str to PreferenceAccuracy
        How often the doc with the higher grade is the preferred one, for every label set.
    common : CommonDocs
        What all of them are about.
    """

    rows: tuple[LabelSetPdp, ...]
    lacking: Mapping[str, str]
    accuracies: Mapping[str, PreferenceAccuracy]
    common: CommonDocs

    def single(self) -> dict[str, LabelSetPdp]:
        """A row for each label set: the one that reads several grades of a doc as one."""
        return {row.name: row for row in self.rows if row.mode == "aggregate"}


def pdp_of_label_sets(
    common: CommonDocs,
    *,
    reference: str,
    scales: Mapping[str, Scale],
    seed: int = 0,
    resamples: int = 1000,
) -> LabelSetPdps:
    """PDP of label sets on the docs that all of them grade, with the same preferences.

    Parameters
    ----------
    common : CommonDocs
        The label sets.
    reference : str
        The one that the others are held against.
    scales : mapping of str to Scale
        The scale of each label set; one that is not there has the levels that its grades show.
    seed : int
        Seed of the bootstrap.
    resamples : int
        Bootstrap samples behind an interval; 0: no intervals.

    Returns
    -------
    LabelSetPdps
        A label set is lacking if it has grades on a continuum, or a pair of grades that no
        preference compares although two docs of a list have them.
    """
    settings: dict[tuple[str, Mode], Setting] = {}
    lacking = {}
    names = sorted(common.graded, key=lambda name: (name != reference, name))
    for name in names:
        graded = common.graded[name]
        levels = scales[name].levels if name in scales else graded.levels()
        several = bool(((~np.isnan(graded.grades)).sum(axis=2) > 1).any())
        modes: tuple[Mode, ...] = ("aggregate", "individual") if several else ("aggregate",)
        try:
            found = {(name, mode): _setting(common, graded, levels, mode) for mode in modes}
        except (UndefinedError, UsageError) as error:
            # What a caller could choose instead is of no use to readers of a report.
            lacking[name] = str(error).partition(", or choose")[0]
        else:
            settings |= found
    rows = _rows(common, settings, reference, seed=seed, resamples=resamples)
    accuracies = {
        name: preference_accuracy(
            common.tests,
            common.graded[name].grades,
            rng=rng_for(seed, "pdp", "accuracy"),
            resamples=resamples,
        )
        for name in names
    }
    return LabelSetPdps(rows=rows, lacking=lacking, accuracies=accuracies, common=common)


def _setting(
    common: CommonDocs, graded: GradedDocs, levels: tuple[float, ...], mode: Mode
) -> Setting:
    """A setting that has a PDP, with a grade matrix for each batch if there are tests enough.

    Raises
    ------
    UndefinedError
        If a pair of grades has no test even where batches are pooled.
    UsageError
        If there are too many grades.
    """
    setting = Setting(graded.grades, common.tests, levels=levels, mode=mode, lists=common.lists)
    if graded.batches.max(initial=0) > 0:
        apart = replace(setting, batches=graded.batches)
        with contextlib.suppress(UndefinedError):
            collection_pdp(apart, rng=rng_for(0), resamples=0)
            return apart
    collection_pdp(setting, rng=rng_for(0), resamples=0)
    return setting


def _rows(
    common: CommonDocs,
    settings: Mapping[tuple[str, Mode], Setting],
    reference: str,
    *,
    seed: int,
    resamples: int,
) -> tuple[LabelSetPdp, ...]:
    """Every setting with its intervals."""
    keys = list(settings)
    against = [_held_against(keys, place, reference) for place in range(len(keys))]
    found = compare_each(
        list(settings.values()), against=against, rng=rng_for(seed, "pdp"), resamples=resamples
    )
    rows = []
    for place, ((name, mode), one) in enumerate(zip(keys, found, strict=True)):
        grades = common.graded[name].grades
        rows.append(
            LabelSetPdp(
                name=name,
                mode=mode,
                assessors=int((~np.isnan(grades)).any(axis=1).sum(axis=1).max()),
                pdp=one.pdp,
                comparison=None if against[place] == place else one.comparison,
            )
        )
    return tuple(rows)


def _held_against(keys: list[tuple[str, Mode]], place: int, reference: str) -> int:
    """The position of the reference in the same mode, else in aggregate mode, else its own."""
    name, mode = keys[place]
    there: list[tuple[str, Mode]] = [(reference, mode), (reference, "aggregate")]
    others = [keys.index(key) for key in there if key in keys and name != reference]
    return others[0] if others else place
