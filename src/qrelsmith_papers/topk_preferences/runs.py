"""Tables 1 and 3, Figure 4: compatibility and nDCG for each source of the ideal rankings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from qrelsmith.studies import claims as c
from qrelsmith.studies.registry import Made
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.topk_preferences.beside import (
    COLUMNS,
    MATCHES,
    Beside,
    compare_with_ndcg,
    lowest_step,
)
from qrelsmith_papers.topk_preferences.both import kind_of_runs, on_both, runs_text
from qrelsmith_papers.topk_preferences.collection import PreferredDocs, TopkCollection, of_docs
from qrelsmith_papers.topk_preferences.published import (
    BEST,
    COMBINED,
    GRADED,
    TABLE1,
    TABLE3,
    TOP,
    Sensitivities,
)

_ROUGHLY = 0.02  # sensitivities this close are roughly equal; the paper's differ by 1.2 points


# By basis of the ideal rankings and cutoff of nDCG.
_Rows = Mapping[tuple[str, int], Sensitivities]
_Found = Mapping[tuple[str, int], Beside]


def _hold(
    table: Sequence[Sensitivities], found: Iterable[tuple[TopkCollection, str, _Found]]
) -> list[c.Held[_Rows]]:
    """Return the printed rows, and the rows of each collection with systems, by assessor group."""
    own: list[c.Held[_Rows]] = [
        data.hold({key: one.sensitivities() for key, one in of.items()}, who=who)
        for data, who, of in found
        if data.has_systems
    ]
    return [c.on_print({(one.ideal, one.cutoff): one for one in table}), *own]


def _compare_graded(data: TopkCollection) -> dict[tuple[str, int], Beside]:
    found = compare_with_ndcg(data, data.graded, GRADED, MATCHES)
    return {(GRADED, one.cutoff): one for one in found}


def figure_key(figure: str, *words: str) -> str:
    """Return the key of a figure, built from the collection's first word and other parts."""
    collection, *rest = words
    return "-".join([figure, collection.partition(" ")[0], *rest]).lower().replace(" ", "-")


_Values = Callable[[Sensitivities], float]


def _over_cutoffs(value: _Values) -> Callable[[_Rows], list[float]]:
    return lambda rows: [value(rows[GRADED, cutoff]) for cutoff in MATCHES]


_TABLE_1: tuple[c.Claim[_Rows], ...] = (
    c.claim(
        "Compatibility and NDCG with corresponding p and k have roughly the same sensitivity.",
        (
            "largest difference over the four cutoffs",
            lambda rows: max(map(abs, _over_cutoffs(lambda r: r.compat - r.ndcg)(rows))),
            c.at_most(_ROUGHLY),
        ),
    ),
    c.claim(
        "Sensitivity grows with p and with k.",
        (
            "smallest step of compatibility",
            lambda rows: lowest_step(_over_cutoffs(lambda r: r.compat)(rows)),
            c.over(0),
        ),
        (
            "smallest step of nDCG",
            lambda rows: lowest_step(_over_cutoffs(lambda r: r.ndcg)(rows)),
            c.over(0),
        ),
    ),
)
_FIGURE_4: tuple[c.Claim[_Rows], ...] = (
    c.claim(
        "Values for Kendall's τ between compatibility and NDCG are all greater than 0.9.",
        ("lowest τ", lambda rows: min(_over_cutoffs(lambda r: r.tau)(rows)), c.over(0.9)),
    ),
)
OTHER_RUNS = "Runs, topics and grades are those of TREC DL 2021."


@on_both(
    "table1", title="Table 1: grades only", claims=_TABLE_1, kind=kind_of_runs, deviation=OTHER_RUNS
)
def table1(there: Sequence[TopkCollection]) -> Made:
    """Compute sensitivity and consistency of nDCG and compatibility by grades."""
    result = [(data, "", _compare_graded(data)) for data in there]
    here = [one.row() for _, _, found in result for one in found.values()]
    rows = [*(one.row() for one in TABLE1), *here]
    return Made(
        held=_hold(TABLE1, result),
        paragraphs=[
            runs_text(there),
            "Sensitivity is the share of pairs of runs with p < .05 by a paired t-test; τ is"
            " Kendall's τ-b between compatibility and nDCG, with Fieller's interval. The last"
            " columns count pairs that only one of the two tells apart.",
        ],
        tables=[table_of("table1", "Published and obtained", COLUMNS, rows)],
    )


