"""`qrelsmith significance`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from qrelsmith.analyses.significance_tables import (
    PAIRED_TEST,
    pair_rows,
    significance_table,
    tested,
)
from qrelsmith.cli.independent import DEFAULT_TEST, Independent, tested_samples, tested_summary
from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.score_sources import score_matrices
from qrelsmith.cli.scoring import Scoring, scoring_options
from qrelsmith.stats.multiplicity import ADJUSTMENTS
from qrelsmith.stats.significance import INDEPENDENT_TESTS, TESTS
from qrelsmith.tables import Cell

# No column depends on it, but the tests want a level for their critical differences.
_ALPHA = 0.05


@click.command(
    name="significance",
    epilog="Example: qrelsmith significance nist.qrels runs/*.run -m nDCG@10"
    " --test paired-t --adjust holm",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[QRELS RUN...]",
    callback=folders_of_runs,
)  # fmt: skip
@click.option(
    "--scores", type=click.Path(),
    help="Scores in place of qrels and runs: csv with topics in the first column and a column for"
    " each system, or the output of evaluate --per-topic.",
)  # fmt: skip
@click.option(
    "--samples", type=click.Path(),
    help="Independent samples, not scores: csv with the columns group,value.",
)  # fmt: skip
@click.option(
    "--summary", type=click.Path(),
    help="Summaries of independent samples: csv with the columns group,mean,n and, for"
    " two-sample-t, sd.",
)  # fmt: skip
@click.option(
    "--variance", type=float,
    help="With --summary and unpaired-tukey: the residual variance V_E1 inside the groups.",
)  # fmt: skip
@click.option(
    "--test", type=click.Choice([*TESTS.names(), *INDEPENDENT_TESTS.names()]),
    help=f"For scores: {', '.join(TESTS.names())} (default: {PAIRED_TEST}). For samples:"
    f" {', '.join(INDEPENDENT_TESTS.names())} (default: {DEFAULT_TEST}).",
)  # fmt: skip
@click.option("-B", "--trials", type=click.IntRange(min=1), help="Random trials of the test.")
@click.option(
    "--adjust", type=click.Choice(ADJUSTMENTS.names()),
    help="Add the column p_adjusted: p for all pairs of a measure at once.",
)  # fmt: skip
@click.option("--topic-set", type=click.Path(), help="A file of topics, one a line: only these.")
@scoring_options(required=False)
@common_options
def command(
    common: Common,
    scoring: Scoring,
    files: tuple[str, ...],
    scores: str | None,
    samples: str | None,
    summary: str | None,
    variance: float | None,
    test: str | None,
    trials: int | None,
    adjust: str | None,
    topic_set: str | None,
) -> None:
    """Test every pair of systems for a difference of their means.

    Columns: measure, run_a, run_b, mean_a, mean_b, difference, p, effect_size. The tests are for
    scores of all systems on the same topics, two topics at least. p is not adjusted for the number
    of pairs, except by the Tukey tests, which are made for all pairs. Identical systems have p 1;
    two that differ by the same amount on every topic have p 0 with paired-t and bootstrap, and an
    infinite effect size. One system has no pairs, and the table no rows. The effect size is the
    difference in residual standard deviations (ES_E2; Tukey tests) or in standard deviations of
    the topics' differences (the others). With random trials p is a share of them: 0 means less
    than one in B.

    Independent samples (--samples, --summary) have tests of their own; there run_a and run_b are
    groups, the measure is `value`, and the effect size is ES_E1 (Tukey) or Cohen's d (t).
    """
    rows: list[Sequence[Cell]] = []
    if samples is not None or summary is not None:
        chosen = test or DEFAULT_TEST
        others = (files, scores, topic_set, trials, scoring.measures, scoring.says_how())
        if (samples is not None and summary is not None) or any(others):
            raise click.UsageError(
                "--samples or --summary stand alone: without scores, runs and options for them"
            )
        found = _independent(samples, summary, chosen, variance)
        rows += pair_rows("value", found.groups, found.result, adjust)
    else:
        chosen = test or PAIRED_TEST
        check_paired([chosen], trials)
        if variance is not None:
            raise click.UsageError("--variance goes with --summary")
        matrices = score_matrices(files, scores, topic_set, scoring, common)
        with progress(chosen, len(matrices), quiet=common.quiet) as advance:
            for matrix in matrices:
                result = tested(matrix, chosen, trials=trials, seed=common.seed, alpha=_ALPHA)
                rows += pair_rows(matrix.measure, matrix.systems, result, adjust)
                advance()
    table = significance_table(rows, chosen, adjust)
    common.say(table.notes)
    common.emit(table)


def check_paired(tests: Sequence[str], trials: int | None) -> None:
    """Refuse tests that are not for scores on the same topics, and trials that none would make.

    Raises
    ------
    click.UsageError
        If there is such a test, or nothing is random about the tests.
    """
    for test in tests:
        if test not in TESTS.names():
            raise click.UsageError(
                f"{test} is for independent samples (--samples, --summary), and scores on the same"
                f" topics are paired; expected {', '.join(TESTS.names())}"
            )
    if trials is not None and not any("trials" in TESTS.get(test).entry.takes for test in tests):
        raise click.UsageError(f"-B is for tests with random trials, not for {', '.join(tests)}")


def _independent(
    samples: str | None, summary: str | None, test: str, variance: float | None
) -> Independent:
    if test not in INDEPENDENT_TESTS.names():
        raise click.UsageError(
            f"{test} is for scores of all systems on the same topics, and samples share nothing;"
            f" expected {', '.join(INDEPENDENT_TESTS.names())}"
        )
    if summary is not None:
        return tested_summary(summary, test, variance)
    if variance is not None:
        raise click.UsageError("--variance goes with --summary; samples have their own")
    return tested_samples(str(samples), test)
