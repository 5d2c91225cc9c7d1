"""A fit of the simulator's parameters to an existing collection.

The fit has two steps. First, maximum likelihood (`assessor_fit`) estimates the noise, bias and
inattention of the assessors from docs with labels by several assessors. Then, with these estimates
fixed, the method of simulated moments estimates the relevance of the docs and the quality of the
systems. The method minimises Σ_m ((m_simulated − m_observed)/e_m)² over the moments of `moments`.
The errors e_m come from topics drawn with replacement, plus an allowance for the imperfection of
any such model. The first step allows any distribution of relevance, but the second step assumes a
beta distribution. The second step therefore also estimates one factor for the noise of all
assessors.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import NotConvergedWarning, UndefinedError
from qrelsmith.base.rng import rng_for
from qrelsmith.base.scipy_parts import optimize, special
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.evaluation.scorer import rank_cutoff
from qrelsmith.planning.campaign_plan.judged_runs import JudgedRuns
from qrelsmith.planning.campaign_plan.moments import TopicFigures, moment_errors, moment_names
from qrelsmith.planning.simulation import AssessorDesign, Assessors, CampaignDesign, Systems
from qrelsmith.planning.simulation.assessor_fit import AssessorFit, check_doubles, fit_assessors
from qrelsmith.planning.simulation.sketch import sketch_campaign

# Lowest, initial and highest value of each parameter. Widths are fractions of the range's middle.
_PARAMETERS = {
    "alpha": (0.02, 0.5, 3.0),
    "alpha_width": (0.0, 0.5, 0.95),
    "beta": (0.1, 2.0, 10.0),
    "beta_width": (0.0, 0.5, 0.95),
    "best": (0.01, 0.15, 1.0),
    "worst_above": (0.01, 0.5, 4.0),
    "shared": (0.0, 0.3, 0.95),
    "spacing": (0.2, 1.5, 6.0),
    "topic_spread": (0.0, 0.2, 1.0),
    "taste": (0.0, 0.3, 1.5),
    "noise": (0.25, 1.0, 4.0),
}
_LEAST, _START, _MOST = np.array(list(_PARAMETERS.values())).T
_TOPICS = 60  # in a simulated collection, spread evenly over their parameters
_DOCS = 4  # times the docs in a pool: how many docs of a topic the systems can find
_PULL = 0.1  # towards the initial value, where the moments do not determine a parameter
_ROUNDS = 12
_STEP = 0.05  # of a difference quotient, since rankings change in jumps
_RESAMPLES = 20  # of the topics, for the error of the fitted assessors
_FEWEST = 5  # fewest topics that show how topics differ


@dataclass(frozen=True, slots=True, eq=False)
class FittedCampaign:
    """A simulator fitted to a collection.

    Attributes
    ----------
    design : CampaignDesign
        The topics, docs and systems, with all assessors in one group.
    assessors : AssessorFit
        The assessors who gave the labels.
    names : tuple of str [moment]
        The names of the moments.
    observed, fitted, error : float array [moment]
        The moments of the collection and of the simulator, and the errors of the collection's
        moments.
    place, spread : float array [parameter], [parameter, parameter]
        The parameters at the end of the search, on the logit scale, and their covariance.
    others : tuple of AssessorFit
        The assessors, each time fitted to topics drawn with replacement.
    """

    design: CampaignDesign
    assessors: AssessorFit
    names: tuple[str, ...]
    observed: FloatArray
    fitted: FloatArray
    error: FloatArray
    place: FloatArray
    spread: FloatArray
    others: tuple[AssessorFit, ...]

    @property
    def misses(self) -> tuple[str, ...]:
        """The moments that the simulation misses by more than twice their tolerated error."""
        far = np.abs(self.fitted - self.observed) > 2 * self.error
        return tuple(name for name, wrong in zip(self.names, far.tolist(), strict=True) if wrong)

    def draw(self, rng: np.random.Generator) -> tuple[CampaignDesign, Assessors]:
        """Draw a design and assessors that are plausible, given the errors of the fit."""
        place = rng.multivariate_normal(self.place, self.spread, method="cholesky")
        people = self.others[rng.integers(len(self.others))]
        return _design(self.design, place), _assessors(people, place)


def fit_campaign(
    judged: JudgedRuns,
    *,
    depth: int,
    measure: str,
    seed: int,
    advance: Callable[[], None] = lambda: None,
) -> FittedCampaign:
    """Fit the simulator to labels and runs.

    Parameters
    ----------
    judged : JudgedRuns
        At least five topics, with docs that two assessors judged.
    depth : int
        The depth of the pools.
    measure : str
        The measure whose scores are used for the moments.
    seed : int
        The seed of the simulated collections, which use common random numbers.
    advance : callable
        Called after each of about `fit_steps()` simulated collections.

    Raises
    ------
    UndefinedError
        If there are fewer than five topics, no doc has two labels, or nearly all labels are equal.
    """
    if judged.topics < _FEWEST:
        raise UndefinedError(
            f"found {judged.topics} topics; expected {_FEWEST} or more to fit the simulator"
        )
    check_doubles(judged.ratings)
    figures = TopicFigures.of(judged, measure)
    observed = figures.moments()
    error = moment_errors(figures, rng=rng_for(seed, "plan", "moments"))
    known = np.isfinite(observed) & np.isfinite(error)
    if not known.all():
        unknown = moment_names(judged.levels)[int(np.argmin(known))]
        raise UndefinedError(
            f"the simulator cannot be fitted to labels whose {unknown} is undefined or "
            "comes from one or two topics only; expected more varied grades"
        )
    people = unscaled = fit_assessors(judged.ratings, levels=judged.levels)
    ranks = rank_cutoff(MEASURES.get(measure)) or judged.ranked.shape[2]
    blank = CampaignDesign(
        topics=_TOPICS,
        docs=max(int(_DOCS * observed[0]), depth),
        run_depth=max(ranks, depth),
        depth=depth,
        levels=judged.levels,
        systems=Systems(count=judged.systems),
    )

    def simulate_moments(place: FloatArray) -> FloatArray:
        sketch = sketch_campaign(
            _design(blank, place), _assessors(people, place), ranks=ranks, seed=seed, even=True
        )
        advance()
        drawn = JudgedRuns.of_sketch(sketch, levels=judged.levels)
        return TopicFigures.of(drawn, measure).moments()

    start = special.logit((_START - _LEAST) / (_MOST - _LEAST))

    def residuals(place: FloatArray) -> FloatArray:
        return np.concatenate(
            [(simulate_moments(place) - observed) / error, _PULL * (place - start)]
        )

    steps = np.full(start.size, _STEP)
    solution = optimize.least_squares(residuals, start, diff_step=steps, max_nfev=_ROUNDS)
    slope: FloatArray = np.asarray(solution.jac, dtype=np.float64)
    loud = _values(solution.x)["noise"]
    people = replace(people, noise=people.noise * loud)
    others = _resample_assessors(judged, unscaled, rng=rng_for(seed, "plan", "assessors"))
    return FittedCampaign(
        design=_group_of(_design(blank, solution.x), people),
        assessors=people,
        names=tuple(moment_names(judged.levels)),
        observed=observed,
        fitted=observed + solution.fun[: observed.size] * error,
        error=error,
        place=solution.x,
        spread=np.asarray(np.linalg.inv(slope.T @ slope), dtype=np.float64),
        others=others,
    )


def fit_steps() -> int:
    """Return the approximate number of collections that a fit simulates."""
    return _ROUNDS * (len(_PARAMETERS) + 1)


def _resample_assessors(
    judged: JudgedRuns, fit: AssessorFit, *, rng: np.random.Generator
) -> tuple[AssessorFit, ...]:
    """Return fits of the assessors to topics drawn with replacement."""
    units = [np.flatnonzero(judged.topic == topic) for topic in range(judged.topics)]
    fits = []
    for _ in range(_RESAMPLES):
        drawn = np.concatenate([units[t] for t in rng.integers(len(units), size=len(units))])
        with warnings.catch_warnings():
            # Only the spread of these fits is used, so a fit need not converge.
            warnings.simplefilter("ignore", NotConvergedWarning)
            ratings = judged.ratings[:, drawn]
            fits.append(fit_assessors(ratings, levels=judged.levels, steps=50, start=fit))
    return tuple(fits)


def _assessors(fit: AssessorFit, place: FloatArray) -> Assessors:
    """Return the fitted assessors, with the noise scaled by the factor that `place` encodes."""
    count = fit.noise.size
    return Assessors(
        design=AssessorDesign(count=count),
        noise=fit.noise * _values(place)["noise"],
        bias=fit.bias,
        drift=np.zeros(count),
        inattention=fit.inattention,
    )


def assessor_design(fit: AssessorFit, like: AssessorDesign) -> AssessorDesign:
    """Return a group whose members are like the fitted assessors."""
    return replace(
        like,
        noise=(float(fit.noise.min()), float(fit.noise.max())),
        bias=float(fit.bias.std(ddof=1)) if fit.bias.size > 1 else 0.0,
        inattention=(float(fit.inattention.min()), float(fit.inattention.max())),
    )


def _group_of(design: CampaignDesign, people: AssessorFit) -> CampaignDesign:
    (group,) = design.groups
    return replace(
        design, groups=(replace(group, assessors=assessor_design(people, group.assessors)),)
    )


def _design(blank: CampaignDesign, place: FloatArray) -> CampaignDesign:
    """Return the design with the parameters that `place` encodes."""
    parameters = _values(place)
    return replace(
        blank,
        alpha=_range(parameters["alpha"], parameters["alpha_width"]),
        beta=_range(parameters["beta"], parameters["beta_width"]),
        systems=replace(
            blank.systems,
            noise=(parameters["best"], parameters["best"] + parameters["worst_above"]),
            shared=parameters["shared"],
            spacing=parameters["spacing"],
            topic_spread=parameters["topic_spread"],
            taste=parameters["taste"],
        ),
    )


def _values(place: FloatArray) -> dict[str, float]:
    """Convert a point of the unbounded search space to parameters within their limits."""
    values = _LEAST + (_MOST - _LEAST) * special.expit(place)
    return dict(zip(_PARAMETERS, values.tolist(), strict=True))


def _range(middle: float, width: float) -> tuple[float, float]:
    return middle * (1 - width), middle * (1 + width)
