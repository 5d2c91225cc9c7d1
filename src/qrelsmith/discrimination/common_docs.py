"""Label sets restricted to the docs that all sets grade, so that they differ only in labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.rng import shuffle
from qrelsmith.collection.runs import Run
from qrelsmith.discrimination import DocLists
from qrelsmith.discrimination.label_pdp import GradedDocs
from qrelsmith.discrimination.preferences.outcomes import PreferenceTests
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.pairs.preferences import Preferences

# The number of lists of docs per topic that are drawn at random if there are no runs.
LISTS_DRAWN = 20


@dataclass(frozen=True, slots=True)
class CommonDocs:
    """Label sets on the same docs, with the same preferences and lists.

    Attributes
    ----------
    graded : mapping of str to GradedDocs
        Each label set; a doc has the same position in all sets.
    tests : PreferenceTests
        Preferences between these docs.
    lists : DocLists
        Lists of these docs, all of one length.
    short : int
        The number of shorter lists, which are left out.
    drawn : bool
        Whether the lists were drawn at random, because there are no runs.
    docs : int
        The number of docs over all topics.
    left_out : int
        The number of compared pairs left out because some label set does not grade their docs.
    """

    graded: Mapping[str, GradedDocs]
    tests: PreferenceTests
    lists: DocLists
    short: int
    drawn: bool
    docs: int
    left_out: int

    @property
    def size(self) -> int:
        """The number of docs in a list, K."""
        return int(self.lists.docs.shape[1])


def on_common_docs(
    label_sets: Mapping[str, Judgments],
    preferences: Preferences,
    *,
    topics: Sequence[str],
    runs: Iterable[Run],
    depth: int,
    within: int | None,
    seed: int,
    errors: Literal["missing", "nonrelevant"] = "missing",
) -> CommonDocs:
    """Restrict label sets to the docs that all sets grade.

    Parameters
    ----------
    label_sets : mapping of str to Judgments
        The label sets by name, at least one.
    preferences : Preferences
        The preferences between docs; only current preferences are used.
    topics : sequence of str
        The topics to use.
    runs : iterable of Run
        From each run, a list takes the first `depth` of these docs among the run's first `within`
        docs. Without runs, `LISTS_DRAWN` lists of `depth` docs are drawn for each topic.
    depth, within : int
        1 or more; None: whole runs. If no list has `depth` docs, the longest lists are used.
    seed : int
        Seed of the random lists.
    errors : {'missing', 'nonrelevant'}
        The meaning of the code −2 (could not be displayed): no grade, or the grade 0.

    Raises
    ------
    UndefinedError
        If no doc has a grade in every label set, no preference is about two such docs of a topic,
        or no run has two such docs.
    """
    chosen = tuple(sorted(set(topics)))
    of_topics = {
        name: GradedDocs.of(judgments.restricted_to(topics=chosen), errors=errors)
        for name, judgments in label_sets.items()
    }
    common = {
        topic: tuple(
            sorted(set.intersection(*(_docs_of(labels, topic) for labels in of_topics.values())))
        )
        for topic in chosen
    }
    if not any(common.values()):
        raise UndefinedError("no doc has a grade in every label set; expected at least one")
    graded = {name: _grades_of_docs(labels, common) for name, labels in of_topics.items()}
    basis = next(iter(graded.values()))
    tests = basis.tests(preferences).tests
    if not len(tests):
        raise UndefinedError(
            "no preference compares two docs that every label set grades; expected at least one"
        )
    shallow = [_cut(run, within) for run in runs]
    every = basis.lists(shallow, depth=depth).lists if shallow else _draw_lists(basis, depth, seed)
    lists = _longest(every)
    return CommonDocs(
        graded=graded,
        tests=tests,
        lists=lists,
        short=len(every.topics) - len(lists.topics),
        drawn=not shallow,
        docs=sum(map(len, common.values())),
        left_out=len(compared_pairs(preferences)) - len(tests),
    )


def compared_pairs(preferences: Preferences) -> set[tuple[str, frozenset[str]]]:
    """Return the pairs of docs with a current answer: the topic and the two docs."""
    return {
        (topic, frozenset((left, right))) for topic, left, right, *_ in preferences.current().rows()
    }


def _docs_of(graded: GradedDocs, topic: str) -> set[str]:
    return set(graded.places[topic][1]) if topic in graded.places else set()


def _grades_of_docs(graded: GradedDocs, docs: Mapping[str, tuple[str, ...]]) -> GradedDocs:
    """Return the grades of the given docs, in the given order."""
    width = max(map(len, docs.values()))
    grades = np.full((len(docs), width, graded.grades.shape[2]), np.nan)
    batches = np.zeros(len(docs), dtype=np.int64)
    for number, (topic, names) in enumerate(docs.items()):
        if names:
            place, known = graded.places[topic]
            rows = [known[name] for name in names]
            grades[number, : len(rows)] = graded.grades[place, rows]
            batches[number] = graded.batches[place]
    _, batches = np.unique(batches, return_inverse=True)
    return GradedDocs(tuple(docs), tuple(docs.values()), grades, batches.astype(np.int64), 0)


def _cut(run: Run, within: int | None) -> Run:
    """Return the run with only the first docs of each topic."""
    return replace(run, docs={topic: ranking[:within] for topic, ranking in run.docs.items()})


def _longest(lists: DocLists) -> DocLists:
    """Return only the longest lists, because entropies of shorter lists are not comparable."""
    sizes = (lists.docs >= 0).sum(axis=1)
    if sizes.max() < 2:
        raise UndefinedError(
            "no run has two docs of a topic that every label set grades; expected at least one"
        )
    kept = sizes == sizes.max()
    return DocLists(topics=lists.topics[kept], docs=lists.docs[kept, : sizes.max()])


def _draw_lists(graded: GradedDocs, depth: int, seed: int) -> DocLists:
    """Draw lists of docs at random; a topic with few docs has one list with all its docs."""
    topics, rows = [], []
    for number, docs in enumerate(graded.docs):
        place = {doc: position for position, doc in enumerate(docs)}
        for draw in range(LISTS_DRAWN if len(docs) > depth else min(len(docs), 1)):
            keys = ("pdp", graded.topics[number], draw)
            row = [place[doc] for doc in shuffle(docs, seed=seed, keys=keys)[:depth]]
            rows.append(row + [-1] * (depth - len(row)))
            topics.append(number)
    return DocLists(topics=np.array(topics, dtype=np.int64), docs=np.array(rows, dtype=np.int64))
