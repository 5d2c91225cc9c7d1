"""The most useful next preference tests for label sets, given earlier answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import numpy as np

from qrelsmith.base.rng import rng_for
from qrelsmith.base.scales import Scale
from qrelsmith.collection.runs import Run
from qrelsmith.discrimination import Setting
from qrelsmith.discrimination.campaign_pdp import WITHIN
from qrelsmith.discrimination.common_docs import CommonDocs, on_common_docs
from qrelsmith.discrimination.drawing_by_need import draw_by_need
from qrelsmith.discrimination.missing_tests import count_grade_pairs, median_grades
from qrelsmith.discrimination.preferences.drawing import ScaleCounts
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.pairs.preferences import Preferences

_DEPTH = 5  # docs in a list for PDP, as in `pdp compare`


def next_tests(
    judgments: Mapping[str, Judgments],
    answers: Preferences,
    *,
    budget: int,
    mode: Mode | None,
    reference: str,
    scales: Mapping[str, Scale],
    runs: Iterable[Run],
    errors: Literal["missing", "nonrelevant"],
    seed: int,
) -> tuple[tuple[tuple[str, str, str], ...], tuple[ScaleCounts, ...]]:
    """Return the tests that most reduce the error of `pdp compare`, and counts by grade pair.

    Parameters
    ----------
    judgments : mapping of str to Judgments
        The label sets by name.
    answers : Preferences
        The answers collected before.
    mode : {'individual', 'aggregate'}, optional
        How PDP compares docs; by default both.
    reference : str
        The label set with which the others are compared; for a single set, its own PDP counts.
    scales : mapping of str to Scale
        The known scales.
    runs : iterable of Run
        Runs whose first docs are the lists for PDP; without runs, the lists are drawn.
    errors, seed
        As in `plan_preferences`.

    Raises
    ------
    UndefinedError
        If no doc has a grade in every label set, or no answer compares two such docs.
    """
    common = on_common_docs(
        judgments,
        answers,
        topics=sorted(set.intersection(*(set(each.topics) for each in judgments.values()))),
        runs=runs,
        depth=_DEPTH,
        within=WITHIN,
        seed=seed,
        errors=errors,
    )
    levels = {
        name: scales[name].levels if name in scales else graded.levels()
        for name, graded in common.graded.items()
    }
    settings, contrasts = _contrasts(common, levels, mode, reference)
    topics = next(iter(common.graded.values())).topics
    coarsest = min(common.graded, key=lambda name: (len(levels[name]), name != reference))
    tests = draw_by_need(
        settings,
        contrasts=contrasts,
        grades=median_grades(common.graded[coarsest].grades),
        budget=budget,
        rng=rng_for(seed, "tests by need", *topics),
    )
    docs = next(iter(common.graded.values())).docs
    rows = tuple((topics[t], docs[t][left], docs[t][right]) for t, left, right in tests.tolist())
    return rows, _counts(common, levels, tests)


def _contrasts(
    common: CommonDocs, levels: Mapping[str, tuple[float, ...]], mode: Mode | None, reference: str
) -> tuple[list[Setting], np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Return a `Setting` per label set and mode, and the weights of each comparison of settings."""
    several = any(
        ((~np.isnan(graded.grades)).sum(axis=2) > 1).any() for graded in common.graded.values()
    )
    modes: tuple[Mode, ...] = ("aggregate", "individual") if several else ("aggregate",)
    names = list(common.graded)
    settings, contrasts = [], []
    for place, own_mode in enumerate(modes if mode is None else (mode,)):
        settings += [
            Setting(
                common.graded[name].grades,
                common.tests,
                levels=levels[name],
                mode=own_mode,
                untested="half",
                lists=common.lists,
            )
            for name in names
        ]
        for name in names:
            if name == reference and len(names) > 1:
                continue
            weights = {(place, name): 1.0}
            if len(names) > 1:
                weights[place, reference] = -1.0
            contrasts.append(weights)
    columns = [(place, name) for place in range(len(settings) // len(names)) for name in names]
    rows = [[weights.get(column, 0.0) for column in columns] for weights in contrasts]
    return settings, np.array(rows)


def _counts(
    common: CommonDocs, levels: Mapping[str, tuple[float, ...]], tests: np.ndarray
) -> tuple[ScaleCounts, ...]:
    """Return the number of tests for each pair of grades of each set, including drawn tests."""
    topics, left, right = (
        np.concatenate([old, new])
        for old, new in zip(
            (common.tests.topics, common.tests.left, common.tests.right), tests.T, strict=True
        )
    )
    every = PreferenceTests(topics, left, right, np.zeros(topics.size))
    counts = [
        count_grade_pairs(every, graded.grades, levels[name])
        for name, graded in common.graded.items()
    ]
    return tuple(ScaleCounts(each.levels, each.tests, each.possible) for each in counts)
