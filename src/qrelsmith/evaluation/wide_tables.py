"""Tables for papers: systems × measures, the best in bold, with marks of significance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.emphasis import Emphasised
from qrelsmith.base.errors import UndefinedError, UnknownNameError
from qrelsmith.evaluation.scores import Evaluation, ScoreMatrix, best_first
from qrelsmith.stats.multiplicity import holm
from qrelsmith.stats.paired_t import paired_t

ALPHA = 0.05
MARK = "*"


def wide_evaluation(evaluation: Evaluation, against: str | None) -> Evaluation:
    """Return an evaluation whose table is systems × measures.

    Parameters
    ----------
    evaluation : Evaluation
        The scores.
    against : str or None
        The run that the others are tested against; None: the best by each measure.

    Raises
    ------
    UnknownNameError
        If there is no such run.
    """
    if against is not None and against not in evaluation.systems:
        raise UnknownNameError("run", against, evaluation.systems)
    columns = []
    is_tested = False
    for measure in evaluation.measures:
        matrix = evaluation.matrix(measure)
        means = matrix.means()
        best = float(np.nanmax(means)) if not np.isnan(means).all() else np.nan
        place = int(np.nanargmax(means)) if against is None and not np.isnan(best) else 0
        place = place if against is None else matrix.systems.index(against)
        adjusted = _p_values(matrix, place)
        is_tested |= not np.isnan(adjusted).all()
        columns.append(
            [
                Emphasised(mean, is_best=mean == best, mark=MARK if p < ALPHA else "")
                for mean, p in zip(means.tolist(), adjusted.tolist(), strict=True)
            ]
        )
    notes = ["the best by each measure is in bold (Markdown, LaTeX, HTML)"]
    than = "the best" if against is None else against
    if is_tested:
        notes.append(
            f"{MARK}: differs from {than}, p < {ALPHA} (paired t-test over the topics, adjusted by"
            " Holm over the other runs)"
        )
    else:
        notes.append("no test: expected two runs, with scores on two topics or more")
    table = best_first(
        evaluation.systems, evaluation.measures, columns, notes=(*evaluation.notes, *notes)
    )
    return replace(evaluation, wide=table, notes=table.notes)


def _p_values(matrix: ScoreMatrix, place: int) -> FloatArray:
    """The adjusted p-value of each system against one; nan for itself and where no test is."""
    p = np.full(len(matrix.systems), np.nan)
    for other in range(len(p)):
        pair = matrix.scores[[place, other]].T
        pair = pair[~np.isnan(pair).any(axis=1)]
        if other != place and len(pair) > 1:
            try:
                p[other] = paired_t(pair).p[0]
            except UndefinedError:
                continue
    adjusted: FloatArray = holm(p)
    return adjusted
