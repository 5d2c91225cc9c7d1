"""Answers to pairs: accepted once, never replacing a newer one, and always equal to a replay."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from qrelsmith.cli import run
from qrelsmith.topk import Answer, Tournament, comparisons_bound
from qrelsmith.web.core.submissions import RefusedError
from qrelsmith.web.judging.kinds import JudgmentKind
from qrelsmith.web.models import Account, Assessor, Contest, PairTask, PreferenceEvent, Topic
from qrelsmith.web.pairs.choices import choices_versions
from qrelsmith.web.pairs.open_pairs import derive
from qrelsmith.web.pairs.searches import scheduler_of, search_tasks, state_of
from qrelsmith.web.verification.whole import verified


@pytest.fixture
def contest(app: Any, contests_of: Any) -> Any:
    return contests_of(app, share="pair", scheduler="round-robin", choices=5)[0]


@pytest.fixture
def work(app: Any, contest: Any, comparing: Any) -> Any:
    return comparing(app, "b1", contest)


def refusal(call: Any, *arguments: Any, **more: Any) -> Any:
    """Return the refusal of a call that changes nothing."""
    before = (PreferenceEvent.objects.count(), list(PairTask.objects.order_by("pk").values()))
    with pytest.raises(RefusedError) as caught:
        call(*arguments, **more)
    after = (PreferenceEvent.objects.count(), list(PairTask.objects.order_by("pk").values()))
    assert after == before
    return caught.value


def test_an_answer_becomes_an_event_and_the_current_answer(work: Any, contest: Any) -> None:
    task = work.next()
    done = work.answer(task, -2, input_kind="key")
    assert not done.repeated
    event = done.event
    assert (event.outcome, event.revision, event.base_revision) == (-2, 1, 0)
    assert (event.kind, event.input_kind, event.assessor) == ("judge", "key", work.assessor)
    assert (event.topic_version, event.settings_version) == (1, 1)
    task.refresh_from_db()
    assert (task.outcome, task.revision, task.is_judged) == (-2, 1, True)
    assert len(task.left_sha256) == len(task.right_sha256) == 64
    contest.refresh_from_db()
    assert (contest.judged, contest.total, contest.revision) == (1, 15, 1)


def test_a_repeated_operation_is_one_event(work: Any) -> None:
    task = work.next()
    first = work.answer(task, 1, op_id="operation-1")
    again = work.answer(task, 1, op_id="operation-1")
    assert again.repeated
    assert again.event == first.event
    assert PreferenceEvent.objects.count() == 1
    # An id used for another operation is not a retry.
    assert refusal(work.answer, task, 2, op_id="operation-1").reason == "op_id"


def test_an_answer_to_an_old_revision_is_refused_with_the_current_one(work: Any) -> None:
    task = work.next()
    old = type(task).objects.get(pk=task.pk)
    work.answer(task, 1)
    error = refusal(work.answer, old, -1, base_revision=0)
    assert error.reason == "stale"
    assert (error.current.outcome, error.current.revision) == (1, 1)
    task.refresh_from_db()
    work.answer(task, -1)
    task.refresh_from_db()
    assert (task.outcome, task.revision) == (-1, 2)


@pytest.mark.parametrize(
    ("choices", "good", "bad"),
    [
        (2, [-1, 1], [-2, 0, 2]),
        (3, [-1, 0, 1], [-2, 2]),
        (4, [-2, -1, 1, 2], [0]),
        (5, [-2, -1, 0, 1, 2], []),
    ],
)
def test_only_the_choices_are_answers(
    lite_app: Any, contests_of: Any, comparing: Any, choices: int, good: list[int], bad: list[int]
) -> None:
    contest = contests_of(lite_app, share="pair", scheduler="round-robin", choices=choices)[0]
    work = comparing(lite_app, "b1", contest)
    for outcome in bad:
        assert refusal(work.answer, work.next(), outcome).reason == "value"
    for outcome in good:
        assert work.answer(work.next(), outcome).unit.outcome == outcome
    shown = lite_app.client("b1").get(f"/api/contests/{contest.pk}/next").json()["pair"]["choices"]
    assert [each["outcome"] for each in shown] == good
    assert all(each["label"] for each in shown)


def test_an_answer_to_docs_never_shown_is_refused(work: Any) -> None:
    task = work.next()
    assert refusal(work.answer, task, 1, left_sha256="0" * 64).reason == "sha256"
    assert refusal(work.answer, task, 1, right_sha256="0" * 64).reason == "sha256"
    assert refusal(work.answer, task, 1, topic_version=2).reason == "version"
    assert refusal(work.answer, task, 1, settings_version=2).reason == "version"
    assert refusal(work.answer, task, 1, pair=task.pk + 1).reason == "unknown"


def test_a_pair_of_another_assessor_is_not_found(app: Any, contest: Any, comparing: Any) -> None:
    b1, b2 = comparing(app, "b1", contest), comparing(app, "b2", contest)
    task = b1.next()
    assert refusal(b2.answer, task, 1).reason == "unknown"
    assert refusal(b2.undo).reason == "nothing"


def test_a_closed_task_accepts_no_answer(work: Any, contest: Any) -> None:
    task = work.next()
    Contest.objects.filter(pk=contest.pk).update(is_open=False)
    assert refusal(work.answer, task, 1).reason == "closed"


def test_a_disabled_account_cannot_answer_in_an_open_task(work: Any) -> None:
    task = work.next()
    Account.objects.filter(assessor=work.assessor).update(is_active=False)
    assert refusal(work.answer, task, 1).reason == "account"


def test_an_undo_restores_the_previous_answer(work: Any) -> None:
    task = work.next()
    assert refusal(work.undo).reason == "nothing"
    work.answer(task, 1)
    task.refresh_from_db()
    work.answer(task, -2)
    assert work.undo().unit.outcome == 1
    done = work.undo("undo-operation")
    assert (done.unit.outcome, done.unit.is_judged, done.unit.revision) == (None, False, 4)
    assert work.undo("undo-operation").repeated
    assert refusal(work.undo).reason == "nothing"
    # The pair still belongs to the assessor.
    assert work.next().pk == task.pk


def test_an_undo_after_another_undo_is_refused(work: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    work.answer(work.next(), 1)
    label_at = JudgmentKind.label_at

    def overtaken(self: Any, task: Any, revision: int) -> Any:
        """Undo the same answer in another tab."""
        monkeypatch.setattr(JudgmentKind, "label_at", label_at)
        work.undo()
        task.refresh_from_db()
        return label_at(self, task, revision)

    monkeypatch.setattr(JudgmentKind, "label_at", overtaken)
    with pytest.raises(RefusedError) as caught:
        work.undo()
    assert caught.value.reason == "stale"
    assert refusal(work.undo).reason == "nothing"


def test_an_undo_withdraws_the_users_own_answer(app: Any, contest: Any, comparing: Any) -> None:
    b1, b2 = comparing(app, "b1", contest), comparing(app, "b2", contest)
    mine, other = b1.next(), b2.next()
    b1.answer(mine, 1)
    b2.answer(other, 1)
    assert b1.undo().unit == mine
    other.refresh_from_db()
    assert other.outcome == 1


def test_the_database_refuses_to_change_an_answer(app: Any, work: Any) -> None:
    work.answer(work.next(), 1)
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        PreferenceEvent.objects.update(outcome=-1)
    with pytest.raises(DatabaseError, match="never changed"), transaction.atomic():
        PreferenceEvent.objects.all()._raw_delete("default")
    assert PreferenceEvent.objects.get().outcome == 1


def test_a_topic_changed_after_answers_becomes_a_new_version(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    work = comparing(lite_app, "b1", contests_of(lite_app, share="pair")[0])
    work.answer(work.next(), 1)
    path = lite_app.folder / "topics.jsonl"
    path.write_text(path.read_text().replace("What is it?", "What was it?"))
    assert run(["import", str(lite_app.folder), "--accept-changes", "--quiet"]) == 0
    assert dict(Topic.objects.values_list("name", "version")) == {"q1": 2, "q2": 1}
    # A user who was offline meanwhile loses nothing.
    assert work.answer(work.next(), 1, topic_version=1).event.topic_version == 1


def test_other_choices_are_a_new_version_once_something_was_answered(
    lite_app: Any, contests_of: Any, comparing: Any
) -> None:
    settings = {"share": "pair", "scheduler": "round-robin"}
    contests_of(lite_app, choices=2, **settings)
    contest = contests_of(lite_app, choices=3, **settings)[0]
    assert [each.outcomes for each in choices_versions().values()] == [(-1, 0, 1)]
    work = comparing(lite_app, "b1", contest)
    work.answer(work.next(), 0)
    contests_of(lite_app, choices=2, **settings)
    assert [len(each.outcomes) for each in choices_versions().values()] == [3, 2]
    assert refusal(work.answer, work.next(), 0).reason == "value"
    assert work.answer(work.next(), 0, settings_version=1).event.settings_version == 1


def plain_answers(log: Iterable[tuple[Any, ...]], per_pair: int) -> list[Any]:
    """Return the answers that count, from a list of operations, for comparison."""
    said: dict[Any, list[int]] = {}
    for who, task, outcome in log:
        answers = said.setdefault((task.round, task.left.name, task.right.name, who), [])
        if outcome is None:
            answers.pop()
        else:
            answers.append(outcome)
    standing = {key: answers[-1] for key, answers in said.items() if answers}
    count: dict[Any, int] = {}
    for round_, left, right, _ in standing:
        count[round_, left, right] = count.get((round_, left, right), 0) + 1
    return [
        Answer(left, right, outcome, who, round_)
        for (round_, left, right, who), outcome in standing.items()
        if count[round_, left, right] == per_pair
    ]


@pytest.mark.parametrize(
    "seed", [0, pytest.param(1, marks=pytest.mark.full), pytest.param(2, marks=pytest.mark.full)]
)
@pytest.mark.parametrize(
    ("scheduler", "per_pair", "more"),
    [
        ("tournament", 1, {}),
        ("tournament", 2, {}),
        ("round-robin", 2, {}),
        ("rounds", 1, {"finalists": 3, "pairings": 3, "k": 1, "forced": True}),
        ("rounds", 2, {"finalists": 3, "pairings": 2, "k": 1, "forced": True}),
    ],
)
def test_after_any_answers_and_undos_the_state_equals_a_replay(
    lite_app: Any, contests_of: Any, comparing: Any, scheduler: str, per_pair: int, seed: int,
    more: dict[str, Any],
) -> None:  # fmt: skip
    rng = random.Random(f"{scheduler} {per_pair} {seed}")
    contest = contests_of(
        lite_app, scheduler=scheduler, share="pair", per_pair=per_pair, choices=5, **more
    )[0]
    people = [comparing(lite_app, name, contest) for name in ("b1", "b2")]
    log: list[tuple[Any, ...]] = []
    stacks: dict[str, list[Any]] = {"b1": [], "b2": []}
    for _ in range(45):
        work = rng.choice(people)
        name = work.assessor.name
        chance = rng.random()
        if chance < 0.2 and stacks[name]:
            task = work.undo().unit
            assert task == stacks[name].pop()
            log.append((name, task, None))
        else:
            old = [each for each in stacks[name] if each.is_judged]
            task = rng.choice(old) if chance < 0.4 and old else work.next()
            if task is None:
                continue
            task = PairTask.objects.select_related("left", "right").get(pk=task.pk)
            if task.withdrawn:
                continue
            outcome = rng.randint(-2, 2)
            task = work.answer(task, outcome).unit
            stacks[name].append(task)
            log.append((name, task, outcome))
        current = derive(contest.pk)
        state = scheduler_of(current).replay(plain_answers(log, per_pair))
        assert state_of(current) == state
        tasks = search_tasks(current).filter(is_judged=False)
        assert set(tasks.values_list("round", "left__name", "right__name")) == {
            (pair.round, pair.left, pair.right) for pair in state.open_pairs
        }
        assert current.is_done == state.done
    assert not [check for check in verified() if check.wrong]
    assert Contest.objects.get(pk=contest.pk).revision == len(log)


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_the_result_of_a_tournament_equals_that_of_topk(
    app: Any, contests_of: Any, comparing: Any, noise: float
) -> None:
    contest = contests_of(app, share="topic", k=3)[0]
    work = comparing(app, contest.assessor.name, contest)
    rng = random.Random(7)
    tournament = Tournament(sorted(contest.candidates), k=3, seed=0, topic=contest.topic.name)
    answers: list[Answer] = []
    asked = 0
    while task := work.next():
        left, right = task.left.name, task.right.name
        outcome = rng.choice([-1, 0, 1]) if rng.random() < noise else -1 if left < right else 1
        # The page requests the same pairs on the same sides as `topk`.
        pairs = tournament.replay(answers).open_pairs
        assert (left, right) in {(pair.left, pair.right) for pair in pairs}
        work.answer(task, outcome)
        answers.append(Answer(left, right, outcome))
        asked += 1
    state = tournament.replay(answers)
    assert state.done
    assert asked == state.comparisons <= comparisons_bound(6, 3)
    assert [(p.doc, p.rank) for p in state_of(contest).result] == [
        (p.doc, p.rank) for p in state.result
    ]
    if not noise:
        assert [p.doc for p in state.result] == ["d00000", "d00001", "d00002"]


def test_contradictions_are_decided_by_the_median(
    app: Any, contests_of: Any, comparing: Any
) -> None:
    grades = {"d00000": 1, "d00001": 1}
    contest = contests_of(app, share="pair", per_pair=3, k=1, choices=5, grades=grades)[0]
    for name, outcome in (("b1", -2), ("b2", 1), ("b3", 1)):
        app.account(name)
        Assessor.objects.filter(name=name).update(group="bronze")
        work = comparing(app, name, contest)
        assert not state_of(contest).done
        task = work.next()
        # Two assessors say that d00001 is a little better; one says that d00000 is much better.
        sign = 1 if task.left.name == "d00000" else -1
        work.answer(task, sign * outcome)
    state = state_of(contest)
    assert state.done
    assert [place.doc for place in state.result] == ["d00001"]
