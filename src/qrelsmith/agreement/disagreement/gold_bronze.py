"""The grades of Gold and of Bronze for the same docs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import AnyArray, BoolArray, FloatArray, IntArray
from qrelsmith.base.errors import UndefinedError, UsageError, quoted
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.ratings import Errors


@dataclass(frozen=True, slots=True, eq=False)
class GoldBronze:
    """The docs that Gold and every Bronze voice have judged.

    A voice is a group of assessors, or an assessor without a group. The grade of a voice is the
    lower median of the current grades of the voice's assessors.

    Attributes
    ----------
    gold_name : str
        The name of the Gold group or assessor.
    voices : tuple of str
        The names of the Bronze voices, as given.
    docs : tuple of (str, str) [doc]
        Topic and doc; sorted.
    gold : float array [doc]
        Gold's grades.
    bronze : float array [doc, voice]
        The Bronze grades.
    orderings : tuple of str [doc]
        The ordering in which Gold saw the doc; empty if unknown.
    positions : float array [doc]
        The position at which Gold first saw the doc; nan if unknown.
    assessors : tuple of str [doc]
        Gold's assessors who judged the doc, joined by `+`.
    unmatched : int
        Docs with a Gold grade but without a grade of every voice; these are left out.
    of_two : tuple of str
        Gold and voices that have docs with exactly two grades, of which the lower one counts.
    """

    gold_name: str
    voices: tuple[str, ...]
    docs: tuple[tuple[str, str], ...]
    gold: FloatArray
    bronze: FloatArray
    orderings: tuple[str, ...]
    positions: FloatArray
    assessors: tuple[str, ...]
    unmatched: int
    of_two: tuple[str, ...] = ()

    def select(self, kept: BoolArray) -> GoldBronze:
        """Return the docs where `kept` is true."""
        rows = np.flatnonzero(kept).tolist()
        return GoldBronze(
            gold_name=self.gold_name,
            voices=self.voices,
            docs=tuple(self.docs[row] for row in rows),
            gold=self.gold[rows],
            bronze=self.bronze[rows],
            orderings=tuple(self.orderings[row] for row in rows),
            positions=self.positions[rows],
            assessors=tuple(self.assessors[row] for row in rows),
            unmatched=self.unmatched,
            of_two=self.of_two,
        )

    def of_orderings(self, names: Sequence[str]) -> GoldBronze:
        """Return the docs that Gold saw in the given orderings.

        Raises
        ------
        UsageError
            If Gold saw no doc in one of the orderings.
        """
        for name in names:
            if name not in self.orderings:
                there = ", ".join(sorted(set(self.orderings) - {""})) or "none"
                raise UsageError(
                    f"{self.gold_name} has no docs in the ordering {quoted(name)} (orderings:"
                    f" {there})"
                )
        return self.select(np.array([ordering in names for ordering in self.orderings], dtype=bool))

    def in_original_order(self) -> IntArray:
        """Return docs by topic, in the order in which Gold saw them; unseen docs come last."""
        topics = np.array([topic for topic, _ in self.docs], dtype=object)
        docs = np.array([doc for _, doc in self.docs], dtype=object)
        position = np.nan_to_num(self.positions, nan=np.inf)
        return np.lexsort((docs, position, topics)).astype(np.int64) if self.docs else _NONE


# Judgments and qrels cannot be mixed.
_GOLD_ELSEWHERE = (
    ". If its labels are qrels, pass that file and one qrels file for each other group; `qrelsmith"
    " aggregate JUDGMENTS --aggregation median --group NAME` creates the qrels of a group"
)
_NONE = np.empty(0, dtype=np.int64)


def gold_and_bronze(
    judgments: Judgments, gold: str, bronze: Sequence[str] = (), *, errors: Errors = "missing"
) -> GoldBronze:
    """Align Gold's and Bronze's grades of the same docs.

    Parameters
    ----------
    judgments : Judgments
        The judgments; only latest revisions count.
    gold : str
        The group, or the assessor in no group, that is Gold.
    bronze : sequence of str
        The groups and assessors that are Bronze; by default, all except Gold.
    errors : {'missing', 'nonrelevant'}
        Treatment of the code −2 (could not be displayed): missing, or the grade 0.

    Raises
    ------
    UsageError
        If a name is unknown or given twice.
    UndefinedError
        If no doc was judged by Gold and every Bronze voice.
    """
    ratings = judgments.ratings(errors=errors)
    voice_of = _voices(judgments, ratings.assessors)
    known = sorted(set(voice_of))
    others = tuple(bronze) or tuple(name for name in known if name != gold)
    _check_names(gold, others, known)
    members = {
        name: [place for place, voice in enumerate(voice_of) if voice == name]
        for name in (gold, *others)
    }
    said = np.stack(
        [AGGREGATIONS.get("median")(ratings.values[members[name]]) for name in (gold, *others)]
    )
    has_gold = ~np.isnan(said[0])
    both = ~np.isnan(said).any(axis=0)
    if not both.any():
        raise UndefinedError(
            f"no doc was judged by {gold} and by all of {', '.join(others)}; expected at least one"
        )
    place = np.flatnonzero(both)
    seen = _as_gold_saw_them(judgments, ratings.assessors, members[gold], ratings.units, place)
    return GoldBronze(
        gold_name=gold,
        voices=others,
        docs=tuple(ratings.units[unit] for unit in place.tolist()),
        gold=said[0, place],
        bronze=np.ascontiguousarray(said[1:, place].T),
        orderings=seen[0],
        positions=seen[1],
        assessors=seen[2],
        unmatched=int((has_gold & ~both).sum()),
        of_two=tuple(
            name
            for name, rows in members.items()
            if ((~np.isnan(ratings.values[rows][:, both])).sum(axis=0) == 2).any()
        ),
    )


def _voices(judgments: Judgments, assessors: Sequence[str]) -> list[str]:
    """Return the group of each assessor, or the assessor's name if there is no group.

    Raises
    ------
    UsageError
        If an assessor is in two groups.
    """
    now = judgments.current()
    groups: list[set[str]] = [set() for _ in assessors]
    for assessor, group in zip(now.assessor.tolist(), now.group or (), strict=False):
        groups[assessor].add(group)
    for assessor, named in zip(assessors, groups, strict=True):
        if len(named - {""}) > 1:
            raise UsageError(
                f"assessor {quoted(assessor)} is in the groups"
                f" {' and '.join(map(quoted, sorted(named - {''})))}; expected one group"
            )
    return [
        max(named, default="") or assessor
        for assessor, named in zip(assessors, groups, strict=True)
    ]


def _check_names(gold: str, others: Sequence[str], known: Sequence[str]) -> None:
    for name in (gold, *others):
        if name not in known:
            raise UsageError(
                f"{quoted(name)} is neither a group nor an assessor without a group "
                f"(available: {', '.join(known)}){_GOLD_ELSEWHERE * (name == gold)}"
            )
    for place, name in enumerate(others):
        if name in (gold, *others[:place]):
            raise UsageError(f"{quoted(name)} is named twice; expected each name once")
    if not others:
        raise UsageError(f"{quoted(gold)} is the only assessor; expected at least two assessors")


def _as_gold_saw_them(
    judgments: Judgments,
    assessors: Sequence[str],
    members: Sequence[int],
    units: Sequence[tuple[str, str]],
    place: IntArray,
) -> tuple[tuple[str, ...], FloatArray, tuple[str, ...]]:
    """Return the ordering, position and assessors with which Gold saw each of the given docs."""
    now = judgments.restricted_to(assessors=[assessors[one] for one in members]).current()
    where = {units[unit]: row for row, unit in enumerate(place.tolist())}
    orderings: list[set[str]] = [set() for _ in where]
    names: list[set[str]] = [set() for _ in where]
    positions = np.full(len(where), np.inf)
    ordering = now.ordering or ("",) * len(now)
    position: AnyArray = np.full(len(now), np.nan) if now.position is None else now.position
    for event in np.flatnonzero(now.grade != -1).tolist():
        row = where.get((now.topics[now.topic[event]], now.docs[now.doc[event]]))
        if row is None:
            continue
        orderings[row].add(ordering[event])
        names[row].add(now.assessors[now.assessor[event]])
        positions[row] = np.fmin(positions[row], position[event])
    return (
        tuple("+".join(sorted(found - {""})) for found in orderings),
        np.where(np.isinf(positions), np.nan, positions),
        tuple("+".join(sorted(found)) for found in names),
    )
