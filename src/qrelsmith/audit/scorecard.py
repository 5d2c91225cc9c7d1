"""The scorecard: a verdict per label set and question, possible uses, and next steps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

import qrelsmith.audit.verdicts  # noqa: F401 - fills the registry
from qrelsmith.audit.actions import actions_of
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.verdicts.bounds import RULES
from qrelsmith.audit.verdicts.cells import bound, no_cell
from qrelsmith.audit.verdicts.rankable import ranking_obstacle
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import name_list
from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.content import Scorecard, ScorecardCell, SetView
from qrelsmith.base.figure_text import percent
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.ties import mean_ranks

_PASS = re.compile(r"[._ -]*(?:run|pass|repeat|seed|try|trial|round)[._ -]?\d+$", re.IGNORECASE)

# The beginning of the line, its short form after another purpose, and the verdicts.
_USES = (
    ("Can replace {reference} for", "", ("good",)),
    ("Can probably replace {reference} for", "probably for", ("probably good",)),
    (
        "Can replace {reference} with some loss for",
        "with some loss for",
        ("fair or better", "fair"),
    ),
    ("Unclear for", "unclear for", ("unclear", "fair or worse")),
    ("Cannot replace {reference} for", "not for", ("probably bad", "bad")),
)
# If there are more grades, they are shown as this number of ranges of equal width, each named by
# its lower end.
_MOST_GRADES, _RANGES = 8, 5
_NOBODY_CHOSE = "no label set is the reference; choose a reference with --reference"
_ALONE = "there is no other label set for a comparison"


def scorecard(inputs: AuditInputs) -> Scorecard:
    """Compute the verdict of every question for the label sets to which it applies."""
    entries = sorted(VERDICTS.entries(), key=lambda entry: entry.about["place"])
    label_sets = (inputs.reference, *inputs.others)
    reference = "" if inputs.reference_notice else inputs.reference
    cells = [
        _cell(inputs, label_set, entry.name, reference)
        for label_set in label_sets
        for entry in entries
    ]
    by_set = {name: [cell for cell in cells if cell.label_set == name] for name in label_sets}
    systems, views = set_views(inputs) if reference else ((), {})
    return Scorecard(
        cells=tuple(cells),
        reference=reference,
        label_sets=label_sets,
        questions={entry.name: entry.about["asks"] for entry in entries},
        actions=actions_of(inputs, cells),
        uses={
            name: use_of(name, reference, by_set[name], is_alone=not inputs.others)
            for name in label_sets
        },
        families=families_of(label_sets, {name: inputs.family(name) for name in label_sets}),
        sections={entry.name: entry.about["section"] for entry in entries},
        words={entry.name: entry.about["words"] for entry in entries},
        figures={
            name: (rule.brief, rule.bounds(percent if rule.lower_is_better else bound))
            for name, rule in RULES.items()
        },
        purposes={entry.name: entry.about["purpose"] for entry in entries},
        measure=inputs.measures[0],
        systems=systems,
        views=views,
    )


def _cell(inputs: AuditInputs, label_set: str, question: str, reference: str) -> ScorecardCell:
    entry = VERDICTS.get(question).entry
    label_sets = entry.about["of"]
    if not reference:
        return no_cell(label_set, question, _NOBODY_CHOSE)
    if label_sets == "others" and label_set == reference:
        compared = f"{label_set} is the reference"
        return no_cell(label_set, question, compared if inputs.others else _ALONE)
    if label_sets == "reference" and label_set != reference:
        return no_cell(label_set, question, f"this question applies only to {reference}")
    return entry.function(inputs, label_set)


def set_views(inputs: AuditInputs) -> tuple[tuple[str, ...], Mapping[str, SetView]]:
    """Return the systems in the reference's order, and a `SetView` of every other label set."""
    ratings = Judgments.from_qrels(inputs.label_sets).ratings()
    grades = dict(zip(ratings.assessors, ratings.values, strict=True))
    rankable = [name for name in inputs.others if not ranking_obstacle(inputs, name)]
    systems: tuple[str, ...] = ()
    if rankable:
        first, _ = inputs.scores_beside(rankable[0], inputs.measures[0])
        systems = tuple(first.systems[place] for place in np.argsort(-first.means()))
    views = {}
    for name in inputs.others:
        means, places = _place_systems(inputs, name, systems) if name in rankable else ([], [])
        rows, columns, docs = _count_grades(inputs, name, grades)
        views[name] = SetView(means, places, rows, columns, docs)
    return systems, views


