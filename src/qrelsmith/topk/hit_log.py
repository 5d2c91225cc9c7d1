"""Accepted submissions of workers, derived from all submissions on demand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.pairs.hits import HitResult, PairHit
from qrelsmith.topk.answers import Answer

_BETTER = {"left": -1, "right": 1}


@dataclass(frozen=True, slots=True)
class HitLog:
    """The log of a round's submissions: accepted, discarded, failed.

    Attributes
    ----------
    accepted, discarded : tuple of HitResult
        Accepted and discarded submissions. All of these are paid.
    excluded : tuple of str
        Workers with a failed attention check, including workers excluded earlier.
    open : tuple of PairHit
        HITs without an accepted submission, to publish again.
    failed : tuple of (str, str)
        Worker and HIT of every submission that failed an attention check.
    """

    accepted: tuple[HitResult, ...]
    discarded: tuple[HitResult, ...]
    excluded: tuple[str, ...]
    open: tuple[PairHit, ...]
    failed: tuple[tuple[str, str], ...]

    @property
    def paid(self) -> int:
        """The number of paid submissions; all submissions are paid."""
        return len(self.accepted) + len(self.discarded)


def resolve_hits(
    hits: Sequence[PairHit], submissions: Iterable[HitResult], *, excluded: Collection[str] = ()
) -> HitLog:
    """Decide which submissions of a round are accepted.

    A worker who fails an attention check (the worse doc, a tie or no answer) is excluded. All
    submissions of this worker in the round are discarded. An incomplete submission that passes its
    attention checks is discarded without excluding the worker. If several workers do one HIT, all
    of their submissions are accepted.

    Parameters
    ----------
    hits : sequence of PairHit
        The HITs of the round.
    submissions : iterable of HitResult
        The submissions in any order; a worker's last submission of a HIT counts, and all are paid.
    excluded : collection of str
        Workers excluded in earlier rounds, whose submissions are ignored.

    Raises
    ------
    UsageError
        If a submission has an unknown HIT or a wrong number of outcomes.
    """
    hits_by_key = {hit.key: hit for hit in hits}
    done = list(submissions)
    for submission in done:
        if submission.hit not in hits_by_key:
            raise UsageError(
                f"the HIT {quoted(submission.hit)} is not in the round; expected a HIT of the round"
            )
        if len(submission.outcomes) != len(hits_by_key[submission.hit].pairs):
            raise UsageError(
                f"the submission of the HIT {submission.hit} has {len(submission.outcomes)}"
                f" outcomes; expected {len(hits_by_key[submission.hit].pairs)}"
            )
    failed = [entry for entry in done if _fails(hits_by_key[entry.hit], entry)]
    out = {entry.worker for entry in failed} | set(excluded)
    last = {(entry.hit, entry.worker): place for place, entry in enumerate(done)}
    accepted = [
        entry
        for place, entry in enumerate(done)
        if entry.worker not in out
        and last[entry.hit, entry.worker] == place
        and None not in entry.outcomes
    ]
    counted = set(map(id, accepted))
    finished = {entry.hit for entry in accepted}
    return HitLog(
        accepted=tuple(accepted),
        discarded=tuple(entry for entry in done if id(entry) not in counted),
        excluded=tuple(sorted(out)),
        open=tuple(hit for hit in hits if hit.key not in finished),
        failed=tuple((entry.worker, entry.hit) for entry in failed),
    )


def answers_of(hits: Sequence[PairHit], accepted: Iterable[HitResult]) -> list[tuple[str, Answer]]:
    """Yield topic and answer of every pair in accepted submissions, without attention checks."""
    known = {hit.key: hit for hit in hits}
    return [
        (pair.topic, Answer(pair.left, pair.right, outcome, one.worker, pair.round))
        for one in accepted
        for pair, outcome in zip(known[one.hit].pairs, one.outcomes, strict=True)
        if not pair.challenge
    ]


def _fails(hit: PairHit, submission: HitResult) -> bool:
    """Return whether an attention check failed."""
    return any(
        pair.challenge and (outcome is None or outcome * _BETTER[pair.challenge] <= 0)
        for pair, outcome in zip(hit.pairs, submission.outcomes, strict=True)
    )
