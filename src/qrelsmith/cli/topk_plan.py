"""`qrelsmith topk plan|simulate`: what a search for the top costs, before it is paid for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.cli.options import Common, Finite, common_options
from qrelsmith.cli.preference_options import outcome_options
from qrelsmith.cli.progress import progress
from qrelsmith.cli.topk_options import graded_options, setting_options, terms_option
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import replacing, write_text
from qrelsmith.topk.topk_plans import plan_methods, plan_steps

if TYPE_CHECKING:
    from qrelsmith.base.content import Figure
    from qrelsmith.pairs.outcomes import Sign
    from qrelsmith.topk.topk_reliability import Chance

_PICTURES = (".svg", ".pdf")
_SIZES = ("k", "finalists", "pairings", "keep", "forced", "campaigns")

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
@click.argument("qrels", type=click.Path(), required=False)
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
@outcome_options
@graded_options
@common_options
def plan(
    common: Common,
    graded: Mapping[str, Any],
    qrels: str,
    methods: tuple[str, ...],
    chances: tuple[str, ...],
    figure: str | None,
    write_reliability: str | None,
    preferences: tuple[str, ...],
    sign: Sign | None,
    **options: Any,
) -> None:
    """Judgments, HITs, money and hours by formula and by simulation, over a grid of settings.

    -k, -F, -P, --method and --reliability may be repeated; combinations that violate F > P > k are
    left out, unless --force. found: share of the topics whose true top k were all found, with the
    95 % interval of the simulation; recall: share of the true top k found; best_first: share of the
    topics whose best doc came first. With --preferences the reliability is a function of the
    distance of two docs in grades and in the ranking.
    """
    from qrelsmith.topk.topk_plan import topk_plan

    if figure is not None and PurePath(figure).suffix.lower() not in _PICTURES:
        raise click.UsageError(f"the figure {quoted(figure)}; expected a name in .svg or .pdf")
    reliability = _chances(chances)
    steps = plan_steps(
        tuple(dict.fromkeys(methods)),
        chances=max(1, len(reliability)),
        **{name: options[name] for name in _SIZES},
    )
    with progress("simulating", steps, quiet=common.quiet) as advance:
        result = topk_plan(
            qrels,
            list(preferences) or None,
            method=methods,
            reliability=reliability,
            sign=sign or "negative-left",
            seed=common.seed,
            advance=advance,
            **options,
            **graded,
        )
    common.say(result.notes)
    if write_reliability is not None:
        if result.fit is None:
            raise click.UsageError("--write-reliability needs a fitted one: --preferences FILE")
        write_text(write_reliability, result.reliability().text("csv"))
    if figure is not None:
        _draw(result.figure(), figure)
    common.emit(result.table())


@click.command(
    name="simulate",
    short_help="Simulate campaigns of one setting.",
    epilog="Example: qrelsmith topk simulate graded.qrels --reliability 0.8 --campaigns 10000",
)
@click.argument("qrels", type=click.Path(), required=False)
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
@graded_options
@common_options
def simulate(
    common: Common,
    setting: Mapping[str, Any],
    graded: Mapping[str, Any],
    qrels: str,
    chance: str | None,
    campaigns: int,
    answers: str | None,
    preferences: tuple[str, ...],
    **costs: Any,
) -> None:
    """How much campaigns of one setting differ in cost and in what they find.

    Columns: quantity, mean, sd, low, high (the middle 95 % of the campaigns). The true order of the
    candidates and all answers are drawn anew for each campaign.
    """
    from qrelsmith.pairs.preference_files import log_text
    from qrelsmith.topk.topk_simulate import topk_simulate

    (reliability,) = _chances((chance,)) if chance is not None else (None,)
    steps = plan_steps(
        (setting["method"],), (setting["k"],), (setting["finalists"],), (setting["pairings"],),
        keep=setting["keep"], forced=setting["forced"], campaigns=campaigns,
    )  # fmt: skip
    with progress("simulating", steps, quiet=common.quiet) as advance:
        result = topk_simulate(
            qrels,
            list(preferences) or None,
            reliability=reliability,
            campaigns=campaigns,
            advance=advance,
            **costs,
            **setting,
            **graded,
        )
    common.say(result.notes)
    if answers is not None:
        write_text(answers, log_text(result.log()))
    common.emit(result.table())


def _chances(texts: Sequence[str]) -> list[Chance]:
    """Reliabilities as they are typed."""
    from qrelsmith.topk.topk_reliability import FITTED

    chances: list[Chance] = []
    for text in texts:
        try:
            chances.append(FITTED if text == FITTED else float(text))
        except ValueError:
            raise UsageError(
                f"the reliability is {quoted(text)}; expected 0.5 to 1, or fitted"
            ) from None
    return chances


def _draw(figure: Figure, path: FilePath) -> None:
    """Write a figure as SVG or PDF."""
    from qrelsmith.report.picture import picture

    drawn = picture(figure, name="plan", notices=("The campaigns are simulated.",))
    with replacing(path) as out:
        out.write(drawn.pdf if PurePath(path).suffix.lower() == ".pdf" else drawn.svg)