def _place_systems(
    inputs: AuditInputs, name: str, systems: tuple[str, ...]
) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Return the means and ranks of the systems, under the reference and under a label set."""
    pair = inputs.scores_beside(name, inputs.measures[0])
    at = [pair[0].systems.index(system) for system in systems]
    means, places = (
        np.array([of(matrix.means())[at] for matrix in pair]).T.tolist()
        for of in (np.asarray, mean_ranks)
    )
    return [(a, b) for a, b in means], [(a, b) for a, b in places]


def _count_grades(
    inputs: AuditInputs, name: str, grades: Mapping[str, FloatArray]
) -> tuple[list[str], list[str], list[list[int]]]:
    """Return the grades of both sets, and the number of docs with each pair of grades."""
    sides = [(each, grades.get(each, np.empty(0))) for each in (inputs.reference, name)]
    if not all(values.size for _, values in sides):
        return [], [], []
    (rows, row), (columns, column) = (_in_levels(inputs, *side) for side in sides)
    both = (row >= 0) & (column >= 0)
    docs = np.zeros((len(rows), len(columns)), dtype=int)
    np.add.at(docs, (row[both], column[both]), 1)
    return rows, columns, docs.tolist()


def _in_levels(inputs: AuditInputs, name: str, values: FloatArray) -> tuple[list[str], IntArray]:
    """Return the names of the grades, and the index of each doc's grade (−1: no grade)."""
    graded = np.isfinite(values) & (values >= 0)
    text = inputs.scale_text(name)
    levels = 0 if text == "real" else int(text.removeprefix("0..")) + 1
    if 0 < levels <= _MOST_GRADES:
        places = np.where(graded, values, -1).astype(int)
        return list(map(str, range(levels))), np.minimum(places, levels - 1)
    low, high = (float(of(values[graded], initial=0.0)) for of in (np.min, np.max))
    ends = np.linspace(low, high, _RANGES + 1)
    places = np.clip(np.searchsorted(ends, values, side="right") - 1, 0, _RANGES - 1)
    return [f"{end:.2g}".removeprefix("0") or "0" for end in ends[:-1]], np.where(
        graded, places, -1
    )


def use_of(
    label_set: str, reference: str, cells: Sequence[ScorecardCell], *, is_alone: bool = False
) -> str:
    """Return the purposes for which a label set can replace the reference; empty if unknown.

    Parameters
    ----------
    label_set, reference : str
        The label set and its reference; the reference is empty if none was chosen.
    cells : sequence of ScorecardCell
        The verdicts of the label set.
    is_alone : bool
        Whether there is no other label set.
    """
    if not reference:
        return ""
    entries = sorted(VERDICTS.entries(), key=lambda entry: entry.about["place"])
    verdicts = {cell.question: cell.verdict for cell in cells}
    warnings = [
        entry.about["warning"]
        for entry in entries
        if entry.about["warning"] and verdicts.get(entry.name) == "bad"
    ]
    if label_set == reference:
        compared = [] if is_alone else ["Reference for the other label sets"]
        return _sentences("; ".join(compared), warnings)
    word_for = {
        entry.about["purpose"]: word
        for entry in entries
        if entry.about["purpose"] and (word := verdicts.get(entry.name, "none")) != "none"
    }
    parts = []
    if word_for and set(word_for.values()) <= {"bad", "probably bad"}:
        worse = name_list([purpose for purpose, word in word_for.items() if word == "bad"])
        parts = [f"Cannot replace {reference} for any purpose"]
        parts += [f"clearly worse for {worse}"] if worse else []
        return _sentences("; ".join(parts), warnings)
    for first, later, words in _USES:
        if purposes := [purpose for purpose, word in word_for.items() if word in words]:
            how = later if parts else first.format(reference=reference)
            parts.append(f"{how}: {', '.join(purposes)}")
    return _sentences("; ".join(parts), warnings)


def _sentences(uses: str, warnings: Sequence[str]) -> str:
    return " ".join(f"{text[0].upper()}{text[1:]}." for text in (uses, *warnings) if text)


def families_of(label_sets: Sequence[str], declared: Mapping[str, str]) -> Mapping[str, str]:
    """Return the model of each label set, for models with several passes.

    Parameters
    ----------
    label_sets : sequence of str
        The label sets. A name that ends in `run1`, `pass2` or similar is treated as a pass.
    declared : mapping of str to str
        The families declared by the campaign.

    Returns
    -------
    mapping of str to str
        Only families of at least two label sets.
    """
    found = {name: declared.get(name) or _PASS.sub("", name) for name in label_sets}
    often = Counter(found.values())
    return {name: family for name, family in found.items() if family and often[family] > 1}
