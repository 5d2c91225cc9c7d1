"""A plan of top-k preferences as a table, a figure and a section of a report."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.analyses.topk_plans import PlanCosts, PlanRow
from qrelsmith.content import Figure, Line, Lines, NamedTable, Section
from qrelsmith.tables import Cell, Table

COLUMNS = (
    "method", "k", "finalists", "pairings", "reliability", "candidates", "judgments", "hits",
    "money", "hours", "simulated_judgments", "simulated_hits", "simulated_money",
    "simulated_hours", "found", "found_low", "found_high", "recall", "best_first",
)  # fmt: skip


def plan_table(rows: Sequence[PlanRow]) -> Table:
    """The plan with a row for each combination."""
    return Table.of(COLUMNS, [_cells(row) for row in rows])


def plan_section(rows: Sequence[PlanRow], costs: PlanCosts) -> Section:
    """The plan as a section of a report, with its figure."""
    return Section(
        key="topk-plan",
        title="Finding the best docs by preferences: cost and benefit",
        paragraphs=(_terms(costs),),
        tables=(
            NamedTable(
                "topk-plan",
                "Judgments, HITs, money and hours of each combination",
                plan_table(rows),
                "By formula (for tournaments the upper bound), and as means of simulated"
                " campaigns. found: share of the topics whose true top k were all found, with the"
                " 95 % interval of the simulation; recall: share of the true top k found;"
                " best_first: share of the topics whose best doc came first.",
            ),
        ),
        figures=(plan_figure(rows, costs),),
    )


def plan_figure(rows: Sequence[PlanRow], costs: PlanCosts) -> Figure:
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
    found = [row.interval(row.search.found) for row in ordered]
    return Line(
        name=name,
        x=[float(row.simulated.money.mean()) for row in ordered],
        y=[mean for mean, _, _ in found],
        lows=[max(0.0, low) for _, low, _ in found],
        highs=[min(1.0, high) for _, _, high in found],
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


def _terms(costs: PlanCosts) -> str:
    """What work costs, in words."""
    terms = costs.terms
    return (
        f"A HIT of {terms.pairs} pairs and {terms.challenges} challenge pairs costs"
        f" {terms.price:.2f} {terms.currency}, {costs.failing:.0%} of the HITs are paid and done"
        f" again; an hour of a dedicated assessor costs {costs.wage:.2f}."
    )
