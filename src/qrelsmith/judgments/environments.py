"""Environments of judgments: who judged a topic, and in which order the docs were shown.

An environment is a group of assessors and an ordering, such as `gold/prioritised`, which
ordering-gold-bronze calls PRI-Gold. The name leaves out the group or the ordering if the judgments
lack it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import IntArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import levels_seen
from qrelsmith.judgments.judgment_events import Judgments

_SEVERAL = "+"  # between two orderings of one session


@dataclass(frozen=True, slots=True)
class Session:
    """All work of one assessor on one topic.

    Attributes
    ----------
    assessor, topic : str
        Their names.
    group, ordering : str
        From the judgments; empty if they have none, several joined by `+`.
    """

    assessor: str
    topic: str
    group: str = ""
    ordering: str = ""

    @property
    def environment(self) -> str:
        """The group and the ordering, if known."""
        return "/".join(part for part in (self.group, self.ordering) if part)


#: The properties by which sessions can be grouped.
KEYS: dict[str, Callable[[Session], str]] = {
    "group": lambda session: session.group,
    "ordering": lambda session: session.ordering,
    "environment": lambda session: session.environment,
    "assessor": lambda session: session.assessor,
}


@dataclass(frozen=True, slots=True, eq=False)
class Sessions:
    """The sessions of judgments.

    Attributes
    ----------
    sessions : tuple of Session
        The sessions, sorted by assessor and topic.
    of : int array [judgment]
        The session of each judgment.
    """

    sessions: tuple[Session, ...]
    of: IntArray

    def environments(self) -> tuple[str, ...]:
        """Return the sorted names of environments, without the empty name."""
        return tuple(sorted({session.environment for session in self.sessions} - {""}))


def sessions_of(judgments: Judgments) -> Sessions:
    """Find the sessions: all pairs of an assessor and a topic in the judgments."""
    width = max(len(judgments.topics), 1)
    pairs, session = np.unique(judgments.assessor * width + judgments.topic, return_inverse=True)
    groups, orderings = (
        _names(column, session, len(pairs)) for column in (judgments.group, judgments.ordering)
    )
    return Sessions(
        tuple(
            Session(judgments.assessors[pair // width], judgments.topics[pair % width], *names)
            for pair, *names in zip(pairs.tolist(), groups, orderings, strict=True)
        ),
        session,
    )


def in_environments(
    judgments: Judgments, *, groups: Sequence[str] = (), orderings: Sequence[str] = ()
) -> Judgments:
    """Return the judgments of some groups in some orderings; by default, all judgments.

    Raises
    ------
    UsageError
        If a name does not exist, or no session has a given group and a given ordering.
    """
    sessions = sessions_of(judgments)
    is_wanted = np.ones(len(sessions.sessions), dtype=bool)
    for key, wanted in (("group", groups), ("ordering", orderings)):
        names = [KEYS[key](session) for session in sessions.sessions]
        for name in wanted:
            if name not in names:
                there = ", ".join(sorted(set(names) - {""})) or "none"
                raise UsageError(f"unknown {key} {quoted(name)} (choices: {there})")
        if wanted:
            is_wanted &= np.array([name in wanted for name in names], dtype=bool)
    if not is_wanted.any():
        raise UsageError(
            "no assessor of these groups has judged a topic in these orderings; expected "
            "at least one"
        )
    return judgments.select(is_wanted[sessions.of])


def level_counts(
    judgments: Judgments, *, by: str = "environment"
) -> Iterator[tuple[str, dict[float, int]]]:
    """Count how often each grade was given, by environment (Table 2 of ordering-gold-bronze).

    Parameters
    ----------
    judgments : Judgments
        Only the latest revisions are used; codes below 0 are counted as well.
    by : str
        One of `KEYS`.

    Yields
    ------
    name : str
        The value of the grouping; sorted.
    counts : dict of float to int
        Every grade that occurs anywhere, with its count for this value.
    """
    now = judgments.current()
    found = sessions_of(now)
    names = np.array([KEYS[by](session) for session in found.sessions], dtype=object)[found.of]
    grades = sorted({*levels_seen(now.grade), *now.grade[now.grade < 0].tolist()})
    for name in sorted(set(names.tolist())):
        own = now.grade[names == name]
        yield name, {grade: int((own == grade).sum()) for grade in grades}


def _names(column: tuple[str, ...] | None, of: IntArray, count: int) -> list[str]:
    """Return the value of a column for each session."""
    said: list[set[str]] = [set() for _ in range(count)]
    for session, name in zip(of.tolist(), column or (), strict=False):
        said[session].add(name)
    return [_SEVERAL.join(sorted(names - {""})) for names in said]
