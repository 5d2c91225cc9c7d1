"""Recognise a file that another program wrote by its content, and say as what it is read."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection

from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.forms import answer_labels, nested, tables  # noqa: F401
from qrelsmith.forms.registry import FORMS, FormTable, Looked
from qrelsmith.io.format_marks import head
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.table_reading import TextTable, first_data_line
from qrelsmith.io.text import FilePath


def recognised_labels(path: FilePath, *, kept: Collection[str] = ()) -> FormTable | None:
    """The labels of a file of another program; None if the file is of none that is known.

    Parameters
    ----------
    path : path
        The file.
    kept : collection of str
        Optional columns that the reader knows by name.

    Raises
    ------
    InputError
        If the file is of a known form and broken, or of two.
    """
    content = head(path)
    line = first_data_line(content.decode("utf-8", "replace"))
    if line is None or _is_trec(line):
        return None
    looked = Looked(path, line, kept)
    fitting = {name: table for name in FORMS.names() if (table := FORMS.get(name)(looked))}
    if len(fitting) > 1:
        raise InputError(
            f"the file can be {' and '.join(fitting)}; expected one form that fits", path=path
        )
    return next(iter(fitting.values()), None)


def tell(labels: FormTable, *, ignored: Collection[str] = ()) -> TextTable:
    """The table, after one warning that says what was taken for what.

    Parameters
    ----------
    labels : FormTable
        What a form found.
    ignored : collection of str
        Columns that it found and the reader does not take.
    """
    taken = [f"{role} from {name}" for role, name in labels.taken.items() if role not in ignored]
    passed = [*(labels.taken[role] for role in ignored if role in labels.taken), *labels.ignored]
    note = f"{labels.table.path}: read {', '.join(taken)}"
    if passed:
        note += f"; ignored: {', '.join(passed)}"
    warnings.warn(note, InputWarning, stacklevel=4)
    return labels.table


def _is_trec(line: str) -> bool:
    fields = line.split()
    # An id may be any word, "{" too; a line of JSON does not end with a bare number.
    return len(fields) in (3, 4) and not math.isnan(finite_number(fields[-1].lstrip("Ll").encode()))
