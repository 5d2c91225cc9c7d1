"""Answers added during a top-k preference task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Unpack

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.options import PythonOnly
from qrelsmith.base.questions import question
from qrelsmith.judgments.campaign_sources import resolve_source
from qrelsmith.judgments.preference_sources import PreferencesLike, preferences_of
from qrelsmith.pairs.preferences import Preference, Preferences
from qrelsmith.topk import State
from qrelsmith.topk.topk_fit import misfit
from qrelsmith.topk.topk_options import GRADES, AnswerLog, PairList, SearchOptions
from qrelsmith.topk.topk_pairs import TopkPairs
from qrelsmith.topk.topk_sessions import TopicPool, progress_notes, states
from qrelsmith.topk.topk_sources import candidates_of, setting_by


@dataclass(frozen=True, eq=False, kw_only=True)
class TopkAnswers(TopkPairs):
    """The added answers, and the pairs of their topics that can be judged now.

    Attributes
    ----------
    added : Preferences
        The new answers, each with its round.
    log : Preferences
        The complete log, including the new answers.
    """

    added: Preferences
    log: Preferences


@question(command="topk answer", no_audit="it is used while preferences are collected")
def topk_answer(
    labels: Annotated[Any, PythonOnly(GRADES)],
    answers: AnswerLog,
    new_answers: Annotated[PreferencesLike, PythonOnly("The new answers.")],
    *,
    pair_list: PairList = None,
    **options: Unpack[SearchOptions],
) -> TopkAnswers:
    """Add answers to a log, with the round of each pair, and print the next step.

    An assessor's second answer to a pair replaces the first answer; an undo withdraws the answer.

    Returns
    -------
    TopkAnswers
        The updated log as `log`; no file is written.

    Raises
    ------
    InputError
        If a file is malformed.
    UsageError
        If the setting is wrong, a topic or doc is unknown, there is nothing to withdraw, or pairs
        do not belong to the setting (unless forced).
    UndefinedError
        If no doc has a grade above 0.

    Examples
    --------
    >>> grades = {"t1": {"d1": 2, "d2": 2, "d3": 2, "d4": 0}}
    >>> first = topk_answer(grades, None, [("t1", "d1", "d2", -1, "ann")], k=2)
    >>> second = topk_answer(grades, first.log, [("t1", "d1", "d2", None, "ann")], k=2)
    >>> len(second.log), len(second.log.current()), len(second.states["t1"].open_pairs)
    (2, 0, 3)
    """
    setting = setting_by(options, pair_list)
    labels = resolve_source(labels)
    _, pools = candidates_of(labels, setting, options)
    log = preferences_of(answers)
    new = preferences_of(new_answers, way=options["outcomes"], sign=options["sign"])
    added, notes = placed_answers(new, pools, states(pools, log, setting), log)
    whole = Preferences.join([log, added])
    problem = None if setting.forced else misfit(pools, whole, setting)
    if problem is not None:
        raise UsageError(f"{problem}. --force adds the answers anyway")
    found = states(pools, whole, setting)
    return TopkAnswers(
        states={topic: found[topic] for topic in found if topic in set(added.topics)},
        added=added,
        log=whole,
        notes=(*notes, *progress_notes(found, log)),
    )


def placed_answers(
    answers: Preferences, pools: Iterable[TopicPool], states: Mapping[str, State], log: Preferences
) -> tuple[Preferences, list[str]]:
    """Return the answers with their rounds, and notes.

    An answer with a round keeps this round. An answer without a round belongs to the round in which
    its pair is open. If the pair is not open, the answer belongs to the last round in which the
    assessor answered the pair (a changed answer or undo). If the assessor has not answered the
    pair, the answer belongs to the last round in which any assessor answered it (a second opinion).

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
                f"the assessor {quoted(answer.assessor)} has no answer to withdraw for the"
                f" pair {quoted(answer.left)}, {quoted(answer.right)} of topic"
                f" {quoted(answer.topic)}"
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
        notes.append(f"answers that change or withdraw an earlier answer: {changed}")
    if unasked:
        notes.append(
            f"answers to pairs that are not currently asked: {unasked}; these answers are kept"
        )
    return Preferences.from_rows(placed), notes
