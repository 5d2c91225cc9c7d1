"""Letters for the systems that each system significantly outperforms."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import BoolArray
from qrelsmith.stats.pairwise import PairwiseResult


def outperforms(result: PairwiseResult) -> BoolArray:
    """Return a mask of the systems that each system significantly outperforms.

    Parameters
    ----------
    result : PairwiseResult
        A paired test; significant means p < result.alpha.

    Returns
    -------
    bool array, shape (m, m)
        [i, j] is true where system i has the higher mean and the pair is significant.
    """
    return np.asarray((result.p_matrix() < result.alpha) & (result.difference_matrix() > 0))


def letter(number: int) -> str:
    """Name a column by a letter: a to z, then aa, ab and so on.

    >>> [letter(n) for n in (0, 25, 26, 27, 702)]
    ['a', 'z', 'aa', 'ab', 'aaa']
    """
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


def letters(result: PairwiseResult) -> tuple[str, ...]:
    """Return, for each system, the letters of the systems that it significantly outperforms.

    Letters follow the order of the scores' columns. To reproduce Tables 11 and 12 of
    ordering-gold-bronze, sort the columns by mean first.

    Parameters
    ----------
    result : PairwiseResult
        A paired test; significant means p < result.alpha.

    Returns
    -------
    tuple of str, one per system
        Such as `"c,d,e"`; empty for a system that outperforms none.
    """
    return tuple(
        ",".join(letter(int(j)) for j in np.flatnonzero(row)) for row in outperforms(result)
    )
