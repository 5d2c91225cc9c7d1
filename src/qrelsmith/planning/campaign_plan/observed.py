"""An existing collection, as labels and runs for the fit of the simulator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import InputError, UndefinedError, UsageError
from qrelsmith.base.rng import shuffle
from qrelsmith.base.scales import Scale
from qrelsmith.collection.runs import Run
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.planning.campaign_plan.judged_runs import JudgedRuns

_COVERED = 0.95  # smallest share of judged docs in a pool
_ALONE = 0.8  # share of the topics from which each assessor of a group counts as a label set
DEEPEST = 100  # number of ranks that are read from runs


@dataclass(frozen=True, slots=True, eq=False)
class ObservedCampaign:
    """The labels and runs of a collection.

    Attributes
    ----------
    names : tuple of str
        The label sets: an assessor who judged most topics, or the first, second, … assessor of each
        topic if a group shares the topics.
    topics : tuple of str
        The topics, sorted.
    depth : int
        The greatest depth at which 95% of the pooled docs are judged.
    left_out : int
        The number of judged docs outside that pool.
    judged : JudgedRuns
        The labels of the pooled docs, and the runs.
    """

    names: tuple[str, ...]
    topics: tuple[str, ...]
    depth: int
    left_out: int
    judged: JudgedRuns

    def halves(self, *, seed: int) -> tuple[JudgedRuns, JudgedRuns]:
        """Return the labels and runs of a random half of the topics, and of the other half."""
        places = {topic: place for place, topic in enumerate(self.topics)}
        mixed = [places[t] for t in shuffle(self.topics, seed=seed, keys=("plan", "halves"))]
        half = (len(mixed) + 1) // 2
        return self.judged.of_topics(mixed[:half]), self.judged.of_topics(mixed[half:])


def observed_campaign(
    judgments: Judgments, runs: Sequence[Run], *, scale: Scale
) -> ObservedCampaign:
    """Return the labels and runs of a collection.

    Parameters
    ----------
    judgments : Judgments
        Labels of several assessors or label sets; only latest revisions, and no codes, are used.
    runs : sequence of Run
        At least two runs; up to 100 ranks of each are used.
    scale : Scale
        The scale of the labels.

    Raises
    ------
    InputError
        If a grade is not on the scale.
    UsageError
        If there are fewer than two runs.
    UndefinedError
        If there are fewer than two label sets, or no pool is judged.
    """
    if len(runs) < 2:
        raise UsageError(f"found {len(runs)} runs; expected at least two to fit systems")
    names, labels = _label_sets(judgments, scale)
    if len(names) < 2:
        raise UndefinedError(
            "found labels of one assessor; expected two assessors or more to measure noise"
        )
    judged_docs = {unit for units in labels for unit in units}
    topics = tuple(sorted({topic for topic, _ in judged_docs}))
    first = _first_ranks(runs, topics)
    depth = _judged_depth(first, judged_docs)
    units = sorted(unit for unit, rank in first.items() if rank <= depth and unit in judged_docs)
    place = {unit: number for number, unit in enumerate(units)}
    of_topic = {topic: number for number, topic in enumerate(topics)}
    ratings = np.full((len(names), len(units)), np.nan)
    for row, given in zip(ratings, labels, strict=True):
        for unit, grade in given.items():
            if unit in place:
                row[place[unit]] = grade
    return ObservedCampaign(
        names=names,
        topics=topics,
        depth=depth,
        left_out=len(judged_docs) - len(units),
        judged=JudgedRuns(
            topic=np.array([of_topic[topic] for topic, _ in units], dtype=np.int64),
            ratings=ratings,
            ranked=_ranks_of_runs(runs, topics, place),
            levels=len(scale.levels),
        ),
    )


def _label_sets(
    judgments: Judgments, scale: Scale
) -> tuple[tuple[str, ...], list[dict[tuple[str, str], float]]]:
    """Return the names and the labels of the label sets; grades are level numbers."""
    names: list[str] = []
    labels: list[dict[tuple[str, str], float]] = []
    for group, own in judgments.by_group().items():
        values, assessors, units = own.ratings()
        known = ~np.isnan(values)
        codes = np.searchsorted(scale.levels, values)
        if not scale.holds(values[known]).all():
            wrong = values[known][~scale.holds(values[known])][0]
            raise InputError(f"the grade {wrong:g} is not on the scale {scale}")
        for name, who in _slots(group, assessors, known, [topic for topic, _ in units]):
            unit = np.flatnonzero(who >= 0)
            given = {units[place]: float(codes[who[place], place]) for place in unit.tolist()}
            names.append(name)
            labels.append(given)
    return tuple(names), labels


def _slots(
    group: str, assessors: Sequence[str], has_label: np.ndarray, topics: Sequence[str]
) -> Iterator[tuple[str, IntArray]]:
    """Yield each label set's name, and the assessor who labelled each unit (−1 if none)."""
    of, number = np.unique(topics, return_inverse=True)
    active: FloatArray = np.zeros((len(assessors), of.size))
    for row, labelled in zip(active, has_label, strict=True):
        row[number[labelled]] = 1.0
    if (active.mean(axis=1) >= _ALONE).all():
        for number_of, name in enumerate(assessors):
            yield name, np.where(has_label[number_of], number_of, -1)
        return
    for slot in range(int(active.sum(axis=0).max())):
        # The assessor of a topic who comes after this number of the topic's other assessors.
        mine = (np.cumsum(active, axis=0) == slot + 1) & (active > 0)
        who = np.where(mine.any(axis=0), mine.argmax(axis=0), -1)[number]
        given = (who >= 0) & has_label[np.maximum(who, 0), np.arange(len(topics))]
        yield f"{group or 'assessor'} {slot + 1}", np.where(given, who, -1)


