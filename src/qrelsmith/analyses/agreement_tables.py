"""Agreement of labels as a table: all in all, and in the parts that are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.analyses.group_agreement import GROUP_BREAKDOWNS, mean_agreement, topic_values
from qrelsmith.analyses.label_agreement import (
    BREAKDOWNS,
    AgreementOptions,
    LabelAgreement,
    ScopedAgreement,
    Undefined,
)
from qrelsmith.analyses.label_transforms import assumed_scale
from qrelsmith.data.judgment_events import Judgments
from qrelsmith.data.qrels import Qrels
from qrelsmith.errors import UnknownNameError, UsageError
from qrelsmith.scales import Scale, assumed_note
from qrelsmith.tables import Table

_SHOWN = 5  # scopes that a note names


def agree(
    labels: Judgments | Mapping[str, Qrels],
    coefficients: str | Sequence[str] = "alpha-ordinal",
    *,
    by: str | None = None,
    scale: Scale | None = None,
    undefined: Undefined = "nan",
    errors: Literal["missing", "nonrelevant"] = "missing",
    resamples: int = 1000,
    seed: int = 0,
) -> Table:
    """Agreement between assessors, with 95 % intervals, as `qrelsmith agree` prints it.

    Parameters
    ----------
    labels : Judgments, or mapping of str to Qrels
        The labels, or the qrels of each assessor.
    coefficients : str or sequence of str
        Names of coefficients, such as `alpha-ordinal`, `kappa-quadratic`, `ac2-linear`.
    by : str, optional
        Rows besides the one for all labels: `topic`, `pair`, `assessor`, `group`, `group-pair`,
        `environment-pair` or `assessor-group`.
    scale : Scale, optional
        The levels; from 0 to the highest grade by default, which a note says.
    undefined : {'nan', 'one', 'zero'}
        What stands for 0/0: every label equal, no disagreement expected.
    errors : {'missing', 'nonrelevant'}
        What the code −2 (could not be displayed) is: no grade, or the grade 0.
    resamples : int
        Bootstrap samples behind an interval; 0: no intervals.
    seed : int
        Seed of the bootstrap.

    Returns
    -------
    Table
        scope, coefficient, value, low, high, units, assessors; a value that is not defined is nan,
        and a note says why.

    Raises
    ------
    UnknownNameError
        If there is no such coefficient or breakdown.
    UsageError
        If there are no labels, or those of groups are asked for and there are no groups.

    Examples
    --------
    >>> from qrelsmith import Qrels, agree
    >>> anne = Qrels.from_dict({"t1": {"d1": 2, "d2": 0, "d3": 1}})
    >>> ben = Qrels.from_dict({"t1": {"d1": 2, "d2": 0, "d3": 0}})
    >>> print(agree({"anne": anne, "ben": ben}, ["agreement", "kappa-quadratic"], resamples=0))
    scope  coefficient      value   low  high  units  assessors
    ─────  ───────────────  ──────  ───  ────  ─────  ─────────
    all    agreement        0.6667  nan   nan      3          2
    all    kappa-quadratic  0.8000  nan   nan      3          2
    note: no scale was given: the levels are taken to be 0..2
    """
    judgments = labels if isinstance(labels, Judgments) else Judgments.from_qrels(labels)
    if not len(judgments):
        raise UsageError("there are no labels; expected at least one")
    if by is not None and by not in (*BREAKDOWNS, *GROUP_BREAKDOWNS):
        raise UnknownNameError("breakdown", by, [*BREAKDOWNS, *GROUP_BREAKDOWNS])
    named = [coefficients] if isinstance(coefficients, str) else coefficients
    rows: list[ScopedAgreement] = []
    for coefficient in dict.fromkeys(map(COEFFICIENTS.label, named)):
        options = AgreementOptions(
            coefficient=coefficient,
            scale=scale,
            undefined=undefined,
            errors=errors,
            resamples=resamples,
            seed=seed,
        )
        rows += agreement_rows(LabelAgreement(judgments, options), judgments, options, by)
    return agreement_table(rows, scale_notes(judgments, scale))


def agreement_rows(
    agreement: LabelAgreement,
    judgments: Judgments,
    options: AgreementOptions,
    by: str | None,
    *,
    advance: Callable[[], None] | None = None,
) -> list[ScopedAgreement]:
    """All labels together, and the parts, sorted by their scopes, the mean first.

    Parameters
    ----------
    agreement : LabelAgreement
        The labels, by one coefficient.
    judgments : Judgments
        The same, with groups and orderings.
    options : AgreementOptions
        How it is computed.
    by : str or None
        A name in `BREAKDOWNS` or `GROUP_BREAKDOWNS`; None: no parts.
    advance : callable, optional
        Called after each part, to show progress.
    """
    if by in GROUP_BREAKDOWNS:
        values = topic_values(agreement, judgments, by)
        found = [mean_agreement(one, options, options.coefficient) for one in values]
        return [agreement.overall(), *found]
    rows = [agreement.overall()]
    if by is None:
        return rows
    parts = []
    for part in BREAKDOWNS[by](agreement):
        parts.append(part)
        if advance is not None:
            advance()
    return rows + sorted(parts, key=lambda part: (part.scope != "mean", part.scope))


def agreement_table(rows: Sequence[ScopedAgreement], notes: Sequence[str] = ()) -> Table:
    """The rows under their header; what they have to say follows the notes."""
    columns = ("scope", "coefficient", "value", "low", "high", "units", "assessors")
    return Table.of(
        columns,
        [(o.scope, o.coefficient, o.value, o.low, o.high, o.units, o.assessors) for o in rows],
        notes=[*notes, *_row_notes(rows)],
    )


def scale_notes(judgments: Judgments, scale: Scale | None) -> list[str]:
    """What is said where no scale was given."""
    assumed = assumed_scale(judgments) if scale is None else None
    return [] if assumed is None else [assumed_note(assumed)]


def _row_notes(rows: Sequence[ScopedAgreement]) -> list[str]:
    """What the rows have to say, each thing once, with the scopes that it is true of."""
    scopes: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        if row.note:
            scopes.setdefault((row.coefficient, row.note), []).append(row.scope)
    notes = []
    for (coefficient, note), of in scopes.items():
        more = f", … ({len(of)} in all)" if len(of) > _SHOWN else ""
        notes.append(f"{coefficient} of {', '.join(of[:_SHOWN])}{more}: {note}")
    return notes