@on_both(
    "fig4",
    title="Figure 4: grades only, run by run",
    claims=_FIGURE_4,
    kind=kind_of_runs,
    deviation="Runs differ; .9 is within the interval of τ.",
)
def figure4(there: Sequence[TopkCollection]) -> Made:
    """Compare runs under nDCG and compatibility, with ideal rankings of grades."""
    result = [(data, "", _compare_graded(data)) for data in there]
    return Made(
        held=_hold(TABLE1, result),
        paragraphs=[runs_text(there)],
        figures=[
            one.figure(figure_key("fig4", one.collection, str(one.cutoff)))
            for *_, found in result
            for one in found.values()
        ],
    )


def _more(ideal: str, than: Callable[[_Rows, int], float]) -> Callable[[_Rows], float]:
    """Return a function for an ideal ranking's smaller gain in sensitivity, at k = 3 or k = 5."""
    return lambda rows: min(rows[ideal, k].compat - than(rows, k) for k in (3, 5))


_IDEALS = (GRADED, COMBINED, TOP, BEST)
_TABLE_3: tuple[c.Claim[_Rows], ...] = (
    c.claim(
        "Combined ideal rankings recognise more differences between rankers than grades alone and"
        " than NDCG.",
        (
            "smaller lead over grades alone",
            _more(COMBINED, lambda rows, k: rows[GRADED, k].compat),
            c.over(0),
        ),
        ("smaller lead over nDCG", _more(COMBINED, lambda r, k: r[GRADED, k].ndcg), c.over(0)),
    ),
    c.claim(
        "The sensitivity of the top five alone is lower than with the combined ideal rankings, but"
        " higher than with graded judgments alone.",
        ("lead over grades alone", lambda r: r[TOP, 3].compat - r[GRADED, 3].compat, c.over(0)),
        (
            "lead of combined rankings",
            lambda r: r[COMBINED, 3].compat - r[TOP, 3].compat,
            c.over(0),
        ),
    ),
    c.claim(
        "The best doc alone has the lowest sensitivity.",
        (
            "smallest lead of another ideal ranking",
            lambda r: min(r[ideal, 3].compat for ideal in _IDEALS[:3]) - r[BEST, 3].compat,
            c.over(0),
        ),
    ),
    c.claim(
        "τ with NDCG@3 falls from grades to combined, top five and best.",
        (
            "smallest fall of τ",
            lambda r: lowest_step([-r[ideal, 3].tau for ideal in _IDEALS]),
            c.over(0),
        ),
    ),
)


@on_both(
    "table3",
    title="Table 3: sets of judgments",
    claims=_TABLE_3,
    kind=kind_of_runs,
    deviation="Runs and preferences differ; there are 31 and 53 topics instead of 173, with"
    " short top fives.",
)
def table3(there: Sequence[TopkCollection]) -> Made:
    """Compare ideal rankings: grades, combined, top-5 and best only."""
    result = [(data, of.who, _of_assessors(data, of)) for data in there for of in data.preferred]
    best = [
        entry
        for data in there
        for who, docs in data.best
        for entry in compare_with_ndcg(data, docs, f"{BEST}, {who}", (3,))
    ]
    here = [one for _, _, found in result for one in found.values()]
    rows = [*(one.row() for one in TABLE3), *(one.row() for one in (*here, *best))]
    return Made(
        held=_hold(TABLE3, result),
        paragraphs=[
            runs_text(there),
            "On DL 2021 all rows of one kind of assessors are on the topics with a top five by"
            " their preferences; on CAsT 2019 two questions with one candidate have none.",
            "In its last round GPT-4o compared all remaining docs. The crowd's answers name no"
            " rounds: topics count if the final can be inferred, and a repeated pair shares the"
            " win.",
            "Best only: the first of each top five; in the last rows the docs that were named as"
            " best.",
        ],
        tables=[table_of("table3", "Published and obtained", COLUMNS, rows)],
    )


def _of_assessors(data: TopkCollection, preferred: PreferredDocs) -> dict[tuple[str, int], Beside]:
    """Return the rows of a group of assessors, by basis of the ideal ranking and cutoff."""
    first = of_docs(preferred.top, preferred.first(), name=preferred.who)
    ideals = {
        GRADED: (data.graded.restricted_to(preferred.combined.topics), (3, 5)),
        COMBINED: (preferred.combined, (3, 5)),
        TOP: (preferred.top, (3,)),
        BEST: (first, (3,)),
    }
    return {
        (name, each.cutoff): each
        for name, (ideal, cutoffs) in ideals.items()
        for each in compare_with_ndcg(data, ideal, f"{name}, {preferred.who}", cutoffs)
    }
