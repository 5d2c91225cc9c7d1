"""Figures 5, 7 and 8: grades of candidates and top docs, and agreement on the best docs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from qrelsmith.base.content import Figure, NamedTable, StackedShares
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made
from qrelsmith.studies.tables import table_of
from qrelsmith.topk.topk_sessions import TopkSetting, topic_pools, whole
from qrelsmith.topk.topk_tables import AnswersCompared, answers_compared, grade_shares
from qrelsmith_papers.topk_preferences import cast2019
from qrelsmith_papers.topk_preferences.both import on_both
from qrelsmith_papers.topk_preferences.collection import TopkCollection

# Docs as (topic, doc), with the qrels of their grades.
_Docs = Mapping[str, tuple[Iterable[tuple[str, str]], Qrels]]
_FIRST, _TOP_5 = f"{cast2019.NAME}, crowd: first", f"{cast2019.NAME}, crowd: top 5"


def _share_below(name: str, step: float) -> Callable[[Table], float]:
    """Return the share of a set's docs that are `step` levels below the top grade."""
    return lambda table: next(
        (float(str(row[3])) for row in table.rows if row[0] == name and row[1] == step), 0.0
    )


_FIGURE_5: tuple[c.Claim[Table], ...] = (
    c.claim(
        "More than a third of the candidates came from below the top grade.",
        ("share", lambda table: 1 - _share_below(cast2019.NAME, 0)(table), c.over(1 / 3)),
    ),
    c.claim(
        "Just over 1% of the candidates came from three levels lower.",
        ("share", _share_below(cast2019.NAME, 3), c.within(0.01, 0.015)),
    ),
)
_FIGURE_8: tuple[c.Claim[Table], ...] = (
    c.claim(
        "Over 68 % of the top-1 crowdsourced answers came from the highest grade for the question.",
        ("share", _share_below(_FIRST, 0), c.within(0.68, 0.69)),
    ),
    c.claim(
        "Over 61% of the top-5 crowdsourced answers came from the highest grade for the question.",
        ("share", _share_below(_TOP_5, 0), c.within(0.61, 0.62)),
    ),
)
_FIGURE_7: tuple[c.Claim[AnswersCompared], ...] = (
    c.claim(
        "For 63 questions both methods produced the same top answer; for 141 the local answer"
        " appeared in the crowd's top 5, for 32 it did not.",
        ("questions with the same answer", lambda found: float(found.same), c.equal_to(63)),
        ("questions with it in the top 5", lambda found: float(found.within), c.equal_to(141)),
        ("questions without it", lambda found: float(found.outside), c.equal_to(32)),
    ),
)


def _shares(
    key: str, docs: _Docs, table_title: str, title: str, caption: str
) -> tuple[Table, NamedTable, Figure]:
    """Return a table and a chart of the levels below the top grade, for sets of docs."""
    rows = [
        (name, whole(float(str(step))), *rest)
        for name, (of, grades) in docs.items()
        for step, *rest in grade_shares(of, grades).rows
    ]
    table = table_of(f"{key}-docs", table_title, "docs of|below|docs|share", rows)
    steps = sorted({float(str(row[1])) for row in rows})
    share = {(row[0], float(str(row[1]))): float(str(row[3])) for row in rows}
    figure = Figure(
        key=key,
        title=title,
        drawing=StackedShares(
            names=list(docs),
            parts=["top grade", *(f"{step:g} below" for step in steps if step)],
            shares=[[share.get((name, step), 0.0) for step in steps] for name in docs],
            label="share of the docs",
        ),
        caption=caption,
    )
    return table.table, table, figure


def _hold(there: Sequence[TopkCollection], table: Table) -> list[c.Held[Table]]:
    """Return evidence from the paper's own judgments, if available."""
    return [data.hold(table) for data in there if data.name == cast2019.NAME]


@on_both(
    "fig5",
    title="Figure 5: grades of candidates",
    claims=_FIGURE_5,
    deviation="1.7% is not just over 1%, unless the paper truncates shares.",
)
def figure5(there: Sequence[TopkCollection]) -> Made:
    """Compare the grades of candidates with the top grade of their question."""
    k = TopkSetting().k
    candidates = {
        data.name: (
            [(p.topic, doc) for p in topic_pools(data.graded, k=k) for doc in p.candidates],
            data.graded,
        )
        for data in there
    }
    result, table, figure = _shares(
        "fig5",
        candidates,
        "Candidates by levels below the top grade",
        "Candidates by levels below the top grade of their question",
        "k = 5. Grades are 0 to 4 on CAsT 2019 and 0 to 3 on DL 2021.",
    )
    about = "Candidates are whole grades from the top until there are five."
    return Made(_hold(there, result), [table], [figure], [about])


@on_both("fig8", title="Figure 8: grades of the best docs", claims=_FIGURE_8)
def figure8(there: Sequence[TopkCollection]) -> Made:
    """Compare the grades of top docs with the top grade of their question."""
    docs = {
        f"{data.name}, {one.who}: {what}": (of, data.graded)
        for data in there
        for one in data.preferred
        for what, of in (
            ("first", one.first()),
            ("top 5", [(topic, doc) for topic, doc, _ in one.top.rows()]),
        )
    }
    result, table, figure = _shares(
        "fig8",
        docs,
        "Best docs by levels below the top grade",
        "Best docs by levels below the top grade of their question",
        "first: rank 1, ties included.",
    )
    about = "The best docs by preferences, with their grades; ties make some top fives larger."
    return Made(_hold(there, result), [table], [figure], [about])


@on_both("fig7", title="Figure 7: the best answers", claims=_FIGURE_7)
def figure7(there: Sequence[TopkCollection]) -> Made:
    """Look for the best docs of one group of assessors in the top five of another group."""
    # As in the paper, questions without a top five also count for CAsT 2019.
    by_name = {
        f"{data.name}: {who}, {other.who}": answers_compared(
            best.restricted_to(best.topics if data.name == cast2019.NAME else other.top.topics),
            other.top,
        )
        for data in there
        for who, best in data.best
        for other in data.preferred
        if other.who != who
    }
    shares = [
        [
            entry.same / entry.topics,
            (entry.within - entry.same) / entry.topics,
            entry.outside / entry.topics,
        ]
        for entry in by_name.values()
    ]
    return Made(
        held=[
            c.Held(cast2019.NAME, c.ClaimKind.RECOMPUTED, entry)
            for name, entry in by_name.items()
            if name.startswith(cast2019.NAME)
        ],
        paragraphs=[
            "On CAsT 2019 the research team's best answer is compared with the crowd's top five,"
            " on DL 2021 the crowd's best passage with GPT-4o's. Of several first docs one is"
            " enough."
        ],
        tables=[
            table_of(
                "fig7-questions",
                "Questions",
                "best of, top 5 of|topics|same best|in the top 5|not in it",
                [(n, o.topics, o.same, o.within, o.outside) for n, o in by_name.items()],
                "Whose best doc, in whose top five; in the top 5 includes the same best.",
            )
        ],
        figures=[
            Figure(
                key="fig7",
                title="Where the best doc of one kind of assessors stands with the other",
                drawing=StackedShares(
                    names=list(by_name),
                    parts=("same best", "further down in the top 5", "questions without it"),
                    shares=shares,
                    label="share of the questions",
                ),
                caption="Published for CAsT 2019: 63 (36 %), 78 and 32 of 173 questions.",
            )
        ],
    )
