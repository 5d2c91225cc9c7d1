"""Options of the commands that score runs first and then look at the scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal

import click

from qrelsmith.cli.options import Common, parse_scale, split_names
from qrelsmith.cli.progress import progress
from qrelsmith.data.qrels import Qrels, read_qrels
from qrelsmith.data.run_order import RUN_ORDERS
from qrelsmith.data.runs import Run
from qrelsmith.data.text import FilePath
from qrelsmith.data.topic_set import read_topic_set, restricted
from qrelsmith.errors import UsageError
from qrelsmith.evaluation import Evaluation, TopicRule, evaluate
from qrelsmith.scales import Gains, Scale

_ORDER = "trec"


@dataclass(frozen=True, slots=True)
class Scoring:
    """How runs are scored, as the options say it.

    Attributes
    ----------
    measures : tuple of str
        Names of measures.
    order : str
        One of `RUN_ORDERS`.
    gains : Gains or None
        What each grade is worth.
    scale : Scale or None
        The levels that a grade can have.
    off_scale : str
        What a grade off the scale is: `error` or `missing`.
    condensed : bool
        Whether unjudged docs are removed from the runs first.
    """

    measures: tuple[str, ...]
    order: str
    gains: Gains | None
    scale: Scale | None
    off_scale: Literal["error", "missing"]
    condensed: bool

    def says_how(self) -> bool:
        """Whether any option but the measures was given another value than its default."""
        plain = Scoring(self.measures, _ORDER, None, None, "error", condensed=False)
        return self != plain

    def read(self, path: FilePath, *, topic_set: FilePath | None = None) -> Qrels:
        """Qrels on the scale, of a set of topics if one is named."""
        qrels = read_qrels(path, scale=self.scale, off_scale=self.off_scale)
        if topic_set is None:
            return qrels
        return restricted(qrels, read_topic_set(topic_set), path=topic_set)

    def scores(
        self,
        qrels: Qrels,
        runs: Sequence[Run | FilePath],
        common: Common,
        *,
        topics: TopicRule = "qrels",
    ) -> Evaluation:
        """Score runs, showing progress; the notes are the caller's to say."""
        top = None if self.scale is None or self.gains is not None else self.scale.top
        with progress(f"evaluating under {qrels.name}", len(runs), quiet=common.quiet) as advance:
            return evaluate(
                qrels,
                runs,
                self.measures,
                order=self.order,
                topics=topics,
                gains=self.gains,
                gmax=top,
                condensed=self.condensed,
                jobs=common.jobs,
                advance=advance,
            )


def scoring_options(*, required: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The options behind `Scoring`; the function gets them as one argument `scoring`.

    Parameters
    ----------
    required : bool
        Whether a measure must be named.
    """

    def decorate(function: Callable[..., None]) -> Callable[..., None]:
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
                    f"the gains {worth} do not fit the scale {levels}: expected one gain for"
                    " each grade above 0"
                )
            scoring = Scoring(
                measures=tuple(split_names(measures)),
                order=order,
                gains=worth,
                scale=levels,
                off_scale=off_scale,
                condensed=condensed,
            )
            function(scoring=scoring, **others)

        command: Callable[..., None] = with_scoring
        for option in (
            click.option(
                "--off-scale",
                type=click.Choice(["error", "missing"]),
                default="error",
                show_default=True,
                help="What a grade off the scale is.",
            ),
            click.option(
                "--scale",
                metavar="LEVELS",
                help="Levels of the scale: 0..3 or 0,1,2,3; default: 0 to the highest grade seen.",
            ),
            click.option(
                "--condensed", is_flag=True, help="Remove unjudged docs from the runs first."
            ),
            click.option(
                "--gains",
                metavar="G1:G2:…",
                help="Gains of the grades 1, 2, …; default: the grades.",
            ),
            click.option(
                "--order",
                type=click.Choice(RUN_ORDERS.names()),
                default=_ORDER,
                show_default=True,
                help="How the docs of a run are ranked.",
            ),
            click.option(
                "-m",
                "--measure",
                "measures",
                multiple=True,
                required=required,
                help="A measure, such as nDCG@10; repeat for more. See qrelsmith measures.",
            ),
        ):
            command = option(command)
        return command

    return decorate
