"""Pairs with contradictory answers: assessors prefer different docs (Chu et al. 2021, 5.1.1)."""

from __future__ import annotations

from qrelsmith.base.tables import Table
from qrelsmith.pairs.preferences import Preferences


def contradicted_pairs(preferences: Preferences) -> Table:
    """Return the pairs with contradictory answers, which assessors can discuss.

    Columns: topic, left, right, answers (from −2 for left to 2 for right, in ascending order). A
    tie does not contradict any answer. The outcome of a pair is the median of its answers.
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
