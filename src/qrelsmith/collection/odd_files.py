"""Valid runs and qrels that probably contain a mistake: notes for a warning."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import InputWarning, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.run_lines import RunPart
from qrelsmith.io.numbers import finite_number
from qrelsmith.io.text import FilePath

# With fewer judgments, a single grade is plausible; with fewer docs, any order is plausible.
_MANY_GRADES = 50
_MANY_DOCS = 5
_LOOKED_AT = 1 << 16
_NO_RANK = b"-"
_WITHOUT_TAG = (
    "5 columns were read as topic Q0 docno rank score; without a tag, the run has the file's name"
)


def odd_qrels(docs: Sequence[str], grades: FloatArray, iterations: Sequence[bytes]) -> list[str]:
    """Return notes on columns of qrels that are probably a mistake."""
    notes = []
    names = set(docs)
    if len(docs) > 1 and names == {"0"}:
        notes.append(
            "all docs have the id 0; expected topic iter docno grade (are columns swapped?)"
        )
    elif len(set(iterations)) > max(1, len(names)) and all(map(str.isdigit, names)):
        notes.append(
            "the second column has more names than the third; expected topic iter docno grade"
            " (ir_datasets export --format tsv writes topic docno grade iter: use --format jsonl"
            " and qrelsmith convert --from jsonl)"
        )
    # Qrels often list only relevant docs, so a single positive grade is normal.
    if len(grades) >= _MANY_GRADES and grades[0] <= 0 and (grades == grades[0]).all():
        notes.append(
            f"all {len(grades)} judgments have the grade {grade_text(grades[0])}, so that no doc"
            " differs from another"
        )
    return notes


def commented_rows(block: bytes, *, widths: tuple[int, ...], what: str) -> list[str]:
    """Return a note if every line of a file is a comment that looks like a row."""
    lines = [line for line in block[:_LOOKED_AT].split(b"\n") if line.strip()]
    rows = [line for line in lines if line.startswith(b"#") and len(line.split()) in widths]
    if not rows or len(rows) < len(lines):
        return []
    note = (
        f"all lines begin with # and are ignored as comments, but look like {what};"
        " expected ids of topics that begin differently"
    )
    return [note]


def empty_run(block: bytes) -> list[str]:
    """Return a note that a run has no docs, with the reason if the file shows it."""
    note = (
        "the file has no docs, so the run scores 0 on every topic; expected topic Q0 docno"
        " rank score tag on each line"
    )
    return commented_rows(block, widths=(5, 6), what="docs of a run") or [note]


def odd_run(head: bytes, start: int = 0, *, first_line: int = 1) -> list[str]:
    """Return notes on suspicious columns and ranks, such as ranks that rise with the scores."""
    rows, numbers = [], []
    looked_at = head[start : start + _LOOKED_AT]
    for number, line in enumerate(looked_at.split(b"\n")[:-1], start=first_line):
        row = line.split(maxsplit=5)
        if len(row) >= 5 and not line.startswith(b"#"):
            rows.append(row)
            numbers.append(number)
    ranks, scores = (_finite_numbers([row[place] for row in rows]) for place in (3, 4))
    notes = [_WITHOUT_TAG] if rows and len(rows[0]) == 5 and not np.isnan(scores[0]) else []
    unclear = np.flatnonzero(np.isnan(ranks) | np.isnan(scores) | (ranks % 1 > 0)).tolist()
    for place in unclear:
        rank = rows[place][3]
        if np.isnan(scores[place]):  # the reader raises an error
            return notes
        if not np.isnan(ranks[place]):
            text = f"the rank {ranks[place]} is not a whole number; are rank and score swapped?"
            return [*notes, text]
        if rank != _NO_RANK:
            text = f"the rank {quoted(rank)} on line {numbers[place]} is not a number; ranks are"
            return [*notes, f"{text} ignored"]
    places: dict[bytes, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row[0], []).append(place)
    # One topic in the right order is enough, because reversed files are reversed in all topics.
    large = [topic for topic in places.values() if len(topic) >= _MANY_DOCS]
    if large and all(_rises(ranks[topic], scores[topic]) for topic in large):
        notes.append(
            "the docs of rank 1 have the lowest scores; the order is by score, highest first (are"
            " the scores distances? --order rank uses the ranks)"
        )
    return notes


def _finite_numbers(fields: list[bytes]) -> FloatArray:
    """Return the numbers in fields; nan for a field that is not a finite decimal number."""
    try:
        numbers = np.array(list(map(float, fields)))
    except ValueError:
        numbers = np.full(len(fields), np.nan)
    if np.isfinite(numbers).all() and b"_" not in b"".join(fields):
        return numbers
    return np.array(list(map(finite_number, fields)))


def _rises(ranks: FloatArray, scores: FloatArray) -> bool:
    order = np.lexsort((scores, ranks))
    return bool(
        (np.diff(ranks[order]) > 0).all() and (scores[order[1:]] > scores[order[:-1]]).all()
    )


def checked_tags(parts: Iterable[RunPart], path: FilePath) -> Iterator[RunPart]:
    """Yield the parts of a run; then warn about several tags and about fields after the tag."""
    tags: dict[str, None] = {}
    extra = 0
    for part in parts:
        tags.update(dict.fromkeys(part.tags))
        extra += part.extra_lines
        yield part
    if extra:
        warnings.warn(
            f"{path}: {extra} lines have fields after the tag, which were ignored",
            InputWarning,
            stacklevel=2,
        )
    if len(tags) > 1:
        first, second = list(tags)[:2]
        warnings.warn(
            f"{path}: {len(tags)} different tags, {quoted(first)} and {quoted(second)} among them;"
            " the run is named after the first tag",
            InputWarning,
            stacklevel=2,
        )
