"""Figure 4: compatibility with grades alone against nDCG, run by run."""

from __future__ import annotations

from qrelsmith.base.content import Section
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences.beside import MATCHES, compare_with_ndcg
from qrelsmith_papers.topk_preferences.both import (
    MISSING,
    collections,
    files_read,
    kind_of_runs,
    runs_text,
)
from qrelsmith_papers.topk_preferences.published import GRADED

_KEY = "fig4"
_TITLE = "Figure 4: grades only, run by run"


@TOPK.add(
    "fig4",
    kind=kind_of_runs,
    reads=files_read,
    sized=True,
    deviation="Other runs; .9 is within the interval of τ where it is missed.",
)
def figure4(inputs: StudyInputs) -> Section:
    """Runs under nDCG and compatibility, ideal rankings of grades."""
    there = collections(inputs)
    if not there:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    comparisons = [
        comparison
        for data in there
        for comparison in compare_with_ndcg(data, data.graded, GRADED, MATCHES)
    ]
    findings = []
    for data in there:
        if not data.has_systems:
            continue
        taus = [one.power.tau for one in comparisons if one.collection == data.name]
        shown = ", ".join(f"{tau:.3f}" for tau in taus)
        findings.append(
            claim(
                min(taus) > 0.9,
                "The paper: Kendall's τ between compatibility and nDCG is above .9 at all four"
                f" cutoffs (.907, .920, .910, .956). Here, on {data.name}, it is {shown}.",
                section=_KEY,
                kind=data.kind,
            )
        )
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(runs_text(there),),
        figures=tuple(
            comparison.figure(
                f"{_KEY}-{comparison.collection.partition(' ')[0].lower()}-{comparison.cutoff}"
            )
            for comparison in comparisons
        ),
        findings=tuple(findings),
    )
