"""The submissions of a round of HITs, accepted or discarded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.rng import digest_key
from qrelsmith.base.tables import Table
from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.preference_sources import PreferencesLike, preferences_of
from qrelsmith.pairs.hits import HitResult, PairHit
from qrelsmith.pairs.preferences import Preference, Preferences
from qrelsmith.topk.crowd.hit_files import read_hits
from qrelsmith.topk.crowd.platforms import platform_of
from qrelsmith.topk.hit_log import HitLog, answers_of, resolve_hits
from qrelsmith.topk.topk_sources import Terms, terms_of_hits

_PSEUDONYM_DIGITS = 10


@dataclass(frozen=True, slots=True)
class WorkerOfRound:
    """A worker's contribution in a round.

    Attributes
    ----------
    worker, assessor : str
        The platform's id of the worker, and the pseudonym.
    hits, counted, missed : int
        Number of HITs submitted, accepted, and with a failed attention check.
    excluded : bool
        Whether the worker's answers are excluded.
    paid : float
        The amount paid.
    """

    worker: str
    assessor: str
    hits: int
    counted: int
    missed: int
    excluded: bool
    paid: float


@dataclass(frozen=True, eq=False, kw_only=True)
class ResolvedHits(Result):
    """The resolved submissions of a round.

    Attributes
    ----------
    answers : Preferences
        The accepted answers, without attention checks.
    new : Preferences
        The accepted answers not yet in the log.
    open : tuple of PairHit
        The HITs to publish again.
    workers : tuple of WorkerOfRound
        All workers with a HIT, and workers excluded earlier.
    """

    answers: Preferences
    new: Preferences
    open: tuple[PairHit, ...]
    workers: tuple[WorkerOfRound, ...]

    def table(self) -> Table:
        """Columns: worker, assessor, hits, counted, missed, excluded, paid."""
        return Table.of(
            ("worker", "assessor", "hits", "counted", "missed", "excluded", "paid"),
            [
                (
                    one.worker, one.assessor, one.hits, one.counted, one.missed,
                    "yes" if one.excluded else "no", one.paid,
                )
                for one in self.workers
            ],
        )  # fmt: skip


@question(
    command="topk hits in",
    no_audit="it is used while preferences are collected",
    flags={"answers": "--answers"},
)
def topk_hits_in(
    record: FilePath | Iterable[PairHit],
    results: FilePath | Sequence[Any],
    answers: PreferencesLike = None,
    *,
    platform: str = "mturk",
    terms: Terms | None = None,
    excluded: Iterable[str] = (),
    seed: int = 0,
) -> ResolvedHits:
    """Read workers' results and return the accepted submissions of a round and the payments.

    Parameters
    ----------
    record : path or iterable of PairHit
        The record of the round's HITs.
    results : path, or sequence of paths or HitResults
        All results so far.
    answers : Preferences, path, data frame, mapping, or rows
        The log to which answers are added.
    platform : str
        The platform that determines the file format: one of `PLATFORMS`.
    terms : HitTerms or path, optional
        The terms of a HIT.
    excluded : iterable of str
        Platform ids of workers excluded in earlier rounds.
    seed : int
        Determines the workers' pseudonyms.

    Raises
    ------
    InputError
        If a file is malformed, or the results do not match the record.
    UsageError
        If an assignment has conflicting results.

    Notes
    -----
    Repeated results count once. Work rejected on the platform is neither paid nor
    accepted, and its HIT stays open.

    Examples
    --------
    >>> from qrelsmith.pairs.hits import HitPair, HitResult, PairHit
    >>> record = [
    ...     PairHit("h1", (HitPair("t1", "d1", "d2", 1), HitPair("t1", "d4", "d3", 0, "right")))
    ... ]
    >>> done = [HitResult("h1", "W1", (-1, 1)), HitResult("h1", "W2", (-1, -1))]
    >>> print(topk_hits_in(record, done))
    worker  assessor     hits  counted  missed  excluded    paid
    ──────  ───────────  ────  ───────  ──────  ────────  ──────
    W1      wa559b32171     1        1       0  no        2.0000
    W2      wc722753cdf     1        0       1  yes       2.0000
    note: HITs done: 2, of which 1 count; cost with fees: 4.80 USD
    note: answers that count: 1; HITs still open: 0 of 1
    note: workers excluded: 1; their HITs of this round are paid, discarded and open again
    """
    of_hits = terms_of_hits(terms)
    hits = read_hits(record) if isinstance(record, str | PathLike) else list(record)
    listed = [results] if isinstance(results, str | PathLike) else list(results)
    done: list[HitResult] = []
    for each in listed:
        if isinstance(each, str | PathLike):
            done += platform_of(platform).results(each, hits)
        else:
            done.append(each)
    names = _pseudonyms({result.worker for result in done} | set(excluded), seed)
    once = _unique_results(done)
    paid = [result._replace(worker=names[result.worker]) for result in once if result.is_paid]
    log = resolve_hits(hits, paid, excluded=[names[worker] for worker in excluded])
    answer_rows = [
        Preference(topic, one.left, one.right, one.outcome, one.assessor, one.round)
        for topic, one in answers_of(hits, log.accepted)
    ]
    known = set(preferences_of(answers).rows())
    new = [answer for answer in answer_rows if answer not in known]
    repeated, rejected = len(done) - len(once), len(once) - len(paid)
    return ResolvedHits(
        answers=Preferences.from_rows(answer_rows),
        new=Preferences.from_rows(new),
        open=log.open,
        workers=_workers(names, paid, log, of_hits),
        notes=(
            *_notes(hits, log, len(answer_rows), of_hits),
            *_count_note("HITs in several files, counted once", repeated),
            *_count_note("HITs that were rejected, not paid and not counted", rejected),
        ),
    )


def _unique_results(results: Sequence[HitResult]) -> list[HitResult]:
    """Return the results without duplicates across files."""
    once = list(dict.fromkeys(results))
    known: dict[str, HitResult] = {}
    for result in once:
        other = known.setdefault(result.assignment, result) if result.assignment else result
        if other != result:
            raise UsageError(
                f"the assignment {quoted(result.assignment)} of the worker"
                f" {quoted(result.worker)} appears with two results; expected one"
            )
    return once


def _count_note(what: str, count: int) -> tuple[str, ...]:
    return (f"{what}: {count}",) if count else ()


def _pseudonyms(workers: Iterable[str], seed: int) -> dict[str, str]:
    """Return a pseudonym for each worker."""
    names = {
        worker: "w" + digest_key(seed, "worker", worker).hex()[:_PSEUDONYM_DIGITS]
        for worker in sorted(workers)
    }
    if len(set(names.values())) < len(names):
        raise UsageError(
            f"two workers have the same pseudonym with the seed {seed}; expected another seed"
        )
    for worker in names:
        if not worker.isprintable():
            raise UsageError(
                f"the worker {quoted(worker)} has unprintable characters; expected a printable name"
            )
    return names


def _workers(
    names: Mapping[str, str], submitted: Sequence[HitResult], log: HitLog, terms: HitTerms
) -> tuple[WorkerOfRound, ...]:
    rows = []
    for worker, name in names.items():
        done = sum(submission.worker == name for submission in submitted)
        rows.append(
            WorkerOfRound(
                worker=worker,
                assessor=name,
                hits=done,
                counted=sum(submission.worker == name for submission in log.accepted),
                missed=sum(who == name for who, _ in log.failed),
                excluded=name in log.excluded,
                paid=round(done * terms.reward, 2),
            )
        )
    return tuple(rows)


def _notes(hits: Sequence[PairHit], log: HitLog, given: int, terms: HitTerms) -> list[str]:
    cost = f"{log.paid * terms.price:.2f} {terms.currency}"
    notes = [
        f"HITs done: {log.paid}, of which {len(log.accepted)} count; cost with fees: {cost}",
        f"answers that count: {given}; HITs still open: {len(log.open)} of {len(hits)}",
    ]
    if log.excluded:
        notes.append(
            f"workers excluded: {len(log.excluded)}; their HITs of this round are paid, discarded"
            " and open again"
        )
    return notes
