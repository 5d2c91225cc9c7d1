"""Grades written as the words of a known scale, or as the letters of ESCI."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from qrelsmith.base.errors import InputError, quoted
from qrelsmith.forms.column_names import plain
from qrelsmith.forms.registry import FormTable
from qrelsmith.io.numbers import finite_number

_NOT = "not relevant|non relevant|nonrelevant|irrelevant"
_PARTLY = "partially relevant|partly relevant|somewhat relevant|marginally relevant"
_HIGHLY = "highly relevant|very relevant"
# Scales from their lowest level; a bar separates names of a level.
_SCALES = (
    ("no", "yes"),
    (_NOT, "relevant"),
    (_NOT, _PARTLY, "relevant|fully relevant"),
    (_NOT, "relevant", _HIGHLY),
    (_NOT, _PARTLY, _HIGHLY),
    (_NOT, _PARTLY, "relevant|fairly relevant", _HIGHLY),
    (_NOT, "related", "highly relevant", "perfectly relevant"),
    ("irrelevant", "complement", "substitute", "exact"),
    ("bad", "fair", "good", "excellent", "perfect"),
)
_LETTERS = {"i": 0, "c": 1, "s": 2, "e": 3}
_LETTERS_COLUMN = "esci_label"


def word_grades(words: Iterable[str], *, column: str = "") -> Mapping[str, int]:
    """Return each word's grade on the shortest scale that has all words; empty if there is none.

    The letters E, S, C and I are grades only in a column `esci_label`.

    >>> word_grades(["Relevant", "not relevant"])
    {'not relevant': 0, 'Relevant': 1}
    """
    names = {word: " ".join(word.replace("_", " ").replace("-", " ").lower().split())
             for word in words}  # fmt: skip
    levels = [
        {name: grade for grade, level in enumerate(scale) for name in level.split("|")}
        for scale in sorted(_SCALES, key=len)
    ]
    if plain(column) == _LETTERS_COLUMN:
        levels.append(_LETTERS)
    for grades in levels:
        if set(names.values()) <= grades.keys():
            found = {word: grades[name] for word, name in names.items()}
            return dict(sorted(found.items(), key=lambda item: item[1]))
    return {}


def with_word_grades(form_table: FormTable) -> FormTable:
    """Return a table whose grades are numbers, with a note if they were words.

    Raises
    ------
    InputError
        If all grades are words, but not of one known scale.
    """
    table = form_table.table
    cells = table.columns.get("grade", ())
    words = list(dict.fromkeys(cells))
    if not words or any(map(is_number, words)):
        return form_table  # the reader reports other cells
    grades = word_grades(words, column=form_table.taken.get("grade", ""))
    if not grades:
        shown = ", ".join(quoted(word, limit=30) for word in words[:4])
        what = "grade is" if len(words) == 1 else "grades are"
        raise InputError(
            f"the {what} {shown}{', …' if words[4:] else ''}; expected numbers, or words of one"
            " known scale such as 'relevant' and 'not relevant'. Write a number before each word,"
            " such as '1: word'",
            path=table.path,
            line=table.lines[0] if form_table.unit == "line" else None,
        )
    columns = {**table.columns, "grade": [str(grades[cell]) for cell in cells]}
    shown = ", ".join(f"{word} = {grade}" for word, grade in grades.items())
    notes = [*form_table.notes, f"words are read as grades: {shown}"]
    return replace(form_table, table=replace(table, columns=columns), notes=notes)


def is_number(text: str) -> bool:
    """Return whether a cell is a finite number."""
    return not math.isnan(finite_number(text.encode()))
