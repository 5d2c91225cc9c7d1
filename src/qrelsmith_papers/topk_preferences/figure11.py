"""Figure 11: compatibility with the single best doc, beside nDCG@3."""

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
from qrelsmith_papers.topk_preferences.collection import of_docs
from qrelsmith_papers.topk_preferences.published import BEST, COMBINED

_KEY = "fig11"
_TITLE = "Figure 11: the single best"
_CUTOFF, _LEADERS = 3, 4


@TOPK.add(
    "fig11",
    kind=kind_of_runs,
    reads=files_read,
    sized=True,
    deviation="31 topics are few where one doc each decides.",
)
def figure11(inputs: StudyInputs) -> Section:
    """Runs under nDCG@3 and compatibility with ideal rankings of the single best doc."""
    there = collections(inputs)
    if not there:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    figures, findings = [], []
    for data in there:
        places = {}
        for who, best in data.best:
            (alone,) = compare_with_ndcg(data, best, f"{BEST}, {who}", (_CUTOFF,))
            figures.append(alone.figure(_name(data.name, f"best-{who}")))
        for preferred in data.preferred:
            first = of_docs(preferred.top, preferred.first(), name=preferred.who)
            (alone,) = compare_with_ndcg(
                data, first, f"first of the top 5, {preferred.who}", (_CUTOFF,)
            )
            (combined,) = compare_with_ndcg(data, preferred.combined, COMBINED, (_CUTOFF,))
            figures.append(alone.figure(_name(data.name, f"first-{preferred.who}")))
            places[preferred.who] = _places(combined.top(_LEADERS), alone.top())
        shown = "; ".join(f"{who}: {', '.join(map(str, of))}" for who, of in places.items())
        if data.has_systems:
            findings.append(
                claim(
                    all(of == sorted(of) for of in places.values()),
                    "The paper: the order of the four best runs does not change with the best doc"
                    f" alone. Here, on {data.name}, the four best by combined ideal rankings stand"
                    f" at ranks {shown}.",
                    section=_KEY,
                    kind=data.kind,
                )
            )
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            runs_text(there),
            "Ideal rankings hold one doc a topic (some topics have ties): the research team's on"
            " CAsT 2019, the best passage that the crowd's preferences led to on DL 2021, and the"
            " first of each top five.",
        ),
        figures=tuple(figures),
        findings=tuple(findings),
    )


def _name(collection: str, rest: str) -> str:
    return f"{_KEY}-{collection.partition(' ')[0]}-{rest}".lower().replace(" ", "-")


def _places(leaders: list[str], ranking: list[str]) -> list[int]:
    """The ranks of some runs."""
    return [ranking.index(name) + 1 for name in leaders]
