"""Judgments of search engine tools: OpenSearch, Elasticsearch, RRE."""

from __future__ import annotations

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.forms.grades import grades_of
from qrelsmith.forms.registry import FORMS, FormTable, Looked, form_table, object_list

_KINDS = ("qrels", "judgments")


@FORMS.add(
    "opensearch", kinds=_KINDS,
    about="https://docs.opensearch.org/latest/search-plugins/search-relevance/judgments/",
)  # fmt: skip
def search_relevance(looked: Looked) -> FormTable | None:
    """Read the judgments of the Search Relevance Workbench: `judgmentRatings` by query."""
    lists = object_list(looked.document.get("judgmentRatings"))
    rows = [
        (entry.get("query"), rating.get("docId"), rating.get("rating"))
        for entry in lists
        for rating in object_list(entry.get("ratings"))
    ]
    return _table(looked, rows, ("query", "docId", "rating")) if lists else None


@FORMS.add(
    "elasticsearch", kinds=_KINDS,
    about="https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-rank-eval",
)  # fmt: skip
def rank_eval(looked: Looked) -> FormTable | None:
    """Read the ratings in the requests of `_rank_eval`."""
    requests = object_list(looked.document.get("requests"))
    if not requests or not all("ratings" in request for request in requests):
        return None
    rows = [
        (request.get("id"), rating.get("_id"), rating.get("rating"))
        for request in requests
        for rating in object_list(request["ratings"])
    ]
    return _table(looked, rows, ("id", "_id", "rating"))


@FORMS.add(
    "rre", kinds=_KINDS,
    about="https://github.com/SeaseLtd/rated-ranking-evaluator/wiki/What%20We%20Need%20To%20Provide",
)  # fmt: skip
def rated_ranking_evaluator(looked: Looked) -> FormTable | None:
    """Read the ratings of RRE: `relevant_documents` of each group of queries."""
    document = looked.document
    topics = object_list(document.get("topics")) or [document]
    groups = [
        group
        for topic in topics
        for group in object_list(topic.get("query_groups")) + object_list(topic.get("queries"))
    ]
    if not any("relevant_documents" in group for group in groups):
        return None
    rows: list[tuple[object, object, object]] = []
    for group in groups:
        name = group.get("name") or _words(group)
        docs = group.get("relevant_documents")
        if not isinstance(docs, dict):
            raise InputError(
                f"the query group {quoted(name)} has no relevant_documents; expected an object",
                path=looked.path,
            )
        for key, held in docs.items():
            if isinstance(held, list):
                rows += [(name, doc, key) for doc in held]
            else:
                rows.append((name, key, held.get("gain") if isinstance(held, dict) else held))
    return _table(looked, rows, ("name of the query group", "relevant_documents", "gain"))


def _words(group: dict[str, object]) -> object:
    """Return the query of a group without a name, as exported by Quepid."""
    placeholders = group.get("placeholders")
    return placeholders.get("$query") if isinstance(placeholders, dict) else None


def _table(
    looked: Looked, rows: list[tuple[object, object, object]], names: tuple[str, str, str]
) -> FormTable:
    for row in rows:
        for name, value in zip(names[:2], row[:2], strict=True):
            if not isinstance(value, str):
                raise InputError(
                    f"a rating has the {name} {quoted(value)}; expected a text", path=looked.path
                )
    grades = grades_of([row[2] for row in rows], [1] * len(rows), looked)
    taken = dict(zip(("topic", "doc", "grade"), names, strict=True))
    graded = [
        (str(topic), str(doc), grade)
        for (topic, doc, _), grade in zip(rows, grades, strict=True)
        if grade
    ]
    left = len(rows) - len(graded)
    notes = [f"docs without a rating are ignored: {left}"] if left else []
    return form_table(looked, graded, taken, notes=notes)
