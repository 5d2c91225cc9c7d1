"""Label sets, runs, pools and judgments as the arrays that the tests of damage use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.collection.pools.pool_sets import PoolSet
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.collection.teams import team_numbers
from qrelsmith.damages.label_arrays import AssessorGrades, LabelArrays
from qrelsmith.damages.origins import Origins
from qrelsmith.judgments.environments import sessions_of
from qrelsmith.judgments.judgment_events import Judgments

RANDOM_ORDERINGS = ("randomised",)


@dataclass(frozen=True, eq=False, slots=True)
class Layout:
    """Label arrays, and the names of the label sets, topics, docs, teams and runs in the arrays.

    Attributes
    ----------
    arrays : LabelArrays
        The arrays for the tests.
    label_sets, topics, teams, runs : tuple of str
        The names, in the order of the arrays.
    docs : tuple of tuple of str [topic]
        The docs of each topic.
    """

    arrays: LabelArrays
    label_sets: tuple[str, ...]
    topics: tuple[str, ...]
    teams: tuple[str, ...]
    runs: tuple[str, ...]
    docs: tuple[tuple[str, ...], ...]


def lay_out(
    sets: Mapping[str, Qrels],
    runs: Sequence[Run],
    teams: Mapping[str, str],
    pools: PoolSet | None,
    origins: Origins,
) -> Layout:
    """Convert label sets and runs to arrays.

    Parameters
    ----------
    sets : mapping of str to Qrels
        The label sets by name.
    runs : sequence of Run
        The runs, cut to the depth to be used.
    teams : mapping of str to str
        The team of each run.
    pools : PoolSet or None
        The pools; without pools, the order of judging is assumed to be prioritised over the runs.
    origins : Origins
        The origins of the labels.
    """
    topics, docs, grades = side_by_side(list(sets.values()))
    place = [{doc: at for at, doc in enumerate(of)} for of in docs]
    width = grades.shape[2]
    ranks = _ranks(runs, topics, place, width)
    team_names, team = team_numbers([run.name for run in runs], teams)
    sessions = tuple(_sessions(origins.judgments.get(name), topics, place) for name in sets)
    families = sorted(set(origins.models.values()))
    lowest = [float(np.nanmin(grades[n], initial=0.0)) for n in range(len(sets))]
    arrays = LabelArrays(
        grades=grades,
        orders=_orders(docs, ranks, pools, topics, width),
        sequence=np.arange(len(topics), dtype=float),  # sorted by id
        ranks=ranks,
        team=team,
        lowest=np.array(
            lowest if origins.lowest is None else [origins.lowest] * len(sets), dtype=float
        ),
        off_scale=np.array([origins.off_scale.get(name, 0) for name in sets], dtype=np.int64),
        person=np.array([name in origins.people for name in sets], dtype=bool),
        family=np.array(
            [
                families.index(origins.models[name]) if name in origins.models else -1
                for name in sets
            ],
            dtype=np.int64,
        ),
        ranks_with=frozenset(
            (number, team_names.index(owner))
            for number, name in enumerate(sets)
            for owner in origins.ranking_teams.get(name, ())
            if owner in team_names
        ),
        judged=_orders_of_judging(sessions, docs, width),
        sessions=sessions,
    )
    names = tuple(run.name for run in runs)
    return Layout(arrays, tuple(sets), topics, team_names, names, docs)


def side_by_side(
    sets: Sequence[Qrels],
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...], FloatArray]:
    """Return the topics, their docs, and the grades [set, topic, doc]; codes below 0 become nan."""
    rows = [qrels.grade >= 0 for qrels in sets]
    topics = sorted(
        {qrels.topics[t] for qrels, row in zip(sets, rows, strict=True)
         for t in np.unique(qrels.topic[row]).tolist()}
    )  # fmt: skip
    names = sorted(set().union(*(qrels.docs for qrels in sets)))
    topic_of = {topic: at for at, topic in enumerate(topics)}
    doc_of = {doc: at for at, doc in enumerate(names)}
    pairs = [
        np.array([topic_of.get(topic, -1) for topic in qrels.topics], dtype=np.int64)[
            qrels.topic[row]
        ]
        * len(names)
        + np.array([doc_of[doc] for doc in qrels.docs], dtype=np.int64)[qrels.doc[row]]
        for qrels, row in zip(sets, rows, strict=True)
    ]
    every = np.unique(np.concatenate(pairs))
    topic, doc = np.divmod(every, max(len(names), 1))
    begin = np.searchsorted(topic, np.arange(len(topics) + 1))
    docs = tuple(
        tuple(names[at] for at in doc[first:last].tolist())
        for first, last in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True)
    )
    grades = np.full((len(sets), len(topics), max(map(len, docs), default=0)), np.nan)
    for number, (qrels, row, own) in enumerate(zip(sets, rows, pairs, strict=True)):
        at = np.searchsorted(every, own)
        grades[number, topic[at], at - begin[topic[at]]] = qrels.grade[row]
    return tuple(topics), docs, grades


def _ranks(
    runs: Sequence[Run], topics: Sequence[str], place: Sequence[Mapping[str, int]], width: int
) -> IntArray:
    ranks = np.zeros((len(runs), len(topics), width), dtype=np.int64)
    for number, run in enumerate(runs):
        for at, topic in enumerate(topics):
            docs = run.docs.get(topic, ())
            found = np.fromiter(map(place[at].get, docs, repeat(-1)), np.int64, len(docs))
            inside = found >= 0
            ranks[number, at, found[inside]] = np.flatnonzero(inside) + 1
    return ranks


def _orders(
    docs: Sequence[Sequence[str]],
    ranks: IntArray,
    pools: PoolSet | None,
    topics: Sequence[str],
    width: int,
) -> IntArray:
    """Return each doc's place in pool files (or prioritised) and by docno [order, topic, doc]."""
    if pools is not None:
        listed = [
            np.stack(
                [
                    _in_pool(names, file.docs.get(t, ()), width)
                    for t, names in zip(topics, docs, strict=True)
                ]
            )
            for file in pools.pools
        ]
    else:
        listed = [
            np.stack([_prioritised_places(ranks[:, t], len(names)) for t, names in enumerate(docs)])
        ]
    by_docno = np.stack([_pad(np.arange(len(names)), width) for names in docs])
    distinct: list[IntArray] = []
    for order in [*listed, by_docno]:
        if not any(np.array_equal(order, known) for known in distinct):
            distinct.append(order)
    return np.stack(distinct)


