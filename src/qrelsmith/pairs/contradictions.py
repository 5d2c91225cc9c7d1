"""Contradicted pairs: one assessor prefers the one doc, another the other (pdp 5.1.1)."""

from __future__ import annotations

from qrelsmith.base.tables import Table
from qrelsmith.pairs.preferences import Preferences


def contradicted_pairs(preferences: Preferences) -> Table:
    """Return pairs whose assessors contradict each other, to be discussed; the median settles them.

    Columns: topic, left, right, answers (−2 … 2 for left and right as they stand here, ascending).
    A tie contradicts nobody.
    """
    outcomes: dict[tuple[str, str, str], list[int]] = {}
    for topic, left, right, outcome, *_ in preferences.current().rows():
        if outcome is not None:
            key = (topic, min(left, right), max(left, right))
            outcomes.setdefault(key, []).append(outcome if left < right else -outcome)
    rows = [
        (*pair, " ".join(map(str, sorted(said))))
        for pair, said in sorted(outcomes.items())
        if min(said) < 0 < max(said)
    ]
    return Table.of(("topic", "left", "right", "answers"), rows)
