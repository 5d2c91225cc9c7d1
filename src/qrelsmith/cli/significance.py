"""`qrelsmith significance`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.ranking_sources import (
    ranking_options,
    scores_of_files,
    sources,
    topic_set_option,
)
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import ScoringOptions, scoring_options
from qrelsmith.rankings.independent_samples import DEFAULT_TEST
from qrelsmith.rankings.significance import PAIRED_TEST, significance
from qrelsmith.stats.multiplicity import ADJUSTMENTS
from qrelsmith.stats.significance import INDEPENDENT_TESTS, TESTS

if TYPE_CHECKING:
    from qrelsmith.evaluation.common_topics import Common as CommonTopics


@click.command(
    name="significance",
    epilog="Example: qrelsmith significance nist.qrels runs/*.run -m nDCG@10"
    " --test paired-t --adjust holm",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[QRELS RUN...|CAMPAIGN]",
    callback=folders_of_runs,
)  # fmt: skip
@ranking_options
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
@click.option(
    "--beside", is_flag=True,
    help="Count instead, for each label set but the first, which pairs differ under it and under"
    " the first, and whether they point the same way.",
)  # fmt: skip
@topic_set_option
@scoring_options
@common_options
def command(
    common: Common,
    scoring: ScoringOptions,
    files: tuple[str, ...],
    chosen: tuple[str, ...],
    common_topics: CommonTopics,
    scores: str | None,
    **options: Any,
) -> None:
    """Significance tests of the difference between every two systems.

    Columns: measure, run_a, run_b, mean_a, mean_b, difference, p, effect_size. The tests are for
    scores of all systems on the same topics, two topics at least. p is not adjusted for the number
    of pairs, except by the Tukey tests, which are made for all pairs. Identical systems have p 1;
    two that differ by the same amount on every topic have p 0 with paired-t and bootstrap, and an
    infinite effect size. One system has no pairs, and the table no rows. The effect size is the
    difference in residual standard deviations (ES_E2; Tukey tests) or in standard deviations of
    the topics' differences (the others). With random trials p is a share of them: 0 means less
    than one in B. A campaign folder stands for its reference, runs and measures; several
    --label-set have a column qrels.

    Independent samples (--samples, --summary) have tests of their own; there run_a and run_b are
    groups, the measure is `value`, and the effect size is ES_E1 (Tukey) or Cohen's d (t).
    """
    labels: object = None
    runs, label_set = None, list(chosen) or None
    alone = options["samples"] is not None or options["summary"] is not None
    for_scores = files or scores or scoring.named or scoring.says_how()
    if alone and (for_scores or options["topic_set"] or options["trials"]):
        raise click.UsageError(
            "samples or a summary stand alone: without scores, runs and options for them"
        )
    if scores is not None:
        beside = bool(files or chosen or options["ordering"])
        labels = scores_of_files([scores], scoring, beside=beside)
    elif not alone:
        labels, runs, label_set = sources(files, chosen)
    with progress("evaluating", None, quiet=common.quiet) as advance:
        result = significance(
            labels,
            runs,
            scoring.measures,
            common=common_topics,
            label_set=label_set,
            seed=common.seed,
            jobs=common.jobs,
            advance=advance,
            **scoring.keywords,
            **options,
        )
    common.say(result.notes)
    common.emit(result.table())
