"""Pairs, a kind of judgment: an assessor decides which of two docs is better."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.db.models import F, QuerySet
from django.utils.translation import gettext, gettext_lazy

from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.event_lines import PREFERENCE_EVENTS
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
from qrelsmith.web.judging.accepting import judge, person, undo
from qrelsmith.web.judging.kind_words import KindWords
from qrelsmith.web.judging.kinds import KINDS, JudgmentKind
from qrelsmith.web.models import Account, Assessor, Contest, Hit, PairTask, PreferenceEvent
from qrelsmith.web.openapi.declared import declare
from qrelsmith.web.pairs.choices import Choices, choices_versions, current_choices
from qrelsmith.web.pairs.open_pairs import derive
from qrelsmith.web.pairs.shown import answer_json, contest_progress, contests_for
from qrelsmith.web.pairs.verification import pair_checks

_OPEN_CONTEST = Prepared[Any](
    lambda pk: (
        Contest.objects.select_for_update(no_key=True)
        .filter(pk=pk, is_open=True)
        .values("head", "total", "judged", "revision")
    )
)
_ACTIVE_ACCOUNT = Prepared[int](
    lambda assessor: (
        Account.objects.select_for_update(no_key=True)
        .filter(assessor=assessor, is_active=True)
        .values_list("pk", flat=True)
    )
)


@dataclass(frozen=True, slots=True)
class PairAnswer:
    """The answer to a pair at a revision.

    Attributes
    ----------
    outcome : int or None
        From −2 (left much better) to 2 (right much better), or None: unjudged.
    left_sha256, right_sha256 : str
        The digests of the docs that were shown; empty if unjudged.
    passages : list of dict
        The supporting passages of both docs, each with its side.
    topic_version, settings_version : int
        The versions shown to the assessor; 0 if unjudged.
    """

    outcome: int | None = None
    left_sha256: str = ""
    right_sha256: str = ""
    topic_version: int = 0
    settings_version: int = 0
    passages: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class PairSubmission(Submission):
    """An answer to a pair as sent by a client.

    Attributes
    ----------
    pair : int
        The number of the pair.
    outcome : int
        From −2 (left much better) to 2 (right much better).
    left_sha256, right_sha256 : str
        The digests of the docs that were shown.
    settings_version : int or None
        The version of the choices that was shown; None: the current one.
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
        """The number of the pair."""
        return self.pair

    @property
    def said(self) -> float:
        """The outcome."""
        return self.outcome


