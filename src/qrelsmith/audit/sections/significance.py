"""Significant differences between systems, and the agreement of label sets on these."""

from __future__ import annotations

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.base.content import NamedTable, Section
from qrelsmith.rankings.significance import significance
from qrelsmith.rankings.significance_tests import ALPHA, SignificanceTests

_KEY = "significance"


@SECTIONS.add("significance", place=90)
def significance_section(inputs: AuditInputs) -> Section:
    """Report the pairs of systems that differ significantly under each label set."""
    if missing := inputs.missing_to_rank:
        return Section(key=_KEY, title="Significance", missing=missing)
    result = inputs.ask(significance, beside=True)
    tables = [_table(result, measure, place) for place, measure in enumerate(result.measures, 1)]
    figure = result.figure()
    return Section(
        key=_KEY,
        title="Significance",
        tables=tuple(tables) if inputs.others else (),
        figures=() if figure is None else (figure,),
    )


def _table(result: SignificanceTests, measure: str, place: int) -> NamedTable:
    return NamedTable(
        key=f"significance-{place}",
        title=f"Pairs of systems that differ significantly by {measure}, compared with "
        f"{result.names[0]}",
        table=result.table_of(measure),
        note=f"Test: randomised Tukey HSD, α = {ALPHA}. Missed: pairs significant only under the"
        " reference. Extra: pairs significant only under the label set. Opposite: pairs"
        " significant under both label sets, in opposite directions. Alike: share of the pairs in"
        " ‘both’ with the same direction.",
        answer=result,
        undefined="no pair is significant under both label sets, or too many random halves of the"
        " topics have no significant pair",
    )
