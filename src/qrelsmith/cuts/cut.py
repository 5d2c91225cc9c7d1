"""The command `cut`: the cuts that turn a scale into a scale with fewer levels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, Unpack

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Advance, Jobs, Option, OutputFile, Seed, check_scale
from qrelsmith.base.questions import question
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.qrels import write_qrels
from qrelsmith.cuts import AGGREGATED_BY, ASSESSOR, CUT_METHODS, TIE_RULES
from qrelsmith.cuts.cut_search import CutSearch
from qrelsmith.cuts.cut_sources import CutSource, cut_rankings, cut_source
from qrelsmith.cuts.cut_validation import Halving, halvings
from qrelsmith.cuts.label_cuts import ChosenCuts, CutOptions, LabelCuts
from qrelsmith.io.array_tables import check_parquet_name, write_parts
from qrelsmith.judgments.campaign_sources import resolve_source
from qrelsmith.judgments.label_options import (
    ErrorCode,
    LabelFiles,
    LabelScope,
    LabelSetName,
    WhenUndefined,
)
from qrelsmith.judgments.run_options import RunOrder
from qrelsmith.judgments.run_sources import RunsLike
from qrelsmith.judgments.sources import JudgmentsLike, QrelsLike

_SHOWN = 5  # maximum number of topics named in a note


def _write_all(result: CutSearch, path: str, _: Sequence[str]) -> None:
    if result.halvings:
        raise UsageError("--validate cannot be used with --all-cuts or --write")
    write_parts(path, result.all_cuts())


def _write_labels(result: CutSearch, path: str, _: Sequence[str]) -> None:
    if result.halvings:
        raise UsageError("--validate cannot be used with --all-cuts or --write")
    write_qrels(result.qrels, path)


@question(
    "cut",
    heading="convert",
    no_audit="which cuts are right depends on what they are for, and the audit cannot know it",
    example="qrelsmith cut s100.csv --levels 4 --method doc-at --target sormunen.qrels --runs"
    " runs/ --reference sormunen.qrels --write s4.qrels",
    doing="trying cuts",
    writes={
        "all_cuts": OutputFile(
            "Write α for every set of cuts to this file (.parquet).",
            _write_all,
            check=check_parquet_name,
        ),
        "write": OutputFile("Write the cut labels to this file, as qrels.", _write_labels),
    },
)
def cut(
    labels: LabelFiles,
    *,
    levels: Annotated[int, Option("Levels of the target scale.", least=2)],
    method: Annotated[str, Option(
        "Method for computing α; hit2, doc-at and doc-ta need --target.",
        choices=CUT_METHODS.names)],
    target: Annotated[QrelsLike | JudgmentsLike | None, Option(
        "Second data set on the target scale, 0 to LEVELS-1: qrels, judgments to aggregate, or a"
        " label set of the campaign.", file=True, many=False)] = None,
    measurement: Annotated[Literal["nominal", "ordinal", "interval"], Option(
        "Level of measurement of Krippendorff's α.", was={"alpha": {}})] = "ordinal",
    aggregation: Annotated[str, Option(
        "Aggregation of several labels; `assessor`: no aggregation, but separate cuts for each"
        " assessor.",
        choices=(*AGGREGATED_BY, ASSESSOR), was={"by": {}})] = "median",
    undefined: WhenUndefined = "nan",
    select: Annotated[Literal["max", "closest", "tau"], Option(
        "Criterion: the highest α, the α closest to the α on the source scale, or the highest"
        " tau.")] = "max",
    tied_cuts: Annotated[str, Option(
        "Choice among equally good cuts.", choices=TIE_RULES, was={"ties": {}})] = "middle",
    single: Annotated[bool, Option("Choose one set of cuts for all topics, by the mean over"
        " topics.")] = False,
    pooled: Annotated[bool, Option("Choose one set of cuts for all labels together.")] = False,
    validate: Annotated[int | None, Option(
        "Choose cuts on random halves of the topics, and evaluate them on the other halves.",
        metavar="REPEATS", least=1)] = None,
    unjudged: Annotated[Literal["missing", "nonrelevant"], Option(
        "Treatment of docs that are missing from one of the data sets.")] = "missing",
    docs: Annotated[Sequence[JudgmentsLike], Option(
        "With --unjudged nonrelevant: a file of labels whose docs are added; repeatable.",
        file=True)] = (),
    candidates: Annotated[int | None, Option(
        "Maximum number of candidate cuts, spread evenly over the labels; default: every level.",
        metavar="N",
        least=1)] = None,
    runs: Annotated[RunsLike | None, Option(
        "Run, or folder of runs, to rank with the cut labels; repeatable.",
        metavar="RUN", file=True, many=True)] = None,
    reference: Annotated[QrelsLike | None, Option(
        "Qrels, or a label set of the campaign, whose ranking of the runs is the reference.",
        file=True, many=False)] = None,
    measure: Annotated[str, Option(
        "Measure that ranks the runs.", ("-m", "--measure"))] = "nDCG@10",
    order: RunOrder = "trec",
    errors: ErrorCode = "missing",
    label_set: LabelSetName = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    advance: Advance = lambda: None,
    **scope: Unpack[LabelScope],
) -> CutSearch:  # fmt: skip
    """Find the cuts that turn a scale into a scale with fewer levels.

    Take a judgments FILE, qrels with one FILE per assessor, or a CAMPAIGN, and try every ascending
    set of LEVELS-1 cuts. A label above a cut gets the higher level. Columns: topic, cuts (such as
    28:58:82), alpha, tied (number of equally good sets of cuts), degenerate (topics whose cut
    labels all have one level), units (HITs or docs with a value). There is one row per topic, or
    one row with the topic `all` for --single and --pooled. With --aggregation assessor, there is
    one row per assessor, with the cuts that agree best with --target. Apply the result with
    `transform --cuts`, to these or other labels.

    With --runs and --reference, there are also the columns tau, measure and systems. `tau` is
    Kendall's tau-b between the system rankings under the cut labels and under the reference. The
    row of a topic uses only the scores on this topic. The row `all` has the tau over all topics,
    with each topic's own cuts.

    Columns with --validate: repeat, cuts, alpha_chosen, alpha_held_out, optimism (alpha_chosen
    minus alpha_held_out), alpha_best (the highest α of any cuts on the held-out half), tau_chosen,
    tau_held_out. The first row contains the means over all repeats.

    Returns
    -------
    CutSearch
        The chosen cuts. `.qrels` contains the labels under these cuts, and `transform` takes
        `.cut_table`.

    Raises
    ------
    UsageError
        If options conflict, or the scale cannot be cut in this way.
    InputError
        If a file is malformed.
    UndefinedError
        If there are no labels to cut, or a single topic would be halved.

    References
    ----------
    Han et al. (2019), On transforming relevance scales.

    Examples
    --------
    >>> from qrelsmith import cut
    >>> anne, ben = {"d1": 0, "d2": 40, "d3": 90}, {"d1": 10, "d2": 30, "d3": 80}
    >>> labels = {"anne": {"t1": anne}, "ben": {"t1": ben}}
    >>> print(cut(labels, levels=2, method="topicwide"))
    topic  cuts   alpha  tied  degenerate  units
    ─────  ────  ──────  ────  ──────────  ─────
    t1     46    1.0000    60           0      3
    note: no scale given: the source scale is assumed to have 91 levels from 0 to 90
    note: 90 cuts are tried
    """
    check_scale(scope)
    labels = resolve_source(labels)
    if single + pooled + (validate is not None) > 1:
        raise UsageError("single, pooled and validate cannot be combined; expected at most one")
    by_assessor = aggregation == ASSESSOR
    if by_assessor and (single or pooled or validate is not None or runs or reference is not None):
        raise UsageError("cuts by assessor cannot use single, pooled, validate, runs or reference")
    if by_assessor and select == "tau":
        raise UsageError(
            "selection by tau needs cuts per topic or the option single; found cuts by assessor"
        )
    options = CutOptions(
        method,
        AGGREGATED_BY[0] if by_assessor else aggregation,
        measurement,
        undefined,
        select,
        tied_cuts,
    )
    source = cut_source(
        labels,
        levels=levels,
        options=options,
        target=target,
        unjudged_nonrelevant=unjudged == "nonrelevant",
        docs=docs,
        candidates=candidates,
        errors=errors,
        label_set=label_set,
        by_assessor=by_assessor,
        **scope,
    )
    rankings, ranking_notes = cut_rankings(
        source, labels, runs, reference, measure=measure, order=order, options=options, jobs=jobs
    )
    if select == "tau" and rankings is None:
        raise UsageError("selection by tau needs the options runs and reference")
    if select == "tau" and pooled:
        raise UsageError("selection by tau needs cuts per topic or the option single, not pooled")
    topics = source.topics.pool_topics() if pooled else source.topics
    search = LabelCuts(
        topics, source.sets, options, taus=None if rankings is None else rankings.taus
    )
    notes = [*source_notes(source, options), *ranking_notes]
    chosen: list[ChosenCuts] = []
    halves: list[Halving] = []
    if validate is not None:
        for half in halvings(search, repeats=validate, seed=seed, rankings=rankings):
            halves.append(half)
            advance()
    elif single:
        chosen.append(search.single(advance=advance)[0])
    else:
        for best, _ in search.per_topic():
            chosen.append(best)
            advance()
    notes += chosen_notes(chosen, options, assessors=len(source.judgments.assessors))
    return CutSearch(
        chosen=tuple(chosen),
        halvings=tuple(halves),
        source=source,
        search=search,
        rankings=rankings,
        errors=errors,
        notes=tuple(notes),
    )


def source_notes(source: CutSource, options: CutOptions) -> list[str]:
    """Return notes on assumptions and omissions in the input of the search for cuts."""
    levels, sets, topics = source.scale.levels, source.sets, source.topics
    notes = []
    if source.assumed:
        shown = f"{len(levels)} levels from {grade_text(levels[0])} to {grade_text(levels[-1])}"
        notes.append(f"no scale given: the source scale is assumed to have {shown}")
    tried = (
        f"{len(sets):,} sets of {sets.targets - 1} cuts"
        if sets.targets > 2
        else f"{len(sets)} cuts"
    )
    notes.append(f"{tried} are tried")
    if _of_hits(options) and not topics.hits:
        notes.append(
            "the judgments have no column hit: all judgments of an assessor in a topic count as one"
            " HIT"
        )
    if topics.without_target:
        lacking = _name_list(topics.without_target)
        notes.append(f"topics that are left out because the target lacks them: {lacking}")
    if topics.filled:
        notes.append(f"unjudged docs that are treated as non-relevant: {topics.filled}")
    return notes


def chosen_notes(chosen: Sequence[ChosenCuts], options: CutOptions, *, assessors: int) -> list[str]:
    """Return notes on the chosen cuts."""
    what = "HITs" if _of_hits(options) else "docs"
    notes = []
    nothing = [choice.topic for choice in chosen if choice.cuts is None]
    if nothing and assessors == 1 and not options.needs_target:
        notes.append("there is only one assessor, so agreement is undefined and no cuts are chosen")
    elif nothing:
        notes.append(f"no cuts are chosen because none has a value: {_name_list(nothing)}")
    few = [
        f"{choice.topic} ({choice.units} of {choice.of})"
        for choice in chosen
        if 0 < choice.units < choice.of / 2
    ]
    if few:
        notes.append(
            f"fewer than half of the {what} have a value under the cuts: {_name_list(few)}"
        )
    alone = [choice.topic for choice in chosen if choice.degenerate]
    if alone:
        notes.append(f"the cuts leave only one level in some or all topics: {_name_list(alone)}")
    return notes


def _of_hits(options: CutOptions) -> bool:
    return bool(CUT_METHODS.get(options.method).entry.about["unit"] == "HIT")


def _name_list(names: Sequence[str]) -> str:
    more = f", … ({len(names)} in all)" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
