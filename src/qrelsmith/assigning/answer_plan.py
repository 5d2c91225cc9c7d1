"""Assignments of a campaign's answers to assessors, in an order determined by the seed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from qrelsmith.answers.answer_files import read_answers, write_answers
from qrelsmith.answers.answers import SystemAnswer, SystemAnswers, topics_of_answers
from qrelsmith.answers.aspects import Aspect, Aspects, read_aspects, write_aspects
from qrelsmith.answers.judged_aspects import DROPPED, answer_doc, answer_text, judged_aspects
from qrelsmith.assigning.assignment import Assignment
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
    """The answers to one topic, planned for one assessor.

    Attributes
    ----------
    assessor, group, topic : str
        The assessor, the assessor's group, and the topic.
    columns : mapping
        More content of the assignment: `round`, and `answers`, each with its run, sentences,
        turns and expected answer.
    items : sequence of mapping
        The aspects of the answers, in their order, each with the name of the doc to read.
    """

    assessor: str
    group: str
    topic: str
    columns: Mapping[str, Any]
    items: Sequence[Mapping[str, Any]]


class AnswerPlan:
    """The answers of a campaign, to be assigned to assessors.

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
        """The answers as docs, because labels refer to versions and passages of docs."""
        return [
            Document(answer_doc(each.topic, each.run), "text", answer_text(each))
            for each in self._answers
        ]

    @cached_property
    def topics(self) -> list[Topic]:
        """The topics of a campaign without a topic file, derived from the answered questions."""
        return [] if self._campaign.topics is not None else topics_of_answers(self._answers)

    def assignments(self) -> Iterator[PlannedAssignment]:
        """Iterate over the rows of `assignments.*` or, if it is missing, assign all answers.

        In later rounds, only the answers named in `assignments.*` are judged again.

        Raises
        ------
        InputError
            If a later round names an answer that does not exist.
        """
        campaign = self._campaign
        rows: Iterable[Assignment]
        if campaign.assignments is not None:
            rows = read_assignments(campaign.assignments)
        else:
            comparing = comparing_groups(campaign)
            rows = (
                Assignment(topic, assessor, name, "", 0)
                for name, group in sorted(campaign.groups.items())
                if name not in comparing and group.role != "llm"
                for assessor in group.assessors
                for topic in self._answers.topics
            )
        seed = campaign.seeds.get(_SEED, 0)
        # The HITs of a topic are one assignment.
        work: dict[tuple[str, str, int], list[Assignment]] = {}
        for row in rows:
            if row.assessor:
                work.setdefault((row.topic, row.assessor, row.round), []).append(row)
        for (topic, assessor, round_), own in work.items():
            runs = self._by_topic.get(topic, {})
            named = {name for row in own for name in row.docs if row.hit} & runs.keys()
            names: Iterable[str] = shuffle(
                sorted(named or runs), seed=seed, keys=(_SEED, assessor, topic)
            )
            if round_ > 1:
                names = self._repeated_runs(own[-1], runs)
            order = [self.content(topic, name) for name in names]
            if order:
                yield PlannedAssignment(
                    assessor, own[-1].group, topic,
                    {"round": round_, "answers": [answer for answer, _ in order]},
                    [
                        {"place": place, **item}
                        for place, (_, items) in enumerate(order, start=1)
                        for item in items
                    ],
                )  # fmt: skip

    def has(self, topic: str, runs: Iterable[str]) -> bool:
        """Return whether all given runs have an answer to a topic."""
        return self._by_topic.get(topic, {}).keys() >= set(runs)

    def content(self, topic: str, run: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Return an answer as part of an assignment, and the aspects to judge, in order."""
        answer = self._by_topic[topic][run]
        own = answer_doc(topic, run)
        items = [
            {**asdict(aspect), "doc": aspect.doc or own}
            for aspect in judged_aspects(answer, self._aspects)
        ]
        return self._answer_json(answer), items

    @cached_property
    def _by_topic(self) -> dict[str, dict[str, SystemAnswer]]:
        by_topic: dict[str, dict[str, SystemAnswer]] = {}
        for answer in self._answers:
            by_topic.setdefault(answer.topic, {})[answer.run] = answer
        return by_topic

    def _repeated_runs(self, row: Assignment, runs: Collection[str]) -> list[str]:
        """Return the runs whose answers a row repeats; with pools, a row may also name docs."""
        for name in row.docs:
            if name not in runs and not self._campaign.pools:
                raise InputError(
                    f"round {row.round} of topic {quoted(row.topic)} names {quoted(name)}; expected"
                    " the run of an answer",
                    path=self._campaign.assignments,
                )
        return [name for name in row.docs if name in runs]

    def _answer_json(self, answer: SystemAnswer) -> dict[str, Any]:
        """Return an answer as part of an assignment; the page shows everything except the run."""
        is_shown = answer.expected and self._campaign.judging.expected_answer != "hidden"
        return {
            "run": answer.run,
            "turns": [[turn.speaker, turn.text] for turn in answer.turns],
            "sentences": [[each.text, list(each.citations)] for each in answer.sentences],
            **({"expected": answer.expected} if is_shown else {}),
        }

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
    """Write the answers and the aspects, including the nuggets that assessors edited.

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
