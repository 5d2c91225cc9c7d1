"""What `qrelsmith cut` reads: labels, a second data set, runs with reference qrels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import click

from qrelsmith.analyses.cut_rankings import CutRankings
from qrelsmith.analyses.cut_topics import (
    CutTopics,
    Filling,
    aggregated_target,
    candidate_cuts,
    target_levels,
)
from qrelsmith.analyses.label_cuts import CutOptions
from qrelsmith.analyses.label_transforms import assumed_scale
from qrelsmith.cli.options import Common
from qrelsmith.cli.run_files import read_runs
from qrelsmith.cuts import CUT_METHODS, CutSets
from qrelsmith.data.judgments import Judgments, labels_form, read_judgments
from qrelsmith.data.qrels import Qrels, read_qrels, stem
from qrelsmith.data.topic_set import read_topic_set, restricted_judgments
from qrelsmith.errors import InputError, UndefinedError, UsageError
from qrelsmith.evaluation import score_runs
from qrelsmith.measures import MEASURES
from qrelsmith.scales import Scale

OffScale = Literal["error", "missing"]
Errors = Literal["missing", "nonrelevant"]


@dataclass(frozen=True, slots=True, eq=False)
class CutSource:
    """Labels that are to be cut.

    Attributes
    ----------
    judgments : Judgments
        As they were read.
    scale : Scale
        The source scale.
    assumed : bool
        Whether nobody named the scale.
    sets : CutSets
        The sets of cuts.
    topics : CutTopics
        The labels with the grades in the target scale.
    """

    judgments: Judgments
    scale: Scale
    assumed: bool
    sets: CutSets
    topics: CutTopics


@dataclass(frozen=True, slots=True)
class Unjudged:
    """What docs without a label are, and further files of docs that count."""

    nonrelevant: bool
    docs: tuple[str, ...]

    def filling(self, options: CutOptions, scale: Scale) -> Filling | None:
        """What is filled in; None: nothing."""
        if not self.nonrelevant:
            if self.docs:
                raise click.UsageError("--docs goes with --unjudged nonrelevant")
            return None
        of_docs = CUT_METHODS.get(options.method).entry.about["unit"] == "doc"
        also = {
            (judgments.topics[topic], judgments.docs[doc])
            for path in self.docs
            for judgments in [read_judgments(path)]
            for topic, doc in zip(judgments.topic.tolist(), judgments.doc.tolist(), strict=True)
        }
        return Filling(
            source=scale.levels[0] if of_docs and options.needs_target else None,
            also=frozenset(also),
        )


def read_source(
    files: Sequence[str],
    *,
    levels: int,
    options: CutOptions,
    target: str | None,
    unjudged: Unjudged,
    candidates: int | None,
    errors: Errors,
    topic_set: str | None,
    scale: Scale | None,
    off_scale: OffScale,
) -> CutSource:
    """Read the labels, and those of the target scale.

    Raises
    ------
    click.UsageError
        If the method takes a second data set and there is none, or the other way round.
    InputError
        If a file is not as it should be, or holds no labels.
    """
    if options.needs_target != (target is not None):
        needed = "needs --target" if options.needs_target else "takes no --target"
        raise click.UsageError(f"--method {options.method} {needed}")
    judgments = read_judgments(*files, scale=scale, off_scale=off_scale)
    if topic_set is not None:
        judgments = restricted_judgments(judgments, read_topic_set(topic_set), path=topic_set)
    found = scale or assumed_scale(judgments)
    if found is None:
        raise InputError("there are no labels; expected at least one", path=files[0])
    grades = None if target is None else _target(target, levels, options)
    try:
        sets = CutSets.of(
            found.levels,
            targets=levels,
            candidates=None if candidates is None else candidate_cuts(judgments.grade, candidates),
        )
    except UsageError as error:
        hint = "; --candidates lowers their number" if "sets of" in str(error) else ""
        raise InputError(f"{error}{hint}", path=files[0]) from None
    try:
        topics = CutTopics.of(
            judgments, target=grades, errors=errors, filling=unjudged.filling(options, found)
        )
    except UndefinedError as error:
        raise InputError(str(error), path=files[0]) from None
    return CutSource(judgments, found, scale is None, sets, topics)


def read_rankings(
    source: CutSource,
    runs: Sequence[str],
    reference: str | None,
    *,
    measure: str,
    run_order: str,
    options: CutOptions,
    common: Common,
) -> CutRankings | None:
    """The runs, scored under the reference; None where there are none.

    Raises
    ------
    click.UsageError
        If there are runs without a reference, or the other way round.
    InputError
        If a file is not as it should be.
    """
    if not runs and reference is None:
        return None
    if not runs or reference is None:
        raise click.UsageError("--runs and --reference go together")
    cutoff = MEASURES.get(measure).cutoff
    depth = cutoff if isinstance(cutoff, int) else None
    systems = tuple(read_runs(runs, order=run_order, depth=depth, common=common))
    qrels = read_qrels(reference)
    lacking = sorted(set(source.topics.topics) - set(qrels.topics))
    shared = qrels.restricted_to(source.topics.topics)
    if not len(shared):
        raise InputError("it has none of the topics that are cut", path=reference)
    if lacking:
        common.say([f"topics that {qrels.name} lacks, which have no tau: {', '.join(lacking)}"])
    scored = score_runs(shared, systems, [measure], jobs=common.jobs)
    common.say(f"{qrels.name}: {note}" for note in scored.notes)
    return CutRankings(
        source.topics,
        source.sets,
        systems,
        scored.matrix(measure),
        by=options.by,
        order=options.order,
    )


def _target(path: str, levels: int, options: CutOptions) -> Qrels:
    """Grades in the target scale: of qrels, or crowd labels made one a doc."""
    scale = Scale(tuple(map(float, range(levels))))
    if labels_form(path) == "qrels":
        return read_qrels(path, scale=scale)
    labels = read_judgments(path, scale=scale)
    return target_levels(aggregated_target(labels, by=options.by, name=stem(path)), levels)
