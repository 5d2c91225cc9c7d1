"""`qrelsmith topk plan|simulate`: what a search for the top costs, before it is paid for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Literal, TypeVar

import click

from qrelsmith.analyses.topk_plan_tables import plan_figure, plan_table
from qrelsmith.analyses.topk_plans import PlanCosts, PlanGrid, plan_methods, plan_steps, topk_plan
from qrelsmith.analyses.topk_reliability import reliability_of, reliability_table
from qrelsmith.analyses.topk_sessions import TopicPool, TopkSetting, topic_pools
from qrelsmith.analyses.topk_simulations import simulated_log, simulation_table
from qrelsmith.cli.options import Common, Finite, common_options, scale_options, topic_set_option
from qrelsmith.cli.progress import progress
from qrelsmith.cli.topk_options import (
    read_graded,
    read_terms,
    setting_options,
    terms_option,
)
from qrelsmith.content import Figure
from qrelsmith.data.preference_events import events_text, read_preference_events
from qrelsmith.data.text import FilePath
from qrelsmith.data.writing import replacing, write_text
from qrelsmith.errors import UsageError, quoted
from qrelsmith.topk.reliability import Constant, Reliability
from qrelsmith.topk.reliability_fit import USUAL_STEPS

_T = TypeVar("_T")
_FITTED = "fitted"
_PICTURES = (".svg", ".pdf")

_cost_options = (
    terms_option,
    click.option(
        "--failing", type=Finite(0, 1, max_open=True), default=0.05, show_default=True,
        help="Share of the HITs whose worker misses a challenge pair: paid, and done again.",
    ),
    click.option(
        "--seconds", type=Finite(min=0), default=39.0, show_default=True,
        help="How long a pair takes a dedicated assessor (the authors: 2,498 pairs in 27 hours).",
    ),
    click.option(
        "--wage", type=Finite(min=0), default=12.0, show_default=True,
        help="What an hour of a dedicated assessor costs.",
    ),
    click.option(
        "--preferences", type=click.Path(), multiple=True,
        help="Recorded preferences of these topics, from which the reliability is fitted.",
    ),
)  # fmt: skip


def _with_costs(function: Callable[..., None]) -> Callable[..., None]:
    for option in _cost_options:
        function = option(function)
    return function


@click.command(
    name="plan",
    short_help="Weigh up cost and benefit, before starting.",
    epilog="Example: qrelsmith topk plan graded.qrels -k 3 -k 5 -P 5 -P 7 -F 7 -F 9 -F 12"
    " --preferences pilot.csv --figure plan.svg",
)
@click.argument("qrels", type=click.Path())
@click.option(
    "-k", "--k", type=click.IntRange(min=1), multiple=True, default=(5,),
    help="How many docs are to be found; repeat for more.  [default: 5]",
)  # fmt: skip
@click.option(
    "--method", "methods", type=click.Choice(plan_methods()), multiple=True, default=("rounds",),
    help="Crowd rounds or a winner tree; repeat for both.  [default: rounds]",
)  # fmt: skip
@click.option(
    "-F", "--finalists", type=click.IntRange(min=1), multiple=True, default=(9,),
    help="Up to how many candidates all pairs are judged; repeat for more.  [default: 9]",
)  # fmt: skip
@click.option(
    "-P", "--pairings", type=click.IntRange(min=1), multiple=True, default=(7,),
    help="With how many others each candidate is paired; repeat for more.  [default: 7]",
)  # fmt: skip
@click.option(
    "--reliability", "chances", multiple=True, metavar="CHANCE",
    help="The chance that an answer is right, 0.5 to 1, or fitted; repeat for more.  [default:"
    " fitted with --preferences, else 1]",
)  # fmt: skip
@click.option(
    "--keep", type=click.Choice(["majority", "half"]), default="majority", show_default=True,
    help="Who stays after a round.",
)  # fmt: skip
@click.option("--force", "forced", is_flag=True, help="Allow other sizes than F > P > k.")
@click.option(
    "--campaigns", type=click.IntRange(min=1), default=200, show_default=True,
    help="How many campaigns are simulated for each combination.",
)  # fmt: skip
@click.option("--figure", type=click.Path(), help="Draw the chance against the cost: .svg or .pdf.")
@click.option(
    "--write-reliability", type=click.Path(),
    help="Write the fitted chance of a right answer by distance, as CSV.",
)  # fmt: skip
@_with_costs
@topic_set_option
@scale_options
@common_options
def plan(
    common: Common,
    qrels: str,
    k: tuple[int, ...],
    methods: tuple[str, ...],
    finalists: tuple[int, ...],
    pairings: tuple[int, ...],
    chances: tuple[str, ...],
    keep: Literal["majority", "half"],
    forced: bool,
    campaigns: int,
    figure: str | None,
    write_reliability: str | None,
    terms: str | None,
    failing: float,
    seconds: float,
    wage: float,
    preferences: tuple[str, ...],
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Judgments, HITs, money and hours by formula and by simulation, over a grid of settings.

    -k, -F, -P, --method and --reliability may be repeated; combinations that violate F > P > k are
    left out, unless --force. found: share of the topics whose true top k were all found, with the
    95 % interval of the simulation; recall: share of the true top k found; best_first: share of the
    topics whose best doc came first. With --preferences the reliability is a function of the
    distance of two docs in grades and in the ranking.
    """
    if figure is not None and PurePath(figure).suffix.lower() not in _PICTURES:
        raise click.UsageError(f"the figure {quoted(figure)}; expected a name in .svg or .pdf")
    graded = read_graded(qrels, topic_set, scale, off_scale)
    costs = PlanCosts(read_terms(terms), failing, seconds, wage)
    pools = topic_pools(graded, k=max(k))
    reliability = _reliability(chances, preferences, pools, common)
    grid = PlanGrid(
        _once(methods), _once(k), _once(finalists), _once(pairings), reliability, keep, forced
    )
    with progress("simulating", plan_steps(grid, campaigns), quiet=common.quiet) as advance:
        rows = topk_plan(
            graded, grid, costs, campaigns=campaigns, seed=common.seed, advance=advance
        )
    if write_reliability is not None:
        if _FITTED not in reliability:
            raise click.UsageError("--write-reliability needs a fitted one: --preferences FILE")
        table = reliability_table(reliability[_FITTED], pools, seed=common.seed)
        write_text(write_reliability, table.text("csv"))
    if figure is not None:
        _draw(plan_figure(rows, costs), figure)
    common.emit(plan_table(rows))


