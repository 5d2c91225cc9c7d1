"""The question `cut`: the cuts that turn a scale into one of fewer levels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.content import Figure, Line, Lines
from qrelsmith.base.errors import UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.cuts import AGGREGATED_BY, ASSESSOR
from qrelsmith.cuts.cut_notes import chosen_notes, source_notes
from qrelsmith.cuts.cut_rankings import CutRankings
from qrelsmith.cuts.cut_results import all_cuts, chosen_table, cuts_of, halving_table
from qrelsmith.cuts.cut_sources import CutSource, cut_rankings, cut_source
from qrelsmith.cuts.cut_tables import CutTable, cut_assessor_qrels, cut_qrels
from qrelsmith.cuts.cut_topics import CutTopics
from qrelsmith.cuts.cut_validation import Halving, halvings
from qrelsmith.cuts.label_cuts import ChosenCuts, CutOptions, LabelCuts
from qrelsmith.io.array_tables import Part
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.label_transforms import ErrorCodes
from qrelsmith.judgments.run_sources import RunsLike
from qrelsmith.judgments.sources import JudgmentsLike, QrelsLike
from qrelsmith.judgments.topic_sources import TopicSet


@dataclass(frozen=True, eq=False, kw_only=True)
class CutSearch(Result):
    """The cuts that were chosen, and what they were chosen from.

    Attributes
    ----------
    chosen : tuple of ChosenCuts
        The cuts of each topic, or those of the collection alone; empty where cuts were validated.
    halvings : tuple of Halving
        Cuts chosen on half of the topics and looked at on the others; empty unless asked for.
    source : CutSource
        The labels, their scale, and the sets of cuts that were tried.
    search : LabelCuts
        Gives α of every set of cuts.
    rankings : CutRankings or None
        The runs joined with the labels.
    errors : str
        What the code −2 was.
    """

    chosen: tuple[ChosenCuts, ...]
    halvings: tuple[Halving, ...]
    source: CutSource = field(repr=False)
    search: LabelCuts = field(repr=False)
    rankings: CutRankings | None = field(repr=False)
    errors: ErrorCodes = "missing"

    @property
    def cut_table(self) -> CutTable:
        """The cuts, to be applied by `transform`.

        Raises
        ------
        UsageError
            If no cuts were chosen.
        """
        return cuts_of(self.chosen, by_assessor=self.source.by_assessor)

    @property
    def qrels(self) -> Qrels:
        """The labels under their cuts, one level a doc; topics without cuts are left out."""
        if self.source.by_assessor:
            return cut_assessor_qrels(
                self.source.judgments, self.cut_table, source=self.source.scale, errors=self.errors
            )
        whole = CutTopics.of(self.source.judgments, errors=self.errors)
        options = self.search.options
        return cut_qrels(whole, self.cut_table, by=options.by, order=options.order)

    def table(self) -> Table:
        """Columns: topic, cuts, alpha, tied, degenerate, units; with runs tau, measure, systems.

        By assessor the first is `assessor`.
        Of validated cuts: repeat, cuts, alpha_chosen, alpha_held_out, optimism, alpha_best,
        tau_chosen, tau_held_out; first the mean.
        """
        if self.halvings:
            return halving_table(self.halvings)
        table = chosen_table(self.chosen, self.source.topics, self.rankings)
        if self.source.by_assessor:
            return Table.of((ASSESSOR, *table.columns[1:]), table.rows)
        return table

    def all_cuts(self) -> Iterator[Part]:
        """α under every set of cuts, by topic, by assessor or for the collection, as columns."""
        topics = self.search.topics.topics
        of = ASSESSOR if self.source.by_assessor else "topic"
        if [one.topic for one in self.chosen] != list(topics):
            yield all_cuts(self.chosen[0].topic, self.search.sets, self.search.mean())
            return
        for place, topic in enumerate(topics):
            yield all_cuts(topic, self.search.sets, self.search.alphas(place), of=of)

    def figure(self) -> Figure:
        """α of every cut, averaged over topics: of several cuts the best that each can have."""
        sets = self.search.sets
        alpha = self.search.mean().alpha
        lines = [
            Line(
                f"cut {number}" if sets.targets > 2 else "α",
                sets.candidates.tolist(),
                _highest(alpha, column, sets.candidates.size).tolist(),
            )
            for number, column in enumerate(sets.columns, start=1)
        ]
        method = self.search.options.method
        over = "assessors" if self.source.by_assessor else "topics"
        return Figure(
            key="cuts",
            title=f"α of every cut by {method}, mean over {over}",
            drawing=Lines(lines, x_label="cut", y_label=f"α ({self.search.options.level})"),
            caption="Each point is the highest mean α that any cuts have of which one lies there.",
        )


@question(
    "cut",
    no_audit="which cuts are right depends on what they are for, and the audit cannot know it",
    flags={"measure": "-m"},
)
def cut(
    labels: JudgmentsLike,
    *,
    levels: int,
    method: str,
    target: QrelsLike | JudgmentsLike | None = None,
    alpha: Literal["nominal", "ordinal", "interval"] = "ordinal",
    by: str = "median",
    undefined: Literal["nan", "one", "zero"] = "nan",
    select: Literal["max", "closest", "tau"] = "max",
    ties: str = "middle",
    single: bool = False,
    pooled: bool = False,
    validate: int | None = None,
    unjudged: Literal["missing", "nonrelevant"] = "missing",
    docs: Sequence[JudgmentsLike] = (),
    candidates: int | None = None,
    runs: RunsLike | None = None,
    reference: QrelsLike | None = None,
    measure: str = "nDCG@10",
    order: str = "trec",
    errors: ErrorCodes = "missing",
    label_set: str | None = None,
    topic_set: TopicSet | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    seed: int = 0,
    jobs: int | None = None,
    advance: Callable[[], None] = lambda: None,
) -> CutSearch:
    """The cuts that turn labels into a scale of fewer levels, and α under them.

    Every ascending set of `levels` − 1 cuts is tried; a label above a cut goes up.

    Parameters
    ----------
    labels : judgments, path, data frame, campaign, or qrels of each assessor
        Labels in the source scale.
    levels : int
        Levels of the target scale.
    method : str
        What α is taken of: a name of `CUT_METHODS`.
    target : qrels or judgments, optional
        A second data set in the target scale, 0 to `levels` − 1, for hit2, doc-at and doc-ta; of a
        campaign also the name of a label set. Judgments are aggregated.
    alpha : {'nominal', 'ordinal', 'interval'}
        Level of measurement of Krippendorff's α.
    by : str
        How several labels become one: median, median-upper, median-mean or majority. `assessor`:
        none do; each assessor has cuts of their own, which agree best with the target on all
        that they labelled (methods with a target only).
    undefined : {'nan', 'one', 'zero'}
        What stands for 0/0: every label equal, no disagreement expected.
    select : {'max', 'closest', 'tau'}
        The highest α, the α closest to that in the source scale, or the highest τ.
    ties : str
        Which of equally good cuts are taken: middle, lowest or highest.
    single, pooled : bool
        One set of cuts: the best mean over topics, or the best for all labels as one.
    validate : int, optional
        Choose one set of cuts on so many random halves of the topics, and look at it on the others.
    unjudged : {'missing', 'nonrelevant'}
        What docs are that one data set lacks.
    docs : sequence of labels
        With `unjudged` nonrelevant: labels whose docs count as well.
    candidates : int, optional
        At most so many values to cut at, spread over the labels; by default every level.
    runs, reference : optional
        Runs to be ranked under the cut labels, and qrels whose ranking is right; one of the two is
        enough for a campaign, which has the other.
    measure, order : str
        The measure that ranks the runs, and how their docs are ranked.
    errors : {'missing', 'nonrelevant'}
        What the code −2 (could not be displayed) is.
    label_set, topic_set, scale, off_scale
        As of `transform`.
    seed : int
        The seed of the halves.
    jobs : int, optional
        Threads that read runs and score them.
    advance : callable
        Called after each topic, or each half.

    Returns
    -------
    CutSearch
        With `.qrels`, the labels under their cuts, and `.cut_table`, which `transform` takes.

    Raises
    ------
    UsageError
        If options do not go together, or the scale cannot be cut so.
    InputError
        If a file is not as it should be.
    UndefinedError
        If there is nothing to cut, or one topic is to be halved.

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
    note: no scale was given: the source scale is taken to have 91 levels from 0 to 90
    note: 90 cuts are tried
    """
    if single + pooled + (validate is not None) > 1:
        raise UsageError("expected one of single, pooled and validate")
    by_assessor = by == ASSESSOR
    if by_assessor and (single or pooled or validate is not None or runs or reference is not None):
        raise UsageError("cuts by assessor go without single, pooled, validate, runs and reference")
    if by_assessor and select == "tau":
        raise UsageError("to select by tau goes by topic or with single, not by assessor")
    options = CutOptions(
        method, AGGREGATED_BY[0] if by_assessor else by, alpha, undefined, select, ties
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
        topic_set=topic_set,
        scale=scale,
        off_scale=off_scale,
        by_assessor=by_assessor,
    )
    rankings, ranking_notes = cut_rankings(
        source, labels, runs, reference, measure=measure, order=order, options=options, jobs=jobs
    )
    if select == "tau" and rankings is None:
        raise UsageError("to select by tau needs runs and reference")
    if select == "tau" and pooled:
        raise UsageError("to select by tau goes by topic or with single, not with pooled")
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


def _highest(alpha: FloatArray, column: np.ndarray, size: int) -> FloatArray:
    """The highest α of the sets that have a cut at each candidate; nan where there is none."""
    highest = np.full(size, -np.inf)
    known = ~np.isnan(alpha)
    np.maximum.at(highest, column[known], alpha[known])
    return np.where(np.isfinite(highest), highest, np.nan)
