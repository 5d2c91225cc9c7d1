"""Tables 1 and 2: the paper's data, and the label quality of annotation settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from qrelsmith.base.content import NamedTable
from qrelsmith.studies import claims as c
from qrelsmith.studies.claims import ClaimKind, Held
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.label_data import (
    DL2021,
    LOG_SUM,
    MISSING_OWN,
    SETTINGS,
    SUBTASKS,
    WWW3,
    QualityData,
    files_read,
    kind_of_own,
    own_data,
    quality_data,
    runs_of,
)
from qrelsmith_papers.judgment_quality.table2 import (
    FOUR,
    OTHERS,
    REDUCED,
    TASK,
    measured_settings,
    public_parts,
)
from qrelsmith_papers.judgment_quality.table2_settings import Settings, Values
from qrelsmith_papers.published import printed_table

_SIZES = ("topics", "assessors per topic", "docs", "grades", "runs")
# The depths 30 and 15 belong to the pools and cannot be derived from labels.
_TABLE_1 = {"Chinese": (80, 3, 11_172, 4, 11), "English": (160, 8, 32_375, 3, 37)}
_ORIGINAL = {"Chinese": "4 grades", "English": "3 grades"}
_OWN_LABELS = "the paper's own labels"


def _size(place: int) -> Callable[[tuple[int, ...]], float]:
    return lambda sizes: float(sizes[place])


@PDP.add(
    "table1",
    title="Table 1: the original data",
    claims=tuple(
        c.claim(
            f"Table 1 has the statistics of the {subtask} subtask.",
            *((what, _size(n), c.equal_to(sizes[n])) for n, what in enumerate(_SIZES)),
            of=subtask,
        )
        for subtask, sizes in _TABLE_1.items()
    ),
    kind=ClaimKind.RECOMPUTED,
    reads=WWW3.read,
)
def table1(inputs: StudyInputs) -> Made:
    """Count topics, assessors, docs, grades and runs of NTCIR-15 WWW-3."""
    own = own_data(inputs)
    if own is None:
        return Made(missing=MISSING_OWN)
    here = {subtask: _count_sizes(own, subtask) for subtask in SUBTASKS}
    rows = [
        (subtask, what, printed, counted)
        for subtask in SUBTASKS
        for what, printed, counted in zip(_SIZES, _TABLE_1[subtask], here[subtask], strict=True)
    ]
    columns = "subtask|what|published|recomputed"
    return Made(
        held=[Held(_OWN_LABELS, ClaimKind.RECOMPUTED, of, subtask) for subtask, of in here.items()],
        tables=[table_of("table1", "Published and recomputed", columns, rows)],
    )


def _count_sizes(own: QualityData, subtask: str) -> tuple[int, ...]:
    """Count the topics, assessors (the maximum per topic), docs, grades and runs of a subtask."""
    setting, runs = SETTINGS[_ORIGINAL[subtask]], len(runs_of(own, subtask))
    if not own.has(setting):
        return (0, 0, 0, 0, runs)
    labels, _ = own.labels(setting)
    sat = set(zip(labels.topic.tolist(), labels.assessor.tolist(), strict=True))
    docs = set(zip(labels.topic.tolist(), labels.doc.tolist(), strict=True))
    topics = [topic for topic, _ in sat]
    most = max(map(topics.count, set(topics)))
    return len(set(topics)), most, len(docs), len({*labels.grade[labels.grade >= 0]}), runs


_CHINESE, _ENGLISH, _LEVEL, _REDUCED = "Chinese", "English", "extended", "reduced"
_TABLE_2: tuple[c.Claim[Settings], ...] = (
    c.claim(
        "The reduction strategies harm the quality of relevance judgment data (Chinese subtask).",
        ("comparisons by PDP and DP without harm", Settings.harmless, c.equal_to(0)),
        of=_CHINESE,
        erratum="By exponential nDCG and nERR of the top 10 the four grades are below reductions:"
        " 69.09 < 72.73 and 70.91, 61.82 < 63.64.",
    ),
    c.claim(
        "DP and PDP show that 4to2(≥1) performs best while 4to2(≥3) performs worst.",
        ("figures by which ≥1 is not the best", Settings.not_first, c.equal_to(0)),
        ("figures by which ≥3 is not the worst", Settings.not_last, c.equal_to(0)),
        of=_CHINESE,
    ),
    c.claim(
        "Φ draws an opposite conclusion to DP and PDP about the reductions (reliable but useless).",
        ("depths at which Φ and PDP prefer the same reduction", Settings.phi_agrees, c.equal_to(0)),
        of=_CHINESE,
    ),
    c.claim(
        "Krippendorff's α decays dramatically when the relevance scale increases.",
        ("largest rise to a finer scale", Settings.alpha_rises, c.at_most(0)),
        of=_LEVEL,
        erratum="α of four grades (.660, .647) is above that of 4to2(≥1) (.626, .605) and of"
        " 4to2(≥3).",
    ),
    c.claim(
        "The two kinds of PDP tell opposite conclusions about 4 and 7 grades.",
        ("depths at which both kinds agree", Settings.opposite, c.equal_to(0)),
        of=_LEVEL,
    ),
    c.claim(
        "PDP and DP are highly consistent.",
        ("lowest τ over measures and depths", Settings.consistency, c.at_least(0.6)),
        of=_CHINESE,
        erratum="Over five settings τ is lower by some measures: the four grades tie or lose to"
        " 4to2(≥1) by DP, the seven grades win by DP and lose by individual PDP.",
    ),
    c.claim(
        "PDP is lower in aggregate mode.",
        ("share of settings and depths with lower PDP", Settings.lower_in_aggregate, c.equal_to(1)),
        of=_CHINESE,
    ),
    c.claim(
        "The aggregation to five grades, 3to5(logS), performs best (English subtask).",
        ("figures by which another setting is best", Settings.finest_best, c.equal_to(0)),
        of=_ENGLISH,
        erratum="By nERR of the top 10, the original 3 grades are better: 68.92 < 69.67.",
    ),
    c.claim(
        "The reduction strategies in the English subtask also harm the quality.",
        ("comparisons by PDP and DP without harm", Settings.harmless, c.equal_to(0)),
        of=_REDUCED,
        erratum="3to2(≥1) is above the 3 grades by aggregate PDP: 4.4386 < 4.4885 and 14.1281 <"
        " 14.2650.",
    ),
    c.claim(
        "3to2(≥1) has a competitive performance against the original 3 grades.",
        ("largest loss of DP", Settings.competitive, c.at_most(0.05)),
        of=_REDUCED,
    ),
)
# Numbers are printed to four digits. The paper's PDP stops up to .006 before the optimum (3.5). DP
# varies by one pair of 55 with the bootstrap's randomness.
_NEAR = {"alpha": 0.0005, "phi": 0.005, "individual": 0.05, "aggregate": 0.05}
_COLUMNS, _PRINTED = printed_table("judgment_quality", "table2")
_NUMBERS = _COLUMNS[3:]
_PRINTED_VALUES: Values = {
    (name, depth, what): number
    for _, name, depth, *numbers in _PRINTED
    for what, number in zip(_NUMBERS, numbers, strict=True)
}


def _distance(what: str) -> Callable[[Values], float]:
    """Return the largest difference from a number in the paper, over the available settings."""

    def farthest(values: Values) -> float:
        apart = [abs(v - _PRINTED_VALUES[key]) for key, v in values.items() if key[2] == what]
        return max((gap for gap in apart if gap == gap), default=float("nan"))

    return farthest


_OWN = tuple(
    c.claim(
        f"Table 2 prints {name}.",
        ("largest distance from the print", _distance(name), c.at_most(_NEAR.get(name, 0.02))),
        of="own",
    )
    for name in _NUMBERS
)


@PDP.add(
    "table2",
    title="Table 2: annotation settings",
    claims=(*_TABLE_2, *_OWN),
    kind=kind_of_own,
    reads=files_read,
    deviation="Other labels than the paper's. The best cut is the one nearest to half of the docs.",
)
def table2(inputs: StudyInputs) -> Made:
    """Compute agreement, discriminative power and PDP of annotation settings."""
    data = quality_data(inputs)
    on_print = _by_role(_PRINTED_VALUES, "", ClaimKind.FROM_PRINT)
    if data is None:
        return Made(
            held=on_print,
            paragraphs=[f"Only the print is looked at; missing is {DL2021.missing}."],
            tables=[_print_table("As published")],
        )
    qualities = measured_settings(inputs, data)
    values = {
        (name, depth, what): value.value
        for (name, depth), of in qualities.items()
        for (what, who), value in of.items()
        if who in ("", "GPT-4o") and (data.is_own or not value.untested)
    }
    if data.is_own:
        named = (_OWN_LABELS, ClaimKind.RECOMPUTED)
        rows = [
            (subtask, name, depth, *(values.get((name, depth, n), float("nan")) for n in _NUMBERS))
            for subtask, name, depth, *_ in _PRINTED
            if (name, depth) in qualities
        ]
        title = "Recomputed from the paper's own labels"
        return Made(
            held=[*on_print, Held(*named, values, "own"), *_by_role(values, *named)],
            tables=[
                table_of("table2-own", title, "|".join(_COLUMNS), rows),
                _print_table("As published"),
            ],
        )
    # A log-sum has one assessor, so both modes are the same.
    values |= {
        (LOG_SUM, depth, "aggregate"): value
        for (name, depth, what), value in list(values.items())
        if (name, what) == (LOG_SUM, "individual")
    }
    tables, figures, paragraphs = public_parts(inputs, data, qualities)
    named = (TASK, ClaimKind.OTHER_DATA)
    return Made(
        held=[
            *on_print,
            Held(*named, Settings(values, REDUCED, FOUR, "", OTHERS), _CHINESE, sized=True),
            Held(*named, Settings(values, (), FOUR, LOG_SUM), _ENGLISH, sized=True),
        ],
        paragraphs=paragraphs,
        tables=[*tables, _print_table("Table 2 as published, on other data: NTCIR-15 WWW-3")],
        figures=figures,
    )


def _print_table(title: str) -> NamedTable:
    return table_of("table2-published", title, "|".join(_COLUMNS), _PRINTED)


def _by_role(values: Values, name: str, kind: ClaimKind) -> list[Held[Settings]]:
    """Return the settings by subtask, for the claims about each subtask."""
    there = {setting for setting, _, _ in values}
    chinese: Sequence[str] = [f"4to2(≥{least})" for least in (1, 2, 3)]
    english: Sequence[str] = [f"3to2(≥{least})" for least in (1, 2)]
    roles: Mapping[str, Settings] = {
        _CHINESE: Settings(values, chinese, "4 grades", "7 grades"),
        _LEVEL: Settings(values, chinese, "4 grades", "7 grades"),
        _ENGLISH: Settings(values, english, "3 grades", "3to5(logS)"),
        _REDUCED: Settings(values, english, "3 grades"),
    }
    return [Held(name, kind, of, role) for role, of in roles.items() if of.original in there]
