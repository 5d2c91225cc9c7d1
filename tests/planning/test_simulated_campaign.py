from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.assigning.assign import assign
from qrelsmith.assigning.assignment_files import read_assignments
from qrelsmith.base.errors import UsageError
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.collection.pools.pool_files import read_pools
from qrelsmith.collection.topics import read_topics
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.planning.simulated_campaign import (
    TRUTH,
    group_work,
    simulated_judgments,
    simulated_runs,
    simulated_truth,
    write_simulated_campaign,
)
from qrelsmith.planning.simulation import SimulatedCampaign, second_round, simulate_campaign
from qrelsmith.planning.simulation.designs import DESIGNS
from qrelsmith.pooling.run_pools import pool_runs


@pytest.fixture(scope="module")
def simulated() -> SimulatedCampaign:
    design = DESIGNS.get("small")()
    gold, bronze = design.groups
    busy = replace(gold, habits=replace(gold.habits, second_looks=0.3, breaks=0.05))
    return simulate_campaign(replace(design, groups=(busy, bronze)), seed=5)


@pytest.fixture(scope="module")
def folder(simulated: SimulatedCampaign, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("simulated") / "campaign"
    write_simulated_campaign(simulated, path, title="A simulated campaign")
    return path


def test_every_answer_is_an_event_with_its_times(simulated: SimulatedCampaign) -> None:
    judgments = simulated_judgments(simulated)
    events = simulated.events
    assert len(judgments) == events.grade.size
    assert judgments.revision is not None
    assert np.count_nonzero(judgments.revision > 1) == np.count_nonzero(events.revision > 1) > 0
    assert judgments.active_ms is not None
    assert judgments.idle_ms is not None
    assert judgments.judged_at is not None
    assert judgments.shown_at is not None
    between = (judgments.judged_at - judgments.shown_at) / np.timedelta64(1, "ms")
    np.testing.assert_array_equal(between, judgments.active_ms + judgments.idle_ms)
    assert judgments.idle_ms.sum() == pytest.approx(events.idle.sum() * 1000, abs=len(judgments))


def test_the_timeline_of_one_session_is_consistent(simulated: SimulatedCampaign) -> None:
    judgments = simulated_judgments(simulated)
    assert judgments.judged_at is not None
    assert judgments.shown_at is not None
    assert judgments.revision is not None
    assert judgments.position is not None
    for assessor in range(len(judgments.assessors)):
        days = []
        for topic in range(len(judgments.topics)):
            mine = (judgments.assessor == assessor) & (judgments.topic == topic)
            if not mine.any():
                continue
            order = np.argsort(judgments.judged_at[mine], kind="stable")
            shown, judged = judgments.shown_at[mine][order], judgments.judged_at[mine][order]
            # A doc is shown when the previous doc has been judged; topics are opened at nine.
            np.testing.assert_array_equal(shown[1:], judged[:-1])
            assert str(shown[0]).endswith("T09:00:00.000000")
            days.append(shown[0])
            first = judgments.revision[mine][order] == 1
            positions = judgments.position[mine][order][first]
            np.testing.assert_array_equal(positions, np.arange(1, positions.size + 1))
        assert days == sorted(set(days))


def test_the_current_grades_are_those_of_the_simulation(simulated: SimulatedCampaign) -> None:
    ratings = simulated_judgments(simulated).ratings()
    assert sorted(ratings.assessors) == list(ratings.assessors)
    rows = [ratings.assessors.index(name) for name in simulated.assessors]
    np.testing.assert_array_equal(ratings.values[rows], simulated.ratings())


def test_a_second_round_has_separate_judgments(simulated: SimulatedCampaign) -> None:
    docs = {4: [int(name.rpartition("-d")[2]) for name in simulated.pools[4].docs[:3]]}
    events = second_round(simulated, docs, group="simulated-gold")
    judgments = simulated_judgments(simulated, events, day=30)
    assert judgments.topics == (simulated.topics[4],)
    assert judgments.assessors == (simulated.creators[4],)
    assert judgments.docs == simulated.pools[4].docs[:3]
    assert judgments.shown_at is not None
    assert str(judgments.shown_at.min()) == "2024-02-07T09:00:00.000000"


def test_the_folder_is_a_campaign_whose_parts_fit_together(
    simulated: SimulatedCampaign, folder: Path
) -> None:
    campaign = read_campaign(folder)
    assert campaign.strangers == ()
    assert campaign.title == "A simulated campaign"
    assert campaign.scale is not None
    assert campaign.scale.top == simulated.design.levels - 1
    assert campaign.topics is not None
    assert tuple(topic.creator for topic in read_topics(campaign.topics)) == simulated.creators
    # The assignments created from the folder are those simulated.
    again = assign(campaign)
    assert campaign.assignments is not None
    assert again.assignments == read_assignments(campaign.assignments) == simulated.assignments
    # The pools created from the runs are those simulated, except for docs found by creators.
    (path,) = campaign.pools
    pools = read_pools(path)
    found = {
        topic: [simulated.docno(number, doc) for doc in simulated.found[number]]
        for number, topic in enumerate(simulated.topics)
    }
    pooled = pool_runs(campaign.runs, depth=pools.depth, found=found)
    assert pooled.order("prioritised", seed=pools.seed) == pools
    assert set(campaign.teams) == set(pooled.runs)
    assert campaign.judgments is not None
    judged = read_judgments(campaign.judgments)
    assert set(judged.topics) == set(pools.docs)
    assert {doc for docs in pools.docs.values() for doc in docs} == set(judged.docs)
    truth = read_qrels(campaign.qrels[0])
    assert truth.name == TRUTH
    assert truth.to_dict() == simulated_truth(simulated).to_dict()


def test_runs_rank_like_the_simulated_systems(simulated: SimulatedCampaign) -> None:
    runs = simulated_runs(simulated)
    assert [run.name for run in runs[:5]] == [
        "team1-s1", "team2-s2", "team3-s3", "team4-s4", "team1-s5",
    ]  # fmt: skip
    topic = simulated.topics[3]
    assert runs[1].docs[topic] == tuple(
        simulated.docno(3, doc) for doc in simulated.ranked[1, 3].tolist()
    )


def test_the_same_campaign_gives_the_same_bytes(
    simulated: SimulatedCampaign, folder: Path, tmp_path: Path
) -> None:
    write_simulated_campaign(simulated, tmp_path / "new", title="A simulated campaign")
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert len(files) == 7 + 8
    for name in files:
        assert (tmp_path / "new" / name).read_bytes() == (folder / name).read_bytes(), name


def test_the_summary_counts_the_work(simulated: SimulatedCampaign) -> None:
    gold, bronze = group_work(simulated)
    assert (gold.group, gold.assessors, gold.topics) == ("simulated-gold", 2, 10)
    assert (bronze.group, bronze.assessors, bronze.topics) == ("simulated-bronze", 4, 20)
    docs = sum(map(len, simulated.pools))
    assert (gold.judgments, bronze.judgments) == (docs, 2 * docs)
    answers = sum(one.judgments + one.corrections for one in (gold, bronze))
    assert answers == simulated.events.grade.size
    assert gold.hours + bronze.hours == pytest.approx(simulated.hours)


def test_a_folder_that_is_not_empty_is_refused(
    simulated: SimulatedCampaign, tmp_path: Path
) -> None:
    (tmp_path / "mine").write_text("x")
    for place in (tmp_path, tmp_path / "mine"):
        with pytest.raises(UsageError, match="expected a new folder"):
            write_simulated_campaign(simulated, place, title="")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    (tmp_path / "empty").mkdir()
    write_simulated_campaign(simulated, tmp_path / "empty", title="")
    assert read_campaign(tmp_path / "empty").groups
