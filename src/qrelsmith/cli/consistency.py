"""`qrelsmith consistency`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from qrelsmith.analyses.ranking_consistency import (
    Condition,
    Consistency,
    consistency,
    consistency_table,
    split_half_taus,
)
from qrelsmith.cli.compared_sets import ComparedSets, campaign_options, compared_sets
from qrelsmith.cli.label_sets import (
    Empty,
    empty_topics_option,
    label_sets_option,
    reused_runs,
    topic_sets_option,
)
from qrelsmith.cli.options import Common, Finite, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.run_files import folders_of_runs
from qrelsmith.cli.scoring import Scoring, scoring_options
from qrelsmith.data.runs import Run
from qrelsmith.data.text import FilePath
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.letters import letter
from qrelsmith.tables import Table


@click.command(
    name="consistency",
    epilog="Example: qrelsmith consistency --qrels gold.qrels --qrels bronze.qrels -m nDCG@10"
    " -m Q@10 runs/*.run",
)
@click.argument(
    "files", type=click.Path(), nargs=-1, metavar="[QRELS] RUN...|CAMPAIGN",
    callback=folders_of_runs,
)  # fmt: skip
@campaign_options
@label_sets_option
@topic_sets_option
@empty_topics_option
@click.option(
    "-B", "--splits", type=click.IntRange(min=2), default=1000, show_default=True,
    help="How many times the topics are split in half.",
)  # fmt: skip
@click.option(
    "--trials", type=click.IntRange(min=1), default=1000, show_default=True,
    help="Trials of the randomised Tukey HSD test.",
)  # fmt: skip
@click.option(
    "--alpha", type=Finite(0, 1, min_open=True, max_open=True), default=0.05,
    show_default=True, help="The level of the test.",
)  # fmt: skip
@click.option("--pairs", is_flag=True, help="Print the test of every two rows instead.")
@scoring_options(required=False)
@common_options
def command(
    common: Common,
    scoring: Scoring,
    files: tuple[str, ...],
    chosen_sets: tuple[str, ...],
    orderings: tuple[str, ...],
    label_sets: tuple[str, ...],
    topic_sets: tuple[str, ...],
    empty: Empty,
    splits: int,
    trials: int,
    alpha: float,
    pairs: bool,
) -> None:
    """Do random halves of the topics rank the systems alike.

    The topics are split in half again and again; tau is the mean of Kendall's tau-b between the two
    rankings, sd its standard deviation over the splits. Columns: letter, qrels, topic_set, measure,
    topics, systems, splits, tau, sd, outperforms: the letters of the rows that are significantly
    lower (randomised Tukey HSD over the splits). The highest tau comes first. With --pairs: letter
    and name of every two rows, difference, p, effect_size (ES_E2).

    All label sets and measures on one set of topics share their splits, which follow from the seed
    and the topics' names. Splits in which a half ties all systems have no tau and are counted.
    Label sets are compared on the topics that they all have. A campaign folder in place of the
    files stands for its label sets, runs and measures.
    """
    compared = compared_sets(
        files, label_sets, topic_sets, chosen_sets, orderings, scoring, common, empty=empty
    )
    matrices = _scored(compared, common)
    with progress("halving", len(matrices), quiet=common.quiet) as advance:
        taus = split_half_taus(matrices, splits=splits, seed=common.seed, advance=advance)
    found = consistency(
        [condition for condition, _ in matrices],
        taus,
        trials=trials,
        alpha=alpha,
        seed=common.seed,
    )
    common.say(_notes(found, splits))
    common.emit(_pairs(found) if pairs else consistency_table(found))


def _scored(compared: ComparedSets, common: Common) -> list[tuple[Condition, ScoreMatrix]]:
    """The scores of every label set, set of topics and measure."""
    runs: Sequence[Run | FilePath] = compared.runs
    if len(compared.sets) > 1:
        runs = reused_runs(compared.runs, compared.first_scoring, common)
    matrices = []
    for name, qrels in compared.sets:
        evaluation = compared.scoring[name].scores(qrels, runs, common)
        common.say(f"{name}: {note}" for note in evaluation.notes)
        for measure in evaluation.measures:
            whole = evaluation.matrix(measure)
            for topic_set, topics in compared.topic_sets:
                condition = Condition(name, topic_set, measure, len(topics), len(whole.systems))
                matrices.append((condition, whole.restricted_to(topics)))
    return matrices


def _pairs(found: Consistency) -> Table:
    columns = (
        "letter_a", "letter_b", "condition_a", "condition_b", "difference", "p", "effect_size",
    )  # fmt: skip
    test = found.test
    if test is None:
        return Table.of(columns, [])
    names = [
        f"{row.condition.qrels} {row.condition.topic_set} {row.condition.measure}"
        for row in found.rows
    ]
    return Table.of(
        columns,
        [
            (letter(a), letter(b), names[a], names[b], difference, p, size)
            for a, b, difference, p, size in zip(
                test.first.tolist(),
                test.second.tolist(),
                test.difference.tolist(),
                test.p.tolist(),
                test.effect_size.tolist(),
                strict=True,
            )
        ],
    )


def _notes(found: Consistency, splits: int) -> list[str]:
    notes = []
    for row in found.rows:
        if row.splits < splits:
            what = f"{row.condition.qrels} {row.condition.topic_set} {row.condition.measure}"
            notes.append(
                f"{what}: tau is undefined in {splits - row.splits} of {splits} splits:"
                + (" one system only" if row.condition.systems < 2 else " a half ties all systems")
            )
    if found.test is not None:
        notes.append(
            f"randomised Tukey HSD over {splits - found.left_out} splits, {found.test.trials}"
            f" trials, alpha {found.test.alpha:g}; residual variance V_E2 ="
            f" {found.test.residual_variance:.4g}"
        )
    elif len(found.rows) > 1:
        notes.append("fewer than two rows have a tau in the same splits: there is no test")
    return notes
