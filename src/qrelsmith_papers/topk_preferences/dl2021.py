"""The passages of TREC DL 2021: grades of NIST, preferences of a crowd and of GPT-4o, 63 runs."""

from __future__ import annotations

from pathlib import Path

from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.pairs.preference_files import read_preferences
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.wanted import WantedFile, WantedFolder
from qrelsmith.topk.topk_results import TopkResults, topk_results
from qrelsmith.topk.topk_sessions import TopkSetting, topic_pools
from qrelsmith_papers.topk_preferences.collection import (
    Folder,
    PreferredDocs,
    TopkCollection,
    of_docs,
)

FOLDER = "trec-dl-2021-passage"
NAME = "DL 2021"
MISSING = f"the data set {FOLDER}: a folder of that name in the one that --data names"
HUMAN, LLM = "human", "GPT-4o"
_NIST = "qrels/nist.qrels"
_CROWD = "prefs/human.crowd.prefs"
_BEST = "prefs/human.Combined-I+II+III.qrels"
_ROUNDS = tuple(f"prefs/gpt-4o.round0{number}.prefs" for number in range(6))
WANTED = WantedFolder(
    FOLDER,
    "TREC DL 2021, passages: another collection, on which conclusions about runs are looked at.",
    (
        WantedFile(_NIST, "TREC's qrels"),
        WantedFile(_CROWD, "preferences `topic doc doc better` of a crowd"),
        WantedFile(_BEST, "the best passages by the crowd's further preferences"),
        *(WantedFile(name, "preferences of GPT-4o, a round") for name in _ROUNDS),
        WantedFile("runs/*.run*", "TREC's runs"),
    ),
)
_SMALL = 7  # every so many runs at the small size


def dl2021(inputs: StudyInputs) -> TopkCollection | None:
    """Return the collection, None if it is not there; at the small size with fewer runs."""
    path = inputs.folder(FOLDER)
    if path is None:
        return None
    folder = Folder(path)
    graded = read_qrels(folder.file(_NIST))
    best = read_qrels(folder.file(_BEST)).restricted_to(graded.topics)
    return TopkCollection(
        NAME,
        graded,
        (
            _preferred_docs(HUMAN, graded, human_results(folder, graded)),
            _preferred_docs(LLM, graded, llm_results(folder, graded)),
        ),
        ((HUMAN, best),),
        folder.runs()[:: 1 if inputs.paper_size else _SMALL],
        ClaimKind.OTHER_DATA,
    )


def files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """Return the files that an artefact on this collection reads."""
    path = inputs.folder(FOLDER)
    if path is None:
        return ()
    folder = Folder(path)
    return (*map(folder.file, (_NIST, _CROWD, _BEST, *_ROUNDS)), *folder.runs())


def human_results(folder: Folder, graded: Qrels) -> TopkResults:
    """The crowd's best docs: its answers name no rounds, so the final is told by counting."""
    return _results(graded, read_preferences(folder.file(_CROWD)), TopkSetting())


def llm_results(folder: Folder, graded: Qrels) -> TopkResults:
    """Return the best docs of GPT-4o: in the last round of each topic all docs met each other."""
    rounds = [read_preferences(folder.file(name)) for name in _ROUNDS]
    last = {topic: number for number, given in enumerate(rounds) for topic in given.topics}
    final = Preferences.join(
        [
            given.restricted_to([topic for topic in given.topics if last[topic] == number])
            for number, given in enumerate(rounds)
        ]
    )
    return _results(graded, final, TopkSetting(method="round-robin"))


def _results(graded: Qrels, preferences: Preferences, setting: TopkSetting) -> TopkResults:
    """Return the results of the answers, for the docs compared that have grades."""
    compared = [(row.topic, doc) for row in preferences.rows() for doc in (row.left, row.right)]
    docs = of_docs(graded, compared, name=graded.name)
    return topk_results(topic_pools(docs, k=len(docs)), preferences, setting, graded=docs)


def _preferred_docs(who: str, graded: Qrels, results: TopkResults) -> PreferredDocs:
    """Return the topics with a result only, so that every measure is over the same topics."""
    top = results.top(name=who)
    return PreferredDocs(who, results.combined(graded.restricted_to(top.topics), name=who), top)
