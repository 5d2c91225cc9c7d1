"""Ranked lists of all demo systems."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from math import isfinite

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.demo.docstrings import DemoDoc
from qrelsmith.demo.lab import Lab, LabTopic
from qrelsmith.demo.systems import SYSTEMS, System
from qrelsmith.demo.terms import Scores

Ranking = list[tuple[str, float]]
Rankings = dict[str, dict[str, Ranking]]

# Far smaller than any meaningful difference, far larger than rounding differences.
_DECIMALS = 6


def rank_all(
    docs: Sequence[DemoDoc],
    topics: Sequence[LabTopic],
    *,
    depth: int = 100,
    systems: Sequence[System] = SYSTEMS,
) -> Rankings:
    """Rank the docs for every topic by every system.

    Parameters
    ----------
    docs : sequence of Doc
        The collection.
    topics : sequence
        Objects with `topic`, `title` and `description`.
    depth : int
        Length of the lists; a system that finds fewer docs returns fewer.
    systems : sequence of System
        The systems; by default all systems of the demo.

    Returns
    -------
    dict
        tag → topic → list of (doc_id, score), best first. Scores have six decimals. Equal scores
        are in descending order of doc_id, because evaluation tools also sort runs in this order.

    Raises
    ------
    UsageError
        If there are fewer than two docs.
    MissingDependencyError
        If bm25s, which is part of the extra `demo`, is not installed.
    """
    if len(docs) < 2:
        raise UsageError(f"found {len(docs)} docs to rank; expected at least two")
    lab = Lab(docs)
    return {
        system.tag: {
            topic.topic: _ranking(docs, system.scores(lab, topic), depth) for topic in topics
        }
        for system in systems
    }


def _ranking(docs: Sequence[DemoDoc], scores: Scores, depth: int) -> Ranking:
    rounded = np.round(scores, _DECIMALS) + 0.0  # avoids minus zero
    found = [
        (score, doc.doc_id)
        for doc, score in zip(docs, rounded.tolist(), strict=True)
        if isfinite(score)
    ]
    return [(doc_id, score) for score, doc_id in heapq.nlargest(depth, found)]
