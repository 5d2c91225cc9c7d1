"""Figure 7: whether the single best doc of some assessors is in the top set of others."""

from __future__ import annotations

from qrelsmith.base.content import Figure, Finding, NamedTable, Section, StackedShares
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.studies.claims import ClaimKind, claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.topk.topk_tables import AnswersCompared, answers_compared
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences import cast2019
from qrelsmith_papers.topk_preferences.both import MISSING, collections, files_read
from qrelsmith_papers.topk_preferences.collection import PreferredDocs, TopkCollection

_KEY = "fig7"
_TITLE = "Figure 7: the best answers"
_COLUMNS = ("best of, top 5 of", "topics", "same best", "in the top 5", "not in it")


@TOPK.add("fig7", kind=ClaimKind.RECOMPUTED, reads=files_read)
def figure7(inputs: StudyInputs) -> Section:
    """The best docs of one kind of assessors in the top five of another."""
    there = collections(inputs)
    if not there:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    by_name = {
        f"{data.name}: {who}, {other.who}": answers_compared(
            best.restricted_to(_topics(data, best, other)), other.top
        )
        for data in there
        for who, best in data.best
        for other in data.preferred
        if other.who != who
    }
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
            "On CAsT 2019 the research team's single best answer of each question is held against"
            " the crowd's top five; on DL 2021 the crowd's best passage against GPT-4o's. Where"
            " several docs are first, one of them is enough.",
        ),
        tables=(
            NamedTable(
                key=f"{_KEY}-questions",
                title="Questions",
                table=Table.of(
                    _COLUMNS,
                    [
                        (name, overlap.topics, overlap.same, overlap.within, overlap.outside)
                        for name, overlap in by_name.items()
                    ],
                ),
                note="Whose best doc, in whose top five; in the top 5 includes the same best.",
            ),
        ),
        figures=(
            Figure(
                key=_KEY,
                title="Where the best doc of one kind of assessors stands with the other",
                drawing=StackedShares(
                    names=list(by_name),
                    parts=("same best", "further down in the top 5", "not in it"),
                    shares=[
                        [
                            overlap.same / overlap.topics,
                            (overlap.within - overlap.same) / overlap.topics,
                            overlap.outside / overlap.topics,
                        ]
                        for overlap in by_name.values()
                    ],
                    label="share of the questions",
                ),
                caption="Published for CAsT 2019: 63 (36 %), 78 and 32 of 173 questions.",
            ),
        ),
        findings=tuple(
            _finding(overlap) for name, overlap in by_name.items() if name.startswith(cast2019.NAME)
        ),
    )


def _topics(data: TopkCollection, best: Qrels, other: PreferredDocs) -> tuple[str, ...]:
    """The topics that count: as in the paper, questions without a top five do on CAsT 2019."""
    return best.topics if data.name == cast2019.NAME else other.top.topics


def _finding(found: AnswersCompared) -> Finding:
    return claim(
        (found.same, found.within, found.outside) == (63, 141, 32),
        "The paper: for 63 questions both methods have the same best answer, for 141 the local"
        " answer is in the crowd's top five, for 32 it is not. Here"
        f" {found.same}, {found.within} and {found.outside}.",
        section=_KEY,
    )
