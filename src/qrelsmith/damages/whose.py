"""All tests of all label sets: the findings, and the label set at fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

from qrelsmith.base.arrays import BoolArray
from qrelsmith.base.registry_entries import Entry
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.examined import Examined, by_majority
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DamageTest
from qrelsmith.damages.repeats import same_model
from qrelsmith.damages.spoiled_labels import without
from qrelsmith.stats.multiplicity import holm

ALPHA = 0.05
"""The maximum share of campaigns without problems in which any damage is reported."""

# How clearly the remaining sets must implicate the reference to blame it: z of 5%, one-sided.
_SIGNIFICANT = 1.645


@dataclass(frozen=True, eq=False, slots=True)
class _Family:
    """The tests of one kind of damage, and the significance level in each label set."""

    labels: LabelArrays
    entry: Entry[DamageTest]
    reference: int
    level: float

    def evidence(self, examined: int, other: int) -> Evidence:
        key = ("evidence", self.entry.name, examined, other)
        return self.labels.once(key, lambda: self.entry.function(self.labels, examined, other))

    def against(self, reference: int, other: int) -> Evidence:
        """Return evidence about the reference; each pair of sets is tested only once."""
        mirrored = self.entry.about["mirrored"]
        if not mirrored:
            return self.evidence(reference, other)
        evidence = self.evidence(other, reference)
        if mirrored == "detail":
            return replace(evidence, detail=-evidence.detail)
        if mirrored == "value":
            low, high = -evidence.high, -evidence.low
            return replace(evidence, value=-evidence.value, low=low, high=high)
        return evidence

    def others(self, *but: int) -> list[int]:
        """Return the sets that have labels, except the excluded sets."""
        return [each for each in np.flatnonzero(self.has_labels).tolist() if each not in but]

    @property
    def has_labels(self) -> BoolArray:
        """Whether a set has labels that are not known to be useless [set]."""
        return np.asarray((~np.isnan(self.labels.grades)).any(axis=(1, 2)))

    def support(self, examined: int, culprit: tuple[int, ...], witnesses: Sequence[int]) -> float:
        """Return the mean z of a damage in a set over comparisons with the sets `witnesses`."""
        z = [self.evidence(examined, witness).z_of(culprit) for witness in witnesses]
        return float(np.nan_to_num(z).mean()) if z else 0.0


def examine(
    labels: LabelArrays,
    entries: Sequence[Entry[DamageTest]],
    *,
    reference: int,
    alpha: float = ALPHA,
    advance: Callable[[], None] = lambda: None,
) -> list[Examined]:
    """Run all tests on all label sets.

    Each set is compared with the reference, and the reference with a strict majority of the other
    sets (`majority_p`). Each kind has the significance level alpha/(kinds × sets) in each set, with
    Holm's adjustment over its possible sources. The probability that a campaign without problems
    shows any damage is therefore at most alpha, even if tests are dependent.

    If both compared sets could be at fault, the remaining sets decide. The reference is at fault if
    the damage is significant between the reference and the remaining sets. The damage must also be
    clearer in this comparison than between the examined set and the remaining sets.

    A person is named only if p is below the square of the significance level.

    Problems that are certain are listed first. Labels that are known to be useless are left out of
    the tests for other damage. Such labels are those of an assessor who gives one grade, of a
    shifted topic, or of a tail.

    Parameters
    ----------
    labels : LabelArrays
        Label sets and runs.
    entries : sequence of Entry
        The damages to test for.
    reference : int
        The label set with which the other sets are compared.
    alpha : float
        The maximum share of campaigns without problems that have any finding.
    advance : callable
        Called after each label set of each kind.
    """
    level = level_of(entries, len(labels.grades), alpha)
    rows: list[Examined] = []
    spoiled: list[tuple[int, BoolArray]] = []
    for _, entries_of_stage in groupby(sorted(entries, key=_stage), key=_stage):
        usable = without(labels, spoiled)
        for entry in entries_of_stage:
            strict = level**2 if entry.about["culprit"] == "assessor" else level
            own = _level_of_kind(entry, strict, len(labels.grades))
            of_kind = _of_kind(_Family(usable, entry, reference, own), advance)
            rows += of_kind
            if spoils := entry.about["spoils"]:
                spoiled += [
                    (row.label_set, spoils(labels, row.label_set, row.culprit, row.detail))
                    for row in of_kind
                    if row.found
                ]
    return best_explained(rows)


def best_explained(rows: Sequence[Examined]) -> list[Examined]:
    """Drop findings about a topic if another kind of damage explains the topic better.

    If several kinds are found in the same topic of a label set, the kind with the smallest p is
    kept. An open-ended kind is kept only if no other kind is found.
    """
    best: dict[tuple[int, int], tuple[bool, float, str]] = {}

    def rank(row: Examined) -> tuple[bool, float, str]:
        return bool(row.entry.about["open_ended"]), row.p, row.damage

    topics = [row for row in rows if row.found and row.entry.about["culprit"] == "topic"]
    for row in topics:
        for topic in row.culprit:
            place = row.label_set, topic
            best[place] = min(best.get(place, rank(row)), rank(row))
    beaten = {
        id(row)
        for row in topics
        if any(best[row.label_set, topic] < rank(row) for topic in row.culprit)
    }
    return [replace(row, found=False) if id(row) in beaten else row for row in rows]


def _stage(entry: Entry[DamageTest]) -> tuple[bool, bool]:
    """Return the sort key of tests: deterministic tests first, then damages that spoil labels."""
    return bool(entry.about["by_chance"]), entry.about["spoils"] is None


def level_of(entries: Sequence[Entry[DamageTest]], sets: int, alpha: float) -> float:
    """Return the significance level of one kind in one label set: an equal share of alpha."""
    kinds = sum(bool(entry.about["by_chance"]) for entry in entries)
    return alpha / max(kinds * sets, 1)


def _level_of_kind(entry: Entry[DamageTest], level: float, sets: int) -> float:
    """Return a kind's significance level in a set, higher if the reference is not tested."""
    return level if entry.about["of_reference"] else level * sets / max(sets - 1, 1)


