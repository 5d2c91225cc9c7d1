"""Accepting: the one place where an event gets into the log, of a graded doc or of a pair.

A client names its operation (`op_id`) and the revision that it saw. The same operation twice is one
event; an operation on a revision that is no longer the current one is refused together with the
current label, so that a person chooses. The label is changed by an UPDATE that is guarded by the
revision, in one transaction with the event, and all state is looked at under its lock.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import datetime
from typing import Any, ClassVar, Generic, TypeVar

from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils.translation import gettext

from qrelsmith.web.core.chain import append
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.core.subjects import AnyEvent, Label, PairAnswer, Subject
from qrelsmith.web.core.submissions import Accepted, RefusedError, Submission, Timing
from qrelsmith.web.core.timing import points_in_time
from qrelsmith.web.models import Assessor, Event, Topic

_Sent = TypeVar("_Sent", bound=Submission)
_Given = TypeVar("_Given", bound=Label | PairAnswer)
_KIND = Event.Kind


class Acceptor(ABC, Generic[_Sent, _Given]):
    """Accepts what an assessor sends for an assignment or a contest.

    Parameters
    ----------
    stream : int
        Which assignment or contest.
    assessor : Assessor or None
        Who sends it; None is refused.
    """

    subject: ClassVar[Subject[Any]]
    # One of the `units` of an assignment or contest.
    prepared_unit: ClassVar[Prepared[Any]]

    def __init__(self, stream: int, assessor: Assessor | None) -> None:
        self._stream = stream
        self._assessor = assessor

    def judge(self, submission: _Sent) -> Accepted:
        """Accept a judgment of a unit, which must be this assessor's.

        Raises
        ------
        RefusedError
            If it cannot be accepted; nothing has changed then.
        """
        subject = self.subject

        def accept() -> Accepted:
            unit = self.prepared_unit.first(submission.unit, self._stream)
            if unit is None or self._assessor is None or self.owner(unit) != self._assessor.pk:
                raise self.unknown(has_unit=True)
            label = self.label_from(submission, unit)
            event = subject.events(
                op_id=submission.op_id,
                kind=_KIND.JUDGE,
                base_revision=submission.base_revision,
                input_kind=submission.input_kind,
            )
            return self._record(event, unit, label, submission.timing)

        def is_same(known: AnyEvent) -> bool:
            was = (subject.unit_key(known), getattr(known, subject.value))
            return known.kind == _KIND.JUDGE and was == (submission.unit, submission.said)

        return self._once(submission.op_id, accept, is_same)

    def undo(self, op_id: str, timing: Timing | None = None) -> Accepted:
        """Take back the assessor's newest judgment that was not taken back yet.

        Raises
        ------
        RefusedError
            If there is none, or nothing is accepted here any more.
        """
        subject = self.subject

        def accept() -> Accepted:
            last = self._newest()
            if last is None and not self.is_mine():
                raise self.unknown(has_unit=False)
            if last is None:
                raise RefusedError("nothing", gettext("There is nothing to undo."))
            unit = self.units().get(pk=subject.unit_key(last))
            label = subject.label_at(unit, last.base_revision)
            event = subject.events(
                op_id=op_id, kind=_KIND.UNDO, undoes=last, base_revision=unit.revision
            )
            return self._record(event, unit, label, timing or Timing())

        def is_same(known: AnyEvent) -> bool:
            return known.kind == _KIND.UNDO and subject.stream_key(known) == self._stream

        return self._once(op_id, accept, is_same)

    @abstractmethod
    def units(self) -> QuerySet[Any]:
        """Units with what their answers and checks need."""

    @abstractmethod
    def owner(self, unit: Any) -> int | None:
        """The number of the assessor who may judge a unit."""

    @abstractmethod
    def is_mine(self) -> bool:
        """Whether the assessor has anything to do with the assignment or contest."""

    @abstractmethod
    def unknown(self, *, has_unit: bool) -> RefusedError:
        """The refusal of what is somebody else's: a unit, or all of it."""

    @abstractmethod
    def label_from(self, submission: _Sent, unit: Any) -> _Given:
        """The label, if what it names could be seen and chosen; older texts make it stale.

        What never changes is looked at here, before the transaction, for which all others wait.
        """

    @abstractmethod
    def lock_head(self, unit: Any) -> str:
        """The head of what is open, under the lock under which it is closed; a refusal if not."""

    @abstractmethod
    def start_time(self, unit: Any) -> datetime:
        """The time before which a unit cannot have been shown."""

    @abstractmethod
    def stream_changes(self, unit: Any, *, is_judged: bool) -> dict[str, Any]:
        """The columns of the assignment or contest that change when a unit gets its label."""

    @abstractmethod
    def refusal(self, current: Any) -> RefusedError:
        """The refusal of a label for a unit that has another one by now."""

    def topic_version(self, submission: _Sent, topic: Topic) -> int:
        """The version of the topic that was shown, if there is such a version."""
        version = submission.topic_version
        if version is not None and not 1 <= version <= topic.version:
            raise RefusedError("version", gettext("There is no such version of the topic."))
        return topic.version if version is None else version

    def finish(self, unit: Any) -> None:
        """Do what follows once the event is in the log; nothing, unless a subject says so."""

    def _once(
        self, op_id: str, accept: Callable[[], Accepted], is_same: Callable[[Any], bool]
    ) -> Accepted:
        """The outcome of an operation, whether it came now or before.

        A repeated operation is found out by its failure: the revision is taken, or the id is.
        """
        try:
            return accept()
        except (IntegrityError, RefusedError):
            earlier = self.subject.events.objects.filter(op_id=op_id).first()
            if earlier is None:
                raise
        mine = self._assessor is not None and earlier.assessor_id == self._assessor.pk
        if not mine or not is_same(earlier):
            raise RefusedError("op_id", gettext("This operation id was used for something else."))
        return Accepted(earlier, self.units().get(pk=self.subject.unit_key(earlier)), repeated=True)

    def _record(self, event: Any, unit: Any, label: _Given, timing: Timing) -> Accepted:
        """The event, complete and in the log, its label current: both or neither."""
        subject = self.subject
        event.assessor = self._assessor
        setattr(event, subject.unit, unit)
        setattr(event, subject.stream, getattr(unit, subject.stream))
        event.revision = event.base_revision + 1
        when = points_in_time(timing, since=self.start_time(unit))
        for name, value in (when | subject.label_columns(label)).items():
            setattr(event, name, value)
        values = subject.unit_columns(label, event.revision)
        with writing():
            before = self.lock_head(unit)
            self._change(unit, event.base_revision, values)
            if event.undoes is not None and self._newest() != event.undoes:
                raise RefusedError(
                    "stale",
                    gettext("Something was judged meanwhile; undo again."),
                    current=self.units().get(pk=unit.pk),
                )
            changed = self.stream_changes(unit, is_judged=values["is_judged"])
            append(event, before=before, changed=changed)
        for name, value in values.items():
            setattr(unit, name, value)
        self.finish(unit)
        return Accepted(event, unit, repeated=False)

    def _change(self, unit: Any, base: int, values: dict[str, Any]) -> None:
        """Give a unit a label if its revision is still `base`."""
        same = self.in_play().filter(pk=unit.pk, revision=base)
        if unit.revision != base or not same.update(**values):
            raise self.refusal(self.units().get(pk=unit.pk))

    def in_play(self) -> QuerySet[Any]:
        """Units that can get a label."""
        units: QuerySet[Any] = self.subject.units.objects.all()
        return units

    def _newest(self) -> AnyEvent | None:
        """The newest judgment of the assessor that was not taken back."""
        of = {self.subject.stream: self._stream, "assessor": self._assessor}
        standing = self.subject.events.objects.filter(**of, kind=_KIND.JUDGE, undo=None)
        newest: AnyEvent | None = standing.order_by("-id").first()
        return newest
