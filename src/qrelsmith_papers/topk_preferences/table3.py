"""Table 3: sensitivity and consistency by what the ideal rankings are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qrelsmith.base.content import Finding, NamedTable, Section
from qrelsmith.base.tables import Table
from qrelsmith.studies.claims import claim
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.artefacts import TOPK
from qrelsmith_papers.topk_preferences.beside import COLUMNS, Beside, compare_with_ndcg
from qrelsmith_papers.topk_preferences.both import (
    MISSING,
    collections,
    files_read,
    kind_of_runs,
    runs_text,
)
from qrelsmith_papers.topk_preferences.collection import PreferredDocs, TopkCollection, of_docs
from qrelsmith_papers.topk_preferences.published import BEST, COMBINED, GRADED, TABLE3, TOP

_KEY = "table3"
_TITLE = "Table 3: sets of judgments"

Found = Mapping[tuple[str, int], Beside]


@TOPK.add(
    "table3",
    kind=kind_of_runs,
    reads=files_read,
    sized=True,
    deviation=(
        "Other runs and preferences, with 31 and 53 topics in place of 173; the crowd was "
        "asked for the best passage only, so that its top fives are short."
    ),
)
def table3(inputs: StudyInputs) -> Section:
    """Sensitivity and consistency of grades, combined, top-5 and best-only ideal rankings."""
    there = collections(inputs)
    if not there:
        return Section(key=_KEY, title=_TITLE, missing=MISSING)
    by_assessors = {
        (data.name, preferred.who): _of_assessors(data, preferred)
        for data in there
        for preferred in data.preferred
    }
    named = [
        preferred
        for data in there
        for who, best in data.best
        for preferred in compare_with_ndcg(data, best, f"{BEST}, {who}", (3,))
    ]
    rows = [preferred.row() for preferred in TABLE3]
    rows += [preferred.row() for of_one in by_assessors.values() for preferred in of_one.values()]
    rows += [preferred.row() for preferred in named]
    return Section(
        key=_KEY,
        title=_TITLE,
        paragraphs=(
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
        ),
        tables=(
            NamedTable(key=_KEY, title="Published and obtained", table=Table.of(COLUMNS, rows)),
        ),
        findings=tuple(
            finding
            for data in there
            if data.has_systems
            for finding in _findings(
                data, {who: rows for (name, who), rows in by_assessors.items() if name == data.name}
            )
        ),
    )


def _of_assessors(data: TopkCollection, preferred: PreferredDocs) -> dict[tuple[str, int], Beside]:
    """The rows of one kind of assessors, by what the ideal is made of and the cutoff."""
    graded = data.graded.restricted_to(preferred.combined.topics)
    first = of_docs(preferred.top, preferred.first(), name=preferred.who)
    ideals = {
        GRADED: (graded, (3, 5)),
        COMBINED: (preferred.combined, (3, 5)),
        TOP: (preferred.top, (3,)),
    }
    ideals[BEST] = (first, (3,))
    return {
        (name, each.cutoff): each
        for name, (ideal, cutoffs) in ideals.items()
        for each in compare_with_ndcg(data, ideal, f"{name}, {preferred.who}", cutoffs)
    }


def _findings(data: TopkCollection, by_assessors: Mapping[str, Found]) -> tuple[Finding, ...]:
    """The paper's claims about the table, beside a collection."""
    return (
        _combined_tells_more(data, by_assessors),
        _top_is_between(data, by_assessors),
        _best_tells_least(data, by_assessors),
        _consistency_falls(data, by_assessors),
    )


def _sensitivities(of_one: Found, *keys: tuple[str, int]) -> list[float]:
    return [of_one[key].power.sensitivity for key in keys]


def _combined_tells_more(data: TopkCollection, found: Mapping[str, Found]) -> Finding:
    shown, more = [], []
    for who, of_one in found.items():
        for cutoff in (3, 5):
            graded, combined = _sensitivities(of_one, (GRADED, cutoff), (COMBINED, cutoff))
            ndcg = of_one[GRADED, cutoff].power.other_sensitivity
            more.append(combined > max(graded, ndcg))
            shown.append(f"{who}, k = {cutoff}: {combined:.1%} ({graded:.1%}, {ndcg:.1%})")
    return claim(
        all(more),
        "The paper: combined ideal rankings tell more pairs apart (76.5 % and 77.8 %) than grades"
        f" alone (71.0 % and 73.5 %) and nDCG (71.7 % and 72.6 %). Here, on {data.name},"
        f" combined (grades alone, nDCG): {'; '.join(shown)}.",
        section=_KEY,
        kind=data.kind,
    )


def _top_is_between(data: TopkCollection, found: Mapping[str, Found]) -> Finding:
    ordered, shown = [], []
    for who, of_one in found.items():
        graded, top, combined = _sensitivities(of_one, (GRADED, 3), (TOP, 3), (COMBINED, 3))
        ordered.append(graded < top < combined)
        shown.append(f"{who}: {graded:.1%}, {top:.1%}, {combined:.1%}")
    return claim(
        all(ordered),
        "The paper: the top five alone lie between grades and combined (71.0 %, 73.3 %, 76.5 %)."
        f" On {data.name} {'; '.join(shown)}.",
        section=_KEY,
        kind=data.kind,
    )


def _best_tells_least(data: TopkCollection, found: Mapping[str, Found]) -> Finding:
    least, shown = [], []
    for who, of_one in found.items():
        best, *others = _sensitivities(of_one, (BEST, 3), (GRADED, 3), (TOP, 3), (COMBINED, 3))
        least.append(best < min(others))
        shown.append(f"{best:.1%} ({who})")
    return claim(
        all(least),
        "The paper: the best doc alone tells the fewest pairs apart (55.2 %). On"
        f" {data.name} {' and '.join(shown)}.",
        section=_KEY,
        kind=data.kind,
    )


def _consistency_falls(data: TopkCollection, found: Mapping[str, Found]) -> Finding:
    falls, shown = [], []
    for who, of_one in found.items():
        taus = [of_one[name, 3].power.tau for name in (GRADED, COMBINED, TOP, BEST)]
        falls.append(_descending(taus))
        shown.append(f"{who}: {', '.join(f'{tau:.3f}' for tau in taus)}")
    return claim(
        all(falls),
        "The paper: τ with nDCG@3 falls from grades to combined, top five and best (.907, .851,"
        f" .814, .775). On {data.name} {'; '.join(shown)}.",
        section=_KEY,
        kind=data.kind,
    )


def _descending(values: Sequence[float]) -> bool:
    return list(values) == sorted(values, reverse=True)
