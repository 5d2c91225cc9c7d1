"""Pairwise discriminative power (PDP) of the labels of one label set, with all its assessors."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import Literal

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import InputError, UndefinedError, UsageError, quoted
from qrelsmith.base.scales import Scale, assumed_note, grade_text
from qrelsmith.collection.runs import Run
from qrelsmith.discrimination import Draws, Setting, collection_pdp
from qrelsmith.discrimination.label_pdp import CodedTests, GradedDocs
from qrelsmith.discrimination.label_set_pdp import Reading, Sampling, over_topics
from qrelsmith.discrimination.pdp_inputs import preferences_on_topics, read_grade_matrix
from qrelsmith.discrimination.pdp_notes import exclusion_notes, fewest_tests_notes
from qrelsmith.discrimination.pdp_result import LabelSetPdp, PdpOfLabels
from qrelsmith.discrimination.preferences.grade_matrix import GradeMatrix
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.io.cells import OffScale
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_transforms import of_group
from qrelsmith.judgments.preference_sources import preferences_of
from qrelsmith.judgments.sources import JudgmentsLike, as_judgments
from qrelsmith.judgments.topic_sources import TopicSet, of_topics
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.stats.population import FEWEST_TOPICS, few_topics_note


def pdp_of_judgments(
    labels: JudgmentsLike,
    preferences: Preferences | None,
    runs: Sequence[Run] | None,
    *,
    matrix: FloatArray | FilePath | None,
    mode: Mode,
    reading: Reading,
    sampling: Sampling,
    depth: int,
    group: str | None,
    errors: Literal["missing", "nonrelevant"],
    topic_set: TopicSet | None,
    scale: Scale | None,
    off_scale: OffScale,
    seed: int,
) -> PdpOfLabels:
    """Return the PDP of one label set, with all its assessors."""
    if (preferences is None) == (matrix is None):
        raise UsageError("expected either preferences or a grade matrix")
    matrix_given = None
    if matrix is not None:
        matrix_given = read_grade_matrix(matrix, scale, mode, paper=reading.smoothing == "paper")
        scale = Scale(matrix_given.levels)
    judgments = as_judgments(labels, scale=scale, off_scale=off_scale)
    if not len(judgments):
        listed = labels if isinstance(labels, list | tuple) else [labels]
        paths = [each for each in listed if isinstance(each, str | PathLike)]
        raise InputError(
            "no judgments found; expected at least one", path=paths[0] if paths else None
        )
    if scale is None and isinstance(labels, list | tuple):
        _check_one_scale(judgments)
    if group is not None:
        judgments = of_group(judgments, group)
    judgments = of_topics(judgments, topic_set)
    graded = GradedDocs.of(judgments, errors=errors)
    if not any(graded.docs):
        raise UndefinedError("no doc has a grade; expected grades to compare")
    coded: CodedTests | None = None
    evidence: GradeMatrix | PreferenceTests
    if matrix_given is None:
        preferences = preferences_on_topics(preferences or preferences_of(None), topic_set)
        if not len(preferences):
            raise UndefinedError("no preferences found; expected at least one")
        coded = graded.tests(preferences)
        evidence = coded.tests
    else:
        evidence = matrix_given
    per_batch = coded is not None and reading.batches != "all" and int(graded.batches.max()) > 0
    lists = graded.lists(runs, depth=depth) if runs is not None else None
    setting = Setting(
        grades=graded.grades,
        evidence=evidence,
        levels=scale.levels if scale is not None else graded.levels(),
        mode=mode,
        smoothing=reading.smoothing,
        untested=reading.untested,
        strength=reading.strength,
        batches=graded.batches if per_batch else None,
        lists=None if lists is None else lists.lists,
    )
    try:
        result = collection_pdp(
            setting,
            rng=Draws.of_topics(graded.topics, seed=seed),
            resamples=sampling.resamples,
            exact_docs=sampling.exact_docs,
            samples=sampling.samples,
        )
    except UndefinedError as error:
        hint = "; or combine the batches with --batches all" if per_batch else ""
        raise UndefinedError(f"{error}{hint}") from None
    notes = [] if scale is not None else [assumed_note(Scale(result.matrix.levels))]
    notes += [preferences.note] if preferences is not None and preferences.note else []
    notes += [*exclusion_notes(graded, coded, lists, depth, result), *fewest_tests_notes(result)]
    if sampling.resamples and result.defined < FEWEST_TOPICS:
        notes.append(few_topics_note(result.defined))
    row = LabelSetPdp(
        name="",
        mode=mode,
        assessors=int((~np.isnan(graded.grades)).any(axis=1).sum(axis=1).max()),
        pdp=over_topics(result),
        comparison=None,
        topics=graded.topics,
        lists=setting.lists,
    )
    return PdpOfLabels(sets=(row,), has_intervals=sampling.resamples > 0, notes=tuple(notes))


def _check_one_scale(judgments: Judgments) -> None:
    """Raise `UsageError` if assessors' highest grades differ, because scales may then differ."""
    tops = {
        assessor: float(judgments.grade[judgments.assessor == place].max())
        for place, assessor in enumerate(judgments.assessors)
    }
    low, high = min(tops, key=tops.__getitem__), max(tops, key=tops.__getitem__)
    if tops[low] < tops[high]:
        raise UsageError(
            f"the highest grades of {quoted(low)} and {quoted(high)} are {grade_text(tops[low])}"
            f" and {grade_text(tops[high])}; expected assessors on one scale. Set it with "
            f"--scale 0..{grade_text(tops[high])}, or compare two ways of labelling "
            "with `qrelsmith pdp compare`"
        )
