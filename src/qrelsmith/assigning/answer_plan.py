"""Answers of a campaign as work for assessors, in orders determined by the seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from qrelsmith.answers.answer_files import read_answers, write_answers
from qrelsmith.answers.answers import SystemAnswer, SystemAnswers, topics_of_answers
from qrelsmith.answers.aspects import Aspect, Aspects, read_aspects, write_aspects
from qrelsmith.answers.judged_aspects import DROPPED, answer_doc, answer_text, judged_aspects
from qrelsmith.assigning.assignment_files import read_assignments
from qrelsmith.assigning.assignment_groups import comparing_groups
from qrelsmith.base.errors import InputError, quoted
from qrelsmith.base.rng import shuffle
from qrelsmith.campaign.aspect_settings import CRITERION, DEFAULTS, declared_criteria
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.collection.document import Document
from qrelsmith.collection.topics import Topic

_SEED = "answers"


@dataclass(frozen=True, slots=True)
class PlannedAssignment:
    """The answers to a topic that an assessor judges.

    Attributes
    ----------
    assessor, group, topic : str
        The assessor, the assessor's group, and the topic.
    columns : mapping
        More content of the assignment: `answers`, each with its run, sentences and turns.
    items : sequence of mapping
        The aspects of the answers, in their order, each with the name of the doc to read.
    """

    assessor: str
    group: str
    topic: str
    columns: Mapping[str, Any]
    items: Sequence[Mapping[str, Any]]


class AnswerPlan:
    """The answers of a campaign as work for its assessors.

    Parameters
    ----------
    campaign : Campaign
        The campaign, whose folder has answers.
    """

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._answers: SystemAnswers = read_answers(*campaign.answers)
        own = read_aspects(campaign.aspects) if campaign.aspects else Aspects(())
        self._aspects = own.with_criteria(declared_criteria(campaign.aspect_levels))
        self._check_scales()

    @cached_property
    def documents(self) -> list[Document]:
        """The answers as docs; labels refer to their versions and passages."""
        return [
            Document(answer_doc(each.topic, each.run), "text", answer_text(each))
            for each in self._answers
        ]

    @cached_property
    def topics(self) -> list[Topic]:
        """The topics of a campaign without a topic file, from the questions of the answers."""
        return [] if self._campaign.topics is not None else topics_of_answers(self._answers)

    def assignments(self) -> Iterator[PlannedAssignment]:
        """Iterate over the assignments from `assignments.*`, else those of every known assessor."""
        campaign = self._campaign
        if campaign.assignments is not None:
            rows = read_assignments(campaign.assignments)
            dealt = {
                (row.topic, row.assessor): row.group
                for row in rows
                if row.round == 1 and row.assessor
            }
        else:
            comparing = comparing_groups(campaign)
            dealt = {
                (topic, assessor): name
                for name, group in sorted(campaign.groups.items())
                if name not in comparing and group.role != "llm"
                for assessor in group.assessors
                for topic in self._answers.topics
            }
        by_topic: dict[str, list[SystemAnswer]] = {}
        for answer in self._answers:
            by_topic.setdefault(answer.topic, []).append(answer)
        seed = campaign.seeds.get(_SEED, 0)
        for (topic, assessor), group in dealt.items():
            runs = {answer.run: answer for answer in by_topic.get(topic, ())}
            order = [
                runs[run] for run in shuffle(sorted(runs), seed=seed, keys=(_SEED, assessor, topic))
            ]
            if order:
                yield PlannedAssignment(
                    assessor, group, topic, {"answers": [_answer_json(answer) for answer in order]},
                    [
                        item
                        for place, answer in enumerate(order, start=1)
                        for item in self._items(answer, place)
                    ],
                )  # fmt: skip

    def _items(self, answer: SystemAnswer, place: int) -> Iterator[dict[str, Any]]:
        own = answer_doc(answer.topic, answer.run)
        for aspect in judged_aspects(answer, self._aspects):
            yield {"place": place, **asdict(aspect), "doc": aspect.doc or own}

    def _check_scales(self) -> None:
        known = {*DEFAULTS, *self._campaign.aspect_levels}
        for each in self._aspects:
            if each.kind == CRITERION and f"{CRITERION}.{each.aspect}" not in known:
                raise InputError(
                    f"the criterion {quoted(each.aspect)} has no scale; expected a table"
                    f" [aspects.{CRITERION}.{each.aspect}] with range or levels",
                    path=self._campaign.settings,
                )


def write_edited(
    campaign: Campaign, folder: Path, edited: Iterable[tuple[str, str, str, str]]
) -> None:
    """Write the answers, and the aspects with the nuggets that assessors edited.

    Parameters
    ----------
    campaign : Campaign
        The campaign, whose folder has answers.
    folder : path
        The destination folder.
    edited : iterable of (topic, aspect, text, importance)
        Added or changed nuggets; dropped nuggets are left out.
    """
    answers = read_answers(*campaign.answers)
    write_answers(answers, folder / "answers.jsonl")
    aspects = list(read_aspects(campaign.aspects)) if campaign.aspects else []
    rows = {(each.topic, each.aspect): each for each in aspects}
    for topic, aspect, text, importance in edited:
        # A nugget for all topics becomes a nugget for each topic.
        shared = rows.pop(("", aspect), None)
        rows |= {(each, aspect): replace(shared, topic=each) for each in answers.topics if shared}
        if importance == DROPPED:
            rows.pop((topic, aspect), None)
        else:
            rows[topic, aspect] = Aspect(topic, aspect, "nugget", text, importance)
    if rows:
        write_aspects(rows.values(), folder / "aspects.csv")


def _answer_json(answer: SystemAnswer) -> dict[str, Any]:
    """Return an answer as part of an assignment; the page shows everything except the run."""
    return {
        "run": answer.run,
        "turns": [[turn.speaker, turn.text] for turn in answer.turns],
        "sentences": [[each.text, list(each.citations)] for each in answer.sentences],
    }
