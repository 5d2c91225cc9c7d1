"""Scales of judged items: docs use the campaign's scale, and each kind of aspect has its scale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from qrelsmith.answers.answer_files import read_answers
from qrelsmith.answers.answers import SystemAnswers
from qrelsmith.answers.aspects import Aspects, kind_of, read_aspects
from qrelsmith.base.arrays import BoolArray
from qrelsmith.base.items import MARK, SUBTOPIC, item_parts
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.aspect_settings import CRITERION, aspect_scale
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.collection.qrels import Qrels
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.off_scale_grades import grades_where

Labels = TypeVar("Labels", Qrels, Judgments)


def kinds_of_items(labels: Qrels | Judgments, aspects: Aspects | None) -> list[str]:
    """Return the kind of aspect of each label, or an empty text for a label of a doc.

    Parameters
    ----------
    labels : Qrels or Judgments
        The labels.
    aspects : Aspects or None
        The known aspects; an unknown one is a criterion.
    """
    items = [item_parts(key)[1] for key in labels.docs]
    pairs = list(zip(labels.topic.tolist(), labels.doc.tolist(), strict=True))
    known = {pair: kind_of(aspects, labels.topics[pair[0]], items[pair[1]]) for pair in set(pairs)}
    return [known[pair] for pair in pairs]


def is_of_aspect(wanted: str, aspects: Aspects | None) -> Callable[[str, str], bool]:
    """Return a function that checks whether a topic's aspect has the given name or kind."""

    def check(topic: str, aspect: str) -> bool:
        return aspect == wanted or (aspect != "" and kind_of(aspects, topic, aspect) == wanted)

    return check


class ItemScales:
    """A campaign's aspects and answers, and the scales on which its items are judged.

    Attributes
    ----------
    campaign : Campaign
        The campaign.
    aspect : str
        The only aspect, or kind of aspects, whose labels are used; empty: all labels are.
    """

    campaign: Campaign
    aspect: str = ""

    def only(self, labels: Labels) -> Labels:
        """Return the labels of the selected aspect, and the labels of whole answers."""
        if not self.aspect:
            return labels
        check = is_of_aspect(self.aspect, self.aspects)
        if isinstance(labels, Judgments):
            return labels.of_aspects(check)
        rows = [
            (topic, key, grade)
            for topic, key, grade in labels.rows()
            if MARK not in key or check(topic, item_parts(key)[1])
        ]
        return Qrels.from_rows(rows, name=labels.name)

    @property
    def is_of_answers(self) -> bool:
        """Whether the labels judge answers, not ranked docs."""
        return not self.campaign.runs and bool(self.campaign.answers or self.campaign.aspects)

    @property
    def aspect_scale(self) -> Scale | None:
        """The scale of the selected aspect."""
        levels = self.campaign.aspect_levels
        found = aspect_scale(levels, self.aspect)
        return found or aspect_scale(levels, f"{CRITERION}.{self.aspect}")

    @cached_property
    def aspects(self) -> Aspects | None:
        """The aspects of answers, if the campaign has them."""
        path = self.campaign.aspects
        return None if path is None else read_aspects(path)

    @cached_property
    def system_answers(self) -> SystemAnswers | None:
        """The answers of systems, if the campaign has them."""
        return read_answers(*self.campaign.answers) if self.campaign.answers else None

    def are_on_scale(self, labels: Qrels | Judgments, scale: Scale | None) -> BoolArray:
        """Return, for each label, whether the grade is a code or is on the scale of the item.

        Parameters
        ----------
        labels : Qrels or Judgments
            The labels.
        scale : Scale or None
            The scale of docs; None: every grade is allowed.
        """
        grade = labels.grade
        held: BoolArray = np.ones(len(grade), dtype=bool) if scale is None else scale.holds(grade)
        if any(MARK in key for key in labels.docs):
            kinds = np.array(kinds_of_items(labels, self.aspects), dtype=object)
            for kind in set(kinds.tolist()) - {""}:
                of_kind = kinds == kind
                if kind == SUBTOPIC and kind not in self.campaign.aspect_levels:
                    continue  # a doc on the campaign's scale
                levels = aspect_scale(self.campaign.aspect_levels, kind)
                held[of_kind] = True if levels is None else levels.holds(grade[of_kind])
        return held | (grade < 0)

    def on_scales(self, labels: Labels, scale: Scale | None) -> Labels:
        """Return the labels; grades outside their item's scale become the code for unjudged."""
        held = self.are_on_scale(labels, scale)
        return labels if held.all() else replace(labels, grade=grades_where(labels.grade, held))
