"""Designs of a plan, as TOML: a campaign, and the preferences that may follow its grades.

A file has the keys of a campaign's design, a table `[preferences]`, and a table `[grid]` with lists
of values to compare.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from qrelsmith.base.errors import UsageError
from qrelsmith.io.text import FilePath
from qrelsmith.io.toml_settings import parse_toml, read_toml
from qrelsmith.planning.campaign_designs import (
    campaign_design,
    campaign_design_of,
    campaign_design_text,
    table_lines,
    table_values,
)
from qrelsmith.planning.campaign_plan.grid import Grid, grid_of
from qrelsmith.planning.simulation import CampaignDesign
from qrelsmith.planning.simulation.designs import DESIGNS
from qrelsmith.topk.crowd_simulation import CrowdDesign
from qrelsmith.topk.reliability import ByDistance, Reliability

_PREFERENCES, _GRID = "preferences", "grid"


@dataclass(frozen=True, slots=True)
class PreferencePlan:
    """Crowd preferences among the docs with the best grades, and their cost.

    Attributes
    ----------
    k : int
        The number of best docs to find per topic; 0: no preferences.
    finalists, pairings : int
        F and P, the parameters of the rounds.
    spread : float
        The difference in relevance, on [0, 1], at which the better of two docs is preferred with
        probability 1/(1 + 1/e) = .73.
    pairs, challenges : int
        The numbers of pairs and of attention checks in a HIT.
    price : float
        The price of a HIT, including the platform's fee.
    seconds : float
        The seconds that a pair takes.
    failing : float
        The share of HITs that are paid but must be repeated.
    """

    k: int = 0
    finalists: int = 9
    pairings: int = 7
    spread: float = 0.1
    pairs: int = 10
    challenges: int = 3
    price: float = 2.40
    seconds: float = 46.0
    failing: float = 0.05

    def __post_init__(self) -> None:
        if self.k:
            self.rounds()
        if not self.spread > 0:
            raise UsageError(f"spread={self.spread!r}; expected a number above 0")
        if self.pairs < 1 or min(self.k, self.challenges, self.price, self.seconds) < 0:
            raise UsageError(
                f"k={self.k}, pairs={self.pairs}, challenges={self.challenges},"
                f" price={self.price:g}, seconds={self.seconds:g}; expected at least "
                "one pair, and no number below 0"
            )
        if not 0 <= self.failing < 1:
            raise UsageError(f"failing={self.failing!r}; expected a share below 1")

    def rounds(self) -> CrowdDesign:
        """k, F and P.

        Raises
        ------
        UsageError
            Unless F > P > k.
        """
        return CrowdDesign(self.k, self.finalists, self.pairings)

    def reliability(self) -> Reliability:
        """Return the probability of a correct answer, by difference in relevance."""
        return ByDistance(1.0, 0.0)


@dataclass(frozen=True, slots=True)
class PlanDesign:
    """A design with its name.

    Attributes
    ----------
    name : str
        The name in tables.
    campaign : CampaignDesign
        The campaign that gives the grades.
    preferences : PreferencePlan
        The preferences that follow the grades.
    """

    name: str
    campaign: CampaignDesign
    preferences: PreferencePlan = PreferencePlan()


def plan_design(name: FilePath) -> tuple[PlanDesign, Grid]:
    """Return a design by its name in `DESIGNS` or from a TOML file, and the file's grid.

    Raises
    ------
    UnknownNameError
        If there is neither a file nor a design of this name.
    InputError
        If a key or value of the file is unknown.
    """
    if str(name) in DESIGNS.names() or not (Path(name).suffix or Path(name).exists()):
        return PlanDesign(str(name), campaign_design(name)), {}
    settings = read_toml(name)
    campaign = campaign_design_of(settings, besides=(_PREFERENCES, _GRID))
    preferences = table_values(settings.table(_PREFERENCES), PreferencePlan())
    grid = grid_of(settings.table(_GRID))
    return PlanDesign(Path(name).stem, campaign, preferences), grid


def plan_design_text(design: PlanDesign) -> str:
    """Return a design as TOML, with all its values except its name."""
    preferences = "\n".join([f"[{_PREFERENCES}]", *table_lines(design.preferences)])
    return f"{campaign_design_text(design.campaign)}\n{preferences}\n"


def parsed_plan_design(text: str, *, name: str) -> PlanDesign:
    """Parse a design from its TOML."""
    settings = parse_toml(text, path=name)
    return PlanDesign(
        name,
        campaign_design_of(settings, besides=(_PREFERENCES,)),
        table_values(settings.table(_PREFERENCES), PreferencePlan()),
    )
