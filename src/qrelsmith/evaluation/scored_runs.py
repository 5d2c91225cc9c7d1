"""The command `evaluate`: scores of runs against a label set."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Unpack

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option, Sweeping
from qrelsmith.base.questions import question
from qrelsmith.evaluation import ALL_TOPICS, Evaluation, MissingTopics
from qrelsmith.evaluation.compared_sets import compared_sets
from qrelsmith.evaluation.held_runs import runs_in_memory
from qrelsmith.evaluation.ranking_options import Gmax, OneRanking, ranking_source
from qrelsmith.evaluation.scored_sets import evaluation_of
from qrelsmith.judgments.run_options import Measures, Runs


@question(
    command="evaluate",
    heading="score",
    everyday=True,
    audit=("rankings",),
    example="qrelsmith evaluate nist.qrels runs/*.run -m nDCG@10 -m AP -o scores.csv",
    doing="evaluating",
)
def evaluate(
    labels: Annotated[Any, ranking_source("QRELS RUN...|CAMPAIGN", required=True)],
    runs: Runs = None,
    measures: Measures = None,
    *,
    per_topic: Annotated[bool, Option("Also print the score of every topic.")] = False,
    intervals: Annotated[bool, Option(
        "Add the columns low and high: a 95% t interval of each mean.")] = False,
    wide: Annotated[bool, Option(
        "Print a table for a paper: systems by measures, with the best scores in bold and"
        " significance marks.",
        )] = False,
    against: Annotated[str | None, Option(
        "With --wide: mark differences from this run; default: the best run by each measure.",
        metavar="RUN")] = None,
    missing_topics: Annotated[MissingTopics, Option(
        "Treatment of a topic that a run lacks: its score is 0, or it is left out for this run.",
        was={"topics": {"qrels": "zero", "intersection": "drop"}})] = "zero",
    label_set: Annotated[str | None, Option(
        "Label set of the campaign to use instead of its reference, or a qrels file.",
        metavar="NAME|FILE")] = None,
    ties: Annotated[bool, Option("Report how often tied scores cross a measure's cutoff.")] = False,
    gmax: Gmax = None,
    sweep: Sweeping = None,
    **scope: Unpack[OneRanking],
) -> Evaluation:  # fmt: skip
    """Score runs against qrels.

    Columns: run, topic, measure, score. In rows with the mean over the topics, the topic is `all`.
    On a terminal or with --format table, there is one row per run, the best first, and one column
    per measure. Files can be compressed. By default, a missing topic scores 0 and unjudged docs
    have gain 0. If you pass a campaign folder, its reference, runs and measures are used. With
    --wide, there is one column per measure. With --wide and --format markdown, latex or html, the
    best score is in bold. An asterisk marks runs that differ significantly from the best run or
    from --against (paired t-test with Holm's correction).

    Returns
    -------
    Evaluation
        Scores by measure, system and topic; its table has the columns run, topic, measure, score.

    Raises
    ------
    InputError
        At the first malformed line of a file; if the qrels are empty, or no topic
        is left.
    UsageError
        If runs or measures are missing or cannot be read as such; if a grade lacks a gain, is
        outside the scale, or has a gain above its top; if two systems have the same name.

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
    jobs = scope["jobs"]
    if against is not None and not wide:
        raise UsageError(
            "--against needs --wide. For p-values, use qrelsmith significance --against"
        )
    if wide and (per_topic or intervals):
        raise UsageError("--wide shows only means; --per-topic and --intervals cannot be used")
    compared = compared_sets(
        labels, runs, measures, which="reference", gmax=gmax, label_set=label_set, **scope
    )
    name = compared.reference
    if len(compared.topics.chosen) > 1:
        raise UsageError("found several sets of topics; expected one")
    evaluation = evaluation_of(
        compared, name, compared.runs if sweep else runs_in_memory(compared, jobs=jobs),
        missing_topics=missing_topics, jobs=jobs, sweep=sweep, advance=scope["advance"],
    )  # fmt: skip
    notes = [*compared.notes, *evaluation.notes]
    if per_topic and ALL_TOPICS in evaluation.topics:
        notes.append(f"a topic is called {ALL_TOPICS}, so its rows look like the rows of the means")
    if ties:
        notes += evaluation.tie_notes()
    evaluation = replace(
        evaluation, label_set=name, per_topic=per_topic, intervals=intervals, notes=tuple(notes)
    )
    return evaluation.to_wide(against=against) if wide else evaluation
