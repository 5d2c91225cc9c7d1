"""Figure 10: compatibility with the preferred docs alone, beside nDCG@3."""

from __future__ import annotations

from qrelsmith.base.content import Section
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences.beside import compare_with_ndcg
from qrelsmith_papers.topk_preferences.both import (
    MISSING,
    collections,
    files_read,
    kind_of_runs,
    runs_text,
)
from qrelsmith_papers.topk_preferences.published import COMBINED, TOP

_KEY = "fig10"
_TITLE = "Figure 10: the top five alone"
_CUTOFF, _LEADERS = 3, 4


@TOPK.add("fig10", kind=kind_of_runs, reads=files_read, sized=True)
def figure10(inputs: StudyInputs) -> Section:
    """Runs under nDCG@3 and compatibility with ideal rankings of the top five only."""
    there = collections(inputs)
    if not there:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    figures, findings = [], []
    for data in there:
        counts = {}
        for preferred in data.preferred:
            (alone,) = compare_with_ndcg(data, preferred.top, f"{TOP}, {preferred.who}", (_CUTOFF,))
            (combined,) = compare_with_ndcg(data, preferred.combined, COMBINED, (_CUTOFF,))
            key = f"{_KEY}-{data.name.partition(' ')[0]}-{preferred.who}".lower()
            figures.append(alone.figure(key))
            counts[preferred.who] = len(set(alone.top(_LEADERS)) & set(combined.top(_LEADERS)))
        shown = " and ".join(f"{count} ({who})" for who, count in counts.items())
        if data.has_systems:
            findings.append(
                claim(
                    min(counts.values()) == _LEADERS,
                    "The paper: the four best runs by combined ideal rankings are still the four"
                    f" best by the top five alone. Here, on {data.name}, {shown} of the four are.",
                    section=_KEY,
                    kind=data.kind,
                )
            )
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            runs_text(there),
            "Ideal rankings hold the top five by preferences and nothing else. Compatibility is"
            " normalised (Eq. 3), since such ideal rankings are short.",
        ),
        figures=tuple(figures),
        findings=tuple(findings),
    )
