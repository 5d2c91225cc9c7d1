"""The input of a command about rankings: label sets, runs, measures and topics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Literal, Unpack

from qrelsmith.answers.aspects import Aspects, kind_of
from qrelsmith.base.errors import InputError, UnknownNameError, UsageError, quoted
from qrelsmith.base.items import SUBTOPIC, citation_parts
from qrelsmith.base.scales import Gains
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.collection.subtopics import aspects_as_subtopics, docs_of_subtopics
from qrelsmith.evaluation.answer_options import are_of_answers
from qrelsmith.evaluation.common_topics import (
    CommonTopics,
    Empty,
    TopicSet,
    topic_list,
    topic_sets_of,
    without_relevant,
)
from qrelsmith.evaluation.measures import MEASURES, is_computed_elsewhere
from qrelsmith.evaluation.ranking_options import RankingScope
from qrelsmith.evaluation.scoring import Scoring
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.group_labels import takes_levels
from qrelsmith.judgments.run_sources import MeasuresLike, RunsLike, measures_of, runs_of
from qrelsmith.judgments.sources import LabelSets, label_sets_of

if TYPE_CHECKING:
    from qrelsmith.evaluation.answer_scope import AnswerScope
    from qrelsmith.judgments.label_sets import CampaignLabels

DEFAULT_MEASURE = "nDCG@10"
"""Measure that ranks the systems of a campaign without declared measures."""

Which = Literal["all", "reference"]


@dataclass(frozen=True, eq=False, slots=True)
class ComparedSets:
    """Compared label sets, with their runs, measures and topics.

    Attributes
    ----------
    label_sets : mapping of str to Qrels
        The label sets by name, the reference first.
    runs : sequence of Run or path
        The systems.
    measures : tuple of str
        Labels of the measures.
    scoring : Scoring
        How the runs are scored.
    topics : CommonTopics
        The topics of each comparison.
    campaign : CampaignLabels or None
        The source campaign, if there is one.
    notes : tuple of str
        Notes for the reader.
    answers : AnswerScope or None
        The answers and their aspects, if the measures score answers.
    """

    label_sets: Mapping[str, Qrels]
    runs: Sequence[Run | FilePath]
    measures: tuple[str, ...]
    scoring: Scoring
    topics: CommonTopics
    campaign: CampaignLabels | None
    notes: tuple[str, ...]
    answers: AnswerScope | None = None

    @property
    def reference(self) -> str:
        """The reference label set, which is the first label set."""
        return next(iter(self.label_sets))

    def gmax(self, name: str) -> float | None:
        """Return the gain of a label set's top level, or None if the scale is unknown."""
        if self.scoring.gmax is not None:
            return self.scoring.gmax
        if self.scoring.gains is not None:
            return None  # the gains determine it
        if self.scoring.scale is not None:
            return self.scoring.scale.top
        return None if self.campaign is None else self.campaign.top(name)


def compared_sets(
    labels: LabelSets,
    runs: RunsLike | None,
    measures: MeasuresLike | None,
    *,
    which: Which = "all",
    empty_topics: Empty = "zero",
    gmax: float | None = None,
    **scope: Unpack[RankingScope],
) -> ComparedSets:
    """Collect the inputs of a command from its parameters.

    Parameters
    ----------
    labels : label sets or campaign
        As in `label_sets_of`.
    runs, measures
        As in `runs_of` and `measures_of`; None: taken from the campaign.
    which : {'all', 'reference'}
        The label sets to use if none is chosen.
    empty_topics : {'zero', 'drop'}
        Whether a topic without relevant docs in a label set scores 0 or is dropped there.

    Raises
    ------
    InputError
        If a file is malformed, a label set is empty, or no topic is left.
    UsageError
        If a label set or ordering is unknown, or runs or measures are missing.
    """
    scoring = Scoring.of(scope, gmax)
    label_set, reference = scope.get("label_set"), scope.get("reference")
    ordering, common = scope.get("ordering", ()), scope.get("common", "pair")
    # An unknown measure is reported before any file is read.
    asked = None if measures is None else _labels(measures_of(measures))
    campaign = campaign_of(labels)
    if campaign is not None and reference not in (None, campaign.reference):
        from qrelsmith.judgments.label_sets import CampaignLabels

        campaign = CampaignLabels(campaign.campaign, reference=reference)
    if ordering and campaign is None:
        raise UsageError("--ordering needs a campaign")
    if asked is None and campaign is not None:
        asked = _labels(_measures(campaign))
    answers = None
    if asked and are_of_answers(asked):
        if runs is not None:
            raise UsageError("measures of answers cannot be used with runs; expected --answers")
        # Evaluations of rankings do not need these imports.
        from qrelsmith.evaluation.answer_scope import (
            answer_label_sets,
            answer_scope,
            check_criteria,
        )

        aggregation = scope.get("aggregation", "median")
        answers = answer_scope(
            campaign, scoring.scale, scope.get("aspects"), scope.get("answers"),
            is_between=not takes_levels(aggregation),
        )  # fmt: skip
        named = answer_label_sets(
            labels if campaign is None else campaign, several=which == "all",
            scale=None, off_scale="error", aggregation=aggregation,
            one_voice=scope.get("one_voice"),
        )  # fmt: skip
        check_criteria(asked, named)
    else:
        if scope.get("one_voice") or scope.get("aggregation", "median") != "median":
            raise UsageError(
                "--aggregation and --one-voice apply only to measures of answers. For docs,"
                " aggregate the grades first with `qrelsmith aggregate`"
            )
        named = _label_sets(labels if campaign is None else campaign, scoring, asked or ())
        if any(MEASURES.get(name).entry.about["subtopics"] for name in asked or ()):
            from qrelsmith.evaluation.answer_scope import answer_scope

            aspects = answer_scope(campaign, None, scope.get("aspects"), None).aspects
            is_subtopic = partial(_is_subtopic, aspects)
            named = {
                name: aspects_as_subtopics(qrels, is_subtopic) for name, qrels in named.items()
            }
    sets = _choose(named, which, label_set, reference, of_campaign=campaign is not None)
    for name, qrels in sets.items():
        if not len(qrels):
            raise _empty(labels, name)
    if campaign is None and runs is None and answers is None:
        raise UsageError("no runs given; expected RUN..., or a campaign with runs")
    if not asked:
        raise UsageError(f"no measure given; expected at least one, such as {DEFAULT_MEASURE}")
    notes = [campaign.reference_notice] if campaign is not None and label_set is None else []
    systems = [] if answers else runs_of(campaign if runs is None else runs, order=scoring.order)
    if not systems and answers is None:
        raise UsageError("no runs given; expected at least one")
    chosen = (*topic_sets_of(scope.get("topic_set")), *_orderings(campaign, ordering))
    known = {name: frozenset(qrels.topics) for name, qrels in sets.items()}
    if len(sets) > 1:
        notes += CommonTopics(known, common).notes()
    empty_topics = empty_topics if answers is None else "zero"
    topics = CommonTopics(_counting(sets, empty_topics, scoring.gains, notes), common, chosen)
    notes += topics.check()
    return ComparedSets(
        label_sets=sets,
        runs=systems,
        measures=asked,
        scoring=scoring,
        topics=topics,
        campaign=campaign,
        notes=tuple(note for note in notes if note),
        answers=answers,
    )


