"""A check of whether the answers in a log fit the setting of a top-k task."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from qrelsmith.pairs.preferences import Preferences
from qrelsmith.topk import SCHEDULERS, Answer, Scheduler
from qrelsmith.topk.topk_sessions import TopicPool, TopkSetting, answers_by_topic, states


def unasked_answers(pools: Iterable[TopicPool], log: Preferences, setting: TopkSetting) -> int:
    """Return the number of answers to pairs that the scheduler never asked for.

    Pairs closed later by a changed answer are not counted, because the setting is still correct.
    """
    answers = answers_by_topic(log)
    return sum(
        _find_unasked(setting.scheduler(pool.topic, pool.candidates), answers.get(pool.topic, []))
        for pool in pools
    )


def misfit(pools: Sequence[TopicPool], log: Preferences, setting: TopkSetting) -> str | None:
    """Return an error text with likely causes if answers do not fit the setting, else None.

    If all answers fit another method, the message names the method with the fewest open pairs.
    """
    count = unasked_answers(pools, log, setting)
    if not count:
        return None
    fitting: dict[str, int] = {}
    for name in SCHEDULERS.names():
        other = replace(setting, method=name, forced=True)
        if "pairs" in SCHEDULERS.get(name).entry.takes:
            continue  # the list of pairs is unknown
        if name != setting.name and not unasked_answers(pools, log, other):
            found = states(pools, log, other)
            fitting[name] = sum(len(state.open_pairs) for state in found.values())
    hint = f": they fit --scheduler {min(fitting, key=fitting.__getitem__)}" if fitting else ""
    return (
        f"answers that fit no pair that --scheduler {setting.method} asks with these options:"
        f" {count}; --scheduler, --k, --finalists, --pairings or --seed may differ from the "
        f"options of the log{hint}"
    )


def _find_unasked(scheduler: Scheduler, answers: Sequence[Answer]) -> int:
    """Count the answers of a topic to pairs that were not open at the time.

    Only a second answer to a pair can close other pairs. Unused answers between two second answers
    therefore belong to pairs that were never asked.
    """
    unused = scheduler.replay(answers).unused
    if not unused:
        return 0
    count, before, seen = 0, 0, set()
    for place, answer in enumerate(answers):
        pair = (answer.round, frozenset((answer.left, answer.right)))
        if pair in seen:
            count += max(0, scheduler.replay(answers[:place]).unused - before)
            before = scheduler.replay(answers[: place + 1]).unused
        seen.add(pair)
    return min(unused, count + max(0, unused - before))
