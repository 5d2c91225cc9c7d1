"""Rows of a top-k plan: cost and probability of success."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from math import sqrt

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.collection.qrels import Qrels
from qrelsmith.topk import SCHEDULERS
from qrelsmith.topk.budget import Cost, crowd_cost, crowd_pairs, dedicated_cost
from qrelsmith.topk.crowd_simulation import CrowdDesign, blocks
from qrelsmith.topk.culling import Keep
from qrelsmith.topk.reliability import Constant, Reliability
from qrelsmith.topk.schedulers import accepted_keywords, expected_pairs
from qrelsmith.topk.simulated_search import SimulatedSearch
from qrelsmith.topk.topk_sessions import TopicPool, topic_pools

_Z = 1.96


@dataclass(frozen=True, slots=True)
class PlanGrid:
    """The grid of a plan: every combination is a row.

    Attributes
    ----------
    methods : tuple of str
        Schedulers that can be simulated; see `plan_methods`.
    k, finalists, pairings : tuple of int
        k, F and P; combinations that violate F > P > k are left out, unless forced.
    reliability : mapping of str to Reliability
        Reliability models by name in the plan.
    keep : {'majority', 'half'}
        Rule for the candidates that stay after a round.
    forced : bool
        Whether F > P > k may be violated.
    """

    methods: tuple[str, ...] = ("rounds",)
    k: tuple[int, ...] = (5,)
    finalists: tuple[int, ...] = (9,)
    pairings: tuple[int, ...] = (7,)
    reliability: Mapping[str, Reliability] = field(default_factory=lambda: {"1": Constant(1.0)})
    keep: Keep = "majority"
    forced: bool = False

    def __post_init__(self) -> None:
        for method in self.methods:
            if method not in plan_methods():
                raise UsageError(
                    f"unknown scheduler {quoted(method)}; expected {' or '.join(plan_methods())}"
                )

    def cells(self) -> Iterator[PlanCell]:
        """Yield the combinations; F and P apply only to crowd rounds."""
        for method, k in product(self.methods, self.k):
            entry = SCHEDULERS.get(method).entry
            in_rounds = entry.about["rounds"] and "finalists" in entry.takes
            sizes = product(self.finalists, self.pairings) if in_rounds else [(0, 0)]
            for finalists, pairings in sizes:
                if in_rounds and not (self.forced or finalists > pairings > k):
                    continue
                for name, reliability in self.reliability.items():
                    design = (
                        CrowdDesign(k, finalists, pairings, self.keep, self.forced)
                        if in_rounds
                        else None
                    )
                    yield PlanCell(method, k, design, name, reliability)


@dataclass(frozen=True, slots=True)
class PlanCell:
    """One combination of parameters in a plan; `design` is None except for crowd rounds."""

    method: str
    k: int
    design: CrowdDesign | None
    reliability_name: str
    reliability: Reliability


@dataclass(frozen=True, slots=True)
class PlanCosts:
    """The prices and times of a plan.

    Attributes
    ----------
    terms : HitTerms
        Terms of HITs, for crowd rounds.
    failing : float
        Share of HITs with a failed attention check.
    seconds : float
        Seconds per pair for a dedicated assessor; the authors needed 39 s.
    wage : float
        Cost of a dedicated assessor's hour.
    """

    terms: HitTerms = field(default_factory=HitTerms)
    failing: float = 0.0
    seconds: float = 39.0
    wage: float = 12.0


@dataclass(frozen=True, slots=True)
class PlanRow:
    """The cost and the probability of success of one combination of parameters.

    Attributes
    ----------
    cell : PlanCell
        The combination.
    candidates : int
        Candidates over all topics.
    pairs : float
        Number of pairs by formula: expected for crowd rounds, upper bound for a tournament.
    formula : Cost
        Cost of that number of pairs.
    search : SimulatedSearch
        The simulated campaigns.
    simulated : Cost
        Cost of each simulated campaign.
    """

    cell: PlanCell
    candidates: int
    pairs: float
    formula: Cost
    search: SimulatedSearch
    simulated: Cost

    def interval(self, values: FloatArray) -> tuple[float, float, float]:
        """Return the mean over the campaigns, and the ends of its 95% Monte Carlo interval."""
        mean = float(values.mean())
        half = _Z * float(values.std(ddof=1)) / sqrt(values.size) if values.size > 1 else np.nan
        return mean, mean - half, mean + half


def plan_grid(
    qrels: Qrels,
    grid: PlanGrid,
    costs: PlanCosts,
    *,
    campaigns: int,
    seed: int,
    advance: Callable[[], None] | None = None,
) -> list[PlanRow]:
    """Evaluate every combination of a grid on the candidates from the grades.

    Parameters
    ----------
    qrels : Qrels
        The grades.
    grid : PlanGrid
        The combinations to evaluate.
    costs : PlanCosts
        Prices and times.
    campaigns : int
        Number of simulated campaigns per combination.
    seed : int
        The seed; combinations share the campaigns' random numbers.
    advance : callable, optional
        Called `plan_steps` times, to show progress.

    Raises
    ------
    UsageError
        If no combination has F > P > k.
    UndefinedError
        If no doc has a grade above 0.
    """
    cells = list(grid.cells())
    if not cells:
        raise UsageError(
            f"no combination of k {_number_list(grid.k)}, F {_number_list(grid.finalists)} and P"
            f" {_number_list(grid.pairings)} has F > P > k"
        )
    pools = {k: topic_pools(qrels, k=k) for k in grid.k}
    return [_row(cell, pools[cell.k], costs, campaigns, seed, advance) for cell in cells]


def plan_methods() -> tuple[str, ...]:
    """Return the schedulers that can be simulated."""
    return tuple(each.name for each in SCHEDULERS.entries() if each.about["simulate"] is not None)


def plan_steps(
    methods: Sequence[str],
    k: Sequence[int],
    finalists: Sequence[int],
    pairings: Sequence[int],
    *,
    chances: int = 1,
    keep: Keep = "majority",
    forced: bool = False,
    campaigns: int,
) -> int:
    """Return the number of simulation steps of a plan, for a progress bar."""
    chance = {str(number): Constant(1.0) for number in range(chances)}
    grid = PlanGrid(
        tuple(methods), tuple(k), tuple(finalists), tuple(pairings), chance, keep, forced
    )
    steps = len(blocks(campaigns))
    return sum(steps if cell.design is not None else 1 for cell in grid.cells())


def _row(
    cell: PlanCell,
    pools: Sequence[TopicPool],
    costs: PlanCosts,
    campaigns: int,
    seed: int,
    advance: Callable[[], None] | None,
) -> PlanRow:
    graded = [pool.grades for pool in pools]
    sizes = [grades.size for grades in graded]
    design = asdict(cell.design or CrowdDesign(cell.k, forced=True))
    if cell.design is None:
        pairs = np.array([sum(expected_pairs(cell.method, size, **design) for size in sizes)])
    else:
        pairs = crowd_pairs(sizes, cell.design)
    simulate = SCHEDULERS.get(cell.method).entry.about["simulate"]
    search = simulate(
        graded, cell.reliability, campaigns=campaigns, seed=seed,
        advance=advance or (lambda: None), **accepted_keywords(simulate, design),
    )  # fmt: skip
    return PlanRow(
        cell=cell,
        candidates=sum(sizes),
        pairs=float(pairs.sum()),
        formula=_cost(cell, pairs, costs),
        search=search,
        simulated=_cost(cell, search.judgments, costs),
    )


def _cost(cell: PlanCell, pairs: np.ndarray, costs: PlanCosts) -> Cost:
    """Return the cost [...] of pairs [..., round]."""
    if cell.design is None:
        return dedicated_cost(pairs.sum(axis=-1), seconds=costs.seconds, wage=costs.wage)
    terms = costs.terms
    return crowd_cost(
        pairs, size=terms.pairs, challenge_pairs=terms.challenges, price=terms.price,
        seconds=terms.seconds, failing=costs.failing,
    )  # fmt: skip


def _number_list(values: Sequence[int]) -> str:
    return ", ".join(map(str, values))
