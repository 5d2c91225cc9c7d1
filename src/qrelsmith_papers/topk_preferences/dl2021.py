"""TREC DL 2021, passages: grades by NIST, preferences of a crowd and of GPT-4o, and 63 runs."""

from __future__ import annotations

from pathlib import Path

from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.pairs.preference_files import read_preferences
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.wanted import WantedFile
from qrelsmith.topk.topk_results import TopkResults, topk_results
from qrelsmith.topk.topk_sessions import TopkSetting, topic_pools
from qrelsmith_papers.data_files import packed_or_not, passages_of_2021, qrels_file, run_files
from qrelsmith_papers.topk_preferences.collection import PreferredDocs, TopkCollection, of_docs

NAME = "DL 2021"
HUMAN, LLM = "human", "GPT-4o"
_CROWD = "prefs/human.crowd.prefs"
_BEST = "prefs/human.Combined-I+II+III.qrels"
_ROUNDS = tuple(f"prefs/gpt-4o.round0{number}.prefs" for number in range(6))
PASSAGES = passages_of_2021(
    "another collection, on which conclusions about runs are checked.",
    {"nist": "TREC's qrels"},
    (
        WantedFile(_CROWD, "preferences `topic doc doc better` of a crowd"),
        WantedFile(_BEST, "the best passages by the crowd's further preferences"),
        *(WantedFile(name, "preferences of GPT-4o, a round") for name in _ROUNDS),
    ),
)
_SMALL = 7  # every n-th run for the small size


def dl2021(inputs: StudyInputs) -> TopkCollection | None:
    """Return the collection, with fewer runs for the small size, or None if data are missing."""
    folder = PASSAGES.folder(inputs)
    if folder is None:
        return None
    graded = read_qrels(qrels_file(folder, "nist"))
    best = read_qrels(packed_or_not(folder / _BEST)).restricted_to(graded.topics)
    return TopkCollection(
        NAME,
        graded,
        (
            _preferred_docs(HUMAN, graded, human_results(folder, graded)),
            _preferred_docs(LLM, graded, llm_results(folder, graded)),
        ),
        ((HUMAN, best),),
        run_files(folder)[:: 1 if inputs.paper_size else _SMALL],
        ClaimKind.OTHER_DATA,
    )


def human_results(folder: Path, graded: Qrels) -> TopkResults:
    """Return the crowd's top docs; final rounds are inferred, as the answers have no rounds."""
    return _results(graded, read_preferences(packed_or_not(folder / _CROWD)), TopkSetting())


def llm_results(folder: Path, graded: Qrels) -> TopkResults:
    """Return GPT-4o's top docs; the last round of each topic compares all pairs of docs."""
    rounds = [read_preferences(packed_or_not(folder / name)) for name in _ROUNDS]
    last = {topic: number for number, given in enumerate(rounds) for topic in given.topics}
    final = Preferences.join(
        [
            given.restricted_to([topic for topic in given.topics if last[topic] == number])
            for number, given in enumerate(rounds)
        ]
    )
    return _results(graded, final, TopkSetting(method="round-robin"))


def _results(graded: Qrels, preferences: Preferences, setting: TopkSetting) -> TopkResults:
    """Return the results of the answers, for compared docs with grades."""
    compared = [(row.topic, doc) for row in preferences.rows() for doc in (row.left, row.right)]
    docs = of_docs(graded, compared, name=graded.name)
    return topk_results(topic_pools(docs, k=len(docs)), preferences, setting, graded=docs)


def _preferred_docs(who: str, graded: Qrels, results: TopkResults) -> PreferredDocs:
    """Return top docs for topics with a result, so that all measures use the same topics."""
    top = results.top(name=who)
    return PreferredDocs(who, results.combined(graded.restricted_to(top.topics), name=who), top)