@click.command(
    name="simulate",
    short_help="Simulate campaigns of one setting.",
    epilog="Example: qrelsmith topk simulate graded.qrels --reliability 0.8 --campaigns 10000",
)
@click.argument("qrels", type=click.Path())
@click.option(
    "--reliability", "chance", metavar="CHANCE",
    help="The chance that an answer is right, 0.5 to 1, or fitted.  [default: fitted with"
    " --preferences, else 1]",
)  # fmt: skip
@click.option(
    "--campaigns", type=click.IntRange(min=1), default=1000, show_default=True,
    help="How many campaigns.",
)  # fmt: skip
@click.option("--answers", type=click.Path(), help="Write the log of one simulated session here.")
@_with_costs
@setting_options
@topic_set_option
@scale_options
@common_options
def simulate(
    common: Common,
    setting: TopkSetting,
    qrels: str,
    chance: str | None,
    campaigns: int,
    answers: str | None,
    terms: str | None,
    failing: float,
    seconds: float,
    wage: float,
    preferences: tuple[str, ...],
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """How much campaigns of one setting differ in cost and in what they find.

    Columns: quantity, mean, sd, low, high (the middle 95 % of the campaigns). The true order of the
    candidates and all answers are drawn anew for each campaign.
    """
    if setting.name not in plan_methods():
        raise click.UsageError(f"--method {setting.name}; expected {' or '.join(plan_methods())}")
    graded = read_graded(qrels, topic_set, scale, off_scale)
    pools = topic_pools(graded, k=setting.k)
    chances = () if chance is None else (chance,)
    reliability = _reliability(chances, preferences, pools, common)
    grid = PlanGrid(
        (setting.name,), (setting.k,), (setting.finalists,), (setting.pairings,), reliability,
        setting.keep, setting.forced,
    )  # fmt: skip
    costs = PlanCosts(read_terms(terms), failing, seconds, wage)
    with progress("simulating", plan_steps(grid, campaigns), quiet=common.quiet) as advance:
        (row,) = topk_plan(
            graded, grid, costs, campaigns=campaigns, seed=common.seed, advance=advance
        )
    if answers is not None:
        log = simulated_log(pools, setting, row.cell.reliability, seed=common.seed)
        write_text(answers, events_text(log))
    common.emit(simulation_table(row))


def _reliability(
    chances: Sequence[str],
    preferences: Sequence[FilePath],
    pools: Sequence[TopicPool],
    common: Common,
) -> Mapping[str, Reliability]:
    """The reliabilities by the names under which they were asked for."""
    found: dict[str, Reliability] = {}
    for chance in chances or ((_FITTED,) if preferences else ("1",)):
        if chance != _FITTED:
            try:
                found[chance] = Constant(float(chance))
            except ValueError as error:
                if isinstance(error, UsageError):
                    raise
                raise UsageError(
                    f"the reliability is {quoted(chance)}; expected 0.5 to 1, or fitted"
                ) from None
            continue
        if not preferences:
            raise click.UsageError("a fitted reliability needs --preferences FILE")
        events = [event for path in preferences for event in read_preference_events(path)]
        with progress("fitting the reliability", USUAL_STEPS, quiet=common.quiet) as advance:
            fit = reliability_of(pools, events, advance=advance)
        shown = f"{fit.answers:g} answers ({fit.repeated} repeated pairs, {fit.triads} triads)"
        worths = f"a grade {fit.reliability.grade:.3f}, the rest {fit.reliability.spread:.3f} (sd)"
        common.say([f"reliability fitted to {shown}: worth in logits: {worths}"])
        found[_FITTED] = fit.reliability
    return found


def _once(values: Sequence[_T]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys(values))


def _draw(figure: Figure, path: FilePath) -> None:
    """Write a figure as SVG or PDF."""
    from qrelsmith.report.picture import picture

    drawn = picture(figure, name="plan", notices=("The campaigns are simulated.",))
    with replacing(path) as out:
        out.write(drawn.pdf if PurePath(path).suffix.lower() == ".pdf" else drawn.svg)
