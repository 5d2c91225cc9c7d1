"""The section `calibration`: which errors the verdicts detect, and a check of the intervals."""

from __future__ import annotations

import math

import numpy as np

from qrelsmith.audit.calibration import (
    DRAWS,
    SEEN,
    SHIFTED,
    SLIPS,
    VERDICT_WORDS,
    CalibratedVerdict,
    calibrate,
    calibrated_questions,
    calibrated_scale,
    least_seen,
)
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.interval_checks import ALPHA, TAU, TOP, interval_checks
from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.base.content import CellVerdict, NamedTable, Section
from qrelsmith.base.tables import Cell, Table
from qrelsmith.stats.self_check import LEAST_SPLITS

_KEY, _TITLE = "calibration", "Sensitivity of the verdicts"
SPLITS = LEAST_SPLITS
_BROKEN: tuple[CellVerdict, ...] = ("probably bad", "bad")
_CHANGED: tuple[CellVerdict, ...] = (
    "probably good", "fair or better", "fair", "fair or worse", "unclear", *_BROKEN
)  # fmt: skip


def calibration_section(inputs: AuditInputs) -> Section:
    """Report the smallest simulated errors that verdicts detect, and check the intervals."""
    scale = calibrated_scale(inputs)
    if scale is None:
        return Section(key=_KEY, title=_TITLE, missing="a reference on a scale with levels")
    calibrated = calibrate(inputs, scale)
    rows: list[tuple[Cell, ...]] = [
        (one.question, one.damage, one.amount, *map(one.count_of, VERDICT_WORDS))
        for one in calibrated
    ]
    said = (
        f"The verdicts are tested on copies of {inputs.reference} with simulated errors: {DRAWS}"
        " copies for each kind and amount of error. Slips: a share of the labels is wrong by one"
        " level. Shifted topics: the labels of a topic are shifted by one or two docs. A verdict"
        f" detects an error if the error changes the verdict in at least {SEEN:.0%} of the copies."
        " Undetected errors cannot be ruled out."
    )
    verdicts = NamedTable(
        _KEY,
        "Verdicts on copies of the reference",
        Table.of(("question", "damage", "amount", *VERDICT_WORDS), rows),
        "Amount: share of labels that are wrong by one level, or number of shifted topics.",
    )
    return Section(
        key=_KEY, title=_TITLE, paragraphs=(said,),
        tables=(_least(calibrated), verdicts, _checks(inputs)),
    )  # fmt: skip


def _least(calibrated: tuple[CalibratedVerdict, ...]) -> NamedTable:
    rows: list[tuple[Cell, ...]] = []
    for question in calibrated_questions():
        of_question = [one for one in calibrated if one.question == question]
        if all(one.share_of("none") == 1 for one in of_question):
            continue
        slips, shifted = (
            [
                least_seen(calibrated, question, damage, *verdicts)
                for verdicts in (_CHANGED, _BROKEN)
            ]
            for damage in ("slips", "shifted")
        )
        rows.append(
            (
                VERDICTS.get(question).entry.about["asks"],
                *(f"above {SLIPS[-1]:.0%}" if at is None else f"{at:.0%}" for at in slips),
                *(f"above {SHIFTED[-1]}" if at is None else f"{at:g}" for at in shifted),
            )
        )
    return NamedTable(
        "calibration-least",
        "Smallest simulated error that each verdict detects",
        Table.of(
            (
                "question", "slips: not good from", "slips: (probably) bad from",
                "shifted topics: not good from", "shifted topics: (probably) bad from",
            ),
            rows,
        ),
        "Slips: share of labels that are wrong by one level. Shifted topics: number of topics.",
    )  # fmt: skip


def _checks(inputs: AuditInputs) -> NamedTable:
    figures = (ALPHA, TAU, TOP)
    by_set = {name: interval_checks(inputs, name, splits=SPLITS) for name in inputs.others}
    deviations = np.array(
        [
            [float(of[figure].deviation) if figure in of else math.nan for figure in figures]
            for of in by_set.values()
        ]
    ).reshape(-1, len(figures))
    rows: list[tuple[Cell, ...]] = [
        (name, *(None if math.isnan(value) else value for value in row))
        for name, row in zip(by_set, deviations.tolist(), strict=True)
    ]
    means = [
        float(np.mean(known)) if (known := column[~np.isnan(column)]).size else None
        for column in deviations.T
    ]
    return NamedTable(
        "self-check",
        "Self-check of the intervals",
        Table.of(("label set", *figures), [*rows, ("mean", *means)]),
        "The table shows the standard deviation of z for differences between random halves of the"
        f" topics (for the top systems: thirds; {SPLITS} splits). The standard deviation is 1 for"
        " correct intervals, and larger for intervals that are too narrow. The mean should be"
        " between .85 and 1.2, and the value of each label set between .65 and 1.35. A cell is"
        " empty if the figure is undefined, or if halves (thirds) have fewer than 8 topics.",
    )
