"""Even and random distribution of work; a seed gives the same result in all versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import Key, digest_key, shuffle


def deal(
    items: Sequence[str], hands: Sequence[str], *, each: int, seed: int, keys: Sequence[Key] = ()
) -> list[tuple[str, ...]]:
    """Assign each item to several recipients (hands), whose numbers of items differ by at most 1.

    An item goes to the recipients with the fewest items so far; SHA-256(seed, keys, item, hand)
    breaks ties. Adding items at the end therefore does not change who gets the earlier items.

    Parameters
    ----------
    items : sequence of str
        The items to distribute, in this order, without repetition.
    hands : sequence of str
        The recipients; their order does not matter.
    each : int
        Number of hands that get each item.

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
    """Assign a choice to every item, balanced for each recipient (hand) and in total.

    The recipients are shuffled, and so are the items of each recipient; the choices are then
    repeated in turn. The frequencies of the choices differ by at most 1, for each recipient and in
    total.

    Parameters
    ----------
    hands : mapping of str to sequence of str
        The items of each hand.
    choices : sequence of str
        The possible choices.
    """
    # The choice that occurs once more than the others in total is random, too.
    order = shuffle(choices, seed=seed, keys=[*keys, "choices"])
    chosen: dict[tuple[str, str], str] = {}
    for hand in shuffle(hands, seed=seed, keys=[*keys, "hands"]):
        for item in shuffle(hands[hand], seed=seed, keys=[*keys, "items", hand]):
            chosen[hand, item] = order[len(chosen) % len(order)]
    return chosen