def _in_pool(docs: Sequence[str], pool: Sequence[str], width: int) -> IntArray:
    """Return the place of each doc in a pool; docs outside the pool come last, by docno."""
    known = {doc: at for at, doc in enumerate(pool)}
    order = sorted(range(len(docs)), key=lambda at: (known.get(docs[at], len(known)), at))
    return _pad(np.argsort(order), width)


def _prioritised_places(ranks: IntArray, count: int) -> IntArray:
    """Return each doc's place by the number of runs with the doc, then sum of ranks, then docno."""
    width = ranks.shape[1]
    returned, sums = (ranks > 0).sum(axis=0)[:count], ranks.sum(axis=0)[:count]
    order = np.lexsort((np.arange(count), sums, -returned))
    return _pad(np.argsort(order), width)


def _pad(places: IntArray, width: int) -> IntArray:
    full = np.full(width, -1, dtype=np.int64)
    full[: len(places)] = places
    return full


def _sessions(
    judgments: Judgments | None, topics: Sequence[str], place: Sequence[Mapping[str, int]]
) -> AssessorGrades | None:
    """Return the current grades of a label set's assessors, with place and time."""
    if judgments is None:
        return None
    now = judgments.current()
    number = {topic: at for at, topic in enumerate(topics)}
    rows = [
        row
        for row, (topic, doc, grade) in enumerate(
            zip(now.topic.tolist(), now.doc.tolist(), now.grade.tolist(), strict=True)
        )
        if grade >= 0 and now.docs[doc] in place[number.get(now.topics[topic], -1)]
    ]
    taken = np.array(rows, dtype=np.int64)
    topic = np.array([number[now.topics[now.topic[row]]] for row in rows], dtype=np.int64)
    doc = np.array(
        [place[at][now.docs[now.doc[row]]] for at, row in zip(topic.tolist(), rows, strict=True)],
        dtype=np.int64,
    )
    ordering = np.array(now.ordering or [""] * len(now), dtype=object)[taken]
    return AssessorGrades(
        names=now.assessors,
        assessor=now.assessor[taken],
        topic=topic,
        doc=doc,
        grade=now.grade[taken],
        place=_places(now, taken),
        seconds=_seconds(now)[taken],
        is_random=np.isin(ordering, RANDOM_ORDERINGS),
    )


def _places(now: Judgments, taken: IntArray) -> FloatArray:
    """Return the number of docs of the topic judged before each doc, by position or by time."""
    moment = np.full(len(now), np.nan)
    if now.position is not None:
        moment = now.position
    elif now.judged_at is not None:
        moment = np.where(np.isnat(now.judged_at), np.nan, now.judged_at.astype(np.int64))
    of = sessions_of(now).of
    order = np.lexsort((moment, of))
    first = np.append(True, np.diff(of[order]) != 0)
    start = np.flatnonzero(first)[np.cumsum(first) - 1]
    places = np.empty(len(now))
    places[order] = np.arange(len(now)) - start
    return np.asarray(np.where(np.isnan(moment), np.nan, places)[taken])


def _seconds(now: Judgments) -> FloatArray:
    """Return the duration of each judgment: active time, or time since the doc was shown."""
    if now.active_ms is not None:
        return np.asarray(now.active_ms / 1000)
    if now.shown_at is None or now.judged_at is None:
        return np.full(len(now), np.nan)
    took = (now.judged_at - now.shown_at).astype("timedelta64[ms]")
    return np.asarray(np.where(np.isnat(took), np.nan, took.astype(np.int64) / 1000))


def _orders_of_judging(
    sessions: Sequence[AssessorGrades | None], docs: Sequence[Sequence[str]], width: int
) -> dict[int, IntArray]:
    """Return the orders of judging, for sets in which each doc of a topic has only one assessor."""
    judged: dict[int, IntArray] = {}
    for number, grades in enumerate(sessions):
        if grades is None or np.isnan(grades.place).any() or not len(grades.place):
            continue
        pairs = grades.topic * width + grades.doc
        if len(np.unique(pairs)) < len(pairs):
            continue
        places = np.full((len(docs), width), -1, dtype=np.int64)
        for topic, names in enumerate(docs):
            rows = np.flatnonzero(grades.topic == topic)
            key = np.full(len(names), np.inf)
            key[grades.doc[rows]] = grades.assessor[rows] * width + grades.place[rows]
            places[topic, : len(names)] = np.argsort(np.argsort(key, kind="stable"))
        judged[number] = places
    return judged
