"""Table 2: agreement, discriminative power and PDP of annotation settings of one collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path

from qrelsmith.base.content import NamedTable, Section
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.discrimination import compare_pdp
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.sweep import Cell
from qrelsmith.sweep.cells import Parameter
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.dl2021 import (
    LABEL_SETS,
    LOG_SUM,
    MISSING,
    PREFERENCES,
    QualityCollection,
    checked_collection,
    collection,
    files_read,
)
from qrelsmith_papers.judgment_quality.label_quality import (
    COEFFICIENTS,
    MEASURES,
    LabelQuality,
    MeasuredQuality,
)
from qrelsmith_papers.judgment_quality.table2_claims import claims
from qrelsmith_papers.judgment_quality.table2_figures import quality_figures
from qrelsmith_papers.judgment_quality.table2_own import own_table2
from qrelsmith_papers.judgment_quality.table2_published import PUBLISHED
from qrelsmith_papers.judgment_quality.www3 import kind_of_own, own_files, paper_collection

_KEY = "table2"
_MODULE = "qrelsmith_papers.judgment_quality.table2"
_COLUMNS = ("kind", "of", "by", "value", "low", "high", "untested", "pairs")
# What is compared topic by topic, the second with the first.
_COMPARED = (
    *(("three LLMs, 4 grades", f"three LLMs, 4to2(≥{least})") for least in (1, 2, 3)),
    (LOG_SUM, "three LLMs, 4 grades"),
    ("GPT-4o, 4 grades", "GPT-4o, exam 6 grades"),
    ("GPT-4, 4 grades", "GPT-4, exam 6 grades"),
)

Key = tuple[str, int]
Found = Mapping[Key, Mapping[tuple[str, str, str], MeasuredQuality]]


def _files(inputs: StudyInputs) -> tuple[Path, ...]:
    return own_files(inputs) or files_read(inputs)


@PDP.add(
    "table2",
    kind=kind_of_own,
    reads=_files,
    sized=True,
    deviation=(
        "The paper's labels on seven grades and its preferences are not public: other data. "
        "Which reduction discriminates most depends on the assessors: the cut nearest to half "
        "of the docs tells most apart."
    ),
)
def table2(inputs: StudyInputs) -> Section:
    """Agreement, discriminative power and PDP of annotation settings."""
    title = "Table 2: annotation settings"
    own = paper_collection(inputs)
    if own is not None:
        return own_table2(inputs, own, key=_KEY)
    data = collection(inputs)
    if data is None:
        return Section(key=_KEY, title=title, missing=MISSING)
    depths = (5, 10) if inputs.paper_size else (5,)
    resamples = 200 if inputs.paper_size else 20
    every = 1 if inputs.paper_size else 8
    keys = list(product(LABEL_SETS, depths))
    shared: dict[str, Parameter] = {
        "folder": str(data.folder),
        "digest": data.digest(),
        "every": every,
        "resamples": resamples,
    }
    cells = [
        Cell(f"{_MODULE}:setting_quality", {"labels": name, "depth": depth, **shared}, inputs.seed)
        for name, depth in keys
    ]
    differences = [
        Cell(f"{_MODULE}:setting_difference", {"first": one, "second": two, **shared}, inputs.seed)
        for one, two in _COMPARED
    ]
    tables = inputs.sweep([*cells, *differences])
    by_setting: Found = {
        key: {
            (str(kind), str(of), str(by)): _measured_quality(rest)
            for kind, of, by, *rest in table.rows
        }
        for key, table in zip(keys, tables[: len(keys)], strict=True)
    }
    compared = Table.of(
        tables[len(keys)].columns, [row for table in tables[len(keys) :] for row in table.rows]
    )
    return Section(
        key=_KEY,
        title=title,
        paragraphs=_paragraphs(by_setting, resamples, every),
        tables=(
            *_tables(by_setting),
            NamedTable(
                key=f"{_KEY}-differences",
                title="PDP of settings compared topic by topic",
                table=compared,
                note="Top 5, preferences of GPT-4o. A difference below 0: the first setting"
                " discriminates more. p takes in topics and preferences (bootstrap), p of topics"
                " takes the grade-level matrix as known (paired t).",
            ),
            NamedTable(
                key=f"{_KEY}-published",
                title="Table 2 as published, on other data: NTCIR-15 WWW-3",
                table=PUBLISHED,
            ),
        ),
        figures=tuple(figure for depth in depths for figure in quality_figures(by_setting, depth)),
        findings=claims(by_setting, section=_KEY),
    )


def setting_quality(
    *, labels: str, depth: int, folder: str, digest: str, every: int, resamples: int, seed: int
) -> Table:
    """The quality of one setting at one depth, as Table 2 has it."""
    data = checked_collection(folder, digest, every)
    quality = _quality(data, labels, depth, seed)
    quality_of = {("agreement", name, ""): quality.agreement(name) for name in COEFFICIENTS}
    quality_of |= {("power", name, ""): value for name, value in quality.power().items()}
    modes = MODES if len(quality.judgments.assessors) > 1 else MODES[:1]
    for who in PREFERENCES:
        preferences = data.preferences[who]
        for mode in modes:
            quality_of["pdp", mode, who] = quality.pdp(preferences, mode, resamples=resamples)
    return Table.of(
        _COLUMNS,
        [
            (*key, one.value, one.low, one.high, one.untested, one.pairs)
            for key, one in quality_of.items()
        ],
    )


def setting_difference(
    *, first: str, second: str, folder: str, digest: str, every: int, resamples: int, seed: int
) -> Table:
    """The PDP of two settings compared topic by topic, at depth 5."""
    data = checked_collection(folder, digest, every)
    preferences = data.preferences["GPT-4o"]
    quality, other = (_quality(data, name, 5, seed) for name in (first, second))
    several = min(len(quality.judgments.assessors), len(other.judgments.assessors)) > 1
    modes: Sequence[Mode] = MODES if several else MODES[:1]
    rows = []
    for mode in modes:
        comparison = compare_pdp(
            quality.setting(preferences, mode),
            other.setting(preferences, mode),
            rng=rng_for(seed, _KEY, "difference", mode),
            resamples=resamples,
        )
        rows.append(
            (
                first,
                second,
                mode,
                comparison.difference,
                comparison.low,
                comparison.high,
                comparison.p,
                comparison.p_topics,
            )
        )
    columns = ("first", "second", "mode", "difference", "low", "high", "p", "p of topics")
    return Table.of(columns, rows)


def _quality(data: QualityCollection, labels: str, depth: int, seed: int) -> LabelQuality:
    labels_set = LABEL_SETS[labels]
    return LabelQuality(
        judgments=data.labels(labels_set),
        scale=labels_set.scale,
        runs=data.runs,
        depth=depth,
        seed=seed,
    )


def _measured_quality(cells: Sequence[TableCell]) -> MeasuredQuality:
    value, low, high, untested, pairs = (float(str(cell)) for cell in cells)
    return MeasuredQuality(value, low, high, int(untested), int(pairs))


def _paragraphs(found: Found, resamples: int, every: int) -> tuple[str, ...]:
    lacking = sorted(
        {
            f"{name} ({who}: {one.untested} of {one.pairs})"
            for (name, _), values in found.items()
            for (_, _, who), one in values.items()
            if one.untested
        }
    )
    runs = "the runs" if every == 1 else f"every {every}th run, to be quick,"
    return (
        "Passages of TREC DL 2021, judged by NIST and by LLMs in several ways, with preferences of"
        f" a crowd and of GPT-4o; the first judged docs of {runs} in each topic. The"
        " paper's own data, NTCIR-15 WWW-3 with 7-grade labels and preferences, are not public:"
        " what can be held against it here are its claims, not its numbers.",
        "α (ordinal) and Φ are means over topics, on the docs of all these lists; one assessor has"
        " none. DP is Sakai's bootstrap (B = 1,000, α = .05) with the depth as cutoff, on the lower"
        " median of several grades. PDP is in paper mode (not smoothed, clipped), as the mean over"
        f" runs and topics; its intervals come from {resamples} resamples of preferences and"
        " topics, few because each takes the entropy of thousands of lists: read their ends to two"
        " digits.",
        "Whose preferences they are matters: the crowd compared only docs that NIST found relevant,"
        " and GPT-4o agrees with its own labels more than with others.",
        "Neither crowd nor GPT-4o was ever asked to compare docs of the NIST grade 0 with others."
        " Where a setting has pairs of grades that no preference compares, ½ is taken for them,"
        " which makes the setting look less discriminative than it may be: do not hold it against"
        " others. Where no pair was compared there is no PDP. These are: "
        + "; ".join(lacking)
        + ".",
    )


def _tables(found: Found) -> tuple[NamedTable, ...]:
    agreement: list[tuple[TableCell, ...]] = []
    power: list[tuple[TableCell, ...]] = []
    pdp: list[tuple[TableCell, ...]] = []
    for (name, depth), values in found.items():
        alpha, phi = (values["agreement", coefficient, ""] for coefficient in COEFFICIENTS)
        if LABEL_SETS[name].assessors > 1:
            agreement.append(
                (name, depth, alpha.value, alpha.low, alpha.high, phi.value, phi.low, phi.high)
            )
        power.append((name, depth, *(values["power", what, ""].value for what in MEASURES)))
        for who in PREFERENCES:
            one, other = (values.get(("pdp", mode, who)) for mode in MODES)
            untested = f"{one.untested} of {one.pairs}" if one else ""
            pdp.append((name, depth, who, *_cells(one), *_cells(other), untested))
    return (
        NamedTable(
            key=f"{_KEY}-pdp",
            title="PDP",
            table=Table.of(
                ("setting", "top", "preferences", "individual", "low", "high", "aggregate",
                 "aggregate low", "aggregate high", "untested pairs"),
                pdp,
            ),
            note="Lower is more discriminative; ln 5! = 4.7875, ln 10! = 15.1044. With one assessor"
            " both modes are the same.",
        ),
        NamedTable(
            key=f"{_KEY}-dp",
            title="Discriminative power",
            table=Table.of(("setting", "top", *MEASURES), power),
            note="Share of pairs of runs that differ significantly.",
        ),
        NamedTable(
            key=f"{_KEY}-agreement",
            title="Agreement of settings with several assessors",
            table=Table.of(
                ("setting", "top", "alpha", "low", "high", "phi", "phi low", "phi high"), agreement
            ),
        ),
    )  # fmt: skip


def _cells(one: MeasuredQuality | None) -> tuple[TableCell, TableCell, TableCell]:
    """The value and its interval, empty where there is nothing to be measured."""
    return (None, None, None) if one is None else (one.value, one.low, one.high)
