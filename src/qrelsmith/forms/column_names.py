"""Other programs' names for the columns of topics, docs, grades, assessors and scores."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from qrelsmith.base.errors import InputError
from qrelsmith.io.text import FilePath

# Nested objects in which annotation tools keep the fields of a record.
WRAPPERS = frozenset({"meta", "metadata", "data", "fields"})
# Names of each column, by rank: later ranks are used only if no name of an earlier rank fits.
_TOPIC = (
    (
        "topic_id topicid qid q_id query_id queryid topic_number topic_num topic_no question_id"
        " questionid request_id narrative_id"
    ),
    "query query_text querytext question search_query search_term keywords",
)
_DOC = (
    "docno",
    (
        "doc_id docid document_id documentid corpus_id corpusid pid passage_id passageid product_id"
        " item_id did d_id doc_no"
    ),
    "document passage",
)
_MODEL = "model model_name llm"
_SIDE = "doc_{0} docid_{0} doc_id_{0} doc{0} docid{0} docno_{0} docno{0} document_{0} document{0}"
_SIDE += " passage_{0} passage{0} {0}"
_SYNONYMS: dict[str, tuple[str, ...]] = {
    "topic": _TOPIC,
    "doc": _DOC,
    "grade": (
        ("relevance rel relevancy rating label score judgment judgement relevance_label"
        " relevance_grade relevance_judgment relevance_judgement gold_label gain is_relevant"
         " esci_label"),
    ),
    "assessor": (
        ("assessor_id annotator annotator_id annotator_name judge judge_id judge_name rater"
        " rater_id user user_id username user_email worker worker_id workerid coder reviewer"
        " labeler labeller"),
        _MODEL,
    ),
    "score": ("similarity sim rsv retrieval_score relevance_score similarity_score bm25_score",),
    "rank": ("ranking position",),
    "run": ("name system run_id runid tag run_tag run_name system_id system_name",),
    "left": (
        "left_doc left_docid left_doc_id doc_left docid_left",
        _SIDE.format("a"), _SIDE.format("1"),
    ),
    "right": (
        "right_doc right_docid right_doc_id doc_right docid_right",
        _SIDE.format("b"), _SIDE.format("2"),
    ),
    "outcome": ("preference preferred choice winner better verdict answer label",),
    "note": ("reason", "explanation rationale comment comments"),
    "winner": ("winner_id winning_doc chosen better_doc",),
    "loser": ("loser_id losing_doc rejected worse_doc",),
    "doc_id": ("docno", "docid id _id doc document_id corpus_id pid passage_id"),
    "text": ("contents content body passage segment document document_text passage_text doc_text",),
    "title": ("headline",),
}  # fmt: skip
# Names of the fields of topics; the first name in the file is used.
_TOPIC_FIELDS = {
    "topic": "topic topic_id query_id qid _id id number num narrative_id request_id topic_number"
    " question_id task_id turn_id identifier",
    "title": "title text query query_text query_txt topic_title question utterance request content"
    " prompt",
    "description": "description desc topic_description question background",
    "narrative": "narrative narr topic_narrative",
    "creator": "creator author",
}


def topic_fields(names: Sequence[str], *, named: Mapping[str, str] | None = None) -> dict[str, str]:
    """Map the columns of a file to fields of topics, leaving out unknown columns."""
    said = {role: name for role, name in (named or {}).items() if name in names}
    taken: dict[str, str] = {name: role for role, name in said.items() if role in _TOPIC_FIELDS}
    by_name = {plain(name): name for name in reversed(names)}
    for role, ranked in _TOPIC_FIELDS.items():
        found = (by_name[word] for word in ranked.split() if word in by_name)
        chosen = next((name for name in found if name not in taken), None)
        if role not in taken.values() and chosen is not None:
            taken[chosen] = role
    return taken


# Columns of language models as assessors.
MODEL_NAMES = frozenset(_MODEL.split())
# All names of a topic column, in tables and in topic files.
TOPIC_NAMES = frozenset(("topic", *" ".join(_TOPIC).split(), *_TOPIC_FIELDS["topic"].split()))


def columns_for(
    roles: Iterable[str],
    names: Sequence[str],
    *,
    kept: Collection[str] = (),
    named: Mapping[str, str] | None = None,
    path: FilePath,
) -> dict[str, str]:
    """Map each role to its column, if the file has one.

    Parameters
    ----------
    roles : iterable of str
        The roles: topic, doc, grade, assessor, ….
    names : sequence of str
        The columns of the file.
    kept : collection of str
        Columns that the reader knows by name; they get a role only if no other column fits it.
    named : mapping of str to str, optional
        The columns that the user named, by role; names that are not in the file are ignored.
    path : path
        The file, for errors.

    Raises
    ------
    InputError
        If two columns fit a role.
    """
    said = {role: name for role, name in (named or {}).items() if name in names}
    free = [name for name in names if name not in said.values()]
    taken: dict[str, str] = {}
    for role in roles:
        if role in said:
            taken[role] = said[role]
            continue
        fitting = _fitting(role, [name for name in free if name not in taken.values()])
        if len(fitting) > 1:
            fitting = [name for name in fitting if name not in kept]
        if len(fitting) > 1:
            raise InputError(
                f"the columns {' and '.join(fitting)} can both be the {role}; expected "
                f"only one of them. Name it with --columns {role}={fitting[0]}",
                path=path,
            )
        if fitting:
            taken[role] = fitting[0]
    return taken


def synonyms_of(role: str) -> tuple[str, ...]:
    """Return the names that a role's column can have, the role itself first."""
    return (role, *(name for ranked in _SYNONYMS.get(role, ()) for name in ranked.split()))


def plain(name: str) -> str:
    """Normalise a column's name: lower case, `_` for hyphens, no prefix such as `meta.`."""
    holder, dot, rest = name.partition(".")
    bare = rest if dot and rest and holder.lower() in WRAPPERS else name
    return bare.strip().lower().replace("-", "_").replace(" ", "_")


def _fitting(role: str, names: Sequence[str]) -> list[str]:
    """Return the best columns for a role: with the role's name, else with the best synonyms."""
    for wanted in (role, *_SYNONYMS.get(role, ())):
        ranked = wanted.split()
        if fitting := [name for name in names if plain(name) in ranked]:
            return fitting
    return []
