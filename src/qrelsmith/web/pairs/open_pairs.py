"""The open pairs of a preference task: created and withdrawn as the answers require."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Count, F, Max, Q

from qrelsmith.topk import State
from qrelsmith.web.core.database import writing
from qrelsmith.web.models import Contest, Doc, PairTask
from qrelsmith.web.pairs.searches import search_tasks, state_of

# How often a replay is repeated because new answers have arrived during it.
_ATTEMPTS = 20
_Key = tuple[int, frozenset[int]]


def derive(contest_id: int) -> Contest:
    """Update the open pairs of a task according to its answers, and return the updated task.

    The replay takes place before the transaction. If answers have arrived meanwhile, the replay is
    invalid and starts again. After many attempts, the update is left to the next request.
    """
    contest = _contest(contest_id)
    for _ in range(_ATTEMPTS):
        if is_derived(contest):
            break
        _record(contest, state_of(contest))
        contest = _contest(contest_id)
    return contest


def is_derived(contest: Contest) -> bool:
    """Return whether the open pairs correspond to the answers."""
    return contest.derived == contest.revision and not contest.is_changed


def add_tasks(contest: Contest, tasks: Sequence[PairTask]) -> None:
    """Record new pairs of a task with their numbers; requires a write transaction."""
    # Done first to lock the task, so that no other request gives numbers to pairs until the
    # transaction ends.
    Contest.objects.filter(pk=contest.pk).update(total=F("total") + len(tasks))
    last = PairTask.objects.filter(contest=contest).aggregate(last=Max("number"))["last"] or 0
    for number, task in enumerate(tasks, start=last + 1):
        task.contest = contest
        task.number = number
    PairTask.objects.bulk_create(tasks)


def recount(contest_id: int) -> None:
    """Count the pairs of a task again; requires a write transaction."""
    counts = PairTask.objects.filter(contest=contest_id, withdrawn=False).aggregate(
        total=Count("id"), judged=Count("id", filter=Q(is_judged=True))
    )
    Contest.objects.filter(pk=contest_id).update(**counts)


def _contest(pk: int) -> Contest:
    return Contest.objects.select_related("topic").get(pk=pk)


def _record(contest: Contest, state: State) -> None:
    """Create and withdraw pairs, unless an answer has arrived since the task was read."""
    names = {name for pair in state.open_pairs for name in (pair.left, pair.right)}
    docs = dict(Doc.objects.filter(name__in=names).values_list("name", "id"))
    with writing():
        is_current = Contest.objects.filter(pk=contest.pk, revision=contest.revision).update(
            derived=contest.revision, is_changed=False, is_done=state.done
        )
        if not is_current:
            return
        there: dict[_Key, list[PairTask]] = {}
        for task in search_tasks(contest):
            there.setdefault(_key(task.round, task.left_id, task.right_id), []).append(task)
        wanted = {
            _key(pair.round, docs[pair.left], docs[pair.right]): pair for pair in state.open_pairs
        }
        closed = [
            task.pk
            for key, tasks in there.items()
            if key not in wanted
            for task in tasks
            if not task.is_judged
        ]
        PairTask.objects.filter(pk__in=closed).update(withdrawn=True)
        new: list[PairTask] = []
        for key, pair in wanted.items():
            new += _missing(
                there.get(key, ()),
                PairTask(left_id=docs[pair.left], right_id=docs[pair.right], round=pair.round),
                int(contest.setting["per_pair"]),
            )
        add_tasks(contest, new)
        recount(contest.pk)


def _key(round_: int, left: int, right: int) -> _Key:
    return round_, frozenset((left, right))


def _missing(there: Iterable[PairTask], pair: PairTask, slots: int) -> list[PairTask]:
    """Return new rows for the missing slots of a pair, with the sides of existing slots."""
    known = list(there)
    like = known[0] if known else pair
    taken = {task.slot for task in known}
    return [
        PairTask(left_id=like.left_id, right_id=like.right_id, round=like.round, slot=slot)
        for slot in range(1, slots + 1)
        if slot not in taken
    ]
