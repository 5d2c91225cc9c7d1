"""Reliability of recorded preferences, by distance in grades and in the ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import numpy as np

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.rng import rng_for
from qrelsmith.base.tables import Table
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.topk.reliability import Constant, Reliability, right_by_distance
from qrelsmith.topk.reliability_fit import ReliabilityFit, TopicAnswers, fit_reliability
from qrelsmith.topk.topk_sessions import TopicPool

FITTED: Literal["fitted"] = "fitted"
Chance = float | Literal["fitted"] | Reliability
"""The probability of a correct answer, fitted to preferences, or a function of the docs."""

# Distances in the ranking that are shown; those between two of them count for the lower one.
_DISTANCES = (1, 2, 3, 5, 8, 12, 20, 40, 80)


def recorded_answers(pools: Iterable[TopicPool], preferences: Preferences) -> list[TopicAnswers]:
    """Return the current answers to pairs of candidates, arranged for `fit_reliability`.

    Docs that are not candidates, and topics without such answers, are left out.
    """
    by_topic: dict[str, list[tuple[str, str, int]]] = {}
    for row in preferences.current().rows():
        by_topic.setdefault(row.topic, []).append((row.left, row.right, row.outcome or 0))
    answers = []
    for pool in pools:
        place = {doc: number for number, doc in enumerate(pool.candidates)}
        wins = np.zeros((len(place), len(place)))
        for left, right, outcome in by_topic.get(pool.topic, ()):
            if left in place and right in place:
                share = 0.5 if outcome == 0 else float(outcome < 0)
                wins[place[left], place[right]] += share
                wins[place[right], place[left]] += 1.0 - share
        if wins.any():
            answers.append(TopicAnswers(pool.grades, wins))
    return answers


def reliability_of(
    pools: Sequence[TopicPool],
    preferences: Preferences,
    *,
    advance: Callable[[], None] | None = None,
) -> ReliabilityFit:
    """Estimate the reliability of recorded preferences by maximum likelihood.

    Raises
    ------
    UndefinedError
        If no pair was answered twice and no three docs were all compared.
    """
    return fit_reliability(recorded_answers(pools, preferences), advance=advance)


def chances_of(
    wanted: Chance | Sequence[Chance],
    preferences: Preferences,
    pools: Sequence[TopicPool],
    *,
    advance: Callable[[], None] | None = None,
) -> tuple[dict[str, Reliability], ReliabilityFit | None]:
    """Return the requested reliabilities by their names in a plan.

    Raises
    ------
    UsageError
        If a probability is not from ½ to 1, or a fit lacks preferences.
    UndefinedError
        As in `reliability_of`.
    """
    listed: list[Any] = list(wanted) if isinstance(wanted, list | tuple) else [wanted]
    by_name: dict[str, Reliability] = {}
    fit = None
    for chance in listed or [FITTED if len(preferences) else 1.0]:
        if isinstance(chance, str):
            if chance != FITTED:
                raise UsageError(f"reliability={quoted(chance)}; expected 0.5 to 1, or “fitted”")
            if not len(preferences):
                raise UsageError("a fitted reliability needs --preferences")
            fit = fit or reliability_of(pools, preferences, advance=advance)
            by_name[FITTED] = fit.reliability
        elif isinstance(chance, float | int):
            by_name[f"{chance:g}"] = Constant(float(chance))
        else:
            by_name[str(chance)] = chance
    return by_name, fit


def fit_notes(fit: ReliabilityFit | None, preferences: Preferences) -> list[str]:
    """Return notes on a fit."""
    if fit is None:
        return []
    shown = f"{fit.answers:g} answers ({fit.repeated} repeated pairs, {fit.triads} triads)"
    worths = (
        f"a grade {fit.reliability.grade:.3f}, other differences {fit.reliability.spread:.3f} (sd)"
    )
    note = [preferences.note] if preferences.note else []
    return [*note, f"reliability fitted to {shown}: worth in logits: {worths}"]


def reliability_table(reliability: Reliability, pools: Sequence[TopicPool], *, seed: int) -> Table:
    """Fit the probability of a correct answer by distance in grades and in the true ranking.

    Columns: grade_distance (grade of the better doc minus grade of the other doc; negative if the
    grades are reversed), rank_distance (from this value up to the next row's value), right, share
    (of all pairs of candidates).
    """
    distances = right_by_distance(
        reliability, [pool.grades for pool in pools], rng=rng_for(seed, "reliability table")
    )
    step = np.searchsorted(_DISTANCES, distances.rank_distance, side="right") - 1
    rows = []
    for grade in np.unique(distances.grade_distance).tolist():
        for number, distance in enumerate(_DISTANCES):
            cell = (distances.grade_distance == grade) & (step == number)
            share = float(distances.share[cell].sum())
            if share > 0:
                right = float((distances.right * distances.share)[cell].sum() / share)
                rows.append((grade, distance, right, share))
    return Table.of(("grade_distance", "rank_distance", "right", "share"), rows)
