"""Answers added during a session: their rounds and validity."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.pairs.preferences import Preference, Preferences
from qrelsmith.topk import State
from qrelsmith.topk.topk_sessions import TopicPool


def placed_answers(
    answers: Preferences, pools: Iterable[TopicPool], states: Mapping[str, State], log: Preferences
) -> tuple[Preferences, list[str]]:
    """Return the answers with their rounds, and notes.

    An answer with a round keeps it. Otherwise it belongs to the round in which its pair is open. If
    the pair is not open, it belongs to the last round answered by the assessor (a changed answer or
    undo), or by any assessor (a second opinion).

    Parameters
    ----------
    answers : Preferences
        The new answers.
    pools : iterable of TopicPool
        The candidates.
    states : mapping of str to State
        The states of the topics without the new answers.
    log : Preferences
        The earlier answers.

    Raises
    ------
    UsageError
        If a topic or doc is unknown, or there is nothing to withdraw.
    """
    candidates = {pool.topic: frozenset(pool.candidates) for pool in pools}
    open_in = {
        (topic, frozenset((pair.left, pair.right))): pair.round
        for topic, state in states.items()
        for pair in state.open_pairs
    }
    by_pair: dict[tuple[str, frozenset[str]], list[Preference]] = {}
    for row in log.rows():
        by_pair.setdefault((row.topic, frozenset((row.left, row.right))), []).append(row)
    placed, changed, unasked = [], 0, 0
    for answer in answers.rows():
        for doc in (answer.left, answer.right):
            if doc not in candidates.get(answer.topic, ()):
                known = "candidate of the topic" if answer.topic in candidates else "topic"
                what = doc if answer.topic in candidates else answer.topic
                raise UsageError(f"{quoted(what)} is not a {known} (topic {quoted(answer.topic)})")
        pair = (answer.topic, frozenset((answer.left, answer.right)))
        before = by_pair.get(pair, [])
        mine = [e for e in before if e.assessor == answer.assessor]
        if answer.outcome is None and not mine:
            raise UsageError(
                f"the assessor {quoted(answer.assessor)} has no answer to the pair"
                f" {quoted(answer.left)}, {quoted(answer.right)} of topic {quoted(answer.topic)};"
                " expected one to withdraw"
            )
        number = answer.round or (0 if answer.outcome is None else open_in.get(pair, 0))
        if not number and (mine or before):
            number = (mine or before)[-1].round
            changed += bool(mine)
        elif not number:
            unasked += 1
        placed.append(answer._replace(round=number))
    notes = []
    if changed:
        notes.append(f"answers that change or withdraw an earlier one: {changed}")
    if unasked:
        notes.append(
            f"answers to pairs that are not currently asked: {unasked}; these answers are kept"
        )
    return Preferences.from_rows(placed), notes
