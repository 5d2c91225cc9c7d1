"""The simulated campaign: NTCIR-16 WWW-4 with fictitious assessors, docs and systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from qrelsmith.base.scales import Scale
from qrelsmith.collection.team_names import teams_of_runs
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.planning.simulated_campaign import simulated_judgments, simulated_runs
from qrelsmith.planning.simulation import SimulatedCampaign, second_round, simulate_campaign
from qrelsmith.planning.simulation.designs import DESIGNS
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.groups import CAREFUL, GOLD, HASTY

NOTE = (
    "The labels and logs of WWW-4 are not public. The simulated campaign has its numbers: 50"
    " topics, 18 runs of four teams, pools 60 deep, seven Gold and five Bronze assessors a group,"
    " three levels; the rest is fitted to what the paper prints (`draws` shows how well). The"
    " order in which docs are shown matters to BronzeW alone, which overrates the first docs."
)
_DESIGN = "www4"
_NAMES = {"simulated-gold": GOLD, "simulated-bronze-w": HASTY, "simulated-bronze-t": CAREFUL}
_GOLD_GROUP = "simulated-gold"
_SECOND_ROUND_DAY = 60
# The parameters of the small campaign.
_SMALL = {"topics": 12, "docs": 200, "run_depth": 60, "depth": 15}


@dataclass(frozen=True, eq=False)
class Simulated:
    """A simulated campaign, and its judged collection.

    Attributes
    ----------
    campaign : SimulatedCampaign
        The campaign as drawn.
    collection : JudgedCollection
        Its judgments and runs.
    """

    campaign: SimulatedCampaign
    collection: JudgedCollection

    def judged_again(self, docs: Mapping[str, Sequence[str]]) -> Judgments:
        """Return Gold's second grades of docs, in the given order."""
        number = {topic: place for place, topic in enumerate(self.campaign.topics)}
        shown = {
            number[topic]: [int(doc.rpartition("-d")[2]) for doc in found]
            for topic, found in docs.items()
        }
        events = second_round(self.campaign, shown, group=_GOLD_GROUP)
        return _rename_groups(simulated_judgments(self.campaign, events, day=_SECOND_ROUND_DAY))


def simulated_campaign(inputs: StudyInputs) -> Simulated:
    """Return the campaign simulated with a seed, at the paper's size or a small size."""
    return _draw(inputs.paper_size, inputs.seed)


@lru_cache(maxsize=2)  # shared by all artefacts
def _draw(paper_size: bool, seed: int) -> Simulated:
    design = DESIGNS.get(_DESIGN)()
    if not paper_size:
        design = replace(design, **_SMALL)
    campaign = simulate_campaign(design, seed=seed)
    runs = simulated_runs(campaign)
    return Simulated(
        campaign,
        JudgedCollection(
            key="simulated",
            name="the simulated campaign",
            kind=ClaimKind.SIMULATED,
            judgments=_rename_groups(simulated_judgments(campaign)),
            scale=Scale(tuple(map(float, range(design.levels)))),
            relevant=1.0,
            runs=runs,
            teams=teams_of_runs([run.name for run in runs], None),
            depth=design.depth,
            seed=seed,
        ),
    )


def _rename_groups(judgments: Judgments) -> Judgments:
    """Return the judgments with the paper's names of groups."""
    return replace(judgments, group=tuple(_NAMES[name] for name in judgments.group or ()))
