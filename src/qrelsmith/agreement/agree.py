"""Agreement of labels: over all, and in the parts that are asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any, Literal

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.agreement.agreement_of_labels import Agreement, ScopeTests
from qrelsmith.agreement.compared_labels import Common, ComparedLabels, compared_labels
from qrelsmith.agreement.group_agreement import (
    GROUP_BREAKDOWNS,
    compared_scopes,
    mean_agreement,
    topic_values,
)
from qrelsmith.agreement.label_agreement import BREAKDOWNS, LabelAgreement
from qrelsmith.agreement.scoped_agreement import (
    BETWEEN,
    AgreementOptions,
    Over,
    ScopedAgreement,
    Undefined,
)
from qrelsmith.base.errors import UndefinedError, UsageError, quoted
from qrelsmith.base.questions import question
from qrelsmith.base.scales import Scale
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.ratings import Errors
from qrelsmith.judgments.topic_sources import TopicSet

By = Literal[
    "topic", "pair", "assessor", "group", "group-pair", "environment-pair", "assessor-group"
]
_SHOWN = 5  # scopes that a note names


@question(
    command="agree",
    audit=("agreement", "group-agreement"),
    flags={"coefficients": "--coefficient"},
)
def agree(
    labels: Any,
    coefficients: str | Sequence[str] = "alpha-ordinal",
    *,
    by: By | None = None,
    over: Over = "topics",
    label_set: Sequence[Any] = (),
    reference: str | None = None,
    common: Common = "pair",
    test: bool = False,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    undefined: Undefined = "nan",
    errors: Errors = "missing",
    topic_set: TopicSet | None = None,
    resamples: int = 1000,
    seed: int = 0,
    advance: Callable[[], None] | None = None,
) -> Agreement:
    """Agreement between assessors, or between label sets, with 95 % intervals.

    Parameters
    ----------
    labels : Judgments, campaign, path or paths, data frame, or mapping of str to qrels
        The labels of assessors; the qrels of each; or a campaign, of which the label sets are
        compared where it has several, and its assessors where `by` asks for them.
    coefficients : str or sequence of str
        Names of `COEFFICIENTS`, such as `alpha-ordinal`, `kappa-quadratic`, `ac2-linear`.
    by : str, optional
        Rows besides the one for all labels: `topic`, `pair`, `assessor`, `group`, `group-pair`,
        `environment-pair` or `assessor-group`.
    over : {'topics', 'docs', 'assessors', 'topics,assessors'}
        Whom the intervals are for: topics like these (jackknife and Student's t, from 8 topics on),
        docs like these of the same topics (bootstrap), assessors like these on the same topics
        (from 4 on), or other topics and assessors. Means over topics have theirs over topics.
    label_set : sequence of str
        Of a campaign, the label sets that count (or groups of assessors); else further files.
    reference : str, optional
        With `by="pair"`, only pairs of this label set, or assessor, with the others.
    common : {'pair', 'all'}
        Whether every two are compared on the topics that these two have, or that all have.
    test : bool
        Whether the table shows the unpaired Tukey HSD test of every two rows, of `group-pair`,
        `environment-pair` and `assessor-group`.
    scale : Scale, optional
        The levels; by default the campaign's, else from 0 to the highest grade, which a note says.
    off_scale : {'error', 'missing'}
        What a grade off the scale is; of a campaign it is counted in a note, and missing.
    undefined : {'nan', 'one', 'zero'}
        What stands for 0/0: every label equal, no disagreement expected.
    errors : {'missing', 'nonrelevant'}
        What the code −2 (could not be displayed) is: no grade, or the grade 0.
    topic_set : path or collection of str, optional
        Only these topics.
    resamples : int
        Bootstrap samples behind an interval over docs; 0: no intervals at all.
    seed : int
        Seed of the bootstrap.
    advance : callable, optional
        Called after each part, to show progress.

    Returns
    -------
    Agreement
        `parts` are its rows; a value or an interval that is not defined is nan, and a note says
        why.

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
    scope  coefficient       value          low         high  units  assessors  over
    ─────  ───────────────  ──────  ───────────  ───────────  ─────  ─────────  ────
    all    agreement        0.6667  not defined  not defined      3          2
    all    kappa-quadratic  0.8000  not defined  not defined      3          2
    note: no scale was given: the levels are taken to be 0..2
    """
    if test and by not in GROUP_BREAKDOWNS:
        raise UsageError(f"test goes with by one of {', '.join(GROUP_BREAKDOWNS)}")
    named = [coefficients] if isinstance(coefficients, str) else coefficients
    names = list(dict.fromkeys(map(COEFFICIENTS.label, named)))
    compared = compared_labels(
        labels,
        by=by,
        label_set=label_set,
        common=common,
        scale=scale,
        off_scale=off_scale,
        topic_set=topic_set,
    )
    if reference is not None and by == "pair":
        _check_reference(reference, compared)
    parts: list[ScopedAgreement] = []
    tests: list[ScopeTests] = []
    for name in names:
        options = AgreementOptions(
            coefficient=name,
            scale=compared.scale,
            undefined=undefined,
            errors=errors,
            over=over,
            resamples=resamples,
            seed=seed,
        )
        agreement = LabelAgreement(compared.judgments, options)
        parts.append(agreement.overall())
        if by in GROUP_BREAKDOWNS:
            values = topic_values(agreement, compared.judgments, by)
            parts += [mean_agreement(each, options) for each in values]
            try:
                rows, variance = compared_scopes(values)
            except UndefinedError:
                if test:
                    raise
            else:
                tests.append(
                    ScopeTests(coefficient=name, compared=tuple(rows), residual_variance=variance)
                )
        elif by == "pair":
            parts += _pairs(agreement, compared, reference, advance)
        elif by is not None:
            found = []
            for part in BREAKDOWNS[by](agreement):
                found.append(part)
                if advance is not None:
                    advance()
            parts += sorted(found, key=lambda part: (part.scope != "mean", part.scope))
    return Agreement(
        parts=tuple(parts),
        between=compared.between,
        by=by,
        scale=compared.scale,
        tests=tuple(tests),
        test=test,
        notes=(*compared.notes, *(_test_notes(tests) if test else _part_notes(parts))),
    )


def _check_reference(reference: str, compared: ComparedLabels) -> None:
    known = sorted({*compared.judgments.assessors, *compared.empty})
    if reference not in known:
        raise UsageError(
            f"the reference is {quoted(reference)}; expected one of {', '.join(known)}"
        )


def _pairs(
    agreement: LabelAgreement,
    compared: ComparedLabels,
    reference: str | None,
    advance: Callable[[], None] | None,
) -> list[ScopedAgreement]:
    """Every two, or the reference with each of the others; also those that have nothing to show."""
    parts = []
    for sides in combinations(sorted({*agreement.assessors, *compared.empty}), 2):
        if reference is not None and reference not in sides:
            continue
        why = [compared.empty[name] for name in sides if name in compared.empty]
        parts.append(
            agreement.undefined_part(BETWEEN.join(sides), why[0]) if why else agreement.pair(*sides)
        )
        if advance is not None:
            advance()
    return parts


def _test_notes(tests: Sequence[ScopeTests]) -> list[str]:
    return [
        f"{each.coefficient}: residual variance V_E1 = {each.residual_variance:.4g}"
        for each in tests
    ]


def _part_notes(parts: Sequence[ScopedAgreement]) -> list[str]:
    """Notes of the parts, each once, with the scopes that it is true of."""
    scopes: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        if part.note:
            scopes.setdefault((part.coefficient, part.note), []).append(part.scope)
    notes = []
    for (coefficient, note), of in scopes.items():
        more = f", … ({len(of)} in all)" if len(of) > _SHOWN else ""
        notes.append(f"{coefficient} of {', '.join(of[:_SHOWN])}{more}: {note}")
    return notes
