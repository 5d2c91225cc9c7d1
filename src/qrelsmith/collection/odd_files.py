"""Runs and qrels that are allowed as they are and surely meant otherwise: notes for a warning."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import InputWarning, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.run_lines import RunPart
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.text import FilePath

# Fewer judgments may well have one grade, and fewer docs any order.
_MANY_GRADES = 50
_MANY_DOCS = 5
_LOOKED_AT = 1 << 16
_NO_RANK = b"-"


def odd_qrels(docs: Sequence[str], grades: FloatArray, iterations: Sequence[bytes]) -> list[str]:
    """Return notes on columns of qrels that were surely meant otherwise."""
    notes = []
    names = set(docs)
    if len(docs) > 1 and names == {"0"}:
        notes.append(
            "all docs are called 0; expected topic iter docno grade (are columns swapped?)"
        )
    elif len(set(iterations)) > max(1, len(names)) and all(map(str.isdigit, names)):
        notes.append(
            "the second column holds more names than the third; expected topic iter docno grade"
            " (ir_datasets export --format tsv writes topic docno grade iter: take --format jsonl"
            " and qrelsmith convert --from jsonl)"
        )
    # Qrels often list relevant docs only: those of one positive grade are as they should be.
    if len(grades) >= _MANY_GRADES and grades[0] <= 0 and (grades == grades[0]).all():
        notes.append(
            f"all {len(grades)} judgments have the grade {grade_text(grades[0])}, so that no doc"
            " differs from another"
        )
    return notes


def commented_rows(block: bytes, *, widths: tuple[int, ...], what: str) -> list[str]:
    """Say so where a file holds nothing but comments that look like rows."""
    lines = [line for line in block[:_LOOKED_AT].split(b"\n") if line.strip()]
    rows = [line for line in lines if line.startswith(b"#") and len(line.split()) in widths]
    if not rows or len(rows) < len(lines):
        return []
    note = (
        f"all lines begin with # and are ignored as comments, though they look like {what};"
        " expected ids of topics that begin otherwise"
    )
    return [note]


def empty_run(block: bytes) -> list[str]:
    """Say that a run has no doc, and why where that can be seen."""
    note = (
        "the file has no docs, so the run scores 0 on every topic; expected topic Q0 docno"
        " rank score tag on each line"
    )
    return commented_rows(block, widths=(5, 6), what="docs of a run") or [note]


def odd_run(head: bytes, *, first_line: int = 1) -> list[str]:
    """Return notes on the columns of a run, its ranks, and ranks that rise as its scores do."""
    notes: list[str] = []
    topics: dict[bytes, list[tuple[float, float]]] = {}
    for number, line in enumerate(head[:_LOOKED_AT].split(b"\n")[:-1], start=first_line):
        row = line.split()
        if len(row) < 5 or line.startswith(b"#"):
            continue
        rank, score = finite_number(row[3]), finite_number(row[4])
        if np.isnan(score):  # a line of another kind of file, or an error of its own
            return notes
        if not topics and len(row) == 5:
            notes.append(
                "5 columns, read as topic Q0 docno rank score without a tag; the file's name names"
                " the run"
            )
        if rank % 1 > 0:
            return [*notes, f"the rank {rank} is no whole number; are rank and score swapped?"]
        if np.isnan(rank) and row[3] != _NO_RANK:
            text = f"the rank {quoted(row[3])} on line {number} is not a number; ranks are ignored"
            return [*notes, text]
        topics.setdefault(row[0], []).append((rank, score))
    # One topic in order is enough: files are turned as a whole.
    large = [sorted(pairs) for pairs in topics.values() if len(pairs) >= _MANY_DOCS]
    is_turned = any(large) and all(
        first[0] < second[0] and first[1] < second[1]
        for pairs in large
        for first, second in pairwise(pairs)
    )
    if is_turned:
        notes.append(
            "the docs of rank 1 have the lowest scores; the order is by score, highest first (are"
            " the scores distances? --order rank takes the ranks)"
        )
    return notes


def checked_tags(parts: Iterable[RunPart], path: FilePath) -> Iterator[RunPart]:
    """Yield the parts, and warn at the end of a second tag and of fields after the sixth."""
    tags: dict[str, None] = {}
    extra = 0
    for part in parts:
        tags.update(dict.fromkeys(part.tags))
        extra += part.extra_lines
        yield part
    if extra:
        warnings.warn(
            f"{path}: lines with fields after the tag, which were ignored: {extra}",
            InputWarning,
            stacklevel=2,
        )
    if len(tags) > 1:
        first, second = list(tags)[:2]
        warnings.warn(
            f"{path}: {len(tags)} different tags, {quoted(first)} and {quoted(second)} among them;"
            " the first one names the run",
            InputWarning,
            stacklevel=2,
        )
