"""`qrelsmith power`."""

from __future__ import annotations

import click

from qrelsmith.cli.options import Common, Finite, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.ranking_sources import (
    qrels_option,
    ranking_options,
    scores_of_files,
    sources,
    topic_set_option,
)
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import ScoringOptions, scoring_options
from qrelsmith.evaluation.common_topics import Common as CommonTopics
from qrelsmith.rankings.discriminative_powers import power
from qrelsmith.rankings.significance import PAIRED_TEST
from qrelsmith.stats.significance import TESTS


@click.command(
    name="power",
    epilog="Example: qrelsmith power nist.qrels runs/*.run -m nDCG@10 -m AP --test paired-t",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[QRELS RUN...|CAMPAIGN]",
    callback=folders_of_runs,
)  # fmt: skip
@ranking_options
@qrels_option
@click.option(
    "--scores", type=click.Path(), help="Scores in place of qrels and runs, as for significance."
)
@click.option(
    "--test", "tests", type=click.Choice(TESTS.names()), multiple=True,
    default=(PAIRED_TEST,), show_default=True, help="A test; repeat for more.",
)  # fmt: skip
@click.option(
    "--alpha", type=Finite(0, 1, min_open=True, max_open=True), default=0.05,
    show_default=True, help="The level of significance.",
)  # fmt: skip
@click.option("-B", "--trials", type=click.IntRange(min=1), help="Random trials of the test.")
@topic_set_option
@scoring_options
@common_options
def command(
    common: Common,
    scoring: ScoringOptions,
    files: tuple[str, ...],
    chosen: tuple[str, ...],
    reference: str | None,
    ordering: tuple[str, ...],
    common_topics: CommonTopics,
    label_sets: tuple[str, ...],
    scores: str | None,
    tests: tuple[str, ...],
    alpha: float,
    trials: int | None,
    topic_set: str | None,
) -> None:
    """Discriminative power: the share of system pairs that differ significantly.

    Columns: measure, test, pairs, significant, power, delta. delta is the difference above which
    every pair of these systems would be significant (Sakai 2006). The tests are those of
    `significance`, with the same p. One system has no pairs: power and delta are nan. A campaign
    folder stands for its label sets, runs and measures; several label sets have a column qrels.
    """
    if scores is not None:
        beside = bool(files or label_sets or chosen or ordering)
        labels: object = scores_of_files([scores], scoring, beside=beside)
        runs, label_set = None, None
    else:
        labels, runs, label_set = sources(files, chosen, label_sets)
    with progress("evaluating", None, quiet=common.quiet) as advance:
        result = power(
            labels,
            runs,
            scoring.measures,
            tests=tests,
            trials=trials,
            alpha=alpha,
            common=common_topics,
            label_set=label_set,
            reference=reference,
            topic_set=topic_set,
            ordering=ordering,
            seed=common.seed,
            jobs=common.jobs,
            advance=advance,
            **scoring.keywords,
        )
    common.say(result.notes)
    common.emit(result.table())