def _of_kind(family: _Family, advance: Callable[[], None]) -> list[Examined]:
    """Examine all label sets for one kind of damage, the reference last."""
    of_sets: list[Examined] = []
    for label_set in family.others(family.reference):
        of_sets += _of_set(family, label_set)
        advance()
    of_reference = _of_reference(family, of_sets)
    advance()
    if not family.entry.about["mirrored"] and any(row.found for row in of_reference):
        of_sets = [_clear(family, row) for row in of_sets]
    return of_sets + of_reference


def _of_set(family: _Family, label_set: int) -> list[Examined]:
    """Return the rows of a label set that is not the reference."""
    against = family.entry.about["against"]
    if against and not family.has_labels[family.reference]:
        return []
    evidence = family.evidence(label_set, family.reference if against else label_set)
    rows = _rows(family, label_set, evidence, family.reference if against else -1)
    if not against:
        return rows
    witnesses = family.others(label_set, family.reference)
    return [_blame(family, row, witnesses) if row.found else row for row in rows]


def _blame(family: _Family, row: Examined, witnesses: Sequence[int]) -> Examined:
    """Return a row with the set at fault, and the number of other sets that share the problem."""
    if not family.entry.about["by_chance"]:  # certain in any case
        return row
    if not family.entry.about["mirrored"]:
        others = [each for each in witnesses if not _is_one_method(family, each, row.label_set)]
        z = [family.evidence(each, family.reference).z_of(row.culprit) for each in others]
        sharing = int((np.nan_to_num(z) > _SIGNIFICANT).sum())
        return replace(row, sharing=sharing, others=len(others))
    if not witnesses:
        return replace(row, blamed=-1)
    mine = family.support(row.label_set, row.culprit, witnesses)
    theirs = family.support(family.reference, row.culprit, witnesses)
    if theirs > max(mine, _SIGNIFICANT):
        return replace(row, blamed=family.reference, found=False)
    return row


def _is_one_method(family: _Family, first: int, second: int) -> bool:
    """Return whether one model made both sets, as declared or according to their errors."""
    labels = family.labels
    early, late = sorted((first, second))
    key = ("evidence", "same-model", early, family.reference)
    alike = labels.once(key, lambda: same_model(labels, early, family.reference))
    return (early, late) in alike.culprits


def _clear(family: _Family, row: Examined) -> Examined:
    """Withdraw a finding if other sets do not confirm it; the reference then has the damage."""
    witnesses = family.others(row.label_set, family.reference)
    if not (row.found and witnesses):
        return row
    if family.support(row.label_set, row.culprit, witnesses) > _SIGNIFICANT:
        return row
    return replace(row, blamed=family.reference, found=False)


def _of_reference(family: _Family, others: Sequence[Examined]) -> list[Examined]:
    """Return rows of the reference: problems shown by most other sets, or blamed on it."""
    reference, about = family.reference, family.entry.about
    if not family.has_labels[reference]:
        return []
    if not about["against"]:
        return _rows(family, reference, family.evidence(reference, reference), -1)
    held = family.others(reference) if about["of_reference"] else []
    if not held:
        return []
    evidence = by_majority([family.against(reference, other) for other in held])
    rows = _rows(family, reference, evidence, held[0] if len(held) == 1 else -2)
    if len(held) == 1 and about["mirrored"]:
        rows = [replace(row, blamed=-1) if row.found else row for row in rows]
    at_fault: dict[tuple[int, ...], Examined] = {}
    for row in others:
        if row.blamed == reference and row.culprit not in at_fault:
            at_fault[row.culprit] = replace(row, label_set=reference, found=True)
    return [
        at_fault.pop(row.culprit) if row.culprit in at_fault and not row.found else row
        for row in rows
    ] + [row for culprit, row in at_fault.items() if culprit not in evidence.culprits]


def _rows(family: _Family, label_set: int, evidence: Evidence, other: int) -> list[Examined]:
    if not evidence.culprits:
        return []
    p = holm(evidence.p)
    return [
        Examined(
            entry=family.entry,
            label_set=label_set,
            culprit=culprit,
            value=float(evidence.value[at]),
            low=float(evidence.low[at]),
            high=float(evidence.high[at]),
            detail=float(evidence.detail[at]),
            p=float(p[at]),
            found=bool(evidence.large[at] and p[at] <= family.level),
            other=other,
            blamed=label_set,
        )
        for at, culprit in enumerate(evidence.culprits)
    ]
