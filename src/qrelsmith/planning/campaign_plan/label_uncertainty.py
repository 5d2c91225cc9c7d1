"""The PDP of a simulated campaign: how uncertain the order of the runs' first docs is."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.discrimination import DocLists, Setting, collection_pdp
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.planning.campaign_plan.judged_runs import JudgedRuns
from qrelsmith.planning.simulation import answers

_DOCS = 5  # the K of the paper
_TESTS = 100  # preference tests per topic


def runs_pdp(judged: JudgedRuns, truth: FloatArray, *, rng: np.random.Generator) -> float:
    """Return the mean PDP of the first five judged docs of every run and topic.

    The preference probabilities of two grades are estimated from 100 preference tests per topic
    (individual mode, Jeffreys). The tests are random pairs of these first docs, answered by the
    true relevance. A pair of grades without tests has probability ½.

    Parameters
    ----------
    judged : JudgedRuns
        Labels and runs.
    truth : float array [unit]
        The true relevance.
    rng : Generator
        Draws the tests.
    """
    starts = np.searchsorted(judged.topic, np.arange(judged.topics))
    place = np.arange(judged.topic.size) - starts[judged.topic]
    lists = _first_docs(judged, place)
    setting = Setting(
        grades=_grades(judged, place),
        evidence=_tests(judged, truth, lists, starts, rng),
        levels=np.arange(judged.levels),
        untested="half",
        lists=lists,
    )
    return collection_pdp(setting, rng=rng, resamples=0).mean


def _grades(judged: JudgedRuns, place: IntArray) -> FloatArray:
    """Return the grades [topic, doc, assessor] by the assessors who judge each topic."""
    most = int((~np.isnan(judged.ratings)).sum(axis=0).max(initial=1))
    shown = np.full((judged.topics, int(place.max(initial=0)) + 1, most), np.nan)
    first = np.searchsorted(judged.topic, np.arange(judged.topics))
    for topic in range(judged.topics):
        units = slice(first[topic], None if topic + 1 == judged.topics else first[topic + 1])
        own = judged.ratings[:, units]
        # Topics are assigned as a whole: an assessor judges all docs of a topic, or none.
        who = np.flatnonzero(~np.isnan(own).all(axis=1))[:most]
        shown[topic, : own.shape[1], : who.size] = own[who].T
    return shown


def _first_docs(judged: JudgedRuns, place: IntArray) -> DocLists:
    """Return the first judged docs of every run and topic; equal lists are returned once."""
    behind = np.argsort(judged.ranked < 0, axis=-1, kind="stable")[..., :_DOCS]
    units = np.take_along_axis(judged.ranked, behind, axis=-1)
    docs = np.where(units >= 0, place[np.maximum(units, 0)], -1)
    systems, topics, ranks = docs.shape
    return DocLists(
        topics=np.tile(np.arange(topics), systems), docs=docs.reshape(systems * topics, ranks)
    )


def _tests(
    judged: JudgedRuns,
    truth: FloatArray,
    lists: DocLists,
    starts: IntArray,
    rng: np.random.Generator,
) -> PreferenceTests:
    """Draw random pairs of each topic's listed docs, and answer them by the true relevance."""
    topics, left, right = [], [], []
    for topic in range(judged.topics):
        docs = np.unique(lists.docs[lists.topics == topic])
        docs = docs[docs >= 0]
        if docs.size < 2:
            continue
        one = rng.integers(docs.size, size=_TESTS)
        other = (one + rng.integers(1, docs.size, size=_TESTS)) % docs.size
        topics.append(np.full(_TESTS, topic))
        left.append(docs[one])
        right.append(docs[other])
    empty = [np.zeros(0, dtype=np.int64)]
    of, first, second = (np.concatenate(part or empty) for part in (topics, left, right))
    return PreferenceTests(
        topics=of,
        left=first,
        right=second,
        outcomes=answers(truth[starts[of] + first], truth[starts[of] + second]),
    )
