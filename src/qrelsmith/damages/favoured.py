"""A team whose docs get better grades than comparable docs of other teams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray, IntArray
from qrelsmith.base.scipy_parts import special
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.stats.moderated_variances import moderated_variances

TOP = 10
_LEAST_OTHERS = 5
LEAST_EFFECT = 0.05  # minimum effect, in standard deviations of the set's grades
# How clearly the other set's grades, given this set's, must be lower: z of 5%, one-sided.
BOTH_WAYS = 1.645


@DAMAGES.add(
    "favoured",
    culprit="team",
    sentence="docs returned by team {names} get grades {value:.2f} standard deviations higher "
    "than other docs with the same reference grade",
    otherwise="most judges prefer the team's docs, or the reference is strict on the team's docs",
    action="have about 100 docs of the team judged again, without showing the team",
    formula="β_team − trimmed mean of the others; least squares in topics, moderated jackknife;"
    " the other way round below 0",
    source="ours, Smyth 2004; the case that matters is a model that judges what it ranks",
)
def favoured(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Find teams whose docs get higher grades than another set's grades explain.

    Null: given the other set's grade, the team of the runs that return a doc in their top ten has
    no effect. The number and quality of these runs are held constant. Value: the team's effect
    minus the mean effect of the other teams, in standard deviations of the set's grades. Interval
    and p come from the jackknife over topics with Student's t. The jackknife's variances are
    moderated towards their common ratio to the variances of least squares.

    If the other set has errors, this null is false for every team whose docs deserve higher grades
    than that set gives. Therefore, a second condition must also hold, and such errors cannot cause
    it. Given this set's grades, the other set's grades must be clearly lower for the team's docs.

    Candidates: each team that returned any doc.
    """
    effects = _effects(labels, examined, other)
    if effects is None:
        return Evidence.none()
    back = _effects(labels, other, examined)
    against = np.full(len(effects.teams), np.nan)
    if back is not None:
        place = {team: at for at, team in enumerate(back.teams)}
        at = [place.get(team, -1) for team in effects.teams]
        against = np.where(np.array(at) < 0, np.nan, (back.value / back.error)[at])
    half = special.stdtrit(effects.freedom, 0.975) * effects.error
    return Evidence.of(
        [(team,) for team in effects.teams],
        effects.value,
        special.stdtr(effects.freedom, -effects.value / effects.error),
        large=(effects.value >= LEAST_EFFECT) & (against <= -BOTH_WAYS),
        low=effects.value - half,
        high=effects.value + half,
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Effects:
    """A team's effect minus the other teams' mean, with standard error and degrees of freedom."""

    teams: tuple[int, ...]
    value: FloatArray
    error: FloatArray
    freedom: float


def _effects(labels: LabelArrays, examined: int, other: int) -> _Effects | None:
    """Return teams' effects on grades, given another set's grades; None if data are too few."""
    return labels.once(("effects", examined, other), lambda: _fit(labels, examined, other))


def _fit(labels: LabelArrays, examined: int, other: int) -> _Effects | None:
    teams = int(labels.team.max(initial=-1)) + 1
    topics = labels.grades.shape[1]
    if teams < 2 or topics < 3:
        return None
    design = labels.once(("design", other), lambda: _design(labels, other, teams))
    mine = labels.grades[examined]
    valid = ~(np.isnan(mine) | np.isnan(labels.grades[other]))
    spread = float(np.std(mine[valid])) if valid.any() else 0.0
    if spread == 0:
        return None
    totals, products = _normal_equations(design, mine / spread, valid)
    slopes = _solve(totals.sum(axis=0), products.sum(axis=0))[-teams:]
    without = _solve(totals.sum(axis=0) - totals, products.sum(axis=0) - products)[:, -teams:]
    used = np.flatnonzero(np.einsum("tii->i", totals)[-teams:] > 0)
    if len(used) < 2:
        return None
    weights = _contrasts(slopes[used])
    value, left = weights @ slopes[used], without[:, used] @ weights.T
    jackknife = (topics - 1) / topics * ((left - left.mean(axis=0)) ** 2).sum(axis=0)
    squares = _inverse(totals.sum(axis=0))[-teams:, -teams:][np.ix_(used, used)]
    variance, freedom = moderated_variances(
        np.maximum(jackknife, 1e-24),
        np.maximum(np.einsum("ij,jk,ik->i", weights, squares, weights), 1e-24),
        topics - 1,
    )
    return _Effects(tuple(used.tolist()), value, np.sqrt(variance), freedom)


def team_docs(labels: LabelArrays, team: int) -> BoolArray:
    """Return whether a run of a team has a doc in its top ten [topic, doc]."""
    ranks = labels.ranks[labels.team == team]
    return np.asarray(((ranks > 0) & (ranks <= TOP)).any(axis=0))


def _design(labels: LabelArrays, other: int, teams: int) -> FloatArray:
    """Return the regressors of a grade [topic, doc, column]; the last columns are the teams."""
    theirs = labels.grades[other]
    levels = np.unique(theirs[~np.isnan(theirs)])
    grades = [theirs == level for level in levels[1:]]
    if len(levels) > 12:  # for a continuous scale
        filled = np.nan_to_num(theirs)
        grades = [filled, filled**2, filled**3]
    (run, topic, doc), owners = labels.once("tops by team", lambda: _tops(labels, teams))
    width, runs = theirs.shape[1], len(labels.ranks)
    place, size = topic * width + doc, np.maximum(np.bincount(run, minlength=runs), 1)
    quality = np.bincount(run, np.nan_to_num(theirs)[topic, doc], runs) / size
    counts, sums = (
        np.bincount(place, weights, theirs.size).reshape(theirs.shape)
        for weights in (None, (quality - quality.mean())[run])
    )
    columns = [*grades, np.log1p(counts), counts, sums / np.maximum(counts, 1)]
    return np.concatenate([np.stack(columns, axis=-1), owners], axis=-1)


def _tops(labels: LabelArrays, teams: int) -> tuple[tuple[IntArray, ...], FloatArray]:
    """Return run, topic and doc of docs in a run's top ten, and their teams [topic, doc, team]."""
    run, topic, doc = np.nonzero((labels.ranks > 0) & (labels.ranks <= TOP))
    owners = np.zeros((*labels.ranks.shape[1:], teams))
    owners[topic, doc, labels.team[run]] = 1.0
    return (run, topic, doc), owners


def _normal_equations(
    design: FloatArray, mine: FloatArray, valid: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return XᵀX [topic, column, column] and Xᵀy [topic, column], after subtracting topic means."""
    count = np.maximum(valid.sum(axis=1), 1)
    x = np.where(valid[..., None], design, 0.0)
    y = np.where(valid, mine, 0.0)
    x = np.where(valid[..., None], x - (x.sum(axis=1) / count[:, None])[:, None], 0.0)
    y = np.where(valid, y - (y.sum(axis=1) / count)[:, None], 0.0)
    return x.transpose(0, 2, 1) @ x, np.einsum("tdk,td->tk", x, y)


def _solve(totals: FloatArray, products: FloatArray) -> FloatArray:
    """Return the slopes [..., column]."""
    return np.asarray(np.linalg.solve(_with_ridge(totals), products[..., None])[..., 0])


def _inverse(totals: FloatArray) -> FloatArray:
    """Return the variances of slopes by least squares, up to a factor [..., column, column]."""
    return np.asarray(np.linalg.inv(_with_ridge(totals)))


def _with_ridge(totals: FloatArray) -> FloatArray:
    """Return XᵀX with a small ridge, which separates teams with the same docs."""
    columns = totals.shape[-1]
    ridge = 1e-6 * np.maximum(np.trace(totals, axis1=-2, axis2=-1) / columns, 1e-9)
    return np.asarray(totals + ridge[..., None, None] * np.eye(columns))


def _contrasts(slopes: FloatArray) -> FloatArray:
    """Return weights [team, team] of each team's slope minus the mean of the other teams' slopes.

    With at least five other teams, the highest and the lowest are left out. Otherwise, a team
    favoured by the other label set could make the remaining teams look favoured by this set.
    """
    count = len(slopes)
    order = np.argsort(slopes, kind="stable")
    weights = np.eye(count)
    for team in range(count):
        others = order[order != team]
        others = others[1:-1] if count > _LEAST_OTHERS else others
        weights[team, others] = -1 / len(others)
    return weights
