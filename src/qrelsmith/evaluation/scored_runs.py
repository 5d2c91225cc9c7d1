"""The question `evaluate`: what runs score against a label set."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from qrelsmith.base.errors import UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.scales import Gains, Scale
from qrelsmith.evaluation import ALL_TOPICS, Evaluation, TopicRule
from qrelsmith.evaluation.common_topics import TopicSets
from qrelsmith.evaluation.compared_sets import compared_sets
from qrelsmith.evaluation.held_runs import runs_in_memory
from qrelsmith.evaluation.scored_sets import evaluation_of
from qrelsmith.evaluation.scoring import OffScale, Scoring
from qrelsmith.judgments.run_sources import MeasuresLike, RunsLike
from qrelsmith.judgments.sources import LabelSets

if TYPE_CHECKING:
    from qrelsmith.sweep import Sweep


@question(command="evaluate", audit=("rankings",), flags={"measures": "-m"})
def evaluate(
    labels: LabelSets,
    runs: RunsLike | None = None,
    measures: MeasuresLike | None = None,
    *,
    label_set: str | None = None,
    reference: str | None = None,
    per_topic: bool = False,
    intervals: bool = False,
    topics: TopicRule = "qrels",
    topic_set: TopicSets = None,
    ordering: str | Sequence[str] = (),
    order: str = "trec",
    gains: Gains | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    condensed: bool = False,
    gmax: float | None = None,
    jobs: int | None = None,
    sweep: Sweep | None = None,
    advance: Callable[[], None] | None = None,
) -> Evaluation:
    """The scores of runs against a label set.

    Parameters
    ----------
    labels : qrels or campaign
        Qrels, a path, {topic: {doc: grade}}, a data frame; or a campaign, whose reference counts.
    runs : run, path, folder, data frame, mapping, or a list of these, optional
        The systems; files are read part by part and never held whole. By default the campaign's.
    measures : str, measure of ir_measures, or a list of these, optional
        Names as in `qrelsmith measures`: `nDCG@10`, `AP`, `RBP(p=0.8)`. By default those of the
        campaign, else nDCG@10.
    label_set : str, optional
        Another label set of the campaign than its reference, or one of several.
    reference : str, optional
        The reference of the campaign.
    per_topic, intervals : bool
        Whether the table has a row for every topic too; a 95 % t interval of each mean.
    topics : {'qrels', 'intersection'}
        `qrels`: every topic of the qrels counts, and a topic that a run lacks counts as one for
        which it returned nothing (score 0; `NumRel` and `RBPresidual` keep their meaning).
        `intersection`: only the topics that the run has count, the others are nan.
    topic_set : path or collection of str, optional
        The only topics that count.
    ordering : str or list of str
        Of a campaign, only the topics that its reference was shown in this ordering.
    order : str
        How the docs of a file or a data frame are ranked: one of `RUN_ORDERS`.
    gains : Gains, optional
        What each grade is worth; by default a grade is its own gain.
    scale : Scale, optional
        The levels that a grade can have. By default those of the campaign, else from 0 to the
        highest grade of the label set.
    off_scale : {'error', 'missing'}
        What a grade off the scale is.
    condensed : bool
        Remove unjudged docs from the runs first.
    gmax : float, optional
        Deprecated: `scale` says it.
    jobs : int, optional
        Threads; by default one a processor. The scores do not depend on it.
    sweep : callable, optional
        Whatever reads the run files in place of `jobs`: it takes cells and returns their tables, as
        the workers of a cluster do.
    advance : callable, optional
        Called after each run, to show progress.

    Returns
    -------
    Evaluation
        Scores by measure, system and topic; its table has the columns run, topic, measure, score.

    Raises
    ------
    InputError
        At the first line of a file that is not as it should be; if the qrels are empty, or no topic
        is left.
    UsageError
        If runs or measures are missing or cannot be read as such; if a grade lacks a gain, is off
        the scale, or has a gain above its top; if two systems bear one name.

    Examples
    --------
    >>> from qrelsmith import evaluate
    >>> qrels = {"t1": {"d1": 2, "d2": 0}, "t2": {"d1": 1}}
    >>> runs = {"a": {"t1": {"d2": 2.0, "d1": 1.0}, "t2": {"d1": 1.0}}}
    >>> print(evaluate(qrels, runs, ["RR", "P(rel=2)@1"]).table(per_topic=True))
    run  topic  measure      score
    ───  ─────  ──────────  ──────
    a    all    P(rel=2)@1  0.0000
    a    all    RR          0.7500
    a    t1     P(rel=2)@1  0.0000
    a    t1     RR          0.5000
    a    t2     P(rel=2)@1  0.0000
    a    t2     RR          1.0000
    note: topics without a grade of 2 or more, where every measure of relevance is 0: 1 of 2 (t2)
    """
    scoring = Scoring(order, gains, scale, off_scale, condensed, gmax)
    compared = compared_sets(
        labels, runs, measures, scoring, which="reference", label_set=label_set,
        reference=reference, topic_set=topic_set, ordering=ordering,
    )  # fmt: skip
    name = compared.reference
    if len(compared.topics.chosen) > 1:
        raise UsageError("there are several sets of topics; expected one")
    evaluation = evaluation_of(
        compared, name, compared.runs if sweep else runs_in_memory(compared, jobs=jobs),
        topics=topics, jobs=jobs, sweep=sweep, advance=advance,
    )  # fmt: skip
    notes = [*compared.notes, *evaluation.notes]
    if per_topic and ALL_TOPICS in evaluation.topics:
        notes.append(
            f"a topic is called {ALL_TOPICS}, and its rows cannot be told from those of the means"
        )
    return replace(
        evaluation, label_set=name, per_topic=per_topic, intervals=intervals, notes=tuple(notes)
    )
