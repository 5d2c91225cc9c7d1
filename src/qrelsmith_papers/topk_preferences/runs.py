"""Tables 1 and 3, Figures 4 and 9 to 11: what compatibility says of runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from qrelsmith.base.content import Figure, Intervals
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.stats.intervals import t_interval
from qrelsmith.studies.claims import (
    Claim,
    ClaimKind,
    Held,
    Part,
    at_most,
    claim,
    equal_to,
    greater_than,
)
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import artefact_table
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences.beside import (
    COLUMNS,
    MATCHES,
    Beside,
    compare_with_ndcg,
    lowest_step,
)
from qrelsmith_papers.topk_preferences.both import (
    MISSING,
    collections,
    files_read,
    kind_of_runs,
    runs_text,
)
from qrelsmith_papers.topk_preferences.collection import PreferredDocs, TopkCollection, of_docs
from qrelsmith_papers.topk_preferences.published import (
    BEST,
    COMBINED,
    GRADED,
    TABLE1,
    TABLE3,
    TOP,
    Published,
)

_ROUGHLY = 0.02  # sensitivities so near are roughly the same; the paper's are 1.2 points apart
_LEADERS = 4


class _Row(NamedTuple):
    """The shares of pairs that nDCG and compatibility tell apart, and τ between them."""

    ndcg: float
    compat: float
    tau: float


# By what the ideal rankings are made of, and the cutoff of nDCG.
_Rows = Mapping[tuple[str, int], _Row]


def _print_rows(table: tuple[Published, ...]) -> Held[_Rows]:
    rows = {(one.ideal, one.cutoff): _Row(one.ndcg, one.compat, one.tau) for one in table}
    return Held("the print", ClaimKind.FROM_PRINT, rows)


def _own_rows(found: Mapping[tuple[str, int], Beside]) -> _Rows:
    return {
        key: _Row(one.power.other_sensitivity, one.power.sensitivity, one.power.tau)
        for key, one in found.items()
    }


def _compare_graded(data: TopkCollection) -> dict[tuple[str, int], Beside]:
    found = compare_with_ndcg(data, data.graded, GRADED, MATCHES)
    return {(GRADED, one.cutoff): one for one in found}


def _key(figure: str, *words: str) -> str:
    """Return the key of a figure, from the first word of a collection's name and more."""
    collection, *rest = words
    return "-".join([figure, collection.partition(" ")[0], *rest]).lower().replace(" ", "-")


_Values = Callable[[_Row], float]


def _over_cutoffs(value: _Values) -> Callable[[_Rows], list[float]]:
    return lambda rows: [value(rows[GRADED, cutoff]) for cutoff in MATCHES]


_TABLE_1: tuple[Claim[_Rows], ...] = (
    claim(
        "Compatibility and NDCG with corresponding p and k have roughly the same sensitivity.",
        Part(
            "largest difference over the four cutoffs",
            lambda rows: max(map(abs, _over_cutoffs(lambda r: r.compat - r.ndcg)(rows))),
            at_most(_ROUGHLY),
        ),
    ),
    claim(
        "Sensitivity grows with p and with k.",
        Part(
            "smallest step of compatibility",
            lambda rows: lowest_step(_over_cutoffs(lambda r: r.compat)(rows)),
            greater_than(0),
        ),
        Part(
            "smallest step of nDCG",
            lambda rows: lowest_step(_over_cutoffs(lambda r: r.ndcg)(rows)),
            greater_than(0),
        ),
    ),
)
_FIGURE_4: tuple[Claim[_Rows], ...] = (
    claim(
        "Values for Kendall's τ between compatibility and NDCG are all greater than 0.9.",
        Part("lowest τ", lambda rows: min(_over_cutoffs(lambda r: r.tau)(rows)), greater_than(0.9)),
    ),
)
_OTHER_RUNS = (
    "Other runs, topics and grades: those of TREC DL 2021, since the runs of TREC CAsT 2019 are not"
    " public."
)