def _first_ranks(runs: Sequence[Run], topics: Sequence[str]) -> dict[tuple[str, str], int]:
    """Return the best rank of each doc in any run."""
    first: dict[tuple[str, str], int] = {}
    for run in runs:
        for topic in topics:
            for rank, doc in enumerate(run.docs.get(topic, ())[:DEEPEST], start=1):
                if first.get((topic, doc), rank) >= rank:
                    first[topic, doc] = rank
    return first


def _judged_depth(first: dict[tuple[str, str], int], judged: set[tuple[str, str]]) -> int:
    ranks = np.array(list(first.values()), dtype=np.int64)
    known = np.array([unit in judged for unit in first], dtype=np.int64)
    if not known.any():
        raise UndefinedError("no doc of the runs is judged; expected labels of pooled docs")
    pooled = np.bincount(ranks, minlength=2).cumsum()[1:]
    covered = np.bincount(ranks, weights=known, minlength=2).cumsum()[1:]
    deep = np.flatnonzero(covered >= _COVERED * pooled)
    if deep.size == 0:
        raise UndefinedError(
            f"{covered[0] / pooled[0]:.0%} of the top docs of the runs are judged; "
            f"expected {_COVERED:.0%} or more"
        )
    return int(deep[-1]) + 1


def _ranks_of_runs(
    runs: Sequence[Run], topics: Sequence[str], place: dict[tuple[str, str], int]
) -> IntArray:
    """Return the unit at each [system, topic, rank]; −1 for a rank with no doc or an unused doc."""
    depth = max((len(run.docs.get(topic, ())) for run in runs for topic in topics), default=1)
    ranked = np.full((len(runs), len(topics), max(min(depth, DEEPEST), 1)), -1)
    for system, run in enumerate(runs):
        for number, topic in enumerate(topics):
            docs = run.docs.get(topic, ())[:DEEPEST]
            ranked[system, number, : len(docs)] = [place.get((topic, doc), -1) for doc in docs]
    return ranked
