"""Standing answers of a log, once later answers and undos are taken in.

Everything that reads preferences asks here, so that a log means the same to all of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

# Topic, left, right, outcome (None: undo), assessor (empty: not known), round (0: not known).
LogEntry = tuple[str, str, str, int | None, str, int]


def standing(entries: Iterable[LogEntry]) -> list[int]:
    """Return the places of the answers of a log that stand, ascending.

    Parameters
    ----------
    entries : iterable of (str, str, str, int or None, str, int)
        Topic, left, right, outcome, assessor and round, in the order in which they were given. The
        outcome None withdraws; an empty assessor and the round 0 are not known.

    Notes
    -----
    - An answer replaces what its assessor said before of the pair, whichever side a doc stood on,
      in the same round. Answers of unknown assessors in unknown rounds all stand, since nobody
      knows whether one replaces another.
    - An undo withdraws what stands of its assessor for the pair in its round; of unknown assessors
      in unknown rounds the last answer. One that names no round, where nothing without a round
      stands, withdraws the assessor's last answer to the pair.

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
