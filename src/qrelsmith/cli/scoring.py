"""Options of the commands that score runs first and then look at the scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal, TypedDict

import click

from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Gains, Scale
from qrelsmith.cli.options import parse_scale, split_names

_ORDER = "trec"


class ScoringKeywords(TypedDict):
    """The keywords of a question that say how runs are scored."""

    order: str
    gains: Gains | None
    scale: Scale | None
    off_scale: Literal["error", "missing"]
    condensed: bool


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """Options of scoring: what ranks the systems and how runs are scored.

    Attributes
    ----------
    named : tuple of str
        Names of measures.
    keywords : ScoringKeywords
        How runs are scored.
    """

    named: tuple[str, ...]
    keywords: ScoringKeywords

    @property
    def measures(self) -> tuple[str, ...] | None:
        """Names of measures, where there are any."""
        return self.named or None

    def says_how(self) -> bool:
        """Whether any option but the measures was given another value than its default."""
        plain = ScoringKeywords(
            order=_ORDER, gains=None, scale=None, off_scale="error", condensed=False
        )
        return self.keywords != plain


def scoring_options(function: Callable[..., None]) -> Callable[..., None]:
    """The options behind `ScoringOptions`; the function gets them as one argument `scoring`."""
    from qrelsmith.collection.run_order import RUN_ORDERS

    @wraps(function)
    def with_scoring(
        *,
        measures: tuple[str, ...],
        order: str,
        gains: str | None,
        scale: str | None,
        off_scale: Literal["error", "missing"],
        condensed: bool,
        **others: Any,
    ) -> None:
        worth = None if gains is None else Gains.parse(gains)
        levels = parse_scale(scale, off_scale, default=None if worth is None else worth.scale)
        if worth is not None and levels is not None and levels.levels != worth.scale.levels:
            raise UsageError(
                f"the gains {worth} do not fit the scale {levels}: expected one gain for each grade"
                " above 0"
            )
        keywords = ScoringKeywords(
            order=order,
            gains=worth,
            scale=None if scale is None else levels,
            off_scale=off_scale,
            condensed=condensed,
        )
        function(scoring=ScoringOptions(tuple(split_names(measures)), keywords), **others)

    command: Callable[..., None] = with_scoring
    for option in (
        click.option(
            "--off-scale", type=click.Choice(["error", "missing"]), default="error",
            show_default=True, help="What a grade off the scale is.",
        ),
        click.option(
            "--scale", metavar="LEVELS",
            help="Levels of the scale: 0..3 or 0,1,2,3; default: those of the campaign, else 0 to"
            " the highest grade seen.",
        ),
        click.option(
            "--condensed", is_flag=True, help="Remove unjudged docs from the runs first."
        ),
        click.option(
            "--gains", metavar="G1:G2:…", help="Gains of the grades 1, 2, …; default: the grades."
        ),
        click.option(
            "--order", type=click.Choice(RUN_ORDERS.names()), default=_ORDER, show_default=True,
            help="How the docs of a run are ranked.",
        ),
        click.option(
            "-m", "--measure", "measures", multiple=True,
            help="A measure, such as nDCG@10; repeat for more. See qrelsmith measures. Default:"
            " those of the campaign, else nDCG@10.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command
