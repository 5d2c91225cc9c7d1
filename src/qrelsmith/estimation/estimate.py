"""The question `estimate`: what people's labels of a sample say about the systems."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.base.errors import UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.scales import Gains, Scale
from qrelsmith.estimation.decisions import FEWEST_LABELS, few_labels
from qrelsmith.estimation.estimates import Estimated, MeasureEstimates, Over, Show
from qrelsmith.estimation.estimator import estimate_scores
from qrelsmith.estimation.ordering import corrected_scores
from qrelsmith.estimation.sample import SampledDocs
from qrelsmith.estimation.sources import sample_of, sources_of
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.run_sources import MeasuresLike, RunsLike
from qrelsmith.judgments.sources import LabelSets, QrelsLike
from qrelsmith.judgments.topic_sources import TopicSet

_FEW_TOPICS = 8


@question("estimate", audit=["few-labels"], flags={"measures": "-m"})
def estimate(
    labels: LabelSets | None = None,
    runs: RunsLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    sample: FilePath | SampledDocs | None = None,
    judgments: QrelsLike | None = None,
    pairs: bool = False,
    order: bool = False,
    over: Over = "pool",
    looks: int | None = None,
    anytime: bool = False,
    until: int | None = None,
    label_set: str | Sequence[str] | None = None,
    topic_set: TopicSet | None = None,
    run_order: str = "trec",
    gains: Gains | None = None,
    scale: Scale | None = None,
) -> Estimated:
    """Scores of systems, or their differences, with intervals that hold, from few labels of people.

    Every doc's grade is predicted from the models' labels, by a fit to what people said of other
    docs; what they said where they were asked corrects it, weighted by 1/probability. So models'
    labels make intervals narrower, and cannot make them wrong.

    Parameters
    ----------
    labels, runs, measures
        As of `sample`; several measures are possible.
    sample : path or SampledDocs, optional
        What `sample` drew; by default the file `sample.csv` of a campaign's folder.
    judgments : qrels, optional
        People's labels of the docs in the sample; by default a campaign's reference.
    pairs : bool
        Show the differences of every two systems and whether they are decided.
    order : bool
        Show an order of the systems: the models', corrected as far as the sample shows that they
        are wrong; without models that of the estimates. It has no intervals.
    over : {'pool', 'topics'}
        For whom the intervals are: what judging this whole pool would say, or topics like these.
    looks : int, optional
        The intervals hold together for this many looks at a growing sample.
    anytime : bool
        They hold however often one looks.
    until : int, optional
        They hold however often one looks until so many labels are there, the budget as a rule: wide
        early, and little wider at the end than for one look.
    label_set, topic_set, run_order, gains, scale
        As of `sample`.

    Returns
    -------
    Estimated

    Raises
    ------
    InputError
        If a file is not as it should be, or a doc of the sample has no grade.
    UsageError
        If the measure is one for which no interval is known to hold.

    Examples
    --------
    >>> from qrelsmith import estimate, sample
    >>> runs = {"a": {"t1": {"d1": 2.0, "d2": 1.0}}, "b": {"t1": {"d3": 2.0, "d1": 1.0}}}
    >>> drawn = sample(runs=runs, measures="P@1", budget=2, wave=2)
    >>> people = {"t1": {"d1": 1, "d3": 0}}
    >>> sure = estimate(runs=runs, measures="P@1", sample=drawn, judgments=people, pairs=True)
    >>> list(sure.table().rows)
    [('P@1', 'a', 'b', 1.0, 1.0, 1.0, 'true')]
    """
    if pairs and order:
        raise UsageError("either pairs or the order, not both")
    if anytime + (looks is not None) + (until is not None) > 1:
        raise UsageError("expected one of looks, anytime and until")
    if min(looks or 1, until or 1) < 1 or 0 in (looks, until):
        raise UsageError(f"looks={looks}, until={until}; expected 1 or more")
    sources = sources_of(
        labels, runs, measures, judgments=judgments, label_set=label_set, topic_set=topic_set,
        run_order=run_order, gains=gains, scale=scale,
    )  # fmt: skip
    if not (pairs or order):
        for measure in sources.measures:
            if measure.normalised:
                cutoff = measure.depth
                raise UsageError(
                    f"{measure.label} of one system cannot be estimated so that its interval holds"
                    f" on every collection; expected its differences (--pairs), or DCG@{cutoff},"
                    f" RBP(p=0.8)@{cutoff} or P@{cutoff}"
                )
    if over == "topics" and len(sources.units.topics) < _FEW_TOPICS:
        raise UsageError(
            f"{len(sources.units.topics)} topics; an interval over topics needs {_FEW_TOPICS}"
        )
    rows = sample_of(sample, labels)
    places, level = sources.places(rows), sources.levels(rows)
    by_measure = []
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
        if order and sources.label_sets:
            corrected = corrected_scores(
                population.judged_scores(grades),
                pool.score,
                pool.noise,
                influence.rank_weight,
            )
        by_measure.append(
            MeasureEstimates(
                measure.label,
                sources.units.runs,
                estimates,
                measure.highest,
                len(rows.keys),
                looks,
                anytime,
                until,
                corrected,
            )
        )
    show: Show = "pairs" if pairs else "order" if order else "scores"
    result = Estimated(show=show, over=over, of_measures=tuple(by_measure))
    notes = [*sources.notes, *_notes(result, len(sources.units.keys))]
    return Estimated(show=show, over=over, of_measures=tuple(by_measure), notes=tuple(notes))


def _notes(result: Estimated, units: int) -> list[str]:
    """Notes on estimates: shares decided, and few labels."""
    notes = []
    if result.show == "pairs":
        for one, share in zip(result.of_measures, result.decided, strict=True):
            notes.append(
                f"{one.measure}: {share:.0%} of the pairs decided with {one.labels} labels of"
                f" {units} docs; over {result.over}"
            )
    if result.of_measures[0].labels < min(FEWEST_LABELS, units):
        notes.append(few_labels(result.of_measures[0].labels))
    return notes