@TOPK.add(
    "table1",
    title="Table 1: grades only",
    claims=_TABLE_1,
    kind=kind_of_runs,
    reads=files_read,
    deviation=_OTHER_RUNS,
)
def table1(inputs: StudyInputs) -> Made:
    """Sensitivity and consistency of nDCG and compatibility, ideal rankings of grades."""
    there = collections(inputs)
    if not there:
        return Made(missing=MISSING)
    result = [_compare_graded(data) for data in there]
    rows = [one.row() for one in TABLE1] + [
        one.row() for numbers in result for one in numbers.values()
    ]
    return Made(
        held=[
            _print_rows(TABLE1),
            *(
                data.hold(_own_rows(numbers))
                for data, numbers in zip(there, result, strict=True)
                if data.has_systems
            ),
        ],
        paragraphs=[
            runs_text(there),
            "Sensitivity is the share of pairs of runs with p < .05 by a paired t-test, without"
            " correction; τ is Kendall's τ-b between the rankings by compatibility and by nDCG,"
            " with Fieller's interval. The last columns count pairs that only one of the two tells"
            " apart.",
        ],
        tables=[artefact_table("table1", "Published and obtained", COLUMNS, rows)],
    )


@TOPK.add(
    "fig4",
    title="Figure 4: grades only, run by run",
    claims=_FIGURE_4,
    kind=kind_of_runs,
    reads=files_read,
    deviation="Other runs; .9 is within the interval of τ where it is missed.",
)
def figure4(inputs: StudyInputs) -> Made:
    """Runs under nDCG and compatibility, ideal rankings of grades."""
    there = collections(inputs)
    if not there:
        return Made(missing=MISSING)
    result = [_compare_graded(data) for data in there]
    return Made(
        held=[
            _print_rows(TABLE1),
            *(
                data.hold(_own_rows(numbers))
                for data, numbers in zip(there, result, strict=True)
                if data.has_systems
            ),
        ],
        paragraphs=[runs_text(there)],
        figures=[
            one.figure(_key("fig4", one.collection, str(one.cutoff)))
            for numbers in result
            for one in numbers.values()
        ],
    )


def _more(ideal: str, than: Callable[[_Rows, int], float]) -> Callable[[_Rows], float]:
    """Return the smaller lead in sensitivity of an ideal at k = 3 and 5."""
    return lambda rows: min(rows[ideal, k].compat - than(rows, k) for k in (3, 5))


_IDEALS = (GRADED, COMBINED, TOP, BEST)
_TABLE_3: tuple[Claim[_Rows], ...] = (
    claim(
        "Combined ideal rankings recognise more differences between rankers than grades alone and"
        " than NDCG.",
        Part(
            "smaller lead over grades alone",
            _more(COMBINED, lambda rows, k: rows[GRADED, k].compat),
            greater_than(0),
        ),
        Part(
            "smaller lead over nDCG",
            _more(COMBINED, lambda r, k: r[GRADED, k].ndcg),
            greater_than(0),
        ),
    ),
    claim(
        "The sensitivity of the top five alone is lower than with the combined ideal rankings, but"
        " higher than with graded judgments alone.",
        Part(
            "lead over grades alone",
            lambda r: r[TOP, 3].compat - r[GRADED, 3].compat,
            greater_than(0),
        ),
        Part(
            "lead of combined", lambda r: r[COMBINED, 3].compat - r[TOP, 3].compat, greater_than(0)
        ),
    ),
    claim(
        "The best doc alone has the lowest sensitivity.",
        Part(
            "smallest lead of another",
            lambda r: min(r[ideal, 3].compat for ideal in _IDEALS[:3]) - r[BEST, 3].compat,
            greater_than(0),
        ),
    ),
    claim(
        "τ with NDCG@3 falls from grades to combined, top five and best.",
        Part(
            "smallest fall",
            lambda r: lowest_step([-r[ideal, 3].tau for ideal in _IDEALS]),
            greater_than(0),
        ),
    ),
)


