"""The experts' labels in published files of crowd labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.qrels import Qrels
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.table_reading import TextTable

# Cells without a label.
NOTHING = ("", "nan", "none", "na")
_EXPERTS: Mapping[str, Mapping[str, float]] = {
    "sormunen": {"n": 0.0, "m": 1.0, "r": 2.0, "h": 3.0},
    "politifact": {
        "pants-fire": 0.0,
        "false": 1.0,
        "barely-true": 2.0,
        "half-true": 3.0,
        "mostly-true": 4.0,
        "true": 5.0,
    },
    "abc": {"negative": 0.0, "in_between": 1.0, "positive": 2.0},
    "trec": {},
}


def expert_qrels(
    table: TextTable,
    columns: Mapping[str, Sequence[str]],
    rows: Sequence[int],
    named: Mapping[str, str],
) -> dict[str, Qrels]:
    """Return the labels of each expert who has labels."""
    by_expert = {}
    for name, column in named.items():
        level = _level_of(name, table)
        labels = column_of(table, column)
        grades: dict[tuple[str, str], float] = {}
        for row in rows:
            if labels[row].strip().lower() in NOTHING:
                continue
            pair, grade = (columns["topic"][row], columns["doc"][row]), level(labels[row], row)
            if grades.setdefault(pair, grade) != grade:
                raise InputError(
                    f"topic {quoted(pair[0])} doc {quoted(pair[1])} has two labels in {column}:"
                    f" {grade_text(grades[pair])} and {grade_text(grade)}",
                    path=table.path,
                    line=table.lines[row],
                )
        if grades:
            triples = ((topic, doc, grade) for (topic, doc), grade in grades.items())
            by_expert[name] = Qrels.from_rows(triples, name=name)
    return by_expert


def column_of(table: TextTable, name: str) -> Sequence[str]:
    """Return a column of the table, or empty cells if the column is missing."""
    return table.columns.get(name) or [""] * len(table)


def _level_of(expert: str, table: TextTable) -> Callable[[str, int], float]:
    words = _EXPERTS[expert]

    def level(label: str, row: int) -> float:
        word = label.strip().lower()
        if word in words:
            return words[word]
        value = finite_number(word.encode("utf-8"))
        if value != value:
            expected = ", ".join(words) if words else "a number"
            raise InputError(
                f"the label of {expert} is {quoted(label)}; expected {expected}",
                path=table.path,
                line=table.lines[row],
            )
        return value

    return level
