"""Table 2: agreement, discriminative power and PDP of annotation settings of one collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from qrelsmith.base.content import Figure, Intervals, NamedTable, Points
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.base.tables import Table
from qrelsmith.discrimination import compare_pdp
from qrelsmith.discrimination.preferences.options import Mode
from qrelsmith.planning.simulated_annotations import MODES
from qrelsmith.studies.registry import StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith.sweep.cells import Parameter
from qrelsmith_papers.judgment_quality.label_data import (
    LABEL_SETS,
    LOG_SUM,
    PREFERENCES,
    SETTINGS,
    QualityData,
    checked_data,
    preferences_of,
    runs_of,
)
from qrelsmith_papers.judgment_quality.label_quality import (
    COEFFICIENTS,
    MEASURES,
    LabelQuality,
    MeasuredQuality,
)

_KEY = "table2"
_COLUMNS = ("of", "by", "value", "low", "high", "untested", "pairs")
TASK = "TREC DL 2021"
# The reductions use the labels of three LLMs, because all their grades were compared.
FOUR = "three LLMs, 4 grades"
REDUCED = tuple(f"three LLMs, 4to2(≥{least})" for least in (1, 2, 3))
OTHERS = [name for name in LABEL_SETS if name not in (*REDUCED, FOUR, LOG_SUM)]
# Pairs of settings to compare by topic, the second with the first.
_COMPARED = (
    *((FOUR, reduced) for reduced in REDUCED),
    (LOG_SUM, FOUR),
    ("GPT-4o, 4 grades", "GPT-4o, exam 6 grades"),
    ("GPT-4, 4 grades", "GPT-4, exam 6 grades"),
)

# Qualities by setting and depth, then by kind of number and assessors of preferences.
Found = Mapping[tuple[str, int], Mapping[tuple[str, str], MeasuredQuality]]


def _depths(inputs: StudyInputs, data: QualityData) -> tuple[int, ...]:
    return (5, 10) if inputs.paper_size or data.is_own else (5,)


def _shared_parameters(inputs: StudyInputs, data: QualityData) -> dict[str, Parameter]:
    """Return the parameters of all cells; the paper's own labels are used completely."""
    resamples, every = (200, 1) if inputs.paper_size else (20, 8)
    return {
        "folder": str(data.folder),
        "digest": data.data_set.digest(data.folder),
        "is_own": data.is_own,
        "every": 1 if data.is_own else every,
        "resamples": 2 if data.is_own else resamples,
    }


def measured_settings(inputs: StudyInputs, data: QualityData) -> Found:
    """Return the quality of every setting at every depth."""
    keys = list(product(data.settings, _depths(inputs, data)))
    shared = _shared_parameters(inputs, data)
    cells = [
        inputs.cell(setting_quality, labels=name, depth=depth, **shared) for name, depth in keys
    ]
    return {
        key: {(str(of), str(by)): _measured_quality(rest) for of, by, *rest in table.rows}
        for key, table in zip(keys, inputs.sweep(cells), strict=True)
    }


def public_parts(
    inputs: StudyInputs, data: QualityData, qualities: Found
) -> tuple[Sequence[NamedTable], Sequence[Figure], Sequence[str]]:
    """Return the tables, figures and paragraphs on the settings of TREC DL 2021."""
    shared = _shared_parameters(inputs, data)
    differences = inputs.sweep(
        [inputs.cell(setting_difference, first=a, second=b, **shared) for a, b in _COMPARED]
    )
    compared = table_of(
        f"{_KEY}-differences",
        "PDP of settings compared topic by topic",
        "|".join(differences[-1].columns),
        [row for table in differences for row in table.rows],
        "Top 5, preferences of GPT-4o. A difference below 0: the first setting discriminates more."
        " p takes in topics and preferences (bootstrap), p of topics takes the grade-level matrix"
        " as known (paired t).",
    )
    figures = [figure for depth in _depths(inputs, data) for figure in _figures(qualities, depth)]
    paragraphs = _paragraphs(qualities, int(str(shared["resamples"])), int(str(shared["every"])))
    return (*_tables(qualities), compared), figures, paragraphs


def setting_quality(
    *,
    labels: str,
    depth: int,
    folder: str,
    digest: str,
    is_own: bool,
    every: int,
    resamples: int,
    seed: int,
) -> Table:
    """Return the quality of a setting at a depth, as in Table 2."""
    data = checked_data(folder, digest, is_own, every)
    setting = {**LABEL_SETS, **SETTINGS}[labels]
    quality = _quality(data, labels, depth, seed)
    several = len(quality.judgments.assessors) > 1
    measured = {}
    if several or not is_own:
        measured = {(short, ""): quality.agreement(name) for short, name in COEFFICIENTS.items()}
    measured |= {(name, ""): value for name, value in quality.power().items()}
    # With one assessor both modes are the same. The paper prints the value as aggregate.
    modes: Sequence[Mode] = MODES if several else MODES[1:] if is_own else MODES[:1]
    for who, mode in product(PREFERENCES[setting.subtask], modes):
        preferences = preferences_of(data, setting.subtask)[who]
        measured[mode, who] = quality.pdp(preferences, mode, resamples=resamples)
    rows = [
        (
            *key,
            quality_of.value,
            quality_of.low,
            quality_of.high,
            quality_of.untested,
            quality_of.pairs,
        )
        for key, quality_of in measured.items()
    ]
    return Table.of(_COLUMNS, rows)


