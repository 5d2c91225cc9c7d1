"""Quepid's files: the ratings of a case, and books with several judges."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.base.errors import InputError
from qrelsmith.forms.column_names import columns_for, plain
from qrelsmith.forms.grades import grades_of
from qrelsmith.forms.judge_columns import labels_of_columns
from qrelsmith.forms.registry import FORMS, FormTable, Looked, form_table, object_list

_ABOUT = "https://github.com/o19s/quepid"
_JUDGED = ("topic", "doc", "grade", "assessor")


@FORMS.add("quepid", kinds=("qrels", "judgments"), about=_ABOUT)
def case_ratings(looked: Looked) -> FormTable | None:
    """Read the ratings of a case, `query,docid,rating`; topics are identified by their text."""
    records = looked.records
    if records is None or [plain(name) for name in records.names] != ["query", "docid", "rating"]:
        return None
    rows = zip(*map(records.texts, records.names), strict=True)
    rated = [(row, line) for row, line in zip(rows, records.lines, strict=True) if row[2]]
    if nameless := [line for row, line in rated if not row[1]]:
        raise InputError(
            "a rating has no docid; expected the docid of a doc", path=looked.path, line=nameless[0]
        )
    taken = {"topic": "query", "doc": "docid", "grade": "rating"}
    lines = [line for _, line in rated]
    notes = _unrated_note(len(records) - len(rated))
    return form_table(looked, [row for row, _ in rated], taken, lines=lines, notes=notes)


@FORMS.add("quepid-book", kinds=("qrels", "judgments"), about=_ABOUT)
def book_of_columns(looked: Looked) -> FormTable | None:
    """Read the ratings of a book in CSV: `query,docid` and a column for each judge."""
    records = looked.records
    if records is None or [plain(name) for name in records.names[:2]] != ["query", "docid"]:
        return None
    judges = records.names[2:]
    if not judges or columns_for(("grade", "score"), judges, path=looked.path) or looked.named:
        return None
    topic, doc = records.names[:2]
    return labels_of_columns(looked, records, topic, doc, judges)


@FORMS.add("quepid-json", kinds=("qrels", "judgments"), about=_ABOUT)
def book_or_case(looked: Looked) -> FormTable | None:
    """Read the ratings of a book (`query_doc_pairs`) or a case (`queries`) in JSON."""
    document = looked.document
    pairs = object_list(document.get("query_doc_pairs"))
    if pairs and all("query_text" in pair and "doc_id" in pair for pair in pairs):
        return _of_pairs(looked, pairs)
    queries = object_list(document.get("queries"))
    rows = []
    for query in queries:
        topic, ratings = query.get("query_text", query.get("query")), query.get("ratings")
        if isinstance(ratings, list):  # older exports have [] for no rating
            ratings = {str(each.get("doc_id")): each.get("rating") for each in object_list(ratings)}
        if not isinstance(topic, str) or not isinstance(ratings, dict | None):
            return None
        rows += [(topic, doc, grade) for doc, grade in (ratings or {}).items()]
    if not rows:
        return None
    grades = grades_of([row[2] for row in rows], [1] * len(rows), looked)
    kept = [
        (topic, doc, grade) for (topic, doc, _), grade in zip(rows, grades, strict=True) if grade
    ]
    taken = {"topic": "query_text", "doc": "the keys of ratings", "grade": "ratings"}
    return form_table(looked, kept, taken, notes=_unrated_note(len(rows) - len(kept)))


def _of_pairs(looked: Looked, pairs: Sequence[dict[str, object]]) -> FormTable:
    rows, unrated = [], 0
    for pair in pairs:
        for judgment in object_list(pair.get("judgements", pair.get("judgments"))):
            is_rated = judgment.get("rating") is not None and judgment.get("unrateable") is not True
            unrated += not is_rated
            if is_rated:
                who = judgment.get("user_email") or judgment.get("user_name") or "Unknown"
                rows.append((pair["query_text"], pair["doc_id"], judgment["rating"], who))
    grades = grades_of([row[2] for row in rows], [1] * len(rows), looked)
    graded = [
        (str(topic), str(doc), grade, str(who))
        for (topic, doc, _, who), grade in zip(rows, grades, strict=True)
    ]
    names = ("query_text", "doc_id", "rating", "user_email")
    taken = dict(zip(_JUDGED, names, strict=True))
    return form_table(looked, graded, taken, notes=_unrated_note(unrated))


def _unrated_note(count: int) -> list[str]:
    return [f"docs without a rating are ignored: {count}"] if count else []
