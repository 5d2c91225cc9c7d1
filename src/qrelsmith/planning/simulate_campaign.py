"""The command `simulate campaign`: a campaign with a known truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated

from qrelsmith.base.options import Option, PythonOnly, Seed
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.judgment_files import Judgments
from qrelsmith.planning.campaign_designs import campaign_design
from qrelsmith.planning.planted_damages import (
    PlantedDamage,
    parse_damages,
    plant_damages,
    prepare_design,
)
from qrelsmith.planning.simulated_campaign import (
    GroupWork,
    group_work,
    simulated_judgments,
    simulated_runs,
    simulated_truth,
    write_simulated_campaign,
)
from qrelsmith.planning.simulation import CampaignDesign, SimulatedCampaign
from qrelsmith.planning.simulation import simulate_campaign as drawn_campaign


@dataclass(frozen=True, eq=False, kw_only=True)
class CampaignSimulation(Result):
    """A simulated campaign.

    Attributes
    ----------
    drawn : SimulatedCampaign
        The simulated campaign in full.
    work : tuple of GroupWork
        The work of each group.
    title : str
        The title of the campaign folder.
    planted : tuple of PlantedDamage
        The damages simulated in the labels, with their sources.
    """

    drawn: SimulatedCampaign = field(repr=False)
    work: tuple[GroupWork, ...]
    title: str
    planted: tuple[PlantedDamage, ...] = ()

    @property
    def judgments(self) -> Judgments:
        """All answers, with their log."""
        return simulated_judgments(self.drawn)

    @property
    def runs(self) -> list[Run]:
        """The runs, named after their teams."""
        return simulated_runs(self.drawn)

    @property
    def qrels(self) -> Qrels:
        """The true grades of the pooled docs."""
        return simulated_truth(self.drawn)

    @property
    def design(self) -> CampaignDesign:
        """The design."""
        return self.drawn.design

    def table(self) -> Table:
        """Columns: group, assessors, topics, judgments, corrections, hours."""
        columns = ("group", "assessors", "topics", "judgments", "corrections", "hours")
        rows = ([getattr(one, name) for name in columns] for one in self.work)
        return Table.of(columns, rows)

    def write(self, folder: FilePath, *, advance: Callable[[], None] = lambda: None) -> None:
        """Write the campaign as a folder that `audit` reads; call `advance` after each step.

        Raises
        ------
        UsageError
            If the folder is not empty.
        InputError
            If it cannot be written.
        """
        damages = [each.sentence() for each in self.planted]
        write_simulated_campaign(
            self.drawn, folder, title=self.title, damages=damages, advance=advance
        )


@question("simulate campaign", no_audit="it draws a campaign, which can then be audited")
def simulate_campaign(
    design: Annotated[str | FilePath | CampaignDesign, PythonOnly(
        "A name in `DESIGNS`, a TOML file, or a design.")] = "small",
    *,
    topic_count: Annotated[int | None, Option(
        "Number of topics; default: as in the design.", least=1, was={"topics": {}})] = None,
    depth: Annotated[int | None, Option("Depth of the pools; default: as in"
                                        " the design.", least=1)] = None,
    damages: Annotated[str | Sequence[str], Option(
        "Simulated data problem: NAME, NAME:SIZE or NAME:SIZE@GROUP (default: the last group);"
        " repeatable.", ("--damage",), metavar="NAME[:SIZE][@GROUP]")] = (),
    seed: Seed = 0,
) -> CampaignSimulation:  # fmt: skip
    """Simulate a whole campaign: topics, systems, assessors and their log.

    A data problem is a name with an optional size, such as `shifted:2`. If a problem can be
    detected only in random orders, the group with this problem sees docs in random order. The same
    seed always draws the same campaign.

    Returns
    -------
    CampaignSimulation
        With `.judgments`, `.runs`, the truth as `.qrels`, and `.write(folder)`.

    Raises
    ------
    UnknownNameError
        If there is neither a file nor a design of this name, or no such damage.
    InputError, UsageError
        If a key or value of the design is invalid.

    Examples
    --------
    >>> from qrelsmith import simulate_campaign
    >>> simulation = simulate_campaign(topic_count=2, depth=5)
    >>> len(simulation.qrels.topics)
    2
    """
    chosen = changed_design(design, topics=topic_count, depth=depth)
    asked = parse_damages([damages] if isinstance(damages, str) else damages, chosen)
    drawn = drawn_campaign(prepare_design(chosen, asked), seed=seed)
    drawn, planted = plant_damages(drawn, asked)
    name = "own" if isinstance(design, CampaignDesign) else design
    return CampaignSimulation(
        drawn=drawn,
        work=group_work(drawn),
        title=f"Simulated campaign (design {name}, seed {seed})",
        planted=planted,
    )


def changed_design(
    design: str | FilePath | CampaignDesign, *, topics: int | None = None, depth: int | None = None
) -> CampaignDesign:
    """Return a design with a different number of topics or depth; see `simulate_campaign`."""
    base = design if isinstance(design, CampaignDesign) else campaign_design(design)
    return replace(
        base,
        topics=base.topics if topics is None else topics,
        depth=base.depth if depth is None else depth,
    )
