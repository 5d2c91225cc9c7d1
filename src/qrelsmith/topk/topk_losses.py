"""Probability of losing a top doc in a round of random pairings."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.errors import UsageError
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table
from qrelsmith.topk.crowd_simulation import CrowdDesign
from qrelsmith.topk.culling import survivors
from qrelsmith.topk.simulated_pairings import many_pairings


def round_losses(candidates: int, design: CrowdDesign, *, draws: int, seed: int) -> Table:
    """Compute how often a round with correct answers loses each of the k best candidates.

    Parameters
    ----------
    candidates : int
        Number of paired docs, more than k.
    design : CrowdDesign
        k, P and who stays.
    draws : int
        Number of random pairings, at least 1.

    Returns
    -------
    Table
        place (1 is the best), draws, fails (share of draws with too few wins), lost (share of draws
        in which the doc is also not kept to reach k docs).

    Raises
    ------
    UsageError
        If there are too few candidates or no draws.
    """
    if candidates <= design.k or draws < 1:
        raise UsageError(
            f"found {candidates} candidates and {draws} draws; expected more than k = {design.k}"
            " candidates and 1 draw or more"
        )
    rng = rng_for(seed, "round losses", candidates, design.pairings)
    graphs = many_pairings(candidates, design.pairings)
    pairs = graphs[rng.integers(len(graphs), size=draws)]
    # The docs' places in a pairing are drawn, too; place 0 is the best doc.
    who = rng.permuted(np.tile(np.arange(candidates), (draws, 1)), axis=1)
    ends = np.take_along_axis(who[:, None, :], pairs.reshape(draws, 1, -1), axis=2)
    ends = ends.reshape(draws, -1, 2) + candidates * np.arange(draws)[:, None, None]
    wins, asked = (
        np.bincount(docs.ravel(), minlength=draws * candidates).reshape(draws, candidates)
        for docs in (ends.min(axis=2), ends)
    )
    # With k = 1, no doc is kept only to reach k, because the best doc always wins enough.
    alone = survivors(wins, asked, k=1, keep=design.keep)
    stays = survivors(wins, asked, k=design.k, keep=design.keep)
    rows = [
        (place + 1, draws, float(1 - alone[:, place].mean()), float(1 - stays[:, place].mean()))
        for place in range(design.k)
    ]
    return Table.of(("place", "draws", "fails", "lost"), rows)
