"""`qrelsmith power`."""

from __future__ import annotations

from itertools import product

import click

from qrelsmith.analyses.significance_tables import tested
from qrelsmith.cli.options import Common, Finite, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.score_sources import score_matrices
from qrelsmith.cli.scoring import Scoring, scoring_options
from qrelsmith.cli.significance import check_paired
from qrelsmith.stats.power import discriminative_power
from qrelsmith.stats.significance import TESTS
from qrelsmith.tables import Cell, Table


@click.command(
    name="power",
    epilog="Example: qrelsmith power nist.qrels runs/*.run -m nDCG@10 -m AP --test paired-t",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[QRELS RUN...]",
    callback=folders_of_runs,
)  # fmt: skip
@click.option(
    "--scores", type=click.Path(), help="Scores in place of qrels and runs, as for significance."
)
@click.option(
    "--test", "tests", type=click.Choice(TESTS.names()), multiple=True,
    default=("randomised-tukey",), show_default=True, help="A test; repeat for more.",
)  # fmt: skip
@click.option(
    "--alpha", type=Finite(0, 1, min_open=True, max_open=True), default=0.05,
    show_default=True, help="The level of significance.",
)  # fmt: skip
@click.option("-B", "--trials", type=click.IntRange(min=1), help="Random trials of the test.")
@click.option("--topic-set", type=click.Path(), help="A file of topics, one a line: only these.")
@scoring_options(required=False)
@common_options
def command(
    common: Common,
    scoring: Scoring,
    files: tuple[str, ...],
    scores: str | None,
    tests: tuple[str, ...],
    alpha: float,
    trials: int | None,
    topic_set: str | None,
) -> None:
    """Share of the pairs of systems that differ significantly, and how large a difference must be.

    Columns: measure, test, pairs, significant, power, delta. delta is the difference above which
    every pair of these systems would be significant (Sakai 2006). The tests are those of
    `significance`, with the same p. One system has no pairs: power and delta are nan.
    """
    tests = tuple(dict.fromkeys(tests))
    check_paired(tests, trials)
    rows: list[tuple[Cell, ...]] = []
    matrices = score_matrices(files, scores, topic_set, scoring, common)
    with progress("testing", len(matrices) * len(tests), quiet=common.quiet) as advance:
        for matrix, test in product(matrices, tests):
            result = tested(matrix, test, trials=trials, seed=common.seed, alpha=alpha)
            found = discriminative_power(result)
            rows.append(
                (matrix.measure, test, found.pairs, found.significant, found.power, found.delta)
            )
            advance()
    columns = ("measure", "test", "pairs", "significant", "power", "delta")
    common.emit(Table.of(columns, rows).sorted())
