"""The units to judge: the docs of the runs within a measure's depth, with their ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UsageError
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.run_names import distinct_names
from qrelsmith.collection.run_tops import RunTop, read_run_top, run_top
from qrelsmith.collection.runs import Run
from qrelsmith.io.text import FilePath


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Topics with docs to judge, and the ranks of the docs in each system.

    Attributes
    ----------
    runs : tuple of str
        The systems, sorted so that sums do not depend on the given order.
    topics : tuple of str
        The topics, sorted; topics without units also count in means.
    keys : tuple of (str, str)
        Topic and doc of each unit, sorted.
    topic : int array [unit]
        Indices into `topics`.
    rank : int array [system, unit]
        Ranks from 1; 0 if the system does not return the doc within the depth.
    unlabelled : int
        Number of docs within the depth without a grade in any label set.
    other_topics : int
        Number of run topics missing from all label sets; these are left out.
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    keys: tuple[tuple[str, str], ...]
    topic: IntArray
    rank: IntArray
    unlabelled: int = 0
    other_topics: int = 0

    def grades(self, qrels: Qrels) -> FloatArray:
        """Return a label set's grades [unit]; missing grades and codes below 0 become nan."""
        known = qrels.to_dict()
        found = np.array([known.get(t, {}).get(d, np.nan) for t, d in self.keys], dtype=np.float64)
        return np.asarray(np.where(found >= 0, found, np.nan))


def units_of(
    runs: Sequence[Run | FilePath],
    label_sets: Mapping[str, Qrels],
    *,
    depth: int,
    topics: Sequence[str] | None = None,
    order: str = "trec",
) -> Units:
    """Return the units of the given runs.

    The pool includes every doc in the top ranks of a run, even without a model grade. Docs that
    occur only in a label set are also units, because an ideal ranking may need them.

    Parameters
    ----------
    runs : sequence of Run or path
        The systems.
    label_sets : mapping of str to Qrels
        The labels of models.
    depth : int
        The last rank that counts.
    topics : sequence of str, optional
        Restrict to these topics; by default the topics of the label sets, else of the runs.
    order : str
        How the docs of a run file are ranked.

    Raises
    ------
    InputError
        If a run is malformed.
    UsageError
        If no unit is left.
    """
    labelled = {
        (topic, doc) for qrels in label_sets.values() for topic, doc, g in qrels.rows() if g >= 0
    }
    only = None if topics is None else set(topics)
    tops: list[RunTop] = [
        run_top(run, depth=depth, topics=only)
        if isinstance(run, Run)
        else read_run_top(run, depth=depth, topics=only, order=order)
        for run in runs
    ]
    returned = {(topic, doc) for top in tops for topic, docs in top.docs.items() for doc in docs}
    returned_topics = {topic for topic, _ in returned}
    wanted = only or {topic for topic, _ in labelled} or returned_topics
    returned, labelled = (
        {key for key in some if key[0] in wanted} for some in (returned, labelled)
    )
    keys = tuple(sorted(returned | labelled))
    if not keys:
        raise UsageError("no run returns a doc of these topics; expected docs to judge")
    names = tuple(sorted(wanted))
    place = {key: column for column, key in enumerate(keys)}
    rank = np.zeros((len(tops), len(keys)), dtype=np.int64)
    for row, top in enumerate(tops):
        for topic, docs in top.docs.items():
            for position, doc in enumerate(docs, start=1):
                column = place.get((topic, doc))
                if column is not None:
                    rank[row, column] = position
    topic_of = {topic: number for number, topic in enumerate(names)}
    tags = [top.name for top in tops]
    named = distinct_names(tags, [str(n) if isinstance(n, Run) else n for n in runs])
    by_name = sorted(range(len(named)), key=named.__getitem__)
    return Units(
        runs=tuple(named[row] for row in by_name),
        topics=names,
        keys=keys,
        topic=np.array([topic_of[topic] for topic, _ in keys], dtype=np.int64),
        rank=rank[by_name],
        unlabelled=len(returned - labelled) if label_sets else 0,
        other_topics=len(returned_topics - wanted),
    )
