"""The current answers to pairs as preferences, as a session's log writes them."""

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
# Whose answer a verdict of the desk is.
ADJUDICATED = "adjudicated"


def write_preferences(path: Path) -> int:
    """Write the answers that count, by topic and in the order of the pairs; how many there are.

    Challenges, repeats with swapped sides, what was withdrawn, and what is in a HIT that is not
    handed in yet do not count; they are in the records. Where the desk has decided, its verdict
    counts in place of the answers, which stand in `pair_adjudications.csv`. Without any answer
    there is no file.
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
    """Return the answers; a decision replaces the answers to its pair."""
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
