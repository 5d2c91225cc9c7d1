"""The command `estimate`: scores of systems from human labels of a sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Unpack

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option
from qrelsmith.base.questions import question
from qrelsmith.estimation.decisions import FEWEST_LABELS, few_labels
from qrelsmith.estimation.estimates import OVER, Estimated, MeasureEstimates, Over, Show
from qrelsmith.estimation.estimation_options import (
    EstimationScope,
    ModelLabels,
    NewRuns,
    PeoplesLabels,
    SumMeasures,
)
from qrelsmith.estimation.estimator import estimate_scores
from qrelsmith.estimation.new_runs import (
    names_of_new,
    old_pool_scores,
    placed_runs,
    with_new,
    with_old_pool,
)
from qrelsmith.estimation.placed_runs import PlacedRun
from qrelsmith.estimation.sample import SampledDocs
from qrelsmith.estimation.sources import sample_of, sources_of
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.run_options import Runs

_FEW_TOPICS = 8


@question(
    "estimate",
    heading="score",
    everyday=True,
    audit=["few-labels"],
    example="qrelsmith estimate runs/*.run --sample sample.csv --judgments people.qrels --label-set"
    " llm.qrels -m nDCG@10 --pairs",
)
def estimate(
    labels: ModelLabels = None,
    runs: Runs = None,
    measures: SumMeasures = None,
    *,
    sample: Annotated[FilePath | SampledDocs | None, Option(
        "Sample drawn by `qrelsmith sample`; default: the campaign's sample.csv.", metavar="SAMPLE",
        file=True)] = None,
    judgments: PeoplesLabels = None,
    pairs: Annotated[bool, Option("Estimate the differences between systems.")] = False,
    ranking: Annotated[bool, Option(
        "Rank the systems, without intervals, by model labels corrected by human labels.",
        was={"order": {}})] = False,
    over: Annotated[Over, Option(
        "Population to which the intervals generalise: the completely judged pool, or similar"
        " topics.")] = "pool",
    new: NewRuns = None,
    looks: Annotated[int | None, Option(
        "Compute intervals that are valid for K interim analyses of a growing sample.", metavar="K",
        least=1)] = None,
    anytime: Annotated[bool, Option("Compute intervals that are valid for any number of interim"
        " analyses.")] = False,
    until: Annotated[int | None, Option(
        "Compute intervals that are valid for any number of interim analyses, up to a budget of N"
        " labels.",
        metavar="N", least=1)] = None,
    exit_code: Annotated[Sequence[str] | None, Option(
        "Exit with status 0 if RUN_A is better, 3 if RUN_B is better, and 4 if the comparison is"
        " undecided.", many=False,
        words=("RUN_A", "RUN_B"))] = None,
    **scope: Unpack[EstimationScope],
) -> Estimated:  # fmt: skip
    """Estimate scores and differences of systems from few labels.

    Columns: run, measure, estimate, low, high, labels (number of human labels), over (population of
    the interval). Columns with --pairs: measure, run_a, run_b, difference, low, high, decided. A
    pair is decided if the interval excludes 0 and at most .5% of the decided pairs are expected to
    be wrong. Columns with --ranking: measure, rank, run, score. Columns with --new: measure, run,
    place, place_low, place_high, old_pool_place, systems, labels. With --new, each new run is
    ranked among the old runs, which requires human labels of the old pool and of a sample drawn
    with --new. Each 95% interval is valid for any quality of the models' labels. There is no
    interval for the nDCG of a single system, because no valid interval is known; there are
    intervals for differences in nDCG.

    Raises
    ------
    InputError
        If a file is malformed, or a doc of the sample has no grade.
    UsageError
        If no valid interval is known for the measure.

    Examples
    --------
    >>> from qrelsmith import estimate, sample
    >>> runs = {"a": {"t1": {"d1": 2.0, "d2": 1.0}}, "b": {"t1": {"d3": 2.0, "d1": 1.0}}}
    >>> drawn = sample(runs=runs, measures="P@1", budget=2, wave=2)
    >>> people = {"t1": {"d1": 1, "d3": 0}}
    >>> sure = estimate(runs=runs, measures="P@1", sample=drawn, judgments=people, pairs=True)
    >>> list(sure.table().rows)
    [('P@1', 'a', 'b', 1.0, 1.0, 1.0, True)]
    """
    pairs = pairs or (exit_code is not None and not ranking)
    if pairs and ranking:
        raise UsageError("--pairs cannot be used with --ranking")
    if anytime + (looks is not None) + (until is not None) > 1:
        raise UsageError("found several of --looks, --anytime and --until; expected one")
    if new is not None and (pairs or ranking):
        raise UsageError("--new cannot be used with --pairs or --ranking")
    sources = sources_of(
        labels, with_new(labels, runs, new), measures, judgments=judgments, **scope
    )
    names = () if new is None else names_of_new(new, sources, scope["order"])
    if not (pairs or ranking or names):
        for measure in sources.measures:
            if measure.normalised:
                cutoff = measure.depth
                raise UsageError(
                    f"{measure.label} of one system has no interval that is valid on "
                    f"every collection; expected differences (--pairs), or DCG@{cutoff},"
                    f" RBP(p=0.8)@{cutoff} or P@{cutoff}"
                )
    if over == "topics" and len(sources.units.topics) < _FEW_TOPICS:
        raise UsageError(
            f"found {len(sources.units.topics)} topics; expected at least {_FEW_TOPICS} for "
            "an interval over topics"
        )
    rows = sample_of(sample, labels)
    lacking, drawn = 0, len(rows.keys)
    if names:
        rows, lacking = with_old_pool(sources, rows, names)
    places, level = sources.places(rows), sources.levels(rows)
    by_measure = []
    placed: list[PlacedRun] = []
    for measure in sources.measures:
        population = sources.population(measure)
        grades, influence = population.fit(places, level, rows.probability)
        expected = population.expected_covariance(grades, influence, places, rows.probability)
        pool, estimates = (
            estimate_scores(
                influence, places, level, rows.probability, population.topic, over_topics=whom,
                expected=expected,
            )
            for whom in (False, over == "topics")
        )  # fmt: skip
        corrected = estimates.score
        if ranking and sources.label_sets:
            # scipy takes longer to import than help may take.
            from qrelsmith.estimation.ordering import corrected_scores

            corrected = corrected_scores(
                population.judged_scores(grades), pool.score, pool.noise, influence.rank_weight
            )
        by_measure.append(
            MeasureEstimates(
                measure.label,
                sources.units.runs,
                replace(estimates, score=estimates.score + measure.offset),
                measure.highest,
                len(rows.keys),
                looks,
                anytime,
                until,
                corrected,
            )
        )
        if names:
            placed += placed_runs(
                by_measure[-1],
                old_pool_scores(sources, population, measure.offset, places, level, names),
                names,
                drawn,
            )
    show: Show = "pairs" if pairs else "order" if ranking else "scores"
    result = Estimated(show=show, over=over, of_measures=tuple(by_measure), placed=tuple(placed))
    notes = [*sources.notes, *_notes(result, len(sources.units.keys))]
    notes += [row.sentence() for row in placed]
    if lacking:
        notes.append(
            f"{lacking:,} docs of the old pool have no human label; their grades are predicted"
        )
    if exit_code is not None:
        first, second = exit_code
        result = replace(result, decided_runs=(first, second))
        notes.insert(0, result.decision_note())
    return replace(result, notes=tuple(notes))


def _notes(result: Estimated, units: int) -> list[str]:
    """Return notes on the share of decided pairs and on too few labels."""
    notes = []
    if result.show == "pairs":
        for one, share in zip(result.of_measures, result.decided, strict=True):
            notes.append(
                f"{share:.0%} of the {one.measure} differences are decided, with labels for"
                f" {one.labels:,} of {units:,} docs; the intervals generalise to"
                f" {OVER[result.over]}"
            )
    if result.of_measures[0].labels < min(FEWEST_LABELS, units):
        notes.append(few_labels(result.of_measures[0].labels))
    return notes