def _empty(labels: LabelSets, name: str) -> InputError:
    """Return the error for a label set without judgments, with its file if there is one."""
    source = labels.get(name) if isinstance(labels, Mapping) else labels
    if isinstance(source, str | PathLike):
        return InputError("no judgments found; expected at least one", path=source)
    return InputError(f"there are no judgments in {quoted(name)}; expected at least one")


def _label_sets(labels: LabelSets, scoring: Scoring, measures: Sequence[str]) -> dict[str, Qrels]:
    """Return the label sets, with one grade per doc unless a measure uses subtopics."""
    scale = scoring.levels
    sets = label_sets_of(labels, scale=scale, off_scale=scoring.off_scale)
    if any(is_computed_elsewhere(MEASURES.get(name)) for name in measures):
        return sets | getattr(labels, "subtopics", {})
    return {name: docs_of_subtopics(qrels) for name, qrels in sets.items()}


def _is_subtopic(aspects: Aspects | None, topic: str, aspect: str) -> bool:
    """Return whether an aspect is a subtopic; if `aspects` is None, only citations are not."""
    if aspects is None:
        return citation_parts(aspect) is None
    return kind_of(aspects, topic, aspect) in (SUBTOPIC, "nugget")


def _choose(
    named: Mapping[str, Qrels],
    which: Which,
    label_set: str | Sequence[str] | None,
    reference: str | None,
    *,
    of_campaign: bool,
) -> dict[str, Qrels]:
    """Return the selected label sets, with the reference first if it is selected."""
    chosen = [label_set] if isinstance(label_set, str) else list(label_set or ())
    for name in (*chosen, *(() if reference is None else (reference,))):
        if name not in named:
            raise UnknownNameError("label set", name, named)
    if which == "reference" and len(named) > 1 and not (chosen or reference or of_campaign):
        raise UsageError(f"found {len(named)} label sets ({', '.join(named)}); expected one")
    first = reference or next(iter(named))
    names = chosen or ([first] if which == "reference" else [*named])
    return {name: named[name] for name in sorted(dict.fromkeys(names), key=lambda n: n != first)}


def _measures(campaign: CampaignLabels | None) -> Sequence[str]:
    if campaign is None:
        return ()
    if campaign.campaign.measures or not campaign.is_of_answers:
        return campaign.campaign.measures or (DEFAULT_MEASURE,)
    from qrelsmith.evaluation.answer_scope import default_measures

    return default_measures(campaign) or (DEFAULT_MEASURE,)


def _labels(measures: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct full names of measures."""
    return tuple(dict.fromkeys(MEASURES.label(name) for name in measures))


def _orderings(
    campaign: CampaignLabels | None, ordering: str | Sequence[str]
) -> tuple[TopicSet, ...]:
    names = [ordering] if isinstance(ordering, str) else list(ordering)
    sets = []
    for name in names:
        orderings = {} if campaign is None else campaign.orderings
        if campaign is not None and name not in orderings:
            raise UsageError(
                f"{campaign.reference} has no topic judged in the ordering {quoted(name)} "
                f"(choices: {', '.join(orderings) or 'none'})"
            )
        sets.append(TopicSet(name, frozenset(orderings[name])))
    return tuple(sets)


def _counting(
    sets: Mapping[str, Qrels], empty_topics: Empty, gains: Gains | None, notes: list[str]
) -> dict[str, frozenset[str]]:
    """Return the topics used in each label set."""
    counting = {name: frozenset(qrels.topics) for name, qrels in sets.items()}
    if empty_topics == "drop":
        for name, qrels in sets.items():
            lacking = without_relevant({name: qrels}, qrels.topics, gains).get(name, ())
            counting[name] -= set(lacking)
            if not counting[name]:
                raise InputError(f"no topic has relevant docs under {name}; expected at least one")
            if lacking:
                notes.append(
                    f"topics without relevant docs under {name} were dropped: {topic_list(lacking)}"
                )
    return counting
