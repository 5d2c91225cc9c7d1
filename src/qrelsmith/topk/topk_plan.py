"""The plan of a top-k task: its cost and probability of success."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, TypeVar, Unpack

from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Advance, FigureFile, Option, OutputFile, Seed
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Cell, Table
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.campaign_sources import resolve_source
from qrelsmith.topk.culling import Keep
from qrelsmith.topk.reliability_fit import ReliabilityFit
from qrelsmith.topk.topk_options import (
    Campaigns,
    Failing,
    Grades,
    OutcomeScope,
    Recorded,
    ReliabilityOption,
    Seconds,
    TermsOption,
    Wage,
)
from qrelsmith.topk.topk_plans import PlanCosts, PlanGrid, PlanRow, plan_grid, plan_methods
from qrelsmith.topk.topk_reliability import Chance, chances_of, fit_notes, reliability_table
from qrelsmith.topk.topk_sessions import TopicPool, topic_pools
from qrelsmith.topk.topk_sources import graded_by, log_of, terms_of_hits

T = TypeVar("T", int, str)

COLUMNS = (
    "method", "k", "finalists", "pairings", "reliability", "candidates", "judgments", "hits",
    "money", "hours", "simulated_judgments", "simulated_hits", "simulated_money",
    "simulated_hours", "found", "found_low", "found_high", "recall", "best_first",
)  # fmt: skip


@dataclass(frozen=True, eq=False, kw_only=True)
class TopkPlan(Result):
    """A plan: the cost and the probability of success of every combination.

    Attributes
    ----------
    rows : tuple of PlanRow
        One row per combination, with its simulated campaigns.
    costs : PlanCosts
        Prices and times.
    fit : ReliabilityFit or None
        The reliability fitted to preferences.
    pools : tuple of TopicPool
        The candidates of the largest k.
    """

    rows: tuple[PlanRow, ...]
    costs: PlanCosts
    fit: ReliabilityFit | None
    pools: tuple[TopicPool, ...]
    seed: int

    def table(self) -> Table:
        """Return the plan with a row for each combination."""
        return Table.of(COLUMNS, [_cells(row) for row in self.rows])

    def figure(self) -> Figure:
        """Return a chart of the probability of finding the true top k, against the cost."""
        return _figure(self.rows, self.costs)

    def reliability(self) -> Table:
        """Return the fitted probability of correct answers by distance; see `reliability_table`.

        Raises
        ------
        UsageError
            If no reliability was fitted.
        """
        if self.fit is None:
            raise UsageError("no reliability was fitted; expected preferences")
        return reliability_table(self.fit.reliability, self.pools, seed=self.seed)


def _write_fit(result: TopkPlan, path: str, _: Sequence[str]) -> None:
    if result.fit is None:
        raise UsageError("--write-reliability needs a fitted reliability: --preferences FILE")
    write_text(path, result.reliability().text("csv"))


@question(
    command="topk plan",
    no_audit="it is used before preferences are collected",
    example="qrelsmith topk plan graded.qrels -k 3 -k 5 -P 5 -P 7 -F 7 -F 9 -F 12 --preferences"
    " pilot.csv --figure plan.svg",
    doing="simulating",
    short="Compare costs and results of settings in advance.",
    writes={
        "write_reliability": OutputFile(
            "Write the fitted probabilities of a correct answer by distance to this file, as CSV.",
            _write_fit,
        ),
        "figure": FigureFile(
            "Draw success against cost to this file (.svg or .pdf).", "The campaigns are simulated."
        ),
    },
)
def topk_plan(
    labels: Grades,
    preferences: Recorded = None,
    *,
    k: Annotated[int | Sequence[int], Option(
        "Number of best docs to find; repeatable.", ("-k", "--k"), least=1)] = 5,
    scheduler: Annotated[str | Sequence[str], Option(
        "Method that chooses the pairs: crowd rounds, or a winner tree; repeat the option for"
        " both.", choices=plan_methods,
        was={"method": {}})] = "rounds",
    finalists: Annotated[int | Sequence[int], Option(
        "Maximum number of finalists, whose pairs are all judged; repeatable.", ("-F",
        "--finalists"),
        least=1)] = 9,
    pairings: Annotated[int | Sequence[int], Option(
        "Number of pairings per candidate; repeatable.", ("-P", "--pairings"),
        least=1)] = 7,
    reliability: Annotated[Chance | Sequence[Chance], replace(ReliabilityOption, many=True)] = (),
    keep: Annotated[Keep, Option("Rule for the candidates that stay after a round.")] = "majority",
    forced: Annotated[bool, Option("Allow sizes that violate F > P > k.", ("--force",))] = False,
    campaigns: Annotated[int, Campaigns] = 200,
    terms: TermsOption = None,
    failing: Failing = 0.05,
    seconds: Seconds = 39.0,
    wage: Wage = 12.0,
    seed: Seed = 0,
    advance: Advance = None,
    **options: Unpack[OutcomeScope],
) -> TopkPlan:  # fmt: skip
    """Compute the number of judgments and HITs, the cost and the hours over a grid of settings.

    You can repeat -k, -F, -P, --scheduler and --reliability. Without --force, combinations that
    violate F > P > k are left out. `found` is the share of topics whose whole true top k was found,
    with the 95% interval of the simulation. `recall` is the share of the true top k that was found,
    and `best_first` is the share of topics whose best doc is ranked first. With --preferences, the
    reliability depends on the distance between two docs in grades and in the ranking.

    Raises
    ------
    InputError
        If a file is malformed.
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
    labels = resolve_source(labels)
    graded = graded_by(labels, options)
    ks = _as_tuple(k)
    pools = topic_pools(graded, k=max(ks))
    recorded = log_of(preferences, labels, options)
    chances, fit = chances_of(reliability, recorded, pools, advance=advance)
    grid = PlanGrid(
        _as_tuple(scheduler), ks, _as_tuple(finalists), _as_tuple(pairings), chances, keep, forced
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
    """Return a chart of the probability of finding the true top k, against the cost."""
    lines: dict[tuple[str, str], list[PlanRow]] = {}
    for row in rows:
        name = f"{row.cell.method}, k = {row.cell.k}"
        if row.cell.design is not None and len({r.cell.design for r in rows if r.cell.design}) > 1:
            name += f", P = {row.cell.design.pairings}"
        lines.setdefault((f"reliability {row.cell.reliability_name}", name), []).append(row)
    return Figure(
        key="topk-plan",
        title="Probability of finding the true top k, against cost",
        drawing=Lines(
            lines=[
                _line(f"{name}, {group}", group, of_line)
                for (group, name), of_line in lines.items()
            ],
            x_label=f"cost ({costs.terms.currency})",
            y_label="probability of finding the true top k",
        ),
        caption="Mean over topics and simulated campaigns, with the 95% interval of the simulation."
        " The points on a line differ in F.",
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