@TOPK.add(
    "table3",
    title="Table 3: sets of judgments",
    claims=_TABLE_3,
    kind=kind_of_runs,
    reads=files_read,
    deviation="Other runs and preferences, with 31 and 53 topics in place of 173; the crowd was"
    " asked for the best passage only, so that its top fives are short.",
)
def table3(inputs: StudyInputs) -> Made:
    """Sensitivity and consistency of grades, combined, top-5 and best-only ideal rankings."""
    there = collections(inputs)
    if not there:
        return Made(missing=MISSING)
    result = {
        (data.name, item.who): _of_assessors(data, item)
        for data in there
        for item in data.preferred
    }
    best = [
        entry
        for data in there
        for who, docs in data.best
        for entry in compare_with_ndcg(data, docs, f"{BEST}, {who}", (3,))
    ]
    rows = [entry.row() for entry in TABLE3]
    rows += [entry.row() for entry in (*(b for of in result.values() for b in of.values()), *best)]
    return Made(
        held=[
            _print_rows(TABLE3),
            *(
                data.hold(_own_rows(result[data.name, item.who]), who=item.who)
                for data in there
                if data.has_systems
                for item in data.preferred
            ),
        ],
        paragraphs=[
            runs_text(there),
            "On DL 2021 all rows of one kind of assessors are on the topics for which their"
            " preferences give a top five, graded only too, so that they can be held against each"
            " other; on CAsT 2019 the two questions with one candidate have no top five.",
            "In its last round GPT-4o compared all docs that were left. The crowd's answers name no"
            " rounds: topics count whose answers tell who was in the final, and where a pair of"
            " finalists was judged before, its answers share the win. It was asked for the best"
            " one, so its finals may have fewer than five docs.",
            "In best only, the docs are the first of each top five, and in the last rows those that"
            " were named as the best: by the research team on CAsT 2019, from further preferences"
            " of the crowd on DL 2021.",
        ],
        tables=[artefact_table("table3", "Published and obtained", COLUMNS, rows)],
    )


def _of_assessors(data: TopkCollection, preferred: PreferredDocs) -> dict[tuple[str, int], Beside]:
    """Return the rows of one kind of assessors, by what the ideal is made of and the cutoff."""
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


# Pairs of runs that only compatibility tells apart less those that only nDCG does, by cutoff.
_FIGURE_9: tuple[Claim[Mapping[int, float]], ...] = (
    claim(
        "With preferences, compatibility recognises significant differences that NDCG does not"
        " capture.",
        Part(
            "fewest pairs more that only it tells apart (k = 3 and 5)",
            lambda more: min(more.values()),
            greater_than(0),
        ),
    ),
)


@TOPK.add(
    "fig9",
    title="Figure 9: preferences above grades",
    claims=_FIGURE_9,
    kind=kind_of_runs,
    reads=files_read,
    deviation="The runs that the paper speaks of are not public: other runs and preferences.",
)
def figure9(inputs: StudyInputs) -> Made:
    """Runs under nDCG and compatibility with combined ideal rankings, with intervals."""
    there = collections(inputs)
    if not there:
        return Made(missing=MISSING)
    figures, held = [], []
    for data in there:
        for preferred in data.preferred:
            name = f"{COMBINED}, {preferred.who}"
            more = {}
            for entry in compare_with_ndcg(data, preferred.combined, name, (3, 5)):
                key = _key("fig9", data.name, preferred.who, str(entry.cutoff))
                figures.append(entry.figure(key))
                figures += [
                    _intervals(f"{key}-{what}", data.name, preferred.who, scores)
                    for what, scores in (("compat", entry.compat), ("ndcg", entry.ndcg))
                ]
                more[entry.cutoff] = float(len(entry.power.only) - len(entry.power.only_other))
            if data.has_systems:
                held.append(data.hold(more, who=preferred.who))
    return Made(
        held=held,
        paragraphs=[
            runs_text(there),
            "The top five by preferences are levels of their own above the grades. Intervals are"
            " Student's, 95 %, over the topics that have a top five. What the paper says of single"
            " runs (pgbert, clacBase) cannot be looked at without them.",
        ],
        figures=figures,
    )


