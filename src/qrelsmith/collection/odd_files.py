"""Runs and qrels that are allowed as they are and surely meant otherwise: notes for a warning."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.scales import grade_text
from qrelsmith.io.numbers import finite_number

# Fewer judgments may well have one grade, and fewer docs any order.
_MANY_GRADES = 50
_MANY_DOCS = 5
_LOOKED_AT = 1 << 16


def odd_qrels(
    topics: Sequence[str], docs: Sequence[str], grades: FloatArray, iterations: Sequence[bytes]
) -> list[str]:
    """Notes on columns of qrels that were surely meant otherwise."""
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
    # Qrels with one known answer a topic have one grade by right.
    if len(grades) >= max(_MANY_GRADES, 2 * len(set(topics))) and (grades == grades[0]).all():
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
        f"all lines begin with # and are passed over as comments, though they look like {what};"
        " expected ids of topics that begin otherwise"
    )
    return [note]


def empty_run(block: bytes) -> list[str]:
    """Say that a run has no doc, and why where that can be seen."""
    note = (
        "the file holds no doc, so that the run scores 0 on every topic; expected topic Q0 docno"
        " rank score tag on each line"
    )
    return commented_rows(block, widths=(5, 6), what="docs of a run") or [note]


def odd_run(head: bytes) -> list[str]:
    """Say so where the ranks of a run go up as its scores do, or are no whole numbers."""
    lines = head[:_LOOKED_AT].split(b"\n")[:-1]
    rows = (line.split() for line in lines if line[:1] != b"#")
    is_turned = False
    for _, group in groupby((row for row in rows if len(row) >= 5), key=lambda row: row[0]):
        pairs = [(finite_number(row[3]), finite_number(row[4])) for row in group]
        for rank, _ in pairs:
            if rank % 1 > 0:
                return [f"the rank {rank} is no whole number; are rank and score swapped?"]
        pairs.sort()
        if len(pairs) < _MANY_DOCS:
            continue
        # One topic in order is enough: files are turned as a whole.
        is_turned = all(
            first[0] < second[0] and first[1] < second[1] for first, second in pairwise(pairs)
        )
        if not is_turned:
            break
    if not is_turned:
        return []
    note = (
        "the docs of rank 1 have the lowest scores; the order is by score, highest first (are the"
        " scores distances? --order rank takes the ranks)"
    )
    return [note]