class Pairs(JudgmentKind):
    """Pairs of preference tasks, each with an answer."""

    name, api = "pair", "contests"
    words = KindWords(
        not_yours=gettext_lazy("This pair is not assigned to you."),
        twice=gettext_lazy("This pair occurs twice in one request."),
        no_scale=gettext_lazy("This version of the answer choices does not exist."),
        stale=gettext_lazy("The answer was changed in the meantime. Choose which answer to keep."),
        event="answer",
        unit="pair",
        stream="the pairs of topic {topic}",
    )
    submission = PairSubmission
    blank = PairAnswer()
    events, units, streams = PreferenceEvent, PairTask, Contest
    unit, stream = "pair", "contest"
    shown = MappingProxyType({"left_sha256": "left", "right_sha256": "right"})
    scale = "settings_version"
    counts_events = True
    in_play = MappingProxyType({"withdrawn": False})
    lines = PREFERENCE_EVENTS
    stream_names = MappingProxyType({"topic": "topic__name"})
    unit_names = MappingProxyType({"pair": "number"})
    own_names = MappingProxyType(
        {"assessor": "assessor__name", "left": "left__name", "right": "right__name"}
    )

    def items(self) -> QuerySet[PairTask]:
        """Return the pairs, without the candidates of their preference task."""
        return super().items().defer("contest__candidates", "contest__nonrelevant")

    def owner(self, unit: PairTask) -> int | None:
        """Return the assessor who has the pair."""
        return unit.assessor_id

    def is_mine(self, stream: int, assessor: Assessor | None) -> bool:
        """Return whether the assessor may judge pairs of the task."""
        return assessor is not None and contests_for(assessor).filter(pk=stream).exists()

    def lock_head(self, unit: PairTask, *, has_account: bool) -> str:
        """Return the head of the task if it is open; the pair's HIT must not be submitted.

        The account is locked first, then the HIT, then the task: the same order as when a HIT is
        taken back.
        """
        mine = unit.assessor_id
        if has_account and (mine is None or _ACTIVE_ACCOUNT.first(mine) is None):
            raise RefusedError("account", gettext("Your account is disabled."))
        # A pair that was taken away is withdrawn; it is refused when the answer is written.
        if unit.hit and not PairTask.objects.filter(pk=unit.pk, withdrawn=True).exists():
            hits = Hit.objects.select_for_update(no_key=True).filter(key=unit.hit)
            if hits.filter(state=Hit.State.TAKEN).values_list("pk", flat=True).first() is None:
                raise RefusedError(
                    "closed", gettext("This task has already been submitted."), current=unit
                )
        counts = _OPEN_CONTEST.first(unit.contest_id)
        if counts is None:
            raise self.closed_refusal(unit)
        vars(unit.contest).update(counts)
        return str(unit.contest.head)

    def start_time(self, unit: PairTask) -> datetime:
        """Return the time at which the pair was assigned."""
        return unit.claimed_at or unit.contest.created_at

    def stream_changes(self, units: Iterable[tuple[PairTask, bool]]) -> dict[str, Any]:
        """Return the new progress of the task."""
        changes = list(units)
        for unit, is_judged in changes:
            unit.contest.judged += int(is_judged) - int(unit.is_judged)
            unit.contest.revision += 1
        counted = super().stream_changes(changes) | {"revision": F("revision") + len(changes)}
        # A changed answer may have closed or opened other pairs.
        if any(u.is_judged and u.purpose == PairTask.Purpose.SEARCH for u, _ in changes):
            counted["is_changed"] = True
        return counted

    def conflict(self, current: PairTask, *, base: int) -> RefusedError:
        """Return the refusal of an answer to a pair that was withdrawn or answered meanwhile."""
        if current.withdrawn:
            message = gettext("This pair is no longer needed. Continue with the next pair.")
            return RefusedError("withdrawn", message, current=current)
        return super().conflict(current, base=base)

    def finish(self, unit: PairTask) -> None:
        """Derive the open pairs, so that the progress shows at once whether the task is done."""
        if unit.contest.judged == unit.contest.total:
            derive(unit.contest_id)

    def current_scale(self) -> Choices:
        """Return the current choices."""
        return current_choices()

    def scales(self) -> dict[int, Choices]:
        """Return all versions of the choices."""
        return choices_versions()

    def row_json(self, unit: PairTask) -> dict[str, Any]:
        """Return a pair with its answer."""
        return answer_json(unit)

    def progress_json(self, unit: PairTask, assessor: Assessor) -> dict[str, Any]:
        """Return the progress of the task."""
        return {"contest": contest_progress(unit.contest, assessor)}

    def count_columns(self, stream: Contest, counts: Mapping[str, int]) -> dict[str, Any]:
        """Reset the derivation of open pairs if events are missing or new."""
        return {} if stream.revision == counts["revision"] else {"derived": -1}

    def checks(self) -> list[Check]:
        """Check the assignment of pairs, and which pairs are open."""
        return pair_checks()

    def belongs(self, event: PreferenceEvent, unit: PairTask) -> bool:
        """Return whether event and pair have the same task and assessor."""
        return super().belongs(event, unit) and event.assessor_id == unit.assessor_id


PAIRS = Pairs()
KINDS.append(PAIRS)


def judge_pair(submission: PairSubmission, contest: int, *, assessor: Assessor | None) -> Accepted:
    """Accept an answer to one of the assessor's pairs of a task.

    Raises
    ------
    RefusedError
        If the answer cannot be accepted; nothing has changed in this case.
    """
    return judge(PAIRS, submission, person(assessor, contest))


def undo_pair(
    op_id: str, contest: int, *, assessor: Assessor | None, timing: Timing | None = None
) -> Accepted:
    """Undo the assessor's latest answer in a task that was not undone yet.

    Raises
    ------
    RefusedError
        If there is no such answer, or the task is closed.
    """
    return undo(PAIRS, op_id, contest, assessor=assessor, timing=timing)
