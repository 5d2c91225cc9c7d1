"""Rounds after the first one as records, out and in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from qrelsmith.base.errors import quoted
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.lines import Cell, Kind, read_records
from qrelsmith.web.models import RejudgingRound
from qrelsmith.web.records.parts import Part

ROUNDS = Kind(
    "rounds.jsonl",
    texts=("reason", "rule", "reference"),
    numbers=("number", "shows_labels"),
    times=("created_at",),
)
_TEXTS = ("reason", "rule", "reference")


def round_records() -> Iterator[Mapping[str, Cell]]:
    """All rounds, by number."""
    for each in RejudgingRound.objects.order_by("number"):
        yield {name: getattr(each, name) for name in _TEXTS} | {
            "number": each.number,
            "shows_labels": int(each.shows_labels),
            "created_at": each.created_at,
        }


def import_rounds(folder: Path) -> Counts:
    """Record the rounds of a folder; those that are there already are left as they are.

    Raises
    ------
    InputError
        At a round with a reason that is not known.
    """
    counts = Counts("rounds")
    there = set(RejudgingRound.objects.values_list("number", flat=True))
    for record in read_records(folder, ROUNDS):
        number, reason = record.need("number"), record.text("reason")
        if reason not in RejudgingRound.Reason.values:
            expected = ", ".join(RejudgingRound.Reason.values)
            raise record.fault(f"reason is {quoted(reason)}; expected {expected}")
        if number in there:
            counts.same += 1
            continue
        counts.new += 1
        RejudgingRound.objects.create(
            number=number,
            shows_labels=bool(record.need("shows_labels")),
            created_at=record.need_time("created_at"),
            **{name: record.text(name) for name in _TEXTS},
        )
    return counts


PART = Part(((ROUNDS, round_records),), lambda coming: import_rounds(coming.folder))
