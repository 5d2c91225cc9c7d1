"""Inputs of answer measures: label sets of aspects, the aspects, the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any

from qrelsmith.answers.answer_files import read_answers
from qrelsmith.answers.answers import SystemAnswers
from qrelsmith.answers.aspects import Aspects, kind_of, read_aspects
from qrelsmith.base.errors import UnknownNameError, UsageError, quoted
from qrelsmith.base.items import CITATION, item_parts
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.aspect_settings import aspect_scale
from qrelsmith.campaign.scale_settings import Level
from qrelsmith.collection.qrels import Qrels
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.judgments.group_labels import label_set_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.run_options import files_by_name
from qrelsmith.judgments.sources import label_sets_of, labels_of

if TYPE_CHECKING:
    from qrelsmith.io.cells import OffScale
    from qrelsmith.judgments.label_sets import CampaignLabels


@dataclass(frozen=True, eq=False, slots=True)
class AnswerScope:
    """The answers to score, their aspects and scales.

    Attributes
    ----------
    aspects : Aspects or None
        The aspects that answers are judged for; None: every aspect with a label.
    answers : SystemAnswers or None
        The answers.
    scale : Scale or None
        The levels of the aspects; None: taken from `levels`.
    levels : mapping of str to tuple of Level
        The scale of each kind of aspect, from campaign.toml.
    is_between : bool
        Whether grades can be between levels, as means are.
    """

    aspects: Aspects | None
    answers: SystemAnswers | None
    scale: Scale | None
    levels: Mapping[str, tuple[Level, ...]]
    is_between: bool = False

    def scale_of(self, kind: str) -> Scale | None:
        """Return the scale of a kind of aspect, or None to use the highest grade as the top."""
        return self.scale or aspect_scale(self.levels, kind)


def check_criteria(measures: Sequence[str], sets: Mapping[str, Qrels]) -> None:
    """Reject a criterion without labels, unless a label set grades whole answers.

    Raises
    ------
    UsageError
        If a criterion has no labels.
    """
    there = {item_parts(key)[1] for qrels in sets.values() for key in qrels.docs}
    for measure in map(MEASURES.get, measures):
        name = measure.parameters.get("name")
        if name is not None and name not in there and "" not in there:
            known = sorted(there)
            raise UsageError(
                f"no label has the criterion {quoted(name)} (aspects: {', '.join(known[:5])}"
                f"{', …' if len(known) > 5 else ''})"
            )


def answer_scope(
    campaign: CampaignLabels | None,
    scale: Scale | None,
    aspects: Any,
    answers: Any,
    *,
    is_between: bool = False,
) -> AnswerScope:
    """Return the answers and their aspects, from the given files or else from the campaign.

    Raises
    ------
    InputError
        If a file is malformed.
    """
    declared = None if campaign is None else campaign.aspects
    system_answers = None if campaign is None else campaign.system_answers
    if aspects is not None:
        declared = aspects if isinstance(aspects, Aspects) else read_aspects(*_paths(aspects))
    if isinstance(answers, SystemAnswers):
        system_answers = answers
    elif answers:
        system_answers = read_answers(*_paths(answers))
    levels = {} if campaign is None else campaign.campaign.aspect_levels
    return AnswerScope(declared, system_answers, scale, levels, is_between)


def default_measures(campaign: CampaignLabels) -> tuple[str, ...]:
    """Return the measures for which a campaign of answers has labels; empty for other campaigns."""
    if not campaign.is_of_answers:
        return ()
    measures: dict[str, None] = {}
    for qrels in campaign.label_sets.values():
        pairs = {(topic, item_parts(key)[1]) for topic, key, _ in qrels.rows()}
        for kind in sorted({kind_of(campaign.aspects, *pair) for pair in pairs} - {"", "subtopic"}):
            name, _, criterion = kind.partition(".")
            if name == CITATION and campaign.system_answers is None:
                continue
            measures[_DEFAULT.get(name, f"Criterion('{criterion}')")] = None
    return tuple(measures)


_DEFAULT = {"nugget": "NuggetRecall", "rubric": "RubricScore", CITATION: "CitationPrecision"}


def answer_label_sets(
    source: Any,
    *,
    several: bool,
    scale: Scale | None,
    off_scale: OffScale,
    aggregation: str = "median",
    one_voice: str | None = None,
) -> dict[str, Qrels]:
    """Return the label sets of answers, with the grades of several assessors combined.

    Parameters
    ----------
    source : label sets
        A campaign, files or objects. Judgments form one label set.
    several : bool
        Whether to split a single judgments file into one label set per group, or per assessor if
        there are no groups.
    scale, off_scale
        As in `label_sets_of`.
    aggregation, one_voice
        As in `label_set_of`.

    Raises
    ------
    InputError
        If a file is malformed.
    """
    reduce = partial(label_set_of, aggregation=aggregation, one_voice=one_voice)
    if hasattr(source, "label_sets"):
        own = {name: reduce(of, name) for name, of in source.groups.items()}
        return label_sets_of(source) | own
    if isinstance(source, str | PathLike):
        source = [source]
    if isinstance(source, list | tuple) and all(
        isinstance(source_of_set, str | PathLike) for source_of_set in source
    ):
        source = files_by_name([str(source_of_set) for source_of_set in source])
    named: Mapping[str, Any] = source if isinstance(source, Mapping) else {"": source}
    if not all(
        isinstance(source_of_set, str | PathLike | Judgments | Qrels)
        for source_of_set in named.values()
    ):
        return label_sets_of(source, scale=scale, off_scale=off_scale)
    sets: dict[str, Qrels] = {}
    for name, source_of_set in named.items():
        labels = labels_of(source_of_set, scale=scale, off_scale=off_scale)
        if isinstance(labels, Qrels):
            sets[name or labels.name] = labels
            continue
        if one_voice is not None and one_voice not in (labels.group or ()):
            raise UnknownNameError("group", one_voice, sorted(labels.by_group()))
        if several and len(named) == 1:
            sets |= _parts(labels, reduce)
        else:
            sets[name or "judgments"] = reduce(labels, name or "judgments")
    return sets


def _parts(judgments: Judgments, reduce: Callable[..., Qrels]) -> dict[str, Qrels]:
    groups = judgments.by_group()
    if len(groups) < 2:
        groups = {who: judgments.restricted_to(assessors=[who]) for who in judgments.assessors}
    return {name or "assessors": reduce(part, name) for name, part in groups.items()}


def _paths(source: Any) -> tuple[Any, ...]:
    if isinstance(source, str | PathLike):
        return (source,)
    if isinstance(source, list | tuple):
        return tuple(source)
    raise UsageError(f"expected a path or a list of paths; found {quoted(source)}")
