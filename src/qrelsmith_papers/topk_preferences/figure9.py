"""Figure 9: compatibility with preferred docs above the grades, beside nDCG, with intervals."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.base.content import Figure, Finding, Intervals, Section
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.intervals import t_interval
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences.beside import Beside, compare_with_ndcg
from qrelsmith_papers.topk_preferences.both import (
    MISSING,
    collections,
    files_read,
    kind_of_runs,
    runs_text,
)
from qrelsmith_papers.topk_preferences.collection import TopkCollection
from qrelsmith_papers.topk_preferences.published import COMBINED

_KEY = "fig9"
_TITLE = "Figure 9: preferences above grades"
_CUTOFFS = (3, 5)


@TOPK.add(
    "fig9",
    kind=kind_of_runs,
    reads=files_read,
    sized=True,
    deviation="The runs that the paper speaks of are not public: other runs and preferences.",
)
def figure9(inputs: StudyInputs) -> Section:
    """Runs under nDCG and compatibility with combined ideal rankings, with intervals."""
    there = collections(inputs)
    if not there:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    figures: list[Figure] = []
    findings: list[Finding] = []
    for data in there:
        comparisons: list[tuple[str, Beside]] = []
        for preferred in data.preferred:
            name = f"{COMBINED}, {preferred.who}"
            compared = compare_with_ndcg(data, preferred.combined, name, _CUTOFFS)
            key = f"{_KEY}-{data.name.partition(' ')[0]}-{preferred.who}".lower()
            for comparison in compared:
                figures.append(comparison.figure(f"{key}-{comparison.cutoff}"))
                figures += [
                    _intervals(
                        f"{key}-{comparison.cutoff}-{what}", data.name, preferred.who, scores
                    )
                    for what, scores in (("compat", comparison.compat), ("ndcg", comparison.ndcg))
                ]
                comparisons.append((preferred.who, comparison))
        if data.has_systems:
            findings.append(_finding(data, comparisons))
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            runs_text(there),
            "The top five by preferences are levels of their own above the grades. Intervals are"
            " Student's, 95 %, over the topics that have a top five. What the paper says of single"
            " runs (pgbert, clacBase) cannot be looked at without them.",
        ),
        figures=tuple(figures),
        findings=tuple(findings),
    )


def _intervals(key: str, collection: str, who: str, scores: ScoreMatrix) -> Figure:
    """The runs with the intervals of their means, the best first."""
    means = scores.means()
    lows, highs = t_interval(scores.scores)
    order = sorted(range(len(means)), key=lambda run: (-means[run], scores.systems[run]))
    return Figure(
        key=key,
        title=f"{collection}: {scores.measure} of each run, topics with a top five ({who})",
        drawing=Intervals(
            names=[scores.systems[run] for run in order],
            values=means[order].tolist(),
            lows=lows[order].tolist(),
            highs=highs[order].tolist(),
            label=scores.measure,
        ),
        caption=f"Means over {len(scores.topics)} topics and their 95 % intervals.",
    )


def _finding(data: TopkCollection, comparisons: Sequence[tuple[str, Beside]]) -> Finding:
    """The paper's claim about the figure, beside a collection."""
    shown = "; ".join(
        f"{who}, {one.power.other}: {len(one.power.only)} and {len(one.power.only_other)}"
        for who, one in comparisons
    )
    return claim(
        all(len(one.power.only) > len(one.power.only_other) for _, one in comparisons),
        "The paper: with preferences, compatibility recognises significant differences that nDCG"
        f" misses. Here, on {data.name}, pairs of runs that only compatibility tells apart and that"
        f" only nDCG does: {shown}.",
        section=_KEY,
        kind=data.kind,
    )
