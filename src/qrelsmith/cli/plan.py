"""`qrelsmith plan`."""

from __future__ import annotations

from typing import Literal

import click

from qrelsmith.analyses.label_plan import plan_tests
from qrelsmith.analyses.label_transforms import aggregated
from qrelsmith.cli.options import (
    Common,
    Finite,
    common_options,
    parse_scale,
    scale_options,
    topic_set_option,
)
from qrelsmith.cli.plan_campaign import campaign
from qrelsmith.cli.plan_topics import topics
from qrelsmith.data.judgments import read_judgments
from qrelsmith.data.qrels import stem
from qrelsmith.data.topic_set import read_topic_set, restricted_judgments
from qrelsmith.errors import InputError
from qrelsmith.preferences import ScaleCounts, needed_tests
from qrelsmith.scales import grade_text
from qrelsmith.tables import Table

_PAIRS_SHOWN = 55  # pairs of grades of a scale that are listed one by one; 11 levels


@click.group(
    name="plan",
    epilog="Example: qrelsmith plan preferences nist.qrels --per-pair 100 -o tests.csv",
)
def command() -> None:
    """Decide what to have judged, before it is paid for."""


command.add_command(topics)
command.add_command(campaign)


@command.command(
    name="preferences",
    short_help="Draw the preference tests that PDP needs.",
    epilog="Example: qrelsmith plan preferences four.qrels seven.qrels --per-pair 100 -o tests.csv",
)
@click.argument("files", type=click.Path(), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--per-pair", type=click.IntRange(min=1), default=100, show_default=True,
    help="Tests for each pair of different grades of each FILE.",
)  # fmt: skip
@click.option(
    "--delta", type=Finite(0, 1, min_open=True, max_open=True), default=0.05,
    show_default=True, help="How near the estimate of a preference probability is to be.",
)  # fmt: skip
@click.option(
    "--probability", type=Finite(0, 1, min_open=True, max_open=True), default=0.95,
    show_default=True, help="With which probability it is to be that near.",
)  # fmt: skip
@click.option("--group", metavar="NAME", help="Only the judgments of this group.")
@click.option(
    "--errors", type=click.Choice(["missing", "nonrelevant"]), default="missing",
    show_default=True, help="What the code -2 (could not be displayed) is.",
)  # fmt: skip
@topic_set_option
@scale_options
@common_options
def preferences(
    common: Common,
    files: tuple[str, ...],
    per_pair: int,
    delta: float,
    probability: float,
    group: str | None,
    errors: Literal["missing", "nonrelevant"],
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Draw the preference tests that PDP needs: pairs of docs of one topic with different grades.

    Each FILE holds labels on one scale, as qrels or judgments; of several assessors the lower
    median counts. A test serves every scale at once. Columns: topic, left, right, in the order in
    which to hand the tests out; with a column outcome they are preferences for `pdp`. Stderr says
    for each pair of grades how many tests there are and how many are possible, and how many are
    needed for an estimate within --delta. The same seed always draws the same tests.
    """
    needed = needed_tests(delta=delta, probability=probability)
    levels = parse_scale(scale, off_scale)
    labels = []
    for path in files:
        judgments = read_judgments(path, scale=levels, off_scale=off_scale)
        if not len(judgments):
            raise InputError("there are no judgments; expected at least one", path=path)
        if topic_set is not None:
            judgments = restricted_judgments(judgments, read_topic_set(topic_set), path=topic_set)
        by_median = aggregated(
            judgments, "median", group=group, errors=errors, scale=levels, name=stem(path)
        )
        labels.append(by_median.qrels)
    plan = plan_tests(labels, per_pair=per_pair, seed=common.seed, scale=levels)
    for path, counts in zip(files, plan.scales, strict=True):
        common.say(_notes(path, counts, per_pair))
    enough = (
        f"a preference probability near 0.5 is within ±{delta:g} with probability {probability:g}"
        f" from {needed.tests} tests for a pair on (exact binomial: {needed.exact})"
    )
    common.say([f"tests in all: {len(plan.rows)}; {enough}"])
    common.emit(Table.of(("topic", "left", "right"), plan.rows))


def _notes(path: str, counts: ScaleCounts, per_pair: int) -> list[str]:
    """How many tests each pair of grades of a scale has."""
    count = len(counts.levels)
    pairs = [(low, high) for low in range(count) for high in range(low + 1, count)]
    if not pairs:
        return [
            f"{path}: all grades are {grade_text(counts.levels[0])}: there is no pair of grades"
        ]
    if len(pairs) <= _PAIRS_SHOWN:
        name = [grade_text(level) for level in counts.levels]
        return [
            f"{path}: grades {name[low]} and {name[high]}: {counts.drawn[low, high]} tests of"
            f" {counts.possible[low, high]} possible"
            for low, high in pairs
        ]
    drawn = [int(counts.drawn[pair]) for pair in pairs]
    short = f"{len(counts.short(per_pair))} of them fewer than {per_pair}, which are all there are"
    return [
        f"{path}: {len(pairs)} pairs of grades have {min(drawn)} to {max(drawn)} tests; {short}"
    ]
