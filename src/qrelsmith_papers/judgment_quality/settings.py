"""Tables 1 and 2: the paper's data, and agreement, discriminative power and PDP of settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from qrelsmith.base.content import NamedTable
from qrelsmith.base.tables import Cell as TableCell
from qrelsmith.studies.claims import (
    Claim,
    ClaimKind,
    ClaimPart,
    Held,
    at_least,
    at_most,
    claim,
    equal_to,
)
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith.studies.tables import table_of
from qrelsmith_papers.artefacts import PDP
from qrelsmith_papers.judgment_quality.dl2021 import MISSING as NO_DATA
from qrelsmith_papers.judgment_quality.dl2021 import files_read
from qrelsmith_papers.judgment_quality.table2 import LABEL_NAMES, TASK, public_table2
from qrelsmith_papers.judgment_quality.table2_own import own_rows
from qrelsmith_papers.judgment_quality.table2_published import PUBLISHED
from qrelsmith_papers.judgment_quality.table2_settings import Settings
from qrelsmith_papers.judgment_quality.www3 import (
    MISSING,
    SUBTASKS,
    PaperCollection,
    kind_of_own,
    own_files,
    paper_collection,
)

_SIZES = ("topics", "assessors a topic", "docs", "grades", "runs")
# The pool depths, 30 and 15, are of the pools: labels do not tell them.
_TABLE_1 = {"Chinese": (80, 3, 11_172, 4, 11), "English": (160, 8, 32_375, 3, 37)}


def _size(place: int) -> Callable[[tuple[int, ...]], float]:
    return lambda sizes: float(sizes[place])


@PDP.add(
    "table1",
    title="Table 1: the original data",
    claims=tuple(
        claim(
            f"Table 1 has the statistics of the {subtask} subtask.",
            *(
                ClaimPart[tuple[int, ...]](what, _size(place), equal_to(sizes[place]))
                for place, what in enumerate(_SIZES)
            ),
            of=subtask,
        )
        for subtask, sizes in _TABLE_1.items()
    ),
    kind=ClaimKind.RECOMPUTED,
    reads=own_files,
)
def table1(inputs: StudyInputs) -> Made:
    """Topics, assessors, docs, grades and runs of NTCIR-15 WWW-3."""
    own = paper_collection(inputs)
    if own is None:
        return Made(missing=MISSING)
    here = {subtask: _count_sizes(own, subtask) for subtask in SUBTASKS}
    rows = [
        (subtask, what, printed, counted)
        for subtask in SUBTASKS
        for what, printed, counted in zip(_SIZES, _TABLE_1[subtask], here[subtask], strict=True)
    ]
    name = "the paper's own labels"
    return Made(
        held=[Held(name, ClaimKind.RECOMPUTED, of, subtask) for subtask, of in here.items()],
        tables=[
            table_of(
                "table1", "Published and recomputed", "subtask|what|published|recomputed", rows
            )
        ],
    )


def _count_sizes(own: PaperCollection, subtask: str) -> tuple[int, ...]:
    """The numbers of a subtask in the order of the rows; assessors of the topic with most."""
    labels, runs = own.original(subtask), len(own.runs(subtask))
    if labels is None:
        return (0, 0, 0, 0, runs)
    sat = set(zip(labels.topic.tolist(), labels.assessor.tolist(), strict=True))
    docs = set(zip(labels.topic.tolist(), labels.doc.tolist(), strict=True))
    topics = [topic for topic, _ in sat]
    most = max(map(topics.count, set(topics)))
    return len(set(topics)), most, len(docs), len({*labels.grade[labels.grade >= 0]}), runs


_CHINESE, _ENGLISH, _LEVEL = "Chinese", "English", "extended"
_TABLE_2: tuple[Claim[Settings], ...] = (
    claim(
        "The reduction strategies harm the quality of relevance judgment data (Chinese subtask).",
        ClaimPart("comparisons by PDP and DP in which they do not", Settings.harmless, equal_to(0)),
        of=_CHINESE,
        erratum="By exponential nDCG and nERR of the top 10 the four grades are below reductions:"
        " 69.09 < 72.73 and 70.91, 61.82 < 63.64.",
    ),
    claim(
        "DP and PDP show that 4to2(≥1) performs best while 4to2(≥3) performs worst.",
        ClaimPart("numbers by which ≥1 is not the best", Settings.not_first, equal_to(0)),
        ClaimPart("numbers by which ≥3 is not the worst", Settings.not_last, equal_to(0)),
        of=_CHINESE,
    ),
    claim(
        "Φ draws an opposite conclusion to DP and PDP about the reductions (reliable but useless).",
        ClaimPart(
            "depths at which Φ and PDP prefer the same one", Settings.phi_agrees, equal_to(0)
        ),
        of=_CHINESE,
    ),
    claim(
        "Krippendorff's α decays dramatically when the relevance scale increases.",
        ClaimPart("largest rise to a finer scale", Settings.alpha_rises, at_most(0)),
        of=_LEVEL,
        erratum="α of four grades (.660, .647) is above that of 4to2(≥1) (.626, .605) and of"
        " 4to2(≥3).",
    ),
    claim(
        "The two kinds of PDP tell opposite conclusions about 4 and 7 grades.",
        ClaimPart("depths at which they agree", Settings.opposite, equal_to(0)),
        of=_LEVEL,
    ),
    claim(
        "PDP and DP are highly consistent.",
        ClaimPart("lowest τ over measures and depths", Settings.consistency, at_least(0.6)),
        of=_CHINESE,
        erratum="Over five settings τ is lower by some measures: the four grades tie or lose to"
        " 4to2(≥1) by DP, the seven grades win by DP and lose by individual PDP.",
    ),
    claim(
        "PDP is lower in aggregate mode.",
        ClaimPart("share of settings and depths", Settings.lower_in_aggregate, equal_to(1)),
        of=_CHINESE,
    ),
    claim(
        "The aggregation to five grades, 3to5(logS), performs best (English subtask).",
        ClaimPart("numbers by which another setting does", Settings.finest_best, equal_to(0)),
        of=_ENGLISH,
        erratum="By nERR of the top 10 it does not: 68.92 < 69.67 of the original 3 grades.",
    ),
    claim(
        "The reduction strategies in the English subtask also harm the quality.",
        ClaimPart("comparisons by PDP and DP in which they do not", Settings.harmless, equal_to(0)),
        of="reduced",
        erratum="3to2(≥1) is above the 3 grades by aggregate PDP: 4.4386 < 4.4885 and 14.1281 <"
        " 14.2650.",
    ),
    claim(
        "3to2(≥1) has a competitive performance against the original 3 grades.",
        ClaimPart("largest loss of DP", Settings.competitive, at_most(0.05)),
        of="reduced",
    ),
)
# Printed to four digits; PDP of the paper's run stops up to .006 before the optimum (3.5); DP moves
# by one pair of 55 with a bootstrap's chance.
_NEAR = {"alpha": 0.0005, "phi": 0.005, "individual": 0.05, "aggregate": 0.05}
_NUMBERS = PUBLISHED.columns[3:]


def _distance(place: int) -> Callable[[Sequence[tuple[TableCell, ...]]], float]:
    """The largest distance of a kind of number from the print, over the settings that are there."""
    printed = {row[:3]: row[3 + place] for row in PUBLISHED.rows}

    def farthest(rows: Sequence[tuple[TableCell, ...]]) -> float:
        apart = [abs(float(str(row[3 + place])) - float(str(printed[row[:3]]))) for row in rows]
        return max((gap for gap in apart if gap == gap), default=float("nan"))

    return farthest


_OWN = tuple(
    claim(
        f"Table 2 prints {name}.",
        ClaimPart[Sequence[tuple[TableCell, ...]]](
            "largest distance from the print", _distance(place), at_most(_NEAR.get(name, 0.02))
        ),
        of="own",
    )
    for place, name in enumerate(_NUMBERS)
)


def _files(inputs: StudyInputs) -> tuple[Path, ...]:
    return own_files(inputs) or files_read(inputs)


@PDP.add(
    "table2",
    title="Table 2: annotation settings",
    claims=(*_TABLE_2, *_OWN),
    kind=kind_of_own,
    reads=_files,
    deviation="The paper's labels on seven grades and its preferences are not public: other data."
    " Which reduction discriminates most depends on the assessors: the cut nearest to half of the"
    " docs tells most apart.",
)
def table2(inputs: StudyInputs) -> Made:
    """Agreement, discriminative power and PDP of annotation settings."""
    own = paper_collection(inputs)
    if own is not None:
        rows = own_rows(inputs, own)
        name, kind = "the paper's own labels", ClaimKind.RECOMPUTED
        return Made(
            held=[
                *_print_settings(),
                Held(name, kind, rows, "own"),
                *(Held(name, kind, each.evidence, each.of) for each in _hold_settings(rows)),
            ],
            tables=[
                table_of(
                    "table2-own",
                    "Recomputed from the paper's own labels",
                    "|".join(PUBLISHED.columns),
                    rows,
                ),
                _print_table("As published"),
            ],
        )
    made = public_table2(inputs)
    if made is None:
        return Made(
            held=_print_settings(),
            paragraphs=[f"Only the print is looked at; missing is {NO_DATA}."],
            tables=[_print_table("As published")],
        )
    found, tables, figures, paragraphs = made
    values = {
        (name, depth, _kind(kind, what)): value.value
        for (name, depth), of in found.items()
        for (kind, what, who), value in of.items()
        if who in ("", "GPT-4o") and not (kind == "pdp" and value.untested)
    }
    # A log-sum has one assessor: both modes are the same.
    values |= {
        (LABEL_NAMES.finer, depth, "aggregate"): value
        for (name, depth, what), value in list(values.items())
        if (name, what) == (LABEL_NAMES.finer, "individual")
    }
    settings = Settings(
        values, LABEL_NAMES.reductions, LABEL_NAMES.original, "", LABEL_NAMES.others
    )
    fine = Settings(values, (), LABEL_NAMES.original, LABEL_NAMES.finer)
    data = (TASK, ClaimKind.OTHER_DATA)
    return Made(
        held=[
            *_print_settings(),
            Held(*data, settings, _CHINESE, sized=True),
            Held(*data, fine, _ENGLISH, sized=True),
        ],
        paragraphs=paragraphs,
        tables=[*tables, _print_table("Table 2 as published, on other data: NTCIR-15 WWW-3")],
        figures=figures,
    )


def _kind(kind: str, what: str) -> str:
    return {"alpha-ordinal": "alpha"}.get(what, what) if kind == "agreement" else what


def _print_table(title: str) -> NamedTable:
    return table_of("table2-published", title, "|".join(PUBLISHED.columns), PUBLISHED.rows)


def _hold_settings(rows: Sequence[Sequence[TableCell]]) -> list[Held[Settings]]:
    """Return the settings of both subtasks, for the claims that are about each."""
    values: dict[str, dict[tuple[str, int, str], float]] = {}
    for subtask, setting, depth, *numbers in rows:
        values_of = values.setdefault(str(subtask), {})
        for what, number in zip(_NUMBERS, numbers, strict=True):
            values_of[str(setting), int(str(depth)), what] = float(str(number))
    chinese = [f"4to2(≥{least})" for least in (1, 2, 3)]
    english = [f"3to2(≥{least})" for least in (1, 2)]
    return [
        Held(
            "",
            ClaimKind.FROM_PRINT,
            Settings(values[subtask], reductions, values_of, finer),
            claim_of,
        )
        for claim_of, subtask, reductions, values_of, finer in (
            (_CHINESE, _CHINESE, chinese, "4 grades", "7 grades"),
            (_LEVEL, _CHINESE, chinese, "4 grades", "7 grades"),
            (_ENGLISH, _ENGLISH, english, "3 grades", "3to5(logS)"),
            ("reduced", _ENGLISH, english, "3 grades", ""),
        )
        if subtask in values
    ]


def _print_settings() -> list[Held[Settings]]:
    return _hold_settings(PUBLISHED.rows)
