"""Label sets and assessors that give (almost) every doc the same grade."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.scipy_parts import stats
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.damages.row_correlations import row_correlations
from qrelsmith.damages.spoiled_labels import all_labels

ONE_GRADE, VARIED = 0.95, 0.9
LEAST_DOCS = 50  # minimum number of docs per assessor
INFORMATIVE = 3.0  # minimum z of the correlation with another set's grades
_FORMULA = "P(Binomial(n, .9) ≥ docs with the most frequent grade)"


@dataclass(frozen=True, slots=True)
class _Flatness:
    """The most frequent grade of some labels, and the probability of at least this frequency."""

    share: float
    grade: float
    p: float
    is_large: bool


@DAMAGES.add(
    "constant-set",
    reported_as="constant",
    culprit="set",
    sentence="{value:.0%} of the labels have the grade {detail:g}",
    action="leave the label set out, or have the docs labelled again",
    by_chance=False,
    spoils=all_labels,
    formula=_FORMULA,
    source="ours",
)
def constant_set(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Test whether a label set has one grade almost everywhere, although another set's grades vary.

    The share of the grade must be at least .95. On the same docs, the share of the other set's most
    frequent grade must be below .9. Two sets are exempt. A set is a list of relevant docs if it has
    less than half of the other set's docs, mostly the relevant ones. The reference (the first set)
    may give almost all docs its lowest grade, if all other grades agree with the other set's
    grades. Value: the grade's share of the labels.

    Candidate: the label set itself.
    """
    mine, theirs = labels.grades[examined], labels.grades[other]
    shared = ~(np.isnan(mine) | np.isnan(theirs))
    flat = _flatness(mine[shared], theirs[shared])
    if flat is None:
        return Evidence.none()
    is_lowest = flat.grade <= labels.lowest[examined]
    innocent = (
        examined == 0 and flat.share < 1 and _follows(mine[shared], theirs[shared])
        if is_lowest
        else _lists_relevant_docs(labels, examined, other)
    )
    return Evidence.of(
        [()], flat.share, flat.p, large=flat.is_large and not innocent, detail=flat.grade
    )


def _spoiled_docs(
    labels: LabelArrays,
    label_set: int,
    culprit: tuple[int, ...],
    detail: float,  # noqa: ARG001
) -> BoolArray:
    """Return the docs that an assessor judged [topic, doc]."""
    spoiled = np.zeros(labels.grades.shape[1:], dtype=bool)
    rows = labels.session_of(label_set)
    if rows is not None:
        own = np.isin(rows.assessor, culprit)
        spoiled[rows.topic[own], rows.doc[own]] = True
    return spoiled


@DAMAGES.add(
    "constant-assessor",
    reported_as="constant",
    culprit="assessor",
    sentence="assessor {names} gave {value:.0%} of the docs the grade {detail:g}",
    otherwise="topics without relevant docs",
    action="talk to the assessor, and have a sample judged again",
    by_chance=False,
    spoils=_spoiled_docs,
    formula=_FORMULA,
    source="ours",
)
def constant_assessor(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find assessors who give almost all docs the same grade, although another set's grades vary.

    The share of the grade must be at least .95. On the same docs, the share of the other set's most
    frequent grade must be below .9. Value: the grade's share of the labels.

    Candidates: each assessor with 50 docs that the other set also labels. There are no candidates
    if there is only one assessor, or if all assessors give the same grade, which is a problem of
    the label set.
    """
    rows = labels.session_of(examined)
    if rows is None or len(rows.names) < 2:
        return Evidence.none()
    theirs = labels.grades[other][rows.topic, rows.doc]
    has_label = ~np.isnan(theirs)
    everybody = _flatness(rows.grade[has_label], theirs[has_label])
    if everybody is None or everybody.is_large:
        return Evidence.none()
    flat_of = {}
    for number in range(len(rows.names)):
        own = has_label & (rows.assessor == number)
        flat = _flatness(rows.grade[own], theirs[own]) if own.sum() >= LEAST_DOCS else None
        if flat is not None:
            flat_of[number,] = flat
    flats = flat_of.values()
    return Evidence.of(
        list(flat_of),
        [flat.share for flat in flats],
        [flat.p for flat in flats],
        large=[flat.is_large for flat in flats],
        detail=[flat.grade for flat in flats],
    )


def _flatness(mine: FloatArray, theirs: FloatArray) -> _Flatness | None:
    """Compare two sets' most frequent grades on the same docs [doc]; None if there are no docs."""
    if not len(mine):
        return None
    levels, counts = np.unique(mine, return_counts=True)
    _, their_counts = np.unique(theirs, return_counts=True)
    most = int(counts.max())
    share = most / len(mine)
    return _Flatness(
        share=share,
        grade=float(levels[counts.argmax()]),
        p=float(stats.binom.sf(most - 1, len(mine), VARIED)),
        is_large=share >= ONE_GRADE and their_counts.max() / len(mine) < VARIED,
    )


def _lists_relevant_docs(labels: LabelArrays, examined: int, other: int) -> bool:
    """Return whether a set has less than half of another set's docs, mostly the relevant ones.

    Such labels (for example from MS MARCO or clicks) have one grade because only relevant docs are
    listed.
    """
    mine, theirs = ~np.isnan(labels.grades[examined]), labels.grades[other]
    judged = ~np.isnan(theirs) & mine.any(axis=1, keepdims=True)
    shared = mine & judged
    return bool(
        2 * shared.sum() < judged.sum()
        and 2 * (theirs[shared] > labels.lowest[other]).sum() > shared.sum()
    )


def _follows(mine: FloatArray, theirs: FloatArray) -> bool:
    """Return whether grades increase with another set's grades [doc]."""
    correlation, count = row_correlations(mine[None], theirs[None])
    return bool(np.nan_to_num(correlation[0]) * np.sqrt(count[0]) > INFORMATIVE)
