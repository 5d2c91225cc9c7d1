"""Agreement of labels, overall and by topic, pair, group or other breakdowns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Annotated, Any, Literal, Unpack

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
from qrelsmith.agreement.scoped_agreement import BETWEEN, AgreementOptions, Over, ScopedAgreement
from qrelsmith.answers.aspects import read_aspects
from qrelsmith.base.errors import UndefinedError, UsageError, quoted
from qrelsmith.base.options import Advance, Option, Seed
from qrelsmith.base.questions import question
from qrelsmith.campaign.aspect_settings import aspect_scale
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.item_scales import is_of_aspect, kinds_of_items
from qrelsmith.judgments.label_options import (
    AspectFile,
    ErrorCode,
    LabelFiles,
    LabelScope,
    LabelSetNames,
    OnlyAspect,
    WhenUndefined,
)
from qrelsmith.judgments.one_aspect import of_aspect

By = Literal[
    "topic", "pair", "assessor", "group", "aspect", "group-pair", "environment-pair",
    "assessor-group",
]  # fmt: skip
_SHOWN = 5  # maximum number of scopes named in a note
_OVER_TOPICS = (
    "intervals of means over topics always generalise to similar topics; --over applies to the"
    " other rows"
)


Coefficients = Annotated[
    str | Sequence[str],
    Option(f"Coefficient; repeatable: {', '.join(COEFFICIENTS.names())}.",
           ("--coefficient",), split=True),
]  # fmt: skip


@question(
    command="agree",
    heading="labels",
    everyday=True,
    audit=("agreement", "group-agreement"),
    example="qrelsmith agree nist.qrels llm-1.qrels llm-2.qrels --coefficient alpha-ordinal"
    " --coefficient light-quadratic --by pair",
    doing="comparing labels",
)
def agree(
    labels: LabelFiles,
    coefficients: Coefficients = "alpha-ordinal",
    *,
    by: Annotated[By | None, Option(
        "Add one row per topic, pair, …; `environment` means group and ordering; `aspect` means"
        " kind of aspect.")] = None,
    aspect: OnlyAspect = None,
    aspects: AspectFile = None,
    over: Annotated[Over, Option(
        "Population to which the intervals generalise: similar topics (at least 8), docs of the"
        " same topics, assessors (at least 4), or topics and assessors. Intervals of"
        " means over topics always generalise to similar topics.")] = "topics",
    label_set: LabelSetNames = (),
    reference: Annotated[str | None, Option(
        "With --by pair, show only pairs that include this label set.", metavar="NAME")] = None,
    common: Annotated[Common, Option(
        "Compare two label sets on the topics with labels in both sets, or on the topics with"
        " labels in all sets.")] = "pair",
    pairs: Annotated[
        bool,
        Option(f"With --by {'|'.join(GROUP_BREAKDOWNS)}, print unpaired Tukey HSD tests between the"
               " rows, instead of the rows.", was={"test": {}}),
    ] = False,
    undefined: WhenUndefined = "nan",
    errors: ErrorCode = "missing",
    resamples: Annotated[int, Option(
        "Number of bootstrap samples for an interval over docs; 0: no intervals.",
        ("-B", "--resamples"), least=0)] = 1000,
    seed: Seed = 0,
    advance: Advance = None,
    **scope: Unpack[LabelScope],
) -> Agreement:  # fmt: skip
    """Compute the agreement between assessors or label sets, with intervals.

    FILE is a table of judgments, or the qrels of one assessor. If there are several tables, each
    table is a group of assessors, and --by group-pair compares the groups. In a CAMPAIGN, label
    sets (qrels files and groups of assessors, with one grade per doc) are compared. With --by
    assessor, group, group-pair, environment-pair or assessor-group, the campaign's assessors are
    compared. In Python, pass a mapping from group names to judgments.

    Columns: scope, coefficient, value, low, high, units, assessors, over. The first row of a
    coefficient has the scope `all`. `low` and `high` are the limits of a 95% interval. The column
    `over` names the population to which the interval generalises: similar topics (if there are at
    least 8 topics) or docs. With --by assessor, and for two groups with --by group, the value is
    the mean of the coefficient over pairs of assessors. With --by group-pair, environment-pair or
    assessor-group, assessors on one side of a pair are compared with the assessors on the other
    side. With these three breakdowns, the coefficient is computed on each topic, and averaged over
    topics. An undefined value is nan, and a note gives the reason: one assessor, no doc with two
    labels, or all labels equal. Cohen's kappa is defined only for two assessors; use it with --by
    pair. The latest revision of a judgment is used. Columns with --pairs: coefficient, a, b,
    topics_a, topics_b, mean_a, mean_b, difference, p, effect_size (ES_E1).

    Returns
    -------
    Agreement
        The rows are in `parts`. Undefined values and intervals are nan, and a note gives the
        reason.

    Raises
    ------
    UnknownNameError
        If there is no such coefficient or breakdown.
    UsageError
        If there are no labels, or if the judgments lack the groups that a breakdown needs.

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
    note: no scale given: the levels are assumed to be 0..2
    """
    if pairs and by not in GROUP_BREAKDOWNS:
        raise UsageError(f"--pairs needs --by {'|'.join(GROUP_BREAKDOWNS)}")
    named = [coefficients] if isinstance(coefficients, str) else coefficients
    names = list(dict.fromkeys(map(COEFFICIENTS.label, named)))
    labels = of_aspect(labels, aspect, aspects)
    compared = compared_labels(labels, by=by, label_set=label_set, common=common, **scope)
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
                if pairs:
                    raise
            else:
                tests.append(
                    ScopeTests(coefficient=name, compared=tuple(rows), residual_variance=variance)
                )
        elif by == "pair":
            parts += _pairs(agreement, compared, reference, advance)
        elif by == "aspect":
            parts += _kinds(compared, options, labels, aspects)
        elif by is not None:
            found = []
            for part in BREAKDOWNS[by](agreement):
                found.append(part)
                if advance is not None:
                    advance()
            parts += sorted(found, key=lambda part: (part.scope != "mean", part.scope))
    means = by == "topic" or by in GROUP_BREAKDOWNS
    return Agreement(
        parts=tuple(parts),
        between=compared.between,
        by=by,
        scale=compared.scale,
        tests=tuple(tests),
        test=pairs,
        notes=(
            *compared.notes,
            *([_OVER_TOPICS] if means and over != "topics" and resamples and not pairs else []),
            *(_test_notes(tests) if pairs else _part_notes(parts)),
        ),
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
    """Return the agreement of all pairs, or only of the pairs with the reference."""
    parts = []
    # All pairs at once are much faster than one by one.
    by_scope = {part.scope: part for part in agreement.by_pair()} if reference is None else {}
    for sides in combinations(sorted({*agreement.assessors, *compared.empty}), 2):
        if reference is not None and reference not in sides:
            continue
        why = [compared.empty[name] for name in sides if name in compared.empty]
        scope = BETWEEN.join(sides)
        if why:
            parts.append(agreement.undefined_part(scope, why[0]))
        else:
            parts.append(by_scope.get(scope) or agreement.pair(*sides))
        if advance is not None:
            advance()
    return parts


def _kinds(
    compared: ComparedLabels, options: AgreementOptions, labels: Any, aspects: Any
) -> Iterator[ScopedAgreement]:
    """Return the agreement by kind of aspect; each kind has a separate scale."""
    campaign = campaign_of(labels)
    declared = None if campaign is None else campaign.aspects
    declared = declared if aspects is None else read_aspects(aspects)
    kinds = set(kinds_of_items(compared.judgments, declared)) - {""}
    if not kinds:
        raise UsageError("--by aspect needs labels of answers, with a column `aspect`")
    levels = {} if campaign is None else campaign.campaign.aspect_levels
    for kind in sorted(kinds):
        scale = aspect_scale(levels, kind) if campaign is not None else options.scale
        judgments = compared.judgments.of_aspects(is_of_aspect(kind, declared))
        yield replace(
            LabelAgreement(judgments, replace(options, scale=scale)).overall(), scope=kind
        )


def _test_notes(tests: Sequence[ScopeTests]) -> list[str]:
    return [
        f"{each.coefficient}: residual variance V_E1 = {each.residual_variance:.4g}"
        for each in tests
    ]


def _part_notes(parts: Sequence[ScopedAgreement]) -> list[str]:
    """Return every distinct note once, with the scopes to which the note applies."""
    scopes: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        if part.note:
            scopes.setdefault((part.coefficient, part.note), []).append(part.scope)
    notes = []
    for (coefficient, note), of in scopes.items():
        more = f", … ({len(of)} in all)" if len(of) > _SHOWN else ""
        notes.append(f"{coefficient} of {', '.join(of[:_SHOWN])}{more}: {note}")
    return notes
