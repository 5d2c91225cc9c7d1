from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign import Campaign, Group, Level, ModelRecord, QrelsSource
from qrelsmith.collection.pools.pool_files import Pools, write_pools
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.judgments.label_sets import CampaignLabels

JUDGMENTS = """topic,doc,assessor,grade,group,ordering
1,a,g1,1,gold,prioritised
2,a,g1,0,gold,randomised
9,a,g1,1,gold,docno
1,a,w1,0,bronze,prioritised
2,a,w1,1,bronze,prioritised
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "judgments.csv").write_text(JUDGMENTS)
    truth = Qrels.from_dict({"1": {"a": 5.0}, "2": {"a": 0.0}, "3": {"a": 1.0}})
    write_qrels(truth, tmp_path / "qrels" / "truth.qrels")
    levels = tuple(Level(float(grade)) for grade in range(3))
    return Campaign(tmp_path, levels=levels, groups={"gold": Group(role="gold")})


def test_label_sets_are_files_and_groups_and_gold_is_the_reference(campaign: Campaign) -> None:
    labels = CampaignLabels(campaign)
    assert list(labels.label_sets) == ["bronze", "gold", "truth"]
    assert (labels.reference, labels.others) == ("gold", ("bronze", "truth"))
    assert labels.topics == ("1", "2")
    # Topic 9 is not common, and no other topic was shown in docno order.
    assert labels.orderings == {"prioritised": ("1",), "randomised": ("2",)}


def test_grades_outside_the_scale_are_named_and_missing(campaign: Campaign) -> None:
    (campaign.folder / "judgments.csv").write_text(JUDGMENTS + "3,a,w1,7,bronze,prioritised\n")
    docs = {"1": {"a": 5.0}, "2": {"a": 0.0}, "3": {f"d{doc}": 1.0 for doc in range(8)}}
    write_qrels(Qrels.from_dict(docs), campaign.folder / "qrels" / "truth.qrels")
    labels = CampaignLabels(campaign)
    assert {name: (f.count, f.total, f.first) for name, f in labels.off_scale.items()} == {
        "truth": (1, 10, "truth.qrels:1"),
        "bronze": (1, 3, "judgments.csv:7"),
    }
    assert labels.label_sets["truth"].to_dict() == docs | {"1": {"a": -1}}
    assert "3" not in labels.label_sets["bronze"].topics
    # No doc has the grade 2, the top of the scale.
    assert {labels.scale_text(name) for name in labels.label_sets} == {"0..2"}
    assert {labels.top(name) for name in labels.label_sets} == {2.0}


def test_a_set_can_have_another_scale_if_that_is_declared(campaign: Campaign) -> None:
    assert CampaignLabels(campaign).off_scale["truth"].count == 1
    source = {"truth.qrels": QrelsSource(scale=Scale.parse("0..5"))}
    labels = CampaignLabels(replace(campaign, qrels_of=source))
    assert "truth" not in labels.off_scale
    assert labels.label_sets["truth"].to_dict()["1"] == {"a": 5}
    assert (labels.scale_text("truth"), labels.top("truth")) == ("0..5", 5.0)
    assert not labels.is_on_reference_scale("truth")
    assert labels.is_on_reference_scale("bronze")
    assert CampaignLabels(Campaign(campaign.folder)).top("gold") is None


@pytest.mark.parametrize(
    ("kinds", "models", "reference"),
    [
        ({"b": "people"}, (), "b"),
        ({"b": "people", "c": "people"}, (), ""),
        ({"a": "model", "b": "model"}, (), "c"),
        ({"a": "model"}, ("b",), "c"),
        ({}, (), ""),
        ({"c": "people"}, ("b",), "c"),
    ],
)
def test_the_only_set_of_people_is_the_reference_and_with_several_there_is_none(
    tmp_path: Path, kinds: dict[str, str], models: tuple[str, ...], reference: str
) -> None:
    (tmp_path / "qrels").mkdir()
    for name in "abc":
        qrels = Qrels.from_dict({"1": {"x": 1.0}})
        write_qrels(qrels, tmp_path / "qrels" / f"{name}.qrels")
    sources = {f"{name}.qrels": QrelsSource(kind=kind) for name, kind in kinds.items()}
    records = {name: ModelRecord("a family") for name in models}
    labels = CampaignLabels(Campaign(tmp_path, qrels_of=sources, models=records))
    assert ("" if labels.reference_notice else labels.reference) == reference


def test_a_model_record_without_a_label_set_is_refused(campaign: Campaign) -> None:
    with pytest.raises(InputError, match=r"\[models\] names 'gpt'; expected a label set"):
        CampaignLabels(replace(campaign, models={"gpt": ModelRecord("gpt-4")}))


def test_a_later_grade_outside_the_scale_withdraws_the_earlier_grade(campaign: Campaign) -> None:
    (campaign.folder / "judgments.csv").write_text(
        "topic,doc,assessor,grade,group,revision\n1,a,g1,1,gold,1\n1,a,g1,7,gold,2\n"
        "2,a,g1,1,gold,1\n"
    )
    assert CampaignLabels(campaign).label_sets["gold"].to_dict() == {"2": {"a": 1}}


def test_another_reference_may_have_no_orderings(campaign: Campaign) -> None:
    assert CampaignLabels(campaign, reference="truth").orderings == {}
    assert CampaignLabels(campaign, reference="bronze").orderings == {"prioritised": ("1", "2")}
    with pytest.raises(UsageError, match=r"unknown label set 'x' \(choices: bronze, gold"):
        CampaignLabels(campaign, reference="x")


def test_the_qrels_of_a_gold_group_come_first(campaign: Campaign) -> None:
    source = {"truth.qrels": QrelsSource(group="gold")}
    groups = {"gold": Group(role="gold")}
    assert CampaignLabels(Campaign(campaign.folder, groups=groups, qrels_of=source)).reference == (
        "truth"
    )


def test_pools_are_optional(campaign: Campaign) -> None:
    assert CampaignLabels(campaign).pools is None
    (campaign.folder / "pools").mkdir()
    write_pools(Pools("docno", 7, 0, {"1": ("a",)}), campaign.folder / "pools" / "p.pool")
    pools = CampaignLabels(campaign).pools
    assert pools is not None
    assert pools.depth == 7


def test_a_campaign_without_labels_or_common_topics_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected qrels/ or judgments"):
        CampaignLabels(Campaign(tmp_path))
    (tmp_path / "qrels").mkdir()
    for topic in "12":
        qrels = Qrels.from_dict({topic: {"a": 1.0}})
        write_qrels(qrels, tmp_path / "qrels" / f"{topic}.qrels")
    labels = CampaignLabels(Campaign(tmp_path))
    assert len(labels.label_sets) == 2
    with pytest.raises(InputError, match=r"2\.qrels: no topic in common with 1 .* '2'; in 1: '1'"):
        labels.check_topics()
    assert labels.topics == ()
