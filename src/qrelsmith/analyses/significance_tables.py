"""Which systems differ, as a table with a row for every pair."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.rng import rng_for
from qrelsmith.stats.groups import GroupResult
from qrelsmith.stats.multiplicity import ADJUSTMENTS
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.significance import TESTS
from qrelsmith.tables import Cell, Table

PAIRED_TEST = "randomised-tukey"
# Their p is for all pairs at once already.
_FAMILYWISE = ("randomised-tukey", "paired-tukey", "unpaired-tukey")
# No column depends on it, but the tests want a level for their critical differences.
_ALPHA = 0.05


def significance(
    scores: ScoreMatrix,
    *,
    test: str = PAIRED_TEST,
    adjust: str | None = None,
    trials: int | None = None,
    seed: int = 0,
) -> Table:
    """Test every pair of systems for a difference of their means, as `qrelsmith significance` does.

    Parameters
    ----------
    scores : ScoreMatrix
        Every system on the same topics, two topics at least.
    test : str
        `randomised-tukey`, `paired-tukey`, `paired-t`, `permutation` or `bootstrap`.
    adjust : str, optional
        `holm` or `bh`: add the column p_adjusted. The Tukey tests are for all pairs already.
    trials : int, optional
        Random trials of a test that makes them.
    seed : int
        Seed of these trials.

    Returns
    -------
    Table
        measure, run_a, run_b, mean_a, mean_b, difference, p, effect_size.

    Raises
    ------
    UnknownNameError
        If there is no such test or adjustment.
    UsageError
        If a score is not finite.
    UndefinedError
        If there are fewer than two topics.

    Examples
    --------
    >>> import numpy as np
    >>> from qrelsmith import ScoreMatrix, significance
    >>> scores = np.array([[0.5, 0.6, 0.9, 0.7], [0.4, 0.4, 0.6, 0.6]])
    >>> matrix = ScoreMatrix("AP", ("a", "b"), ("t1", "t2", "t3", "t4"), scores)
    >>> print(significance(matrix, test="paired-t"))
    measure  run_a  run_b  mean_a  mean_b  difference    p     effect_size
    ───────  ─────  ─────  ──────  ──────  ──────────  ──────  ───────────
    AP       a      b      0.6750  0.5000      0.1750  0.0354       1.8278
    """
    matrix = scores.sorted()
    rows = pair_rows(
        matrix.measure,
        matrix.systems,
        tested(matrix, test, trials=trials, seed=seed, alpha=_ALPHA),
        adjust,
    )
    return significance_table(rows, test, adjust)


def tested(
    matrix: ScoreMatrix, test: str, *, trials: int | None, seed: int, alpha: float
) -> PairwiseResult:
    """A paired test of all pairs of systems; the seed and the measure decide its random trials."""
    known = {} if trials is None else {"trials": trials}
    rng = rng_for(seed, "significance", test, matrix.measure)
    result: PairwiseResult = TESTS.get(test)(matrix.scores.T, rng=rng, alpha=alpha, **known)
    return result


def pair_rows(
    measure: str,
    names: Sequence[str],
    result: PairwiseResult | GroupResult,
    adjust: str | None,
) -> list[tuple[Cell, ...]]:
    """A row for each pair; the names are sorted, so that the lower one is run_a."""
    means = result.means
    columns = [
        result.first, result.second, means[result.first], means[result.second], result.difference,
        result.p, result.effect_size,
    ]  # fmt: skip
    if adjust:
        columns.append(ADJUSTMENTS.get(adjust)(result.p))
    return [
        (measure, names[first], names[second], *values)
        for first, second, *values in zip(*(column.tolist() for column in columns), strict=True)
    ]


def significance_table(rows: Sequence[Sequence[Cell]], test: str, adjust: str | None) -> Table:
    """The rows under their header, sorted, and what a reader must know of them."""
    columns = ["measure", "run_a", "run_b", "mean_a", "mean_b", "difference", "p", "effect_size"]
    notes = []
    if not rows:
        notes.append("there is one system or group only, and no pair to test")
    if adjust and test in _FAMILYWISE:
        notes.append(f"p of {test} is for all pairs already; p_adjusted adjusts it once more")
    return Table.of([*columns, *(["p_adjusted"] if adjust else [])], rows, notes=notes).sorted()