def setting_difference(
    *,
    first: str,
    second: str,
    folder: str,
    digest: str,
    is_own: bool,
    every: int,
    resamples: int,
    seed: int,
) -> Table:
    """Compare the PDP of two settings by topic, at depth 5."""
    data = checked_data(folder, digest, is_own, every)
    preferences = preferences_of(data)["GPT-4o"]
    quality, other = (_quality(data, name, 5, seed) for name in (first, second))
    several = min(len(quality.judgments.assessors), len(other.judgments.assessors)) > 1
    rows = []
    for mode in MODES if several else MODES[:1]:
        comparison = compare_pdp(
            quality.setting(preferences, mode),
            other.setting(preferences, mode),
            rng=rng_for(seed, _KEY, "difference", mode),
            resamples=resamples,
        )
        figures = (comparison.difference, comparison.low, comparison.high, comparison.p)
        rows.append((first, second, mode, *figures, comparison.p_topics))
    columns = ("first", "second", "mode", "difference", "low", "high", "p", "p of topics")
    return Table.of(columns, rows)


def _quality(data: QualityData, labels: str, depth: int, seed: int) -> LabelQuality:
    setting = {**LABEL_SETS, **SETTINGS}[labels]
    return LabelQuality(*data.labels(setting), runs_of(data, setting.subtask), depth, seed)


def _measured_quality(cells: Sequence[TableCell]) -> MeasuredQuality:
    value, low, high, untested, pairs = (float(str(cell)) for cell in cells)
    return MeasuredQuality(value, low, high, int(untested), int(pairs))


def _paragraphs(found: Found, resamples: int, every: int) -> tuple[str, ...]:
    lacking = sorted(
        {
            f"{name} ({who}: {one.untested} of {one.pairs})"
            for (name, _), values in found.items()
            for (_, who), one in values.items()
            if one.untested
        }
    )
    runs = "the runs" if every == 1 else f"every {every}th run, to be quick,"
    return (
        "Passages of TREC DL 2021, judged by NIST and by LLMs, with preferences of a crowd and of"
        f" GPT-4o; the first judged docs of {runs} in each topic.",
        "α (ordinal) and Φ are means over topics, on the docs of all these lists. DP is Sakai's"
        " bootstrap (B = 1,000, α = .05) on the lower median of several grades. PDP is in paper"
        f" mode, the mean over runs and topics; its intervals come from {resamples} resamples:"
        " read their ends to two digits.",
        "The source of preferences matters: the crowd compared only docs that NIST found relevant,"
        " and GPT-4o agrees with its own labels more than with others.",
        "No preference compares docs of NIST's grade 0 with others. Such pairs of grades count ½,"
        " so that the setting looks less discriminative; if no pair was compared, there is no PDP:"
        " " + "; ".join(lacking) + ".",
    )


def _tables(found: Found) -> tuple[NamedTable, ...]:
    agreement: list[tuple[TableCell, ...]] = []
    power: list[tuple[TableCell, ...]] = []
    pdp: list[tuple[TableCell, ...]] = []
    for (name, depth), values in found.items():
        alpha, phi = (values[coefficient, ""] for coefficient in COEFFICIENTS)
        if LABEL_SETS[name].assessors > 1:
            agreement.append(
                (name, depth, alpha.value, alpha.low, alpha.high, phi.value, phi.low, phi.high)
            )
        power.append((name, depth, *(values[what, ""].value for what in MEASURES)))
        for who in PREFERENCES[""]:
            one, other = (values.get((mode, who)) for mode in MODES)
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
    """Return the value and its interval, empty if undefined."""
    return (None, None, None) if one is None else (one.value, one.low, one.high)


def _figures(qualities: Found, depth: int) -> tuple[Figure, ...]:
    """Return the charts of one depth, for settings whose pairs of grades were all compared."""
    shown = [
        (
            f"{name}, {mode}" if mode == "aggregate" else name,
            mode,
            mean,
            of["linear nDCG", ""].value,
        )
        for (name, at), of in qualities.items()
        for mode in MODES
        if at == depth and (mean := of.get((mode, "GPT-4o"))) is not None and not mean.untested
    ]
    tested = [(name, mean.value, power) for name, mode, mean, power in shown if mode == MODES[0]]
    return (
        Figure(
            key=f"{_KEY}-pdp-{depth}",
            title=f"PDP of the first {depth} docs, preferences of GPT-4o",
            drawing=Intervals(
                names=[name for name, *_ in shown],
                values=[mean.value for _, _, mean, _ in shown],
                lows=[mean.low for _, _, mean, _ in shown],
                highs=[mean.high for _, _, mean, _ in shown],
                label="mean PDP (nats)",
                groups=[mode for _, mode, _, _ in shown],
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
