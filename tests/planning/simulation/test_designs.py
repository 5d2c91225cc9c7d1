import numpy as np
import pytest

from qrelsmith.planning.simulation import simulate_campaign
from qrelsmith.planning.simulation.designs import DESIGNS


@pytest.mark.parametrize("name", DESIGNS.names())
def test_a_design_can_be_drawn_and_describes_itself(name):
    entry = DESIGNS.get(name).entry
    assert entry.summary.endswith(".")
    design = DESIGNS.get(name)()
    campaign = simulate_campaign(design, seed=0)
    assert len(campaign.topics) == design.topics
    assert all(group.name.startswith("simulated-") for group in design.groups)


def test_www4_has_the_size_of_the_paper_and_similar_numbers():
    # Sakai et al. (2023), 3.1 to 3.4 and Tables 1 and 2; drawn values vary with the seed.
    campaign = simulate_campaign(DESIGNS.get("www4")(), seed=0)
    assert campaign.ranked.shape[:2] == (18, 50)
    gold, hasty, thorough = campaign.design.groups
    assert [g.assessors.count for g in (gold, hasty, thorough)] == [7, 5, 5]
    counts = {
        (one.group, one.ordering): sum(
            other.group == one.group and other.ordering == one.ordering
            for other in campaign.assignments
        )
        for one in campaign.assignments
    }
    assert counts == {
        ("simulated-gold", "prioritised"): 25,
        ("simulated-gold", "randomised"): 25,
        ("simulated-bronze-w", "prioritised"): 50,
        ("simulated-bronze-t", "prioritised"): 50,
    }
    docs = sum(map(len, campaign.pools))
    assert docs == pytest.approx(10_333, rel=0.1)
    events = campaign.events
    first = events.assessor < 7
    shares = np.bincount(events.grade[first & (events.revision == 1)].astype(int)) / docs
    assert shares == pytest.approx([0.69, 0.17, 0.13], abs=0.1)
