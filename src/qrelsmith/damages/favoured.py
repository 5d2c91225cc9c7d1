"""A team whose docs get better grades than the same docs of others."""

from __future__ import annotations

import numpy as np

from qrelsmith.base.arrays import BoolArray, FloatArray
from qrelsmith.base.scipy_parts import stats
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays
from qrelsmith.damages.registry import DAMAGES
from qrelsmith.stats.moderated_variances import moderated_variances

TOP = 10
_LEAST_OTHERS = 5
LEAST_EFFECT = 0.05  # standard deviations of the set's grades


@DAMAGES.add(
    "favoured",
    culprit="team",
    sentence="docs that team {names} returns get {value:.2f} standard deviations more than others"
    " of the same grade",
    otherwise="a taste that other judges share, or a reference that is hard on what they find",
    action="have about 100 docs of this team judged again, blind to who returned them",
    formula="β_team − trimmed mean of the others; least squares in topics, moderated jackknife",
    source="ours, Smyth 2004; the case that matters is a model that judges what it ranks",
)
def favoured(labels: LabelArrays, examined: int, other: int) -> Evidence:
    """Teams whose docs get higher grades than another set's grade of these docs explains.

    Null: given the other set's grade, and how many runs of which quality return a doc in their top
    ten, it does not matter whose runs these are. Value: the team's effect less the mean of the
    other teams', in standard deviations of the set's grades; interval and p from the jackknife over
    topics, its variances moderated by what they have in common against those of least squares,
    Student's t.

    Parameters
    ----------
    labels : LabelArrays
        All label sets, with runs.
    examined, other : int
        The set that is looked at, and the one that it is held against.

    Returns
    -------
    Evidence
        A culprit for each team that returned anything.
    """
    teams = int(labels.team.max(initial=-1)) + 1
    topics = labels.grades.shape[1]
    if teams < 2 or topics < 3:
        return Evidence.none()
    design = labels.once(("design", other), lambda: _design(labels, other, teams))
    mine = labels.grades[examined]
    valid = ~(np.isnan(mine) | np.isnan(labels.grades[other]))
    spread = float(np.std(mine[valid])) if valid.any() else 0.0
    if spread == 0:
        return Evidence.none()
    totals, products = _normal_equations(design, mine / spread, valid)
    slopes = _solve(totals.sum(axis=0), products.sum(axis=0))[-teams:]
    without = _solve(totals.sum(axis=0) - totals, products.sum(axis=0) - products)[:, -teams:]
    used = np.flatnonzero(np.einsum("tii->i", totals)[-teams:] > 0)
    if len(used) < 2:
        return Evidence.none()
    weights = _contrasts(slopes[used])
    value, left = weights @ slopes[used], without[:, used] @ weights.T
    jackknife = (topics - 1) / topics * ((left - left.mean(axis=0)) ** 2).sum(axis=0)
    squares = _inverse(totals.sum(axis=0))[-teams:, -teams:][np.ix_(used, used)]
    variance, freedom = moderated_variances(
        np.maximum(jackknife, 1e-24),
        np.maximum(np.einsum("ij,jk,ik->i", weights, squares, weights), 1e-24),
        topics - 1,
    )
    error = np.sqrt(variance)
    half = stats.t.ppf(0.975, freedom) * error
    return Evidence.of(
        [(team,) for team in used.tolist()],
        value,
        stats.t.sf(value / error, freedom),
        large=value >= LEAST_EFFECT,
        low=value - half,
        high=value + half,
    )


def team_docs(labels: LabelArrays, team: int) -> BoolArray:
    """Whether a run of a team has a doc in its top ten [topic, doc]."""
    ranks = labels.ranks[labels.team == team]
    return np.asarray(((ranks > 0) & (ranks <= TOP)).any(axis=0))


def _design(labels: LabelArrays, other: int, teams: int) -> FloatArray:
    """The regressors of a grade [topic, doc, column]; the last columns are the teams."""
    theirs = labels.grades[other]
    levels = np.unique(theirs[~np.isnan(theirs)])
    grades = [theirs == level for level in levels[1:]]
    if len(levels) > 12:  # a continuum
        filled = np.nan_to_num(theirs)
        grades = [filled, filled**2, filled**3]
    inside = (labels.ranks > 0) & (labels.ranks <= TOP)
    size = np.maximum(inside.sum(axis=(1, 2)), 1)
    quality = np.nansum(np.where(inside, np.nan_to_num(theirs), 0.0), axis=(1, 2)) / size
    count = inside.sum(axis=0)
    mean = np.einsum("rtd,r->td", inside, quality - quality.mean()) / np.maximum(count, 1)
    owners = [team_docs(labels, team) for team in range(teams)]
    columns = [*grades, np.log1p(count), count, mean, *owners]
    return np.stack([np.asarray(column, dtype=float) for column in columns], axis=-1)


def _normal_equations(
    design: FloatArray, mine: FloatArray, valid: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """XᵀX [topic, column, column] and Xᵀy [topic, column], means of topics taken out."""
    count = np.maximum(valid.sum(axis=1), 1)
    x = np.where(valid[..., None], design, 0.0)
    y = np.where(valid, mine, 0.0)
    x = np.where(valid[..., None], x - (x.sum(axis=1) / count[:, None])[:, None], 0.0)
    y = np.where(valid, y - (y.sum(axis=1) / count)[:, None], 0.0)
    return x.transpose(0, 2, 1) @ x, np.einsum("tdk,td->tk", x, y)


def _solve(totals: FloatArray, products: FloatArray) -> FloatArray:
    """The slopes [..., column]."""
    return np.asarray(np.linalg.solve(_with_ridge(totals), products[..., None])[..., 0])


def _inverse(totals: FloatArray) -> FloatArray:
    """The variances of slopes by least squares, but for a factor [..., column, column]."""
    return np.asarray(np.linalg.inv(_with_ridge(totals)))


def _with_ridge(totals: FloatArray) -> FloatArray:
    """XᵀX with a trace of ridge, which keeps teams with the same docs apart."""
    columns = totals.shape[-1]
    ridge = 1e-6 * np.maximum(np.trace(totals, axis1=-2, axis2=-1) / columns, 1e-9)
    return np.asarray(totals + ridge[..., None, None] * np.eye(columns))


def _contrasts(slopes: FloatArray) -> FloatArray:
    """Weights [team, team] of each team's slope less the mean of the others'.

    Of five others and more the highest and the lowest do not count, so that a team that is favoured
    by the other label set does not make all the rest look favoured by this one.
    """
    count = len(slopes)
    order = np.argsort(slopes, kind="stable")
    weights = np.eye(count)
    for team in range(count):
        others = order[order != team]
        others = others[1:-1] if count > _LEAST_OTHERS else others
        weights[team, others] = -1 / len(others)
    return weights
