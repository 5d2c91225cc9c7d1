"""Figure 8: the grades of the docs that preferences put first."""

from __future__ import annotations

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences import cast2019
from qrelsmith_papers.topk_preferences.both import MISSING, collections, files_read
from qrelsmith_papers.topk_preferences.shares import share_below, shares_figure, shares_table

_KEY = "fig8"
_TITLE = "Figure 8: grades of the best docs"


@TOPK.add("fig8", kind=ClaimKind.RECOMPUTED, reads=files_read)
def figure8(inputs: StudyInputs) -> Section:
    """Grades of the top docs relative to the top grade of their question."""
    there = collections(inputs)
    if not there:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    table = shares_table(
        {
            f"{data.name}, {one.who}: {what}": (docs, data.graded)
            for data in there
            for one in data.preferred
            for what, docs in (
                ("first", one.first()),
                ("top 5", [(topic, doc) for topic, doc, _ in one.top.rows()]),
            )
        }
    )
    findings = []
    if any(data.name == cast2019.NAME for data in there):
        first, top = (
            share_below(table, f"{cast2019.NAME}, crowd: {what}", 0) for what in ("first", "top 5")
        )
        findings = [
            claim(
                0.68 < first < 0.69,
                "The paper: over 68 % of the crowd's first answers have the highest grade of their"
                f" question. Here {first:.1%}.",
                section=_KEY,
            ),
            claim(
                0.61 < top < 0.62,
                f"The paper: over 61 % of the crowd's top five have it. Here {top:.1%}.",
                section=_KEY,
            ),
        ]
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            "The best docs by preferences, with the grades that they had before. Ties make the top"
            " five of some questions larger. On DL 2021 the crowd compared docs that NIST had"
            " graded well, and GPT-4o all that NIST had graded above 0.",
        ),
        tables=(
            NamedTable(
                key=f"{_KEY}-docs", title="Best docs by levels below the top grade", table=table
            ),
        ),
        figures=(
            shares_figure(
                table,
                key=_KEY,
                title="Best docs by levels below the top grade of their question",
                caption="first: rank 1, ties included.",
            ),
        ),
        findings=tuple(findings),
    )
