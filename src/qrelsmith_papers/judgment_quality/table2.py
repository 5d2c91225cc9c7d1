"""Table 2: agreement, discriminative power and PDP of annotation settings of one collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from qrelsmith.base.content import Figure, Intervals, NamedTable, Points
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.discrimination import compare_pdp
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith.sweep import Cell
from qrelsmith.sweep.cells import Parameter
from qrelsmith_papers.judgment_quality.dl2021 import (
    LABEL_SETS,
    LOG_SUM,
    PREFERENCES,
    QualityCollection,
    checked_collection,
    collection,
)
from qrelsmith_papers.judgment_quality.label_quality import (
    COEFFICIENTS,
    MEASURES,
    LabelQuality,
    MeasuredQuality,
)

_KEY = "table2"
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


class LabelNames(NamedTuple):
    """The names of settings in the roles of the paper's."""

    reductions: Sequence[str]
    original: str
    finer: str
    others: Sequence[str]


_FOUR = "three LLMs, 4 grades"
_REDUCED = tuple(f"three LLMs, 4to2(≥{least})" for least in (1, 2, 3))
# The reductions are looked at on the labels of three LLMs: all their grades were compared.
LABEL_NAMES = LabelNames(
    _REDUCED, _FOUR, LOG_SUM, [n for n in LABEL_SETS if n not in (*_REDUCED, _FOUR, LOG_SUM)]
)
TASK = "TREC DL 2021"


def public_table2(
    inputs: StudyInputs,
) -> tuple[Found, Sequence[NamedTable], Sequence[Figure], Sequence[str]] | None:
    """The settings of TREC DL 2021 with tables, figures and words; None where it is not there."""
    data = collection(inputs)
    if data is None:
        return None
    depths, resamples, every = ((5, 10), 200, 1) if inputs.paper_size else ((5,), 20, 8)
    keys = list(product(LABEL_SETS, depths))
    shared: dict[str, Parameter] = {
        "folder": str(data.folder),
        "digest": data.digest(),
        "every": every,
        "resamples": resamples,
    }
    cells = [
        Cell(f"{__name__}:setting_quality", {"labels": name, "depth": depth, **shared}, inputs.seed)
        for name, depth in keys
    ]
    differences = [
        Cell(f"{__name__}:setting_difference", {"first": a, "second": b, **shared}, inputs.seed)
        for a, b in _COMPARED
    ]
    tables = inputs.sweep([*cells, *differences])
    result: Found = {
        key: {
            (str(kind), str(of), str(by)): _measured_quality(rest) for kind, of, by, *rest in t.rows
        }
        for key, t in zip(keys, tables[: len(keys)], strict=True)
    }
    compared = table_of(
        f"{_KEY}-differences",
        "PDP of settings compared topic by topic",
        "|".join(tables[-1].columns),
        [row for table in tables[len(keys) :] for row in table.rows],
        "Top 5, preferences of GPT-4o. A difference below 0: the first setting discriminates more."
        " p takes in topics and preferences (bootstrap), p of topics takes the grade-level matrix"
        " as known (paired t).",
    )
    figures = [figure for depth in depths for figure in _figures(result, depth)]
    return result, (*_tables(result), compared), figures, _paragraphs(result, resamples, every)


def setting_quality(
    *, labels: str, depth: int, folder: str, digest: str, every: int, resamples: int, seed: int
) -> Table:
    """Return the quality of one setting at one depth, as Table 2 has it."""
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
    """Return the PDP of two settings compared topic by topic, at depth 5."""
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
        table_of(
            f"{_KEY}-pdp",
            "PDP",
            "setting|top|preferences|individual|low|high|aggregate|aggregate low|aggregate high"
            "|untested pairs",
            pdp,
            "Lower is more discriminative; ln 5! = 4.7875, ln 10! = 15.1044. With one assessor both"
            " modes are the same.",
        ),
        table_of(
            f"{_KEY}-dp",
            "Discriminative power",
            "|".join(("setting", "top", *MEASURES)),
            power,
            "Share of pairs of runs that differ significantly.",
        ),
        table_of(
            f"{_KEY}-agreement",
            "Agreement of settings with several assessors",
            "setting|top|alpha|low|high|phi|phi low|phi high",
            agreement,
        ),
    )


def _cells(one: MeasuredQuality | None) -> tuple[TableCell, TableCell, TableCell]:
    """Return the value and its interval, empty where there is nothing to be measured."""
    return (None, None, None) if one is None else (one.value, one.low, one.high)


def _figures(by_setting: Found, depth: int) -> tuple[Figure, ...]:
    """Return the figures of one number of docs."""
    names, values, groups = [], [], []
    for (name, at), of_setting in by_setting.items():
        for mode in MODES:
            mean = of_setting.get(("pdp", mode, "GPT-4o"))
            if at == depth and mean is not None and not mean.untested:
                names.append(f"{name}, {mode}" if mode == "aggregate" else name)
                values.append(mean)
                groups.append(mode)
    power = [
        (name, of_setting["pdp", "individual", "GPT-4o"], of_setting["power", "linear nDCG", ""])
        for (name, at), of_setting in by_setting.items()
        if at == depth
    ]
    tested = [
        (name, mean.value, power_value.value)
        for name, mean, power_value in power
        if not mean.untested
    ]
    return (
        Figure(
            key=f"{_KEY}-pdp-{depth}",
            title=f"PDP of the first {depth} docs, preferences of GPT-4o",
            drawing=Intervals(
                names=names,
                values=[mean.value for mean in values],
                lows=[mean.low for mean in values],
                highs=[mean.high for mean in values],
                label="mean PDP (nats)",
                groups=groups,
            ),
            caption="Settings all of whose pairs of grades were compared. Further left is more"
            " discriminative.",
        ),
        Figure(
            key=f"{_KEY}-dp-{depth}",
            title=f"PDP and discriminative power, first {depth} docs",
            drawing=Points(
                names=[name for name, _, _ in tested],
                x=[x for _, x, _ in tested],
                y=[y for _, _, y in tested],
                x_label="individual PDP (nats)",
                y_label=f"share of pairs that nDCG@{depth} tells apart",
            ),
            caption="If both agree, settings further left are higher up.",
        ),
    )
