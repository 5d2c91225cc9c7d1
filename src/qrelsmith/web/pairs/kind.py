"""Pairs, a kind of judgment: an assessor says which of two docs is better."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext

from qrelsmith.web.core.event_lines import (
    PREFERENCE_EVENTS,
    preference_event_record,
    preference_events_of_records,
)
from qrelsmith.web.core.fields import (
    INPUT,
    NUMBER,
    OP_ID,
    OUTCOME,
    PAIR_PASSAGES,
    REVISION,
    SHA256,
    VERSION,
)
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.core.submissions import Accepted, RefusedError, Submission, Timing
from qrelsmith.web.docs.passages import seen_passages
from qrelsmith.web.judging.accepting import judge, person, undo
from qrelsmith.web.judging.kinds import KINDS, JudgmentKind
from qrelsmith.web.models import (
    Account,
    Assessor,
    Contest,
    DocVersion,
    Hit,
    PairTask,
    PreferenceEvent,
)
from qrelsmith.web.openapi.declared import declare
from qrelsmith.web.openapi.schemas import listed, shown
from qrelsmith.web.pairs.choices import Choices, choices_versions, current_choices
from qrelsmith.web.pairs.open_pairs import derive
from qrelsmith.web.pairs.shown import SIDES, contests_for

_OPEN_CONTEST = Prepared[str](
    lambda pk: (
        Contest.objects.select_for_update(no_key=True)
        .filter(pk=pk, is_open=True)
        .values_list("head", flat=True)
    )
)
_ACTIVE_ACCOUNT = Prepared[int](
    lambda assessor: (
        Account.objects.select_for_update(no_key=True)
        .filter(assessor=assessor, is_active=True)
        .values_list("pk", flat=True)
    )
)
# The docs of a pair that have versions of these digests.
_SHOWN = Prepared[int](
    lambda left, left_sha256, right, right_sha256: DocVersion.objects.filter(
        Q(doc=left, sha256=left_sha256) | Q(doc=right, sha256=right_sha256)
    ).values_list("doc", flat=True)
)


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """The answer to a pair at some revision.

    Attributes
    ----------
    outcome : int or None
        From −2 (left much better) to 2, or None: unjudged.
    left_sha256, right_sha256 : str
        The digests of the docs that were shown; empty if it is unjudged.
    passages : list of dict
        The passages of both docs that support it, each with its side.
    topic_version, settings_version : int
        The texts by which it was judged; 0 if it is unjudged.
    """

    outcome: int | None = None
    left_sha256: str = ""
    right_sha256: str = ""
    topic_version: int = 0
    settings_version: int = 0
    passages: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PairSubmission(Submission):
    """An answer to a pair as a client sends it.

    Attributes
    ----------
    pair : int
        The task.
    outcome : int
        From −2 (left much better) to 2.
    left_sha256, right_sha256 : str
        The digests of the docs that were shown.
    settings_version : int or None
        The choices that were shown; None: the current ones.
    """

    op_id: str = declare(OP_ID)
    pair: int = declare(NUMBER)
    outcome: int = declare(OUTCOME)
    left_sha256: str = declare(SHA256)
    right_sha256: str = declare(SHA256)
    base_revision: int = declare(REVISION)
    topic_version: int | None = declare(VERSION, None)
    settings_version: int | None = declare(VERSION, None)
    passages: list[dict[str, Any]] = declare(PAIR_PASSAGES, default_factory=list)  # noqa: RUF009
    input_kind: str = declare(INPUT, "")
    timing: Timing = field(default_factory=Timing)

    @property
    def unit(self) -> int:
        """The task."""
        return self.pair

    @property
    def said(self) -> float:
        """The outcome."""
        return self.outcome


@dataclass(frozen=True, slots=True)
class Texts:
    """The choices that answers are checked against: the current ones, and all if others occur."""

    choices: Choices
    versions: dict[int, Choices]

    def choices_of(self, version: int | None) -> Choices | None:
        """Return a version of the choices, the current one for None."""
        return self.choices if version is None else self.versions.get(version)


class Pairs(JudgmentKind[PairSubmission]):
    """Pairs of contests, each with an answer."""

    blank = PairAnswer()
    events, units, streams = PreferenceEvent, PairTask, Contest
    unit, stream = "pair", "contest"
    lines, record = PREFERENCE_EVENTS, staticmethod(preference_event_record)
    read = staticmethod(preference_events_of_records)
    submission = PairSubmission
    # Pairs that are asked still.
    in_play = MappingProxyType({"withdrawn": False})
    prepared_unit = Prepared[PairTask](
        lambda pk, contest: pairs_with_docs().filter(pk=pk, contest=contest)
    )

    def items(self) -> QuerySet[PairTask]:
        """Return pairs with their docs and their contest."""
        return pairs_with_docs()

    def owner(self, unit: PairTask) -> int | None:
        """Return the assessor who has the pair."""
        return unit.assessor_id

    def is_mine(self, stream: int, assessor: Assessor | None) -> bool:
        """Return whether the assessor may judge pairs of the contest."""
        return assessor is not None and contests_for(assessor).filter(pk=stream).exists()

    def unknown(self, *, has_unit: bool) -> RefusedError:
        """Return the refusal of a pair or topic that another assessor has."""
        if has_unit:
            return RefusedError("unknown", gettext("You do not have this pair."))
        return RefusedError("unknown", gettext("This topic is not assigned to you."))

    def repeated(self, unit: PairTask) -> RefusedError:
        """Return the refusal of a pair that occurs twice in a batch."""
        return RefusedError(
            "twice",
            gettext("This pair is judged twice at once."),
            field="pair",
            found=str(unit.pk),
            expected="a pair once in a batch",
        )

    def texts(self, given: Sequence[tuple[PairSubmission, PairTask]]) -> Texts:
        """Read the choices that answers name."""
        current = current_choices()
        named = {each.settings_version for each, _ in given}
        is_other = not named <= {None, current.version}
        return Texts(current, choices_versions() if is_other else {current.version: current})

    def faults(self, given: PairSubmission, unit: PairTask, texts: Texts) -> Iterator[RefusedError]:
        """Find versions that are not there, and an answer that is none of the choices."""
        shown_docs = set(
            _SHOWN.rows(unit.left_id, given.left_sha256, unit.right_id, given.right_sha256)
        )
        for side in SIDES:
            doc = getattr(unit, side)
            if doc.pk not in shown_docs:
                yield RefusedError(
                    "sha256",
                    gettext("What was shown is no version of this doc; load the page again."),
                    current=unit,
                    field=f"{side}_sha256",
                    found=shown(getattr(given, f"{side}_sha256")),
                    expected=f"the digest of a version of doc {shown(doc.name)}",
                )
        yield from self.topic_faults(given, unit.contest.topic)
        choices = texts.choices_of(given.settings_version)
        if choices is None:
            yield RefusedError(
                "version",
                gettext("There is no such version of the choices."),
                field="settings_version",
                found=str(given.settings_version),
                expected=f"a version of the choices ({listed(list(texts.versions))})",
            )
        elif given.outcome not in choices.outcomes:
            yield RefusedError(
                "value",
                gettext("%(outcome)s is none of the choices.") % {"outcome": given.outcome},
                current=unit,
                field="outcome",
                found=str(given.outcome),
                expected=f"one of {listed(choices.outcomes)}",
            )

    def label(self, given: PairSubmission, unit: PairTask, texts: Texts) -> PairAnswer:
        """Return the answer; passages must be in the versions that were shown."""
        choices = texts.choices_of(given.settings_version)
        passages = [
            passage
            for side in SIDES
            for passage in seen_passages(
                [each for each in given.passages if each["side"] == side],
                DocVersion.objects.filter(
                    doc=getattr(unit, f"{side}_id"), sha256=getattr(given, f"{side}_sha256")
                ),
            )
        ]
        return PairAnswer(
            outcome=given.outcome,
            left_sha256=given.left_sha256,
            right_sha256=given.right_sha256,
            topic_version=given.topic_version or unit.contest.topic.version,
            settings_version=choices.version if choices else 0,
            passages=passages,
        )

    def lock_head(self, unit: PairTask, *, has_account: bool) -> str:
        """Return the head of the contest, if it is open; its HIT, if any, must not be handed in.

        The account is locked first and the HIT before its contest, as by those who take it away.
        """
        mine = unit.assessor_id
        if has_account and (mine is None or _ACTIVE_ACCOUNT.first(mine) is None):
            raise RefusedError("account", gettext("Your account is closed."))
        # What was taken away is withdrawn, which is said when the answer would be written.
        if unit.hit and not PairTask.objects.filter(pk=unit.pk, withdrawn=True).exists():
            hits = Hit.objects.select_for_update(no_key=True).filter(key=unit.hit)
            if hits.filter(state=Hit.State.TAKEN).values_list("pk", flat=True).first() is None:
                raise RefusedError("closed", gettext("This task is handed in."), current=unit)
        head = _OPEN_CONTEST.first(unit.contest_id)
        if head is None:
            raise RefusedError("closed", gettext("This topic is closed."), current=unit)
        return head

    def stream_name(self, stream: Contest) -> str:
        """Name a contest in a sentence."""
        return f"the pairs of topic {stream.topic.name}"

    def start_time(self, unit: PairTask) -> datetime:
        """Return when the pair was handed out."""
        return unit.claimed_at or unit.contest.created_at

    def stream_changes(self, units: Iterable[tuple[PairTask, bool]]) -> dict[str, Any]:
        """Return the progress of the contest then."""
        changes = list(units)
        judged = sum(int(is_judged) - int(unit.is_judged) for unit, is_judged in changes)
        counted: dict[str, Any] = {
            "judged": F("judged") + judged,
            "revision": F("revision") + len(changes),
        }
        # An earlier answer may have closed or opened other pairs.
        if any(u.is_judged and u.purpose == PairTask.Purpose.SEARCH for u, _ in changes):
            counted["is_changed"] = True
        return counted

    def refusal(self, current: PairTask, *, base: int) -> RefusedError:
        """Return the refusal of an answer to a pair that was withdrawn, or answered before."""
        if current.withdrawn:
            message = gettext("This pair is not asked any more; go on.")
            return RefusedError("withdrawn", message, current=current)
        return RefusedError(
            "stale",
            gettext("The answer was changed meanwhile; choose which one to keep."),
            current=current,
            field="base_revision",
            found=str(base),
            expected=f"{current.revision}, the revision of the current answer",
        )

    def finish(self, unit: PairTask) -> None:
        """Derive what is open now, so that whoever sees how far it is sees that it is done."""
        contest = unit.contest
        contest.refresh_from_db(fields=("total", "judged", "revision", "is_changed", "derived"))
        if contest.judged == contest.total:
            derive(contest.pk)


def pairs_with_docs() -> QuerySet[PairTask]:
    """Return pairs with their docs and their contest."""
    tasks = PairTask.objects.select_related("contest__topic", "left", "right")
    return tasks.defer("contest__candidates", "contest__nonrelevant")


PAIRS = Pairs()
KINDS.append(PAIRS)


def judge_pair(submission: PairSubmission, contest: int, *, assessor: Assessor | None) -> Accepted:
    """Accept an answer to a pair of a contest, which the assessor must have.

    Raises
    ------
    RefusedError
        If it cannot be accepted; nothing has changed then.
    """
    return judge(PAIRS, submission, person(assessor, contest))


def undo_pair(
    op_id: str, contest: int, *, assessor: Assessor | None, timing: Timing | None = None
) -> Accepted:
    """Take back the assessor's newest answer in a contest that was not taken back yet.

    Raises
    ------
    RefusedError
        If there is none, or the contest is closed.
    """
    return undo(PAIRS, op_id, contest, assessor=assessor, timing=timing)
