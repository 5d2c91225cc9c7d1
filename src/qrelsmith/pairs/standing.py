"""Current answers of a log, with later answers and undos applied.

All readers of preferences use this module, so a log has one meaning.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

# Topic, left, right, outcome (None: undo), assessor (empty: not known), round (0: not known).
LogEntry = tuple[str, str, str, int | None, str, int]


def standing(entries: Iterable[LogEntry]) -> list[int]:
    """Return the ascending indices of the current answers of a log.

    Parameters
    ----------
    entries : iterable of (str, str, str, int or None, str, int)
        Topic, left, right, outcome, assessor and round, in the order given. The outcome None is an
        undo; an empty assessor and round 0 mean unknown.

    Notes
    -----
    - An answer replaces its assessor's earlier answer to the pair in the same round, even if the
    docs were shown on swapped sides. All answers of unknown assessors in unknown rounds are kept,
    because
      replacements cannot be identified.
    - An undo withdraws its assessor's current answer to the pair in its round, or the last answer
      of an unknown assessor in an unknown round. An undo without a round withdraws the assessor's
      last answer to the pair if all answers have rounds.

    Examples
    --------
    >>> standing([("t", "a", "b", -1, "ann", 1), ("t", "b", "a", -1, "ann", 1)])
    [1]
    >>> standing([("t", "a", "b", -1, "ann", 1), ("t", "a", "b", None, "ann", 0)])
    []
    """
    held: dict[tuple[Hashable, ...], dict[int, list[int]]] = {}
    for place, (topic, left, right, outcome, assessor, number) in enumerate(entries):
        pair = (topic, left, right) if left < right else (topic, right, left)
        rounds = held.setdefault((*pair, assessor), {})
        places = rounds.setdefault(number, [])
        if outcome is None:
            if not (number or places):
                places = max(rounds.values(), key=lambda of: of[-1] if of else -1)
            del places[-1:]
            continue
        if assessor or number:
            places.clear()
        places.append(place)
    return sorted(
        place for rounds in held.values() for places in rounds.values() for place in places
    )
