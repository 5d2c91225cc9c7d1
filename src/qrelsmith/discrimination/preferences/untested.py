"""Pairs of grades without preference tests."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import FloatArray, IntArray
from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.scales import grade_text
from qrelsmith.base.scipy_parts import csgraph, special
from qrelsmith.discrimination.plackett_luce.newton import minimise
from qrelsmith.discrimination.preferences.needed import needed_tests

_NAMED = 8


def interpolate(p: FloatArray, wins: FloatArray) -> FloatArray:
    """Fill the cells without tests from the cells with tests.

    Each level gets a score by the Bradley–Terry model on the tested pairs (½ is added to both cells
    of each pair, so that scores are finite). A level without tests gets the mean of the scores of
    the nearest tested levels on either side, weighted by the distance in levels. Then p(a > b) =
    σ(s_a − s_b). Levels have no common score if no chain of tests connects them, or if they are
    outside the range of tested levels. Cells of such levels stay nan.

    Parameters
    ----------
    p : float array [batch, level, level]
        The probabilities; nan for pairs without tests.
    wins : float array [batch, level, level]
        The amounts from tests for the row over the column.
    """
    filled = p.copy()
    for batch in np.flatnonzero(np.isnan(p).any(axis=(1, 2))).tolist():
        scores, chain = _level_scores(wins[batch])
        apart = special.expit(scores[:, None] - scores)
        fill = np.isnan(p[batch]) & (chain[:, None] == chain) & (chain >= 0)
        filled[batch][fill] = apart[fill]
    return filled


def _level_scores(wins: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the score of each level, and the chain of tests that connects it (−1: none)."""
    tested = ((wins + wins.T) > 0) & ~np.eye(len(wins), dtype=np.bool_)
    count, found = csgraph.connected_components(tested, directed=False)
    chain: IntArray = np.asarray(found, dtype=np.int64)
    scores: FloatArray = np.zeros(len(wins))
    for one in range(count):
        members = np.flatnonzero(chain == one)
        if members.size == 1:
            chain[members] = -1
            continue
        inside = np.ix_(members, members)
        scores[members] = minimise((wins[inside] + 0.5 * tested[inside])[None])[0][0]
    known = np.flatnonzero(chain >= 0)
    for level in np.flatnonzero(chain < 0).tolist():
        after = int(np.searchsorted(known, level))
        if 0 < after < known.size and chain[known[after - 1]] == chain[known[after]]:
            scores[level] = np.interp(level, known, scores[known])
            chain[level] = chain[known[after]]
    return scores, chain


def untested_error(levels: tuple[float, ...], cells: IntArray, *, batches: int) -> UndefinedError:
    """Return the error that names pairs of grades without tests, and the number of tests to add.

    Parameters
    ----------
    levels : tuple of float
        The levels of the scale.
    cells : int array [cell, 3]
        Batch and the positions of the two levels.
    batches : int
        The number of batches; with several batches, the error names the batch.
    """
    ordered = np.column_stack([cells[:, 0], np.sort(cells[:, 1:], axis=1)])
    pairs = np.unique(ordered, axis=0)
    names = [
        f"{grade_text(levels[low])} and {grade_text(levels[high])}"
        + (f" (batch {batch})" if batches > 1 else "")
        for batch, low, high in pairs[:_NAMED].tolist()
    ]
    more = f" and {len(pairs) - _NAMED} more" if len(pairs) > _NAMED else ""
    return UndefinedError(
        f"no preference test compares docs of the grades {', '.join(names)}{more}. Add about "
        f"{needed_tests().tests} tests for each pair (p within ±0.05 with probability 0.95), or "
        "use --untested half or --untested interpolate"
    )
