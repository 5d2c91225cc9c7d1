"""Answers to pairs, as `core.accepting` accepts them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext

from qrelsmith.web.core.accepting import Acceptor
from qrelsmith.web.core.closing import check_pair
from qrelsmith.web.core.prepared import Prepared
from qrelsmith.web.core.subjects import PAIRS, PairAnswer
from qrelsmith.web.core.submissions import Accepted, PairSubmission, RefusedError, Timing
from qrelsmith.web.docs.passages import seen_passages
from qrelsmith.web.models import Assessor, DocVersion, PairTask
from qrelsmith.web.pairs.choices import choices_versions, current_choices
from qrelsmith.web.pairs.open_pairs import derive
from qrelsmith.web.pairs.shown import contests_for


def judge_pair(submission: PairSubmission, contest: int, *, assessor: Assessor | None) -> Accepted:
    """Accept an answer to a pair of a contest, which the assessor must have.

    Raises
    ------
    RefusedError
        If it cannot be accepted; nothing has changed then.
    """
    return PairAcceptor(contest, assessor).judge(submission)


def undo_pair(
    op_id: str, contest: int, *, assessor: Assessor | None, timing: Timing | None = None
) -> Accepted:
    """Take back the assessor's newest answer in a contest that was not taken back yet.

    Raises
    ------
    RefusedError
        If there is none, or the contest is closed.
    """
    return PairAcceptor(contest, assessor).undo(op_id, timing)


# Which of two docs have a version of these digests.
_SHOWN = Prepared[int](
    lambda left, left_sha256, right, right_sha256: DocVersion.objects.filter(
        Q(doc=left, sha256=left_sha256) | Q(doc=right, sha256=right_sha256)
    ).values_list("doc", flat=True)
)


def pairs_with_docs() -> QuerySet[PairTask]:
    """Pairs with their docs and their contest."""
    tasks = PairTask.objects.select_related("contest__topic", "left", "right")
    return tasks.defer("contest__candidates", "contest__nonrelevant")


class PairAcceptor(Acceptor[PairSubmission, PairAnswer]):
    """Accepts answers to the pairs of a contest."""

    subject = PAIRS
    prepared_unit = Prepared[PairTask](
        lambda pk, contest: pairs_with_docs().filter(pk=pk, contest=contest)
    )

    def units(self) -> QuerySet[PairTask]:
        """Pairs with their docs and their contest."""
        return pairs_with_docs()

    def in_play(self) -> QuerySet[PairTask]:
        """Pairs that are asked still."""
        return PairTask.objects.filter(withdrawn=False)

    def owner(self, unit: PairTask) -> int | None:
        """The assessor who has the pair."""
        return unit.assessor_id

    def is_mine(self) -> bool:
        """Whether the assessor may judge pairs of the contest."""
        if self._assessor is None:
            return False
        return contests_for(self._assessor).filter(pk=self._stream).exists()

    def unknown(self, *, has_unit: bool) -> RefusedError:
        """The refusal of a pair or topic that another assessor has."""
        if has_unit:
            return RefusedError("unknown", gettext("You do not have this pair."))
        return RefusedError("unknown", gettext("This topic is not assigned to you."))

    def label_from(self, submission: PairSubmission, unit: PairTask) -> PairAnswer:
        """The answer, if the versions that were shown are there and it is among the choices."""
        shown = _SHOWN.rows(
            unit.left_id, submission.left_sha256, unit.right_id, submission.right_sha256
        )
        if set(shown) != {unit.left_id, unit.right_id}:
            raise RefusedError(
                "sha256",
                gettext("What was shown is no version of this doc; load the page again."),
                current=unit,
            )
        topic = self.topic_version(submission, unit.contest.topic)
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
                current=unit,
            )
        passages = [
            passage
            for side, doc in (("left", unit.left_id), ("right", unit.right_id))
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

    def lock_head(self, unit: PairTask) -> str:
        """The head of the contest, if it is open, and its assessor and HIT may judge."""
        return check_pair(unit)

    def start_time(self, unit: PairTask) -> datetime:
        """When the pair was handed out."""
        return unit.claimed_at or unit.contest.created_at

    def stream_changes(self, unit: PairTask, *, is_judged: bool) -> dict[str, Any]:
        """How far the contest is then."""
        changed = F("judged") + int(is_judged) - int(unit.is_judged)
        counted: dict[str, Any] = {"judged": changed, "revision": F("revision") + 1}
        if unit.is_judged and unit.purpose == PairTask.Purpose.SEARCH:
            # What stood before may have closed or opened other pairs.
            counted["is_changed"] = True
        return counted

    def refusal(self, current: PairTask) -> RefusedError:
        """The refusal of an answer to a pair that was withdrawn, or answered before."""
        if current.withdrawn:
            message = gettext("This pair is not asked any more; go on.")
            return RefusedError("withdrawn", message, current=current)
        return RefusedError(
            "stale",
            gettext("The answer was changed meanwhile; choose which one to keep."),
            current=current,
        )

    def finish(self, unit: PairTask) -> None:
        """Derive what is open now, so that whoever sees how far it is sees that it is done."""
        contest = unit.contest
        contest.refresh_from_db(fields=("total", "judged", "revision", "is_changed", "derived"))
        if contest.judged == contest.total:
            derive(contest.pk)
