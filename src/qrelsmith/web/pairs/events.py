"""The one place where an answer to a pair is accepted, in the ways of graded judgments.

See `qrelsmith.web.graded.events`: an operation counts once, an answer to a revision that is no
longer the current one is refused together with the current answer, and the event and its projection
are written in one transaction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from django.db import IntegrityError
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext

from qrelsmith.web.core.chain import append
from qrelsmith.web.core.closing import check_pair
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.submissions import AcceptedPair, PairSubmission, RefusedError, Timing
from qrelsmith.web.core.timing import points_in_time
from qrelsmith.web.docs.passages import seen_passages
from qrelsmith.web.models import Assessor, Contest, DocVersion, PairTask, PreferenceEvent
from qrelsmith.web.pairs.choices import choices_versions, current_choices
from qrelsmith.web.pairs.open_pairs import derive
from qrelsmith.web.pairs.projection import UNANSWERED, PairAnswer, answer_at
from qrelsmith.web.pairs.shown import contests_for


def judge_pair(
    submission: PairSubmission,
    contest: int,
    *,
    assessor: Assessor | None,
    is_model: bool = False,
) -> AcceptedPair:
    """Accept an answer to a pair of a contest, which the assessor must have.

    A person must have an account that is open; a model has none.

    Raises
    ------
    RefusedError
        If it cannot be accepted; nothing has changed then.
    """

    def accept() -> AcceptedPair:
        task = _tasks().filter(pk=submission.pair, contest=contest).first()
        if task is None or assessor is None or task.assessor_id != assessor.pk:
            raise RefusedError("unknown", gettext("You do not have this pair."))
        event = PreferenceEvent(
            op_id=submission.op_id,
            kind=PreferenceEvent.Kind.JUDGE,
            base_revision=submission.base_revision,
            input_kind=submission.input_kind,
            **_when(submission.timing, task),
        )
        _record(event, task, _checked(submission, task), assessor, is_model=is_model)
        return AcceptedPair(event, task, repeated=False)

    def is_same(known: PreferenceEvent) -> bool:
        return (
            known.kind == PreferenceEvent.Kind.JUDGE
            and assessor is not None
            and known.assessor_id == assessor.pk
            and known.pair_id == submission.pair
            and known.outcome == submission.outcome
        )

    return _once(submission.op_id, accept, is_same)


def undo_pair(
    op_id: str, contest: int, *, assessor: Assessor | None, timing: Timing | None = None
) -> AcceptedPair:
    """Take back the assessor's newest answer in a contest that was not taken back yet.

    Raises
    ------
    RefusedError
        If there is none, or the contest is closed.
    """

    def accept() -> AcceptedPair:
        if assessor is None:
            raise RefusedError("unknown", gettext("This topic is not assigned to you."))
        last = _standing(contest, assessor).order_by("-id").first()
        if last is None and not contests_for(assessor).filter(pk=contest).exists():
            raise RefusedError("unknown", gettext("This topic is not assigned to you."))
        if last is None:
            raise RefusedError("nothing", gettext("There is nothing to undo."))
        task = _tasks().get(pk=last.pair_id)
        answer = answer_at(task, last.base_revision)
        event = PreferenceEvent(
            op_id=op_id,
            kind=PreferenceEvent.Kind.UNDO,
            undoes=last,
            base_revision=task.revision,
            **_when(timing or Timing(), task),
        )
        _record(event, task, answer, assessor)
        return AcceptedPair(event, task, repeated=False)

    def is_same(known: PreferenceEvent) -> bool:
        return (
            known.kind == PreferenceEvent.Kind.UNDO
            and assessor is not None
            and known.assessor_id == assessor.pk
            and known.contest_id == contest
        )

    return _once(op_id, accept, is_same)


def _once(
    op_id: str, accept: Callable[[], AcceptedPair], is_same: Callable[[PreferenceEvent], bool]
) -> AcceptedPair:
    """What an operation did, whether now or when it came for the first time."""
    try:
        return accept()
    except (IntegrityError, RefusedError):
        known = PreferenceEvent.objects.filter(op_id=op_id).first()
        if known is None:
            raise
    if not is_same(known):
        raise RefusedError("op_id", gettext("This operation id was used for something else."))
    return AcceptedPair(known, _tasks().get(pk=known.pair_id), repeated=True)


def _tasks() -> QuerySet[PairTask]:
    tasks = PairTask.objects.select_related("contest__topic", "left", "right")
    return tasks.defer("contest__candidates", "contest__nonrelevant")


def _standing(contest: int, assessor: Assessor) -> QuerySet[PreferenceEvent]:
    """The answers of an assessor in a contest that were not taken back."""
    return PreferenceEvent.objects.filter(
        contest=contest, assessor=assessor, kind=PreferenceEvent.Kind.JUDGE, undo=None
    )


def _withdrawn(task: PairTask) -> RefusedError:
    return RefusedError(
        "withdrawn", gettext("This pair is not asked any more; go on."), current=task
    )


def _checked(submission: PairSubmission, task: PairTask) -> PairAnswer:
    """The answer, if what it names could be seen and chosen; older texts make it stale."""
    left = Q(doc=task.left_id, sha256=submission.left_sha256)
    right = Q(doc=task.right_id, sha256=submission.right_sha256)
    shown = DocVersion.objects.filter(left | right).values_list("doc", flat=True)
    if set(shown) != {task.left_id, task.right_id}:
        raise RefusedError(
            "sha256",
            gettext("What was shown is no version of this doc; load the page again."),
            current=task,
        )
    latest = task.contest.topic.version
    topic = latest if submission.topic_version is None else submission.topic_version
    if not 1 <= topic <= latest:
        raise RefusedError("version", gettext("There is no such version of the topic."))
    choices = current_choices()
    if submission.settings_version not in (None, choices.version):
        known = choices_versions().get(submission.settings_version)
        if known is None:
            raise RefusedError("version", gettext("There is no such version of the choices."))
        choices = known
    if submission.outcome not in choices.outcomes:
        raise RefusedError(
            "value",
            gettext("%(outcome)s is none of the choices.") % {"outcome": submission.outcome},
            current=task,
        )
    passages = [
        passage
        for side, doc in (("left", task.left_id), ("right", task.right_id))
        for passage in seen_passages(
            [each for each in submission.passages if each["side"] == side],
            DocVersion.objects.filter(doc=doc, sha256=getattr(submission, f"{side}_sha256")),
        )
    ]
    return PairAnswer(
        outcome=submission.outcome,
        left_sha256=submission.left_sha256,
        right_sha256=submission.right_sha256,
        topic_version=topic,
        settings_version=choices.version,
        passages=passages,
    )


def _record(
    event: PreferenceEvent,
    task: PairTask,
    answer: PairAnswer,
    assessor: Assessor,
    *,
    is_model: bool = False,
) -> None:
    """Write the event and make its answer current: both or neither."""
    event.assessor = assessor
    event.contest = task.contest
    event.pair = task
    event.revision = event.base_revision + 1
    for name, value in asdict(answer).items():
        setattr(event, name, value)
    contest = task.contest
    with writing():
        check_pair(task, assessor, is_model=is_model)
        changed = _change(task, event.base_revision, answer)
        if event.undoes is not None:
            _check_newest(event.undoes, task, assessor)
        append(event, changed=changed)
    contest.refresh_from_db(fields=("total", "judged", "revision", "is_changed", "derived"))
    if contest.judged == contest.total:
        # Whoever sees how far the contest is shall see that it is done, or what is open now.
        derive(contest.pk)


def _change(task: PairTask, base: int, answer: PairAnswer) -> dict[str, object]:
    """Give a pair an answer if its revision is still `base`; what becomes of its contest."""
    is_judged = answer != UNANSWERED
    own = Contest.objects.filter(pk=task.contest_id)
    # The contest first, everywhere: so no two transactions wait for each other.
    if not own.filter(is_open=True).update(revision=F("revision") + 1):
        raise RefusedError("closed", gettext("This topic is closed."), current=task)
    values = asdict(answer) | {"revision": base + 1, "is_judged": is_judged}
    same = PairTask.objects.filter(pk=task.pk, revision=base, withdrawn=False)
    if task.revision != base or not same.update(**values):
        current = _tasks().get(pk=task.pk)
        if current.withdrawn:
            raise _withdrawn(current)
        raise RefusedError(
            "stale",
            gettext("The answer was changed meanwhile; choose which one to keep."),
            current=current,
        )
    # Only now: of a pair that was withdrawn meanwhile nothing is counted any more.
    counted: dict[str, object] = {"judged": F("judged") + int(is_judged) - int(task.is_judged)}
    if task.is_judged and task.purpose == PairTask.Purpose.SEARCH:
        # What stood before may have closed or opened other pairs.
        counted["is_changed"] = True
    for name, value in values.items():
        setattr(task, name, value)
    return counted


def _check_newest(undone: PreferenceEvent, task: PairTask, assessor: Assessor) -> None:
    """Refuse to undo an answer that was undone meanwhile, or after which there is another one."""
    standing = _standing(task.contest_id, assessor).filter(pk__gte=undone.pk)
    if standing.order_by("-id").first() != undone:
        raise RefusedError(
            "stale",
            gettext("Something was judged meanwhile; undo again."),
            current=_tasks().get(pk=task.pk),
        )


def _when(timing: Timing, task: PairTask) -> dict[str, object]:
    """Points in time from durations, none before the pair was handed out."""
    return dict(points_in_time(timing, since=task.claimed_at or task.contest.created_at))
