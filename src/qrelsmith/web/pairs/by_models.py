"""Preference tasks for models: open pairs are assigned, and answers recorded, as for a person."""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterator, Mapping, Sequence

from qrelsmith.topk.answers import Answer, Pair
from qrelsmith.web.judging.accepting import judge, person
from qrelsmith.web.models import Assessor, Contest, PairTask
from qrelsmith.web.pairs.choices import current_choices
from qrelsmith.web.pairs.claims import next_pair
from qrelsmith.web.pairs.kind import PAIRS, PairSubmission
from qrelsmith.web.pairs.shown import contests_for, doc_contents


class ModelContests:
    """The preference tasks whose pairs a model may judge, one pair per task at a time.

    Parameters
    ----------
    assessor : Assessor
        The model; its group judges pairs.
    topics : container of str, optional
        If given, only these topics.
    """

    def __init__(self, assessor: Assessor, topics: Container[str] | None = None) -> None:
        self._assessor = assessor
        found = contests_for(assessor).filter(is_open=True).defer(None)
        self._contests = {
            contest.topic.name: contest
            for contest in found
            if topics is None or contest.topic.name in topics
        }
        self._held: dict[str, PairTask] = {}
        self._shown: Container[str] = ()

    @property
    def docs(self) -> Mapping[str, Sequence[str]]:
        """The docs that can be compared, by topic."""
        return {
            topic: [*each.candidates, *(each.nonrelevant if each.setting["challenges"] else ())]
            for topic, each in self._contests.items()
        }

    def begin(self, shown: Container[str]) -> None:
        """Restrict the pairs to docs that can be shown."""
        self._shown = shown

    def open_pairs(self) -> Iterator[tuple[str, Pair]]:
        """Yield the model's current pair in each topic; an unanswered pair blocks its topic.

        The pair is then reserved for the model.
        """
        for topic, opened in self._contests.items():
            if topic in self._held:
                continue
            contest = Contest.objects.select_related("topic").get(pk=opened.pk)
            task = next_pair(contest, self._assessor)
            if task is None:
                continue
            self._held[topic] = task
            if task.left.name in self._shown and task.right.name in self._shown:
                yield topic, Pair(task.left.name, task.right.name, task.round)

    def answer(self, topic: str, pair: Pair, ways: tuple[int, int]) -> None:
        """Record the model's answers to its pair, in the shown order and with the sides swapped."""
        task = self._held.pop(topic)
        contents = doc_contents(task)
        judge(
            PAIRS,
            PairSubmission(
                op_id=_op_id(self._assessor, topic, task),
                pair=task.pk,
                outcome=_outcome(ways, can_tie=0 in current_choices().outcomes),
                left_sha256=contents[task.left_id].sha256,
                right_sha256=contents[task.right_id].sha256,
                base_revision=task.revision,
                input_kind="model",
            ),
            person(self._assessor, task.contest_id, has_account=False),
        )

    def answers(self) -> Mapping[str, Sequence[Answer]]:
        """Return all answers of the model that affect the result, even those of earlier runs."""
        by_topic: dict[str, list[Answer]] = {topic: [] for topic in self._contests}
        own = PairTask.objects.filter(
            assessor=self._assessor, contest__in=[each.pk for each in self._contests.values()],
            purpose=PairTask.Purpose.SEARCH, is_judged=True, withdrawn=False,
        )  # fmt: skip
        columns = ("contest__topic__name", "left__name", "right__name", "outcome", "round")
        for topic, left, right, outcome, round_ in own.order_by("number").values_list(*columns):
            by_topic[topic].append(Answer(left, right, outcome, self._assessor.name, round_))
        return by_topic


def _outcome(ways: tuple[int, int], *, can_tie: bool) -> int:
    """Combine the answers in both orders; if they differ, return a tie or the first answer."""
    first, second = ways
    if first == -second and (first or can_tie):
        return first
    return 0 if can_tie else first or -second or -1


def _op_id(assessor: Assessor, topic: str, task: PairTask) -> str:
    """Return an operation id that is the same for a repeated answer."""
    text = "\n".join((assessor.name, topic, str(task.number), str(task.revision)))
    return f"model-{hashlib.sha256(text.encode('utf-8')).hexdigest()[:48]}"
