"""The current answers to pairs as preferences, as a session's log writes them."""

from __future__ import annotations

from pathlib import Path

from qrelsmith.io.writing import write_text
from qrelsmith.pairs.preference_files import log_text
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.web.models import Hit, PairTask

_COLUMNS = ("contest__topic__name", "left__name", "right__name", "outcome", "assessor__name")


def write_preferences(path: Path) -> int:
    """Write the answers that count, by topic and in the order of the pairs; how many there are.

    Challenges, repeats with swapped sides, what was withdrawn, and what is in a HIT that is not
    handed in yet do not count; they are in the records. Without any answer there is no file.
    """
    unfinished = Hit.objects.filter(state=Hit.State.TAKEN)
    tasks = PairTask.objects.filter(
        purpose=PairTask.Purpose.SEARCH, withdrawn=False, is_judged=True
    ).exclude(hit__in=unfinished.values("key"))
    tasks = tasks.order_by("contest__topic__name", "number")
    given = Preferences.from_rows(tasks.values_list(*_COLUMNS, "round"))
    if len(given):
        write_text(path, log_text(given))
    return len(given)