def _intervals(key: str, collection: str, who: str, scores: ScoreMatrix) -> Figure:
    """Return the runs with the intervals of their means, the best first."""
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


class _Leaders(NamedTuple):
    """The four best runs by combined ideal rankings, and the whole ranking by a smaller ideal."""

    combined: list[str]
    alone: list[str]

    def leaders_kept(self) -> float:
        """Return how many of the four are still the four best."""
        return float(len(set(self.combined) & set(self.alone[:_LEADERS])))

    def order(self) -> float:
        """Return the smallest step from the place of one of the four to that of the next."""
        return lowest_step([float(self.alone.index(name)) for name in self.combined])


_FIGURE_10: tuple[Claim[_Leaders], ...] = (
    claim(
        "The separation between the top four runs and the rest remains with the top five alone.",
        Part("of the top four, those that still are", _Leaders.leaders_kept, equal_to(_LEADERS)),
    ),
)
_FIGURE_11: tuple[Claim[_Leaders], ...] = (
    claim(
        "With the single best answer alone the relative ordering of the top four runs has not"
        " changed.",
        Part("smallest step between their places", _Leaders.order, greater_than(0)),
    ),
)


@TOPK.add(
    "fig10",
    title="Figure 10: the top five alone",
    claims=_FIGURE_10,
    kind=kind_of_runs,
    reads=files_read,
    deviation=_OTHER_RUNS,
)
def figure10(inputs: StudyInputs) -> Made:
    """Runs under nDCG@3 and compatibility with ideal rankings of the top five only."""
    about = (
        "Ideal rankings hold the top five by preferences and nothing else. Compatibility is"
        " normalised (Eq. 3), since such ideal rankings are short."
    )
    return _smaller_ideal(inputs, "fig10", about)


@TOPK.add(
    "fig11",
    title="Figure 11: the single best",
    claims=_FIGURE_11,
    kind=kind_of_runs,
    reads=files_read,
    deviation="31 topics are few where one doc each decides.",
)
def figure11(inputs: StudyInputs) -> Made:
    """Runs under nDCG@3 and compatibility with ideal rankings of the single best doc."""
    about = (
        "Ideal rankings hold one doc a topic (some topics have ties): the research team's on CAsT"
        " 2019, the best passage that the crowd's preferences led to on DL 2021, and the first of"
        " each top five."
    )
    return _smaller_ideal(inputs, "fig11", about)


def _smaller_ideal(inputs: StudyInputs, figure: str, about: str) -> Made:
    """Compatibility with the top five alone, or with the single best."""
    there = collections(inputs)
    if not there:
        return Made(missing=MISSING)
    figures, held = [], []
    for data in there:
        named_best = data.best if figure == "fig11" else ()
        for who, best in named_best:
            (entry,) = compare_with_ndcg(data, best, f"{BEST}, {who}", (3,))
            figures.append(entry.figure(_key(figure, data.name, f"best-{who}")))
        for item in data.preferred:
            ideal, name, start = item.top, f"{TOP}, {item.who}", ""
            if figure == "fig11":
                ideal = of_docs(item.top, item.first(), name=item.who)
                name, start = f"first of the top 5, {item.who}", "first-"
            (entry,) = compare_with_ndcg(data, ideal, name, (3,))
            (combined,) = compare_with_ndcg(data, item.combined, COMBINED, (3,))
            figures.append(entry.figure(_key(figure, data.name, f"{start}{item.who}")))
            if data.has_systems:
                held.append(data.hold(_Leaders(combined.top(_LEADERS), entry.top()), who=item.who))
    return Made(held=held, paragraphs=[runs_text(there), about], figures=figures)
