"""Reproducible random pairings with equally many opponents per candidate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, count

from qrelsmith.base.rng import Key, digest_key, shuffle

# Attempted exchanges for each pairing; twice as many leave the distribution as it is.
_EXCHANGES = 20
_WORD = 4  # bytes of a digest that make one draw

Edge = tuple[int, int]


@lru_cache(maxsize=4096)
def regular_pairings(
    candidates: int, opponents: int, *, seed: int, keys: tuple[Key, ...] = ()
) -> tuple[Edge, ...]:
    """Pair each candidate with `opponents` other candidates at random, without repeated pairs.

    If candidates · opponents is odd, one candidate has one more opponent. With fewer than
    `opponents` other candidates, all pairs are used.

    The paper draws by rejection sampling. Here, each candidate is first paired with its neighbours
    on a ring. Two random pairs (a, b) and (c, d) are then replaced by (a, d) and (c, b) if these
    pairs are new, many times. In the long run, all pairings without repeated pairs are equally
    frequent. This works even if rejection sampling would not terminate.

    Parameters
    ----------
    candidates : int
        Number of candidates, numbered 0, 1, ….
    opponents : int
        P, the number of opponents per candidate.
    seed : int
        The seed; the same seed and keys always give the same pairings.

    Returns
    -------
    tuple of (int, int)
        The pairs, the lower number first, sorted.
    """
    if opponents >= candidates - 1:
        return tuple(combinations(range(candidates), 2))
    order = [int(name) for name in shuffle(range(candidates), seed=seed, keys=(*keys, "ring"))]
    edges = [(order[one], order[two]) for one, two in ring(candidates, opponents)]
    paired = {frozenset(edge) for edge in edges}
    draws = _draws(seed, (*keys, "exchange"))
    for _ in range(_EXCHANGES * len(edges)):
        first, second, turn = next(draws) % len(edges), next(draws) % len(edges), next(draws) % 2
        (a, b), (c, d) = edges[first], edges[second][:: 1 - 2 * turn]
        new = frozenset((a, d)), frozenset((c, b))
        if len({a, b, c, d}) < 4 or new[0] in paired or new[1] in paired:
            continue
        paired -= {frozenset(edges[first]), frozenset(edges[second])}
        paired |= set(new)
        edges[first], edges[second] = (a, d), (c, b)
    return tuple(sorted((min(edge), max(edge)) for edge in edges))


def ring(candidates: int, opponents: int) -> list[Edge]:
    """Pair each ring position with its nearest neighbours and, for odd P, its opposite.

    >>> ring(4, 2)
    [(0, 1), (1, 2), (2, 3), (0, 3)]
    """
    places = range(candidates)
    edges = [
        (place, (place + step) % candidates)
        for step in range(1, opponents // 2 + 1)
        for place in places
    ]
    if opponents % 2:
        half = candidates // 2
        # With an odd number of places, the place in the middle has two opposite places.
        edges += [(place, place + half) for place in range(candidates - half)]
    return [(min(edge), max(edge)) for edge in edges]


def balanced_sides(
    edges: Sequence[Edge], *, seed: int, keys: tuple[Key, ...] = ()
) -> tuple[Edge, ...]:
    """Orient pairs so that each candidate's left and right counts differ by at most one.

    The pairs are traversed like edges of an Euler path, starting at candidates with an odd number
    of pairs. The candidate from which a step of the path starts is on the left. A path leaves each
    node as often as it enters the node.

    Returns
    -------
    tuple of (int, int)
        The pairs (left, right), in the given order.
    """
    streets: dict[int, list[int]] = {}
    places = [int(name) for name in shuffle(range(len(edges)), seed=seed, keys=(*keys, "sides"))]
    for place in places:
        for end in edges[place]:
            streets.setdefault(end, []).append(place)
    turned: dict[int, Edge] = {}
    odd = sorted(end for end, of_end in streets.items() if len(of_end) % 2)
    for start in (*odd, *sorted(streets)):
        here: int | None = start
        while here is not None:
            waiting = streets[here]
            while waiting and waiting[-1] in turned:
                waiting.pop()
            if not waiting:
                here = None
                continue
            place = waiting.pop()
            one, two = edges[place]
            turned[place] = (here, two if here == one else one)
            here = turned[place][1]
    return tuple(turned[place] for place in range(len(edges)))


def _draws(seed: int, keys: tuple[Key, ...]) -> Iterator[int]:
    """Yield pseudorandom integers from 0 to 2^32 − 1, computed from digests."""
    for number in count():
        digest = digest_key(seed, *keys, number)
        for start in range(0, len(digest), _WORD):
            yield int.from_bytes(digest[start : start + _WORD], "big")
