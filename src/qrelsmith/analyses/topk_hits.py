"""A round of pairs as HITs for a crowd, and what the crowd's submissions come to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from qrelsmith.analyses.topk_sessions import TopicPool
from qrelsmith.data.hit_files import HitRow, rows_by_hit
from qrelsmith.data.hit_platforms import HitResult
from qrelsmith.data.hit_terms import HitTerms
from qrelsmith.data.preference_events import PreferenceEvent
from qrelsmith.errors import UsageError, quoted
from qrelsmith.rng import digest_key
from qrelsmith.tables import Cell, Table
from qrelsmith.topk import State
from qrelsmith.topk.hit_log import HitLog, Submission, answers_of, settled_hits
from qrelsmith.topk.hits import ChallengeDocs, Hit, HitPair, bundled, pilot_topics

_PSEUDONYM_DIGITS = 10


def hits_of_round(
    pools: Sequence[TopicPool],
    found: Mapping[str, State],
    terms: HitTerms,
    *,
    seed: int,
    pilot: float | None = None,
) -> list[HitRow]:
    """The open pairs of all topics, bundled.

    Parameters
    ----------
    pools : sequence of TopicPool
        The topics, with the docs that challenge pairs are made of.
    found : mapping of str to State
        The state of each topic.
    terms : HitTerms
        How many pairs and challenge pairs a HIT has.
    seed : int
        The seed: with the same pairs it means the same HITs for ever.
    pilot : float, optional
        The share of the topics to begin with, drawn at random; by default all.

    Raises
    ------
    UndefinedError
        If there are too few docs with the grade 0 for the challenge pairs.
    """
    chosen = [pool.topic for pool in pools if pool.candidates]
    if pilot is not None:
        chosen = pilot_topics(chosen, pilot, seed=seed)
    hits = bundled(
        {topic: found[topic].open_pairs for topic in chosen},
        {
            pool.topic: ChallengeDocs(pool.candidates, pool.nonrelevant)
            for pool in pools
            if pool.topic in set(chosen)
        },
        seed=seed,
        size=terms.pairs,
        challenge_pairs=terms.challenges,
    )
    return hit_rows(hits)


def hit_rows(hits: Iterable[Hit]) -> list[HitRow]:
    """HITs as lines of their record."""
    return [
        HitRow(hit.key, place, pair.topic, pair.round, pair.left, pair.right, pair.challenge)
        for hit in hits
        for place, pair in enumerate(hit.pairs, start=1)
    ]


def hits_of_rows(rows: Sequence[HitRow]) -> list[Hit]:
    """HITs from the lines of their record."""
    return [
        Hit(
            key,
            tuple(
                HitPair(row.topic, row.left, row.right, row.round, row.challenge) for row in pairs
            ),
        )
        for key, pairs in rows_by_hit(rows).items()
    ]


@dataclass(frozen=True, slots=True)
class SettledRound:
    """What the submissions of a round come to.

    Attributes
    ----------
    events : tuple of PreferenceEvent
        The answers that count, challenge pairs left out.
    open : tuple of HitRow
        The record of the HITs that are to be published again.
    workers : Table
        Worker as the platform knows them, pseudonym, HITs done, how many count, missed challenge
        pairs (in how many HITs), whether the worker is excluded, and what they are paid.
    notes : tuple of str
        What it came to, in words.
    """

    events: tuple[PreferenceEvent, ...]
    open: tuple[HitRow, ...]
    workers: Table
    notes: tuple[str, ...]


def settled_round(
    rows: Sequence[HitRow],
    results: Sequence[HitResult],
    terms: HitTerms,
    *,
    seed: int,
    excluded: Iterable[str] = (),
) -> SettledRound:
    """Decide which submissions count; see `settled_hits`.

    Parameters
    ----------
    rows : sequence of HitRow
        The record of the round's HITs.
    results : sequence of HitResult
        All that workers have done of them so far.
    terms : HitTerms
        What a HIT costs.
    seed : int
        Decides the workers' pseudonyms.
    excluded : iterable of str
        Workers who were excluded in earlier rounds, as the platform knows them.

    Notes
    -----
    What several files repeat counts once. What the organiser rejected on the platform is neither
    paid nor does it count, whoever did it; its HIT stays open.

    Raises
    ------
    UsageError
        If one piece of work is told in two ways.
    """
    hits = hits_of_rows(rows)
    names = _pseudonyms({result.worker for result in results} | set(excluded), seed)
    once = _told_once(results)
    paid = [result for result in once if result.is_paid]
    submissions = [Submission(result.hit, names[result.worker], result.outcomes) for result in paid]
    log = settled_hits(hits, submissions, excluded=[names[worker] for worker in excluded])
    events = tuple(
        PreferenceEvent(topic, one.left, one.right, one.outcome, one.assessor, one.round)
        for topic, one in answers_of(hits, log.accepted)
    )
    return SettledRound(
        events=events,
        open=tuple(hit_rows(log.open)),
        workers=_workers(names, submissions, log, terms),
        notes=(
            *_notes(hits, log, events, terms),
            *_counted("HITs that several files repeat, counted once", len(results) - len(once)),
            *_counted("HITs that were rejected, not paid and not counted", len(once) - len(paid)),
        ),
    )


def new_events(
    events: Iterable[PreferenceEvent], known: Iterable[PreferenceEvent]
) -> list[PreferenceEvent]:
    """The events that are not in a log yet, so that results may be read again and again."""
    there = set(known)
    return [event for event in events if event not in there]


def _told_once(results: Sequence[HitResult]) -> list[HitResult]:
    """The results without what stands in several files."""
    once = list(dict.fromkeys(results))
    known: dict[str, HitResult] = {}
    for result in once:
        other = known.setdefault(result.assignment, result) if result.assignment else result
        if other != result:
            raise UsageError(
                f"the assignment {quoted(result.assignment)} of the worker"
                f" {quoted(result.worker)} is told in two ways; expected one"
            )
    return once


def _counted(what: str, count: int) -> tuple[str, ...]:
    return (f"{what}: {count}",) if count else ()


def _pseudonyms(workers: Iterable[str], seed: int) -> dict[str, str]:
    """A name for each worker that does not tell who they are."""
    names = {
        worker: "w" + digest_key(seed, "worker", worker).hex()[:_PSEUDONYM_DIGITS]
        for worker in sorted(workers)
    }
    if len(set(names.values())) < len(names):
        raise UsageError(f"two workers have one pseudonym with the seed {seed}; expected another")
    for worker in names:
        if not worker.isprintable():
            raise UsageError(f"the worker {quoted(worker)} has a name that cannot be printed")
    return names


def _workers(
    names: Mapping[str, str], submissions: Sequence[Submission], log: HitLog, terms: HitTerms
) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for worker, name in names.items():
        done = sum(one.worker == name for one in submissions)
        rows.append(
            (
                worker,
                name,
                done,
                sum(one.worker == name for one in log.accepted),
                sum(who == name for who, _ in log.failed),
                "yes" if name in log.excluded else "no",
                round(done * terms.reward, 2),
            )
        )
    columns = ("worker", "assessor", "hits", "counted", "missed", "excluded", "paid")
    return Table.of(columns, rows)


def _notes(
    hits: Sequence[Hit], log: HitLog, events: Sequence[PreferenceEvent], terms: HitTerms
) -> tuple[str, ...]:
    cost = f"{log.paid * terms.price:.2f} {terms.currency}"
    notes = [
        f"HITs done: {log.paid}, of which {len(log.accepted)} count; cost with fees: {cost}",
        f"answers that count: {len(events)}; HITs still open: {len(log.open)} of {len(hits)}",
    ]
    if log.excluded:
        notes.append(
            f"workers excluded: {len(log.excluded)}; their HITs of this round are discarded and"
            " open again, and paid"
        )
    return tuple(notes)
