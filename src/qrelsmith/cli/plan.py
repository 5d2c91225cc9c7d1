"""`qrelsmith plan`."""

from __future__ import annotations

from typing import Literal

import click

from qrelsmith.cli.commands import asked_by
from qrelsmith.cli.options import (
    Common,
    Finite,
    common_options,
    parse_scale,
    scale_options,
    topic_set_option,
)
from qrelsmith.cli.plan_campaign import campaign
from qrelsmith.cli.plan_sample import sample


@click.group(
    name="plan",
    epilog="Example: qrelsmith plan preferences nist.qrels --per-pair 100 -o tests.csv",
)
def command() -> None:
    """Plan topics, preference tests, a sample, or a whole campaign with its cost."""


command.add_command(asked_by("plan topics"))
command.add_command(campaign)
command.add_command(sample)


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
    "--after", type=click.Path(), multiple=True, metavar="LOG",
    help="Answers so far: draw only what pairs of grades lack to --per-pair. Repeat for more.",
)  # fmt: skip
@click.option(
    "--budget", type=click.IntRange(min=1), metavar="N",
    help="With --after: draw the N tests that PDP, or its difference, needs most, not evenly.",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(["individual", "aggregate"]),
    help="With --budget: how PDP compares docs, by assessor or by median grades.  [default: both]",
)  # fmt: skip
@click.option(
    "--delta", type=Finite(0, 1, min_open=True, max_open=True), default=0.05,
    show_default=True, help="How near the estimate of a preference probability is to be.",
)  # fmt: skip
@click.option(
    "--probability", type=Finite(0, 1, min_open=True, max_open=True), default=0.95,
    show_default=True, help="With which probability it is to be that near.",
)  # fmt: skip
@click.option(
    "--label-set", multiple=True, metavar="NAME",
    help="Only this label set of a campaign; repeat for more.",
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
    after: tuple[str, ...],
    budget: int | None,
    mode: Literal["individual", "aggregate"] | None,
    delta: float,
    probability: float,
    label_set: tuple[str, ...],
    group: str | None,
    errors: Literal["missing", "nonrelevant"],
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Draw the preference tests that PDP needs: pairs of docs of one topic with different grades.

    Each FILE holds labels on one scale, as qrels or judgments; of several assessors the lower
    median counts. Of a CAMPAIGN all label sets are taken. A test serves every scale at once.
    Columns: topic, left, right, in the order in which to hand the tests out; with a column outcome
    they are preferences for `pdp`. Stderr says for each pair of grades how many tests there are and
    how many are possible, and how many are needed for an estimate within --delta. The same seed
    always draws the same tests. With --after and --budget, tests are drawn by need, and the most
    needed stand first: they leave the least expected error of the PDP of one FILE, or of the
    differences of several from the first.
    """
    from qrelsmith.planning.plan_preferences import plan_preferences

    result = plan_preferences(
        files[0] if len(files) == 1 else list(files),
        per_pair=per_pair,
        after=list(after) or None,
        budget=budget,
        mode=mode,
        delta=delta,
        probability=probability,
        label_set=label_set,
        group=group,
        errors=errors,
        topic_set=topic_set,
        scale=parse_scale(scale, off_scale),
        off_scale=off_scale,
        seed=common.seed,
    )
    common.say(result.notes)
    common.emit(result.table())
