"""Tables with named columns: CSV, TSV, JSONL, a JSON list of objects, Parquet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.forms.column_names import columns_for, plain, synonyms_of, topic_fields
from qrelsmith.forms.grades import grades_of
from qrelsmith.forms.records import Records, cell_text
from qrelsmith.forms.registry import FORMS, FormTable, Looked, check_characters
from qrelsmith.io.table_reading import TextTable

# The possible columns of each kind, and its alternative sets of required columns.
_ROLES: dict[str, tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]] = {
    "qrels": (("topic", "doc", "grade", "assessor"), (("topic", "doc", "grade"),)),
    "judgments": (("topic", "doc", "grade", "assessor"), (("topic", "doc", "grade"),)),
    "runs": (
        ("topic", "doc", "score", "rank", "run"),
        (("topic", "doc", "score"), ("topic", "doc", "rank")),
    ),
    "preferences": (
        ("topic", "left", "right", "winner", "loser", "outcome", "assessor"),
        (("topic", "left", "right", "outcome"), ("topic", "left", "right", "winner"),
         ("topic", "winner", "loser")),
    ),
}  # fmt: skip
# Columns of files whose content is passed with another option.
_OTHER_KINDS = {
    "answers": {"answer", "response", "responses", "actual_output"},
    "aspects": {"nugget", "nuggets", "nugget_bank", "rubrics"},
}
_KINDS = (*_ROLES, "topics", "documents")
_DOCUMENT = ("doc_id", "text", "html", "title", "url", "form")


@FORMS.add("parquet", kinds=_KINDS, general=True, about="https://parquet.apache.org/docs/")
def parquet_table(looked: Looked) -> FormTable | None:
    """Read the columns of a Parquet file."""
    return _of_form(looked, "parquet")


@FORMS.add("jsonl", kinds=_KINDS, general=True, about="https://jsonlines.org/")
def json_lines_table(looked: Looked) -> FormTable | None:
    """Read one object per line."""
    return _of_form(looked, "jsonl")


@FORMS.add("json", kinds=_KINDS, general=True, about="https://www.rfc-editor.org/rfc/rfc8259")
def json_table(looked: Looked) -> FormTable | None:
    """Read a list of objects."""
    return _of_form(looked, "json")


@FORMS.add("csv", kinds=_KINDS, general=True, about="https://www.rfc-editor.org/rfc/rfc4180")
def csv_table(looked: Looked) -> FormTable | None:
    """Read a header and a row for each label, with cells separated by commas or semicolons."""
    return _of_form(looked, "csv")


@FORMS.add(
    "tsv", kinds=_KINDS, general=True,
    about="https://github.com/beir-cellar/beir/wiki/Load-your-custom-dataset",
)  # fmt: skip
def tsv_table(looked: Looked) -> FormTable | None:
    """Read a header and a row for each label, with cells separated by tabs."""
    return _of_form(looked, "tsv")


def take_columns(looked: Looked, names: Sequence[str]) -> dict[str, str] | None:
    """Return the columns for the kind of content, or None if required columns are missing.

    Raises
    ------
    InputError
        If two columns fit one role.
    """
    roles, needed = _ROLES[looked.kind]
    taken = columns_for(roles, names, kept=looked.kept, named=looked.named, path=looked.path)
    if not any(taken.keys() >= set(ways) for ways in needed):
        return None
    free = [name for name in names if name not in taken.values()]
    for name in looked.kept:
        column = columns_for((name,), free, path=looked.path).get(name)
        if column is not None:
            taken.setdefault(name, column)
    return taken


def missing_columns(looked: Looked, names: Sequence[str]) -> tuple[bool, str]:
    """Return whether any column is known, and the error for the missing columns."""
    roles, needed = _ROLES[looked.kind]
    taken = columns_for(roles, names, kept=looked.kept, named=looked.named, path=looked.path)
    lacking = [role for role in needed[0] if role not in taken]
    for kind, known in _OTHER_KINDS.items():
        if known.intersection(names) and {"doc", "grade"} <= set(lacking):
            return True, (
                f"the file has {kind} (columns {', '.join(map(quoted, names))}); expected labels"
                f" of answers. Pass {kind} with --{kind}"
            )
    option = ",".join(f"{role}=NAME" for role in lacking)
    is_wide = lacking == ["grade"] and len(names) > 3
    wide = (
        ". If each judge has a column, expected whole-number grades up to 10 in every such "
        "column, or rows"
        " with topic,doc,assessor,grade"
    )
    return bool(taken), (
        f"the columns are {quoted(', '.join(names))}, none of which is known as the"
        f" {' or the '.join(lacking)}. Use --columns {option}{wide if is_wide else ''}"
    )


def records_table(
    records: Records, taken: Mapping[str, str], looked: Looked, *, notes: Sequence[str] = ()
) -> FormTable:
    """Return the columns of records by role, leaving out and counting rows without a grade.

    Raises
    ------
    InputError
        If a grade cannot be found in its cell, or a cell contains an unpaired surrogate.
    """
    columns = {role: records.texts(name) for role, name in taken.items()}
    lines = records.lines
    if "grade" in taken:
        columns["grade"] = grades_of(records.cells[taken["grade"]], lines, looked)
        rated = [place for place, grade in enumerate(columns["grade"]) if grade]
        if 0 < len(rated) < len(lines):
            notes = [*notes, f"rows without a grade are ignored: {len(lines) - len(rated)}"]
            columns = {role: [cells[place] for place in rated] for role, cells in columns.items()}
            lines = [lines[place] for place in rated]
    for role, cells in columns.items():
        check_characters(cells, lines, role, looked.path)
    ignored = [name for name in records.names if name not in taken.values()]
    table = TextTable(looked.path, columns, lines)
    return FormTable(table, dict(taken), ignored, notes, unit=records.unit)


def topics_table(records: Records, looked: Looked) -> FormTable | None:
    """Return topics' fields under qrelsmith's names, and unknown fields under their own names."""
    fields = topic_fields(records.names, named=looked.named)
    roles = set(fields.values())
    is_worded = bool(roles & {"title", "description", "narrative"}) or (
        "topic" in fields and not any(plain(name) in synonyms_of("doc") for name in records.names)
    )
    if "topic" not in roles or not is_worded:
        return None
    own = {name: bare for name, bare in records.inner.items() if bare not in roles} | fields
    columns = {own.get(name, name): records.texts(name) for name in records.names}
    for role, cells in columns.items():
        check_characters(cells, records.lines, role, looked.path)
    if "title" not in roles:  # the text of TREC RAG's topics is their narrative
        none = [""] * len(records)
        columns["title"] = columns.get("description", columns.get("narrative", none))
    taken = {role: name for name, role in fields.items()}
    return FormTable(TextTable(looked.path, columns, records.lines), taken)


def _documents_table(records: Records, looked: Looked) -> FormTable | None:
    names = records.names
    taken = columns_for(_DOCUMENT, names, named=looked.named, path=looked.path)
    if "doc_id" not in taken or not {"text", "html"} & taken.keys():
        return None
    return records_table(records, taken, looked)


def _of_form(looked: Looked, form: str) -> FormTable | None:
    records = looked.records
    if records is None or records.form != form:
        return None
    if looked.kind == "topics":
        return topics_table(records, looked)
    if looked.kind == "documents":
        return _documents_table(records, looked)
    taken = take_columns(looked, records.names)
    if taken is None:
        return None
    if "score" not in taken and "rank" in taken:
        return _ranks_as_scores(records, taken, looked)
    if "score" in taken:
        taken.pop("rank", None) if "rank" not in looked.kept else None
    return records_table(records, taken, looked)


def _ranks_as_scores(records: Records, taken: Mapping[str, str], looked: Looked) -> FormTable:
    """Return a run from a file without scores, with the negative ranks as scores."""
    ranks = [cell_text(cell) for cell in records.cells[taken["rank"]]]
    for rank, line in zip(ranks, records.lines, strict=True):
        if not (rank.isascii() and rank.isdigit()):
            raise InputError(
                f"the rank is {quoted(rank)}; expected a whole number", path=looked.path, line=line
            )
    found = records_table(records, taken, looked)
    cells = {**found.table.columns, "score": [f"-{rank}" for rank in ranks]}
    taken = {**found.taken, "score": f"{taken['rank']}, below 0"}
    return FormTable(TextTable(looked.path, cells, records.lines), taken, found.ignored)
