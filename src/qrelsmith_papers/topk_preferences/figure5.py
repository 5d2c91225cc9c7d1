"""Figure 5: the grades of the candidates below the top grade of their topic."""

from __future__ import annotations

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.topk.topk_sessions import TopkSetting, topic_pools
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences import cast2019
from qrelsmith_papers.topk_preferences.both import MISSING, collections, files_read
from qrelsmith_papers.topk_preferences.shares import share_below, shares_figure, shares_table

_KEY = "fig5"
_TITLE = "Figure 5: grades of candidates"


@TOPK.add(
    "fig5",
    kind=ClaimKind.RECOMPUTED,
    reads=files_read,
    deviation="The paper cuts shares off.",
)
def figure5(inputs: StudyInputs) -> Section:
    """Grades of the candidates relative to the top grade of their question."""
    there = collections(inputs)
    if not there:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    candidates = {
        data.name: [
            (pool.topic, doc)
            for pool in topic_pools(data.graded, k=TopkSetting().k)
            for doc in pool.candidates
        ]
        for data in there
    }
    table = shares_table({data.name: (candidates[data.name], data.graded) for data in there})
    findings = []
    if any(data.name == cast2019.NAME for data in there):
        below, three = (share_below(table, cast2019.NAME, step) for step in (0, 3))
        findings = [
            claim(
                1 - below > 1 / 3,
                "The paper: more than a third of the candidates are from below the top grade. Here"
                f" {1 - below:.1%}.",
                section=_KEY,
            ),
            claim(
                0.01 < three < 0.02,
                "The paper, whose shares are cut off, not rounded: just over 1 % are from three"
                f" levels lower. Here {three:.1%}.",
                section=_KEY,
            ),
        ]
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            "Candidates are whole grades from the top until there are five. The paper's figure has"
            " no numbers.",
        ),
        tables=(
            NamedTable(
                key=f"{_KEY}-docs", title="Candidates by levels below the top grade", table=table
            ),
        ),
        figures=(
            shares_figure(
                table,
                key=_KEY,
                title="Candidates by levels below the top grade of their question",
                caption="k = 5. Grades are 0 to 4 on CAsT 2019 and 0 to 3 on DL 2021.",
            ),
        ),
        findings=tuple(findings),
    )
