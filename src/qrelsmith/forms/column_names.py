"""Names that other programs give the columns of topics, docs, grades and assessors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from qrelsmith.base.errors import InputError
from qrelsmith.io.text import FilePath

# Of each column two lists: names that are of ids, and names that may be of texts beside an id.
_SYNONYMS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "topic": (
        frozenset({"topic_id", "topicid", "qid", "q_id", "query_id", "queryid"}),
        frozenset({"query"}),
    ),
    "doc": (
        frozenset({"doc_id", "docid", "docno", "document_id", "corpus_id", "pid", "passage_id"}),
        frozenset({"document", "passage"}),
    ),
    "grade": (
        frozenset({"relevance", "rel", "rating", "label", "score", "judgment", "judgement"}),
        frozenset(),
    ),
    "assessor": (
        frozenset(
            {"assessor_id", "annotator", "annotator_id", "judge", "judge_id", "rater", "rater_id"}
            | {"user", "user_id", "worker", "worker_id"}
        ),
        frozenset(),
    ),
}


def columns_for(
    roles: Iterable[str], names: Sequence[str], *, kept: Collection[str] = (), path: FilePath
) -> dict[str, str]:
    """The column of each role, where there is one.

    Parameters
    ----------
    roles : iterable of str
        What is looked for: topic, doc, grade, assessor.
    names : sequence of str
        The columns of the file.
    kept : collection of str
        Columns that the reader knows by name; they take a role only where no other column does.
    path : path
        The file, for errors.

    Raises
    ------
    InputError
        If two columns fit a role.
    """
    taken: dict[str, str] = {}
    for role in roles:
        fitting = _fitting(role, names)
        if len(fitting) > 1:
            fitting = [name for name in fitting if name not in kept]
        if len(fitting) > 1:
            raise InputError(
                f"the columns {' and '.join(fitting)} can both be the {role}; expected one of them,"
                f" or a column {role}",
                path=path,
            )
        if fitting:
            taken[role] = fitting[0]
    return taken


def id_names() -> tuple[str, ...]:
    """All names of columns that hold ids of topics and docs, as files write them."""
    names = {"topic", "doc"} | _SYNONYMS["topic"][0] | _SYNONYMS["doc"][0]
    return tuple(sorted(names | {name.replace("_", "-") for name in names}))


def _fitting(role: str, names: Sequence[str]) -> list[str]:
    """The columns that fit a role best: its own name, else a name of ids, else another."""
    for wanted in ({role}, *_SYNONYMS[role]):
        if fitting := [name for name in names if _plain(name) in wanted]:
            return fitting
    return []


def _plain(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")
