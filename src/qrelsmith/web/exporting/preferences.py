"""The current answers to pairs as preferences, in the format of a session's log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from qrelsmith.io.writing import write_text
from qrelsmith.pairs.preference_files import log_text
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.web.desk.contradictions import brought_pairs
from qrelsmith.web.models import Hit, PairTask

_COLUMNS = ("contest__topic__name", "left__name", "right__name", "outcome", "assessor__name")
# The assessor's name for adjudicated answers.
ADJUDICATED = "adjudicated"


def write_preferences(path: Path) -> int:
    """Write the answers that count, by topic and in the order of pairs; return their number.

    Only the records contain attention checks, repeats with swapped sides, withdrawn answers, and
    answers in HITs that are not submitted yet. If a pair was adjudicated, its verdict replaces the
    answers, which are then in `pair_adjudications.csv`. Without answers, no file is written.
    """
    unfinished = Hit.objects.filter(state=Hit.State.TAKEN)
    tasks = PairTask.objects.filter(
        purpose=PairTask.Purpose.SEARCH, withdrawn=False, is_judged=True
    ).exclude(hit__in=unfinished.values("key"))
    tasks = tasks.order_by("contest__topic__name", "number")
    given = Preferences.from_rows(_with_verdicts(tasks.values_list(*_COLUMNS, "round")))
    if len(given):
        write_text(path, log_text(given))
    return len(given)


def _with_verdicts(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield the answers; for a decided pair, yield the verdict instead."""
    decided = {
        (pair.topic, pair.doc, pair.other): int(pair.verdict.value or 0)
        for pair in brought_pairs()
        if pair.verdict is not None
    }
    written: set[tuple[str, str, str]] = set()
    for topic, left, right, outcome, assessor, round_ in rows:
        pair = (topic, min(left, right), max(left, right))
        if pair not in decided:
            yield topic, left, right, outcome, assessor, round_
        elif pair not in written:
            written.add(pair)
            yield *pair, decided[pair], ADJUDICATED, round_
