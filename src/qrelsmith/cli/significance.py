"""`qrelsmith significance`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.score_sources import score_matrices
from qrelsmith.cli.scoring import Scoring, scoring_options
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.rng import rng_for
from qrelsmith.stats.multiplicity import ADJUSTMENTS
from qrelsmith.stats.pairwise import PairwiseResult
from qrelsmith.stats.significance import TESTS
from qrelsmith.tables import Cell, Table

# No column depends on it, but the tests want a level for their critical differences.
_ALPHA = 0.05


@click.command(
    name="significance",
    epilog="Example: qrelsmith significance nist.qrels runs/*.run -m nDCG@10"
    " --test randomised-tukey -B 10000 --adjust holm",
)
@click.argument("files", type=click.Path(), nargs=-1, metavar="[QRELS RUN...]")
@click.option(
    "--scores", type=click.Path(),
    help="Scores in place of qrels and runs: csv with topics in the first column and a column for"
    " each system, or the output of evaluate --per-topic.",
)  # fmt: skip
@click.option(
    "--test", type=click.Choice(TESTS.names()), default="randomised-tukey", show_default=True,
    help="A test for scores on the same topics.",
)  # fmt: skip
@click.option("-B", "--trials", type=click.IntRange(min=1), help="Random trials of the test.")
@click.option(
    "--adjust", type=click.Choice(ADJUSTMENTS.names()),
    help="Add the column p_adjusted: p for all pairs at once.",
)  # fmt: skip
@click.option("--topic-set", type=click.Path(), help="A file of topics, one a line: only these.")
@scoring_options(required=False)
@common_options
def command(
    common: Common,
    scoring: Scoring,
    files: tuple[str, ...],
    scores: str | None,
    test: str,
    trials: int | None,
    adjust: str | None,
    topic_set: str | None,
) -> None:
    """Test every pair of systems for a difference of their means.

    Columns: measure, run_a, run_b, mean_a, mean_b, difference, p, effect_size. The tests are for
    scores of all systems on the same topics. p is not adjusted for the number of pairs, except by
    the Tukey tests, which are made for all pairs.
    """
    rows: list[Sequence[Cell]] = []
    for matrix in score_matrices(files, scores, topic_set, scoring, common):
        result = tested(matrix, test, trials=trials, seed=common.seed, alpha=_ALPHA)
        rows += _rows(matrix, result, adjust)
    columns = ["measure", "run_a", "run_b", "mean_a", "mean_b", "difference", "p", "effect_size"]
    common.emit(Table.of([*columns, *(["p_adjusted"] if adjust else [])], rows).sorted())


def tested(
    matrix: ScoreMatrix, test: str, *, trials: int | None, seed: int, alpha: float
) -> PairwiseResult:
    """A paired test of all pairs of systems; the seed and the measure decide its random trials."""
    known = {} if trials is None else {"trials": trials}
    rng = rng_for(seed, "significance", test, matrix.measure)
    result: PairwiseResult = TESTS.get(test)(matrix.scores.T, rng=rng, alpha=alpha, **known)
    return result


def _rows(
    matrix: ScoreMatrix, result: PairwiseResult, adjust: str | None
) -> list[tuple[Cell, ...]]:
    """A row for each pair, the system whose name comes first as run_a."""
    adjusted = ADJUSTMENTS.get(adjust)(result.p).tolist() if adjust else [None] * len(result.p)
    means, rows = result.means.tolist(), []
    pairs = zip(result.first.tolist(), result.second.tolist(), strict=True)
    values = zip(
        result.difference.tolist(),
        result.p.tolist(),
        result.effect_size.tolist(),
        adjusted,
        strict=True,
    )
    for (first, second), (difference, p, effect, changed) in zip(pairs, values, strict=True):
        a, b, sign = first, second, 1.0
        if matrix.systems[a] > matrix.systems[b]:
            a, b, sign = second, first, -1.0
        row: tuple[Cell, ...] = (
            matrix.measure,
            matrix.systems[a],
            matrix.systems[b],
            means[a],
            means[b],
            sign * difference + 0.0,
            p,
            sign * effect + 0.0,
        )
        rows.append(row if changed is None else (*row, changed))
    return rows
