"""Rankings of the systems under the label sets."""

from __future__ import annotations

from dataclasses import replace

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.rules import MOST_SETS
from qrelsmith.audit.verdicts.bounds import RANKS_ALL
from qrelsmith.base.content import Figure, Intervals, NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.evaluation import Evaluation
from qrelsmith.evaluation.scored_runs import evaluate
from qrelsmith.rankings.compared_rankings import compare
from qrelsmith.rankings.ranking_comparisons import RankingComparisons
from qrelsmith.rankings.ranking_figures import slug_of
from qrelsmith.stats.ties import mean_ranks

_KEY = "rankings"


@SECTIONS.add("rankings", place=70)
def rankings(inputs: AuditInputs) -> Section:
    """Report system means and ranks under every label set, with τ to the reference."""
    if len(inputs.runs) < 2:
        return Section(
            key=_KEY,
            title="System rankings",
            missing="at least two runs in runs/; there "
            + ("is one" if inputs.runs else "are none"),
        )
    scores = inputs.ask(evaluate, intervals=True)
    compared = inputs.ask(compare) if inputs.others else None
    tables: list[NamedTable] = []
    figures: list[Figure] = []
    for measure in inputs.measures:
        tables.append(_systems(inputs, scores, compared, measure))
        if compared is not None:
            tables.append(_tops(inputs, measure))
            tables.append(_rankings(inputs, compared, measure))
            figures += _figures(compared, measure)
    return Section(
        key=_KEY,
        title="System rankings",
        paragraphs=(
            "Rankings are compared on the common topics of each pair of label sets. Kendall's τ is"
            " 1 for equal rankings and −1 for reversed rankings.",
        ),
        tables=tuple(tables),
        figures=tuple(figures),
    )


def _systems(
    inputs: AuditInputs, scores: Evaluation, compared: RankingComparisons | None, measure: str
) -> NamedTable:
    """Tabulate means with intervals under the reference, and ranks under all label sets."""
    matrix = scores.matrix(measure).sorted()
    means = matrix.means().tolist()
    lows, highs = scores.bounds(measure)
    at = {system: place for place, system in enumerate(scores.systems)}
    ranks = (
        {inputs.reference: mean_ranks(matrix.means()).tolist()}
        if compared is None
        else compared.ranks(measure)
    )
    first = ranks[inputs.reference]
    order = sorted(range(len(matrix.systems)), key=lambda s: (first[s], matrix.systems[s]))
    rows: list[tuple[Cell, ...]] = [
        (
            matrix.systems[s], means[s], lows[at[matrix.systems[s]]], highs[at[matrix.systems[s]]],
            *(of[s] for of in ranks.values()),
        )
        for s in order
    ]  # fmt: skip
    columns = ("system", f"mean ({inputs.reference})", "low", "high", *(f"rank {n}" for n in ranks))
    many = len(ranks) > MOST_SETS
    return NamedTable(
        f"systems-{slug_of(measure)}",
        f"{measure} of the systems",
        Table.of(columns, rows),
        f"Means over the topics of {inputs.reference}. Tied systems share a rank."
        + (" The files contain all label sets." if many else ""),
        answer=scores,
        on_page=Table.of(columns[:5], [row[:5] for row in rows]) if many else None,
    )


def _tops(inputs: AuditInputs, measure: str) -> NamedTable:
    """Tabulate the rank intervals of the reference's best systems under each label set."""
    answer = inputs.ask(compare, top=True)
    tops = answer.tops_by(measure)
    own = tops[inputs.reference]
    places = [
        {system: top.place_text(at) for at, system in enumerate(top.best)} for top in tops.values()
    ]
    rows = [(system, *(of.get(system) for of in places)) for system in own.best]
    return NamedTable(
        f"top-{slug_of(measure)}",
        f"Ranks of the best systems by {measure}",
        answer.top_table(measure),
        f"The best {len(own.best)} of {own.systems} systems under {inputs.reference}, with the rank"
        " among all systems and its 95% interval, which generalises to similar topics. If the"
        " intervals of two systems overlap, the order of the two systems is uncertain.",
        answer=answer,
        on_page=Table.of(("system", *tops), rows),
    )


def _rankings(inputs: AuditInputs, compared: RankingComparisons, measure: str) -> NamedTable:
    many = len(inputs.label_sets) > MOST_SETS
    return NamedTable(
        f"rankings-{slug_of(measure)}",
        f"Rankings by {measure} under each pair of label sets",
        compared.table_of(measure),
        "For tau-AP, the label set ‘qrels A’ is the reference. The intervals over topics and"
        " Fieller's intervals are for tau-b; the intervals called ‘consistent’ are for tau-a."
        + (f" Pairs without {inputs.reference} are only in the files." if many else ""),
        answer=compared,
        on_page=_over_topics(compared, measure) if many else None,
        undefined="a label set ties all systems, there are fewer than 8 topics, or τ = ±1 (for"
        " Fieller's interval)",
    )


def _over_topics(compared: RankingComparisons, measure: str) -> Table:
    """Return the comparisons with the reference, with intervals over topics."""
    return replace(compared, comparisons=tuple(compared.with_reference(measure))).table_of(measure)


def _figures(compared: RankingComparisons, measure: str) -> list[Figure]:
    """Return the answer's charts; the first chart has a line at the threshold of the verdict."""
    against, *others = compared.figures(measure)
    drawing = against.drawing
    if isinstance(drawing, Intervals):
        drawing = replace(drawing, reference=RANKS_ALL.good)
    caption = f"Rankings with τ at or above the line ({RANKS_ALL.good}) count as equal."
    if len(compared.names) > MOST_SETS:
        others = []
    return [replace(against, drawing=drawing, caption=caption), *others]
