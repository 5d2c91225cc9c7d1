"""The plan of a search for the top k: what it costs, and how often it succeeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.errors import UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale
from qrelsmith.base.tables import Cell, Table
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.preference_sources import PreferencesLike
from qrelsmith.judgments.sources import QrelsLike
from qrelsmith.judgments.topic_sources import TopicSet
from qrelsmith.pairs.outcomes import Sign, Way
from qrelsmith.topk.culling import Keep
from qrelsmith.topk.reliability_fit import ReliabilityFit
from qrelsmith.topk.topk_plans import PlanCosts, PlanGrid, PlanRow, plan_grid
from qrelsmith.topk.topk_reliability import (
    Chance,
    chances_of,
    fit_notes,
    reliability_table,
)
from qrelsmith.topk.topk_sessions import TopicPool, topic_pools
from qrelsmith.topk.topk_sources import Terms, graded_of, log_of, terms_of_hits

T = TypeVar("T", int, str)

COLUMNS = (
    "method", "k", "finalists", "pairings", "reliability", "candidates", "judgments", "hits",
    "money", "hours", "simulated_judgments", "simulated_hits", "simulated_money",
    "simulated_hours", "found", "found_low", "found_high", "recall", "best_first",
)  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class TopkPlan(Result):
    """A plan: the cost and the success of every combination.

    Attributes
    ----------
    rows : tuple of PlanRow
        A combination each, with all its simulated campaigns.
    costs : PlanCosts
        What work costs.
    fit : ReliabilityFit or None
        The reliability that was fitted to preferences.
    pools : tuple of TopicPool
        The candidates of the largest k.
    seed : int
        The seed.
    """

    rows: tuple[PlanRow, ...]
    costs: PlanCosts
    fit: ReliabilityFit | None
    pools: tuple[TopicPool, ...]
    seed: int

    def table(self) -> Table:
        """The plan with a row for each combination."""
        return Table.of(COLUMNS, [_cells(row) for row in self.rows])

    def figure(self) -> Figure:
        """The chance that the true top k is found, against what it costs."""
        return _figure(self.rows, self.costs)

    def reliability(self) -> Table:
        """The fitted chance of a right answer by distance; see `reliability_table`.

        Raises
        ------
        UsageError
            If none was fitted.
        """
        if self.fit is None:
            raise UsageError("no reliability was fitted; expected preferences")
        return reliability_table(self.fit.reliability, self.pools, seed=self.seed)


@question(
    command="topk plan",
    no_audit="it is asked before preferences are collected",
    flags={"forced": "--force", "preferences": "--preferences"},
)
def topk_plan(
    labels: QrelsLike,
    preferences: PreferencesLike = None,
    *,
    k: int | Sequence[int] = 5,
    method: str | Sequence[str] = "rounds",
    finalists: int | Sequence[int] = 9,
    pairings: int | Sequence[int] = 7,
    reliability: Chance | Sequence[Chance] = (),
    keep: Keep = "majority",
    forced: bool = False,
    campaigns: int = 200,
    terms: Terms | None = None,
    failing: float = 0.05,
    seconds: float = 39.0,
    wage: float = 12.0,
    label_set: str | None = None,
    topic_set: TopicSet | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    sign: Sign = "negative-left",
    outcomes: Way | None = None,
    seed: int = 0,
    advance: Callable[[], None] | None = None,
) -> TopkPlan:
    """Judgments, HITs, money and hours by formula and by simulation, over a grid of settings.

    Parameters
    ----------
    labels : campaign, Qrels, path, {topic: {doc: grade}}, or data frame
        The grades that candidates come from; of a campaign its reference.
    preferences : Preferences, path, data frame, mapping, or a list of these
        Recorded ones of these topics, to fit the reliability. A campaign's own are the default.
    k, method, finalists, pairings : one or several
        k, schedulers that can be simulated, F and P. Combinations that violate F > P > k are left
        out, unless `forced`.
    reliability : number, 'fitted', Reliability, or several of these, optional
        The chance that an answer is right, from ½ to 1; or fitted to the preferences, as a function
        of the distance of two docs in grades and in the ranking. By default fitted where there are
        preferences, else 1.
    keep : {'majority', 'half'}
        Who stays after a round.
    forced : bool
        Whether F > P > k may be violated.
    campaigns : int
        How many campaigns are simulated for each combination.
    terms : HitTerms or path, optional
        What a HIT is and costs; a campaign's own are the default, else those of the paper.
    failing : float
        Share of the HITs whose worker misses a challenge pair: paid, and done again.
    seconds, wage : float
        How long a pair takes a dedicated assessor, and what an hour of one costs.
    label_set : str, optional
        Another label set of a campaign than its reference.
    topic_set : path or collection of str, optional
        Only these topics.
    scale, off_scale
        Which grades there can be, and what others are.
    sign, outcomes
        How a file or frame writes outcomes: `sign` and `way` of `read_preferences`.
    seed : int
        The seed; combinations share the campaigns' random numbers.
    advance : callable, optional
        Called after each step of the work, to show progress.

    Returns
    -------
    TopkPlan

    Raises
    ------
    InputError
        If a file is not as it should be.
    UsageError
        If no combination has F > P > k, or a fitted reliability has no preferences.
    UndefinedError
        If no doc has a grade above 0.

    Examples
    --------
    >>> grades = {"t1": {f"d{number}": 1 + number % 2 for number in range(20)}}
    >>> plan = topk_plan(grades, k=3, pairings=5, finalists=7, campaigns=20)
    >>> [(row.cell.k, row.candidates) for row in plan.rows]
    [(3, 10)]
    """
    graded = graded_of(
        labels, label_set=label_set, topic_set=topic_set, scale=scale, off_scale=off_scale
    )
    ks = _as_tuple(k)
    pools = topic_pools(graded, k=max(ks))
    recorded = log_of(preferences, labels, sign=sign, outcomes=outcomes)
    chances, fit = chances_of(reliability, recorded, pools, advance=advance)
    grid = PlanGrid(
        _as_tuple(method), ks, _as_tuple(finalists), _as_tuple(pairings), chances, keep, forced
    )
    costs = PlanCosts(terms_of_hits(terms, labels), failing, seconds, wage)
    rows = plan_grid(graded, grid, costs, campaigns=campaigns, seed=seed, advance=advance)
    return TopkPlan(
        rows=tuple(rows), costs=costs, fit=fit, pools=pools, seed=seed,
        notes=tuple(fit_notes(fit, recorded)),
    )  # fmt: skip


def _as_tuple(value: T | Sequence[T]) -> tuple[T, ...]:
    if isinstance(value, str | int):
        return (value,)
    listed: Sequence[T] = value
    return tuple(dict.fromkeys(listed))


def _figure(rows: Sequence[PlanRow], costs: PlanCosts) -> Figure:
    """The chance that the true top k is found, against what it costs."""
    lines: dict[tuple[str, str], list[PlanRow]] = {}
    for row in rows:
        name = f"{row.cell.method}, k = {row.cell.k}"
        if row.cell.design is not None and len({r.cell.design for r in rows if r.cell.design}) > 1:
            name += f", P = {row.cell.design.pairings}"
        lines.setdefault((f"reliability {row.cell.reliability_name}", name), []).append(row)
    return Figure(
        key="topk-plan",
        title="Chance that the true top k is found, against cost",
        drawing=Lines(
            lines=[
                _line(f"{name}, {group}", group, of_line)
                for (group, name), of_line in lines.items()
            ],
            x_label=f"cost ({costs.terms.currency})",
            y_label="chance that the true top k is found",
        ),
        caption="Mean over the topics and the simulated campaigns, with the 95 % interval of the"
        " simulation. The points of a line differ in F.",
    )


def _line(name: str, group: str, rows: Sequence[PlanRow]) -> Line:
    ordered = sorted(rows, key=lambda row: float(row.simulated.money.mean()))
    shares = [row.interval(row.search.found) for row in ordered]
    return Line(
        name=name,
        x=[float(row.simulated.money.mean()) for row in ordered],
        y=[mean for mean, _, _ in shares],
        lows=[max(0.0, low) for _, low, _ in shares],
        highs=[min(1.0, high) for _, _, high in shares],
        group=group,
    )


def _cells(row: PlanRow) -> tuple[Cell, ...]:
    cell, design = row.cell, row.cell.design
    sizes: tuple[Cell, Cell] = (None, None)
    if design is not None:
        sizes = (design.finalists, design.pairings)
    formula = (row.formula.hits, row.formula.money, row.formula.hours)
    judged = row.search.judgments.sum(axis=1)
    simulated = (judged, row.simulated.hits, row.simulated.money, row.simulated.hours)
    return (
        cell.method, cell.k, *sizes, cell.reliability_name, row.candidates, row.pairs,
        *map(float, formula), *(float(values.mean()) for values in simulated),
        *row.interval(row.search.found), float(row.search.recall.mean()),
        float(row.search.first.mean()),
    )  # fmt: skip
