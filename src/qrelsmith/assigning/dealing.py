"""Dealing work out evenly and at random, so that a seed means the same for ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import Key, digest_key, shuffle


def deal(
    items: Sequence[str], hands: Sequence[str], *, each: int, seed: int, keys: Sequence[Key] = ()
) -> list[tuple[str, ...]]:
    """Give every item to some hands, so that no hand has more than one item above another.

    An item goes to those that have the fewest items so far; among equals SHA-256(seed, keys, item,
    hand) decides. So further items at the end leave the earlier ones where they are.

    Parameters
    ----------
    items : sequence of str
        What is dealt, in this order; all different.
    hands : sequence of str
        Who gets it; their order does not matter.
    each : int
        To how many different hands every item goes.

    Returns
    -------
    list of tuple of str, [item]
        The hands of each item, sorted.

    Raises
    ------
    UsageError
        If there are fewer hands than `each`.
    """
    if items and not 1 <= each <= len(hands):
        raise UsageError(f"each={each}; expected 1 to {len(hands)}, the number of assessors")
    load = dict.fromkeys(hands, 0)
    dealt = []
    for item in items:
        digests = {hand: digest_key(seed, *keys, item, hand) for hand in hands}
        chosen = sorted(hands, key=lambda hand: (load[hand], digests[hand]))[:each]
        for hand in chosen:
            load[hand] += 1
        dealt.append(tuple(sorted(chosen)))
    return dealt


def alternate(
    hands: Mapping[str, Sequence[str]],
    choices: Sequence[str],
    *,
    seed: int,
    keys: Sequence[Key] = (),
) -> dict[tuple[str, str], str]:
    """Give every item of every hand one of the choices, balanced within each hand and over all.

    The items of each hand are shuffled, the hands too, and the choices go round over all of them:
    their numbers differ by at most 1, in each hand and in total.

    Parameters
    ----------
    hands : mapping of str to sequence of str
        The items of each hand.
    choices : sequence of str
        What is chosen from.
    """
    # Which choice has one more in total is a matter of chance, too.
    order = shuffle(choices, seed=seed, keys=[*keys, "choices"])
    chosen: dict[tuple[str, str], str] = {}
    for hand in shuffle(hands, seed=seed, keys=[*keys, "hands"]):
        for item in shuffle(hands[hand], seed=seed, keys=[*keys, "items", hand]):
            chosen[hand, item] = order[len(chosen) % len(order)]
    return chosen
