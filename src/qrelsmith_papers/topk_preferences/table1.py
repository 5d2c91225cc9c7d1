"""Table 1: sensitivity and consistency of compatibility when ideal rankings are grades alone."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences.beside import COLUMNS, MATCHES, Beside, compare_with_ndcg
from qrelsmith_papers.topk_preferences.both import (
    MISSING,
    collections,
    files_read,
    kind_of_runs,
    runs_text,
)
from qrelsmith_papers.topk_preferences.collection import TopkCollection
from qrelsmith_papers.topk_preferences.published import GRADED, TABLE1

_KEY = "table1"
_TITLE = "Table 1: grades only"
# Sensitivities this near are called roughly the same; the paper's are 1.2 points apart at most.
_ROUGHLY = 0.03


@TOPK.add(
    "table1",
    kind=kind_of_runs,
    reads=files_read,
    sized=True,
    deviation=(
        "Other runs, topics and grades: those of TREC DL 2021, since the runs of TREC CAsT "
        "2019 are not public."
    ),
)
def table1(inputs: StudyInputs) -> Section:
    """Sensitivity and consistency of nDCG and compatibility, ideal rankings of grades."""
    there = collections(inputs)
    if not there:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    comparisons = [
        comparison
        for data in there
        for comparison in compare_with_ndcg(data, data.graded, GRADED, MATCHES)
    ]
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            runs_text(there),
            "Sensitivity is the share of pairs of runs with p < .05 by a paired t-test, without"
            " correction; τ is Kendall's τ-b between the rankings by compatibility and by nDCG,"
            " with Fieller's interval. The last columns count pairs that only one of the two tells"
            " apart.",
        ),
        tables=(
            NamedTable(
                key=_KEY,
                title="Published and obtained",
                table=Table.of(
                    COLUMNS,
                    [
                        *(comparison.row() for comparison in TABLE1),
                        *(comparison.row() for comparison in comparisons),
                    ],
                ),
            ),
        ),
        findings=tuple(
            finding
            for data in there
            if data.has_systems
            for finding in _findings(
                data, [one for one in comparisons if one.collection == data.name]
            )
        ),
    )


def _findings(data: TopkCollection, comparisons: Sequence[Beside]) -> tuple[Finding, ...]:
    """The paper's claims about the table, beside a collection."""
    apart = [
        comparison.power.sensitivity - comparison.power.other_sensitivity
        for comparison in comparisons
    ]
    compat = [comparison.power.sensitivity for comparison in comparisons]
    ndcg = [comparison.power.other_sensitivity for comparison in comparisons]
    shown = ", ".join(f"{100 * comparison:+.1f}" for comparison in apart).replace("-", "−")
    return (
        claim(
            max(map(abs, apart)) <= _ROUGHLY,
            "The paper: compatibility and nDCG with corresponding p and k have roughly the same"
            " sensitivity (−0.7 to +1.2 points apart). Here, on"
            f" {data.name}, compatibility has {shown} points more than nDCG@3, 5, 10 and 20.",
            section=_KEY,
            kind=data.kind,
        ),
        claim(
            compat == sorted(compat) and ndcg == sorted(ndcg),
            f"The paper: sensitivity grows with p and with k. On {data.name} compatibility"
            f" tells {_percents(compat)} of the pairs apart and nDCG {_percents(ndcg)}.",
            section=_KEY,
            kind=data.kind,
        ),
    )


def _percents(shares: Sequence[float]) -> str:
    return ", ".join(f"{share:.1%}" for share in shares)
