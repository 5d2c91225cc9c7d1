"""A simulated collection in the file formats of a real collection."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.planning.simulation import MultiscaleCollection


def crowd_judgments(collection: MultiscaleCollection, levels: int) -> Judgments:
    """Return the labels of the crowd on the scale with `levels` levels, with HITs and positions.

    Raises
    ------
    UsageError
        If there is no such crowd.
    """
    for crowd in collection.crowds:
        if crowd.levels == levels:
            break
    else:
        there = ", ".join(str(crowd.levels) for crowd in collection.crowds)
        raise UsageError(f"no crowd used a scale of {levels} levels; expected one of {there}")
    names = doc_names(collection)
    docs = crowd.doc.tolist()
    return Judgments.from_columns(
        {
            "topic": [names[doc][0] for doc in docs],
            "doc": [names[doc][1] for doc in docs],
            "assessor": [f"s{levels}-w{worker:04d}" for worker in crowd.worker.tolist()],
            "grade": crowd.grade.tolist(),
            "hit": [f"h{hit:05d}" for hit in crowd.hit.tolist()],
            "position": crowd.position.tolist(),
        }
    )


def expert_qrels(collection: MultiscaleCollection, levels: int) -> Qrels:
    """Return the qrels of the expert with four or two levels.

    Raises
    ------
    UsageError
        If `levels` is neither 4 nor 2.
    """
    if levels not in (2, 4):
        raise UsageError(f"no expert used a scale of {levels} levels; expected 2 or 4")
    grades = collection.two if levels == 2 else collection.four
    names = doc_names(collection)
    judged = np.flatnonzero(~np.isnan(grades)).tolist()
    return Qrels.from_rows(
        ((*names[doc], float(grades[doc])) for doc in judged), name=f"expert-{levels}"
    )


def simulated_runs(collection: MultiscaleCollection) -> tuple[Run, ...]:
    """Return the runs of the systems, named in the order of their quality."""
    names = doc_names(collection)
    runs = []
    for system, ranked in enumerate(collection.ranked.tolist()):
        found = {}
        for docs in ranked:
            kept = [names[doc] for doc in docs if doc >= 0]
            found[kept[0][0]] = {doc: float(-rank) for rank, (_, doc) in enumerate(kept)}
        runs.append(Run.from_dict(found, name=f"system-{system:03d}"))
    return tuple(runs)


def doc_names(collection: MultiscaleCollection) -> list[tuple[str, str]]:
    """Return the topic and name of every doc."""
    first = np.searchsorted(collection.topic, collection.topic)
    return [
        (f"t{topic + 1:02d}", f"t{topic + 1:02d}-d{place:04d}")
        for topic, place in zip(
            collection.topic.tolist(),
            (np.arange(collection.topic.size) - first).tolist(),
            strict=True,
        )
    ]
