"""Table 2: how much dedicated assessors judge besides the grades, at most."""

from __future__ import annotations

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.topk.topk_tables import effort_table
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences import cast2019
from qrelsmith_papers.topk_preferences.both import MISSING, collections, files_read
from qrelsmith_papers.topk_preferences.published import TABLE2

_KEY = "table2"
_TITLE = "Table 2: extra effort"


@TOPK.add("table2", kind=ClaimKind.RECOMPUTED, reads=files_read)
def table2(inputs: StudyInputs) -> Section:
    """Upper bounds of the comparisons of dedicated assessors for k = 3, 5 and 10."""
    there = collections(inputs)
    if not there:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    rows, findings = [], []
    for data in there:
        of_paper = data.name == cast2019.NAME
        table = effort_table(data.graded, tuple(TABLE2))
        for row, (k, published) in zip(table.rows, TABLE2.items(), strict=True):
            rows.append((data.name, *row, published if of_paper else None))
            if of_paper:
                findings.append(
                    claim(
                        row[4] == published,
                        f"The paper: {published:,} extra judgments for k = {k}. Here {row[4]:,},"
                        f" with {row[3]:,} candidates.",
                        section=_KEY,
                    )
                )
        columns = ("collection", *table.columns, "published")
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            "The bound is |C| + (k − 1)⌈log2 |C|⌉, summed over topics. The paper writes log"
            " without a base; its numbers come out with base 2, rounded up, and with the candidates"
            " that each k has of its own.",
        ),
        tables=(
            NamedTable(
                key=_KEY, title="Judgments, candidates and bound", table=Table.of(columns, rows)
            ),
        ),
        findings=tuple(findings),
    )
