from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from qrelsmith.assigning.assignment_files import read_assignments, write_assignments
from qrelsmith.cli import run
from qrelsmith.collection.pools.pool_files import Pools, write_pools

COMMAND = "assign"

SETTINGS = """\
format = 1

[groups.gold]
role = "gold"

[groups.bronze]
role = "bronze"
assessors = ["w1", "w2", "w3"]

[groups.robots]
role = "llm"
"""
CREATORS = {"1": "G1", "2": "G1", "3": "G1", "4": "G2", "5": ""}
DOCS = tuple(f"d{number}" for number in range(10))


@pytest.fixture
def campaign(folder: Path) -> Path:
    folder = folder / "c"
    folder.mkdir()
    (folder / "campaign.toml").write_text(SETTINGS)
    lines = [
        json.dumps({"topic": topic, "title": "t"} | ({"creator": who} if who else {})) + "\n"
        for topic, who in CREATORS.items()
    ]
    (folder / "topics.jsonl").write_text("".join(lines))
    return folder


@pytest.fixture
def pools(campaign: Path) -> Path:
    (campaign / "pools").mkdir()
    path = campaign / "pools" / "p.pool"
    write_pools(Pools("prioritised", 5, 0, {"1": DOCS[::-1], "2": DOCS[:4], "4": DOCS[:1]}), path)
    return path


@pytest.fixture
def assign(campaign: Path, answered):
    return lambda line="", *arguments: answered(f"c {line}", *arguments)


def test_topics_go_to_their_creators_and_evenly_to_the_others(assign) -> None:
    rows, err = assign()
    assert list(rows[0]) == ["topic", "assessor", "group", "ordering", "seed"]
    assert rows == sorted(rows, key=lambda row: (row["topic"], row["assessor"]))
    gold = [row for row in rows if row["group"] == "gold"]
    assert {row["topic"]: row["assessor"] for row in gold} == {
        topic: who for topic, who in CREATORS.items() if who
    }
    assert Counter(row["ordering"] for row in gold) == {"prioritised": 2, "randomised": 2}
    bronze = [row for row in rows if row["group"] == "bronze"]
    assert {row["topic"] for row in bronze} == set(CREATORS)
    assert {row["ordering"] for row in bronze} == {"prioritised"}
    assert sorted(Counter(row["assessor"] for row in bronze).values()) == [1, 2, 2]
    assert err.splitlines() == [
        "qrelsmith: note: topics without a creator, which get no gold assessor: 1 (first: 5)",
        "qrelsmith: note: the group 'robots' gets no work: it has no assessors",
    ]


def test_the_balance_shows_who_has_no_work(assign, campaign: Path) -> None:
    many = SETTINGS.replace('"w3"', ", ".join(f'"w{number}"' for number in range(3, 8)))
    (campaign / "campaign.toml").write_text(many)
    rows, _ = assign("--balance")
    assert list(rows[0]) == ["group", "assessor", "ordering", "topics", "hits", "docs"]
    counts = {(row["group"], row["assessor"], row["ordering"]): row["topics"] for row in rows}
    loads = [counts["bronze", f"w{number}", "all"] for number in range(1, 8)]
    assert sorted(loads) == ["0", "0", "1", "1", "1", "1", "1"]
    assert counts["gold", "all", "all"] == "4"
    assert {counts["gold", "G1", order] for order in ("prioritised", "randomised")} == {"1", "2"}
    assert {row["docs"] for row in rows} == {""}


def test_only_topics_with_a_pool_are_assigned_and_their_docs_counted(assign, pools: Path) -> None:
    rows, err = assign("--group gold")
    assert [row["topic"] for row in rows] == ["1", "2", "4"]
    assert "note: unassigned topics without a pool: 2 (first: 3)" in err
    balance, _ = assign("--balance --group gold")
    docs = {(row["assessor"], row["ordering"]): row["docs"] for row in balance}
    assert docs["G1", "all"] == "14"
    assert docs["all", "all"] == "15"


def test_seeds_come_from_the_campaign_unless_one_is_given(assign, campaign: Path) -> None:
    default, _ = assign()
    assert assign("--seed 0")[0] == default
    four, _ = assign("--seed 4")
    assert four != default
    (campaign / "campaign.toml").write_text(SETTINGS + "\n[seeds]\nassignments = 4\n")
    assert assign()[0] == four
    assert assign("--seed 0")[0] == default


def test_several_assessors_can_judge_each_doc(assign) -> None:
    rows, _ = assign("--group bronze --per-doc 2")
    assert set(Counter(row["topic"] for row in rows).values()) == {2}
    assert len({(row["topic"], row["assessor"]) for row in rows}) == 10


def test_graded_hits_for_a_crowd_are_created(
    assign, campaign: Path, pools: Path, tmp_path: Path
) -> None:
    crowd = '\n[groups.crowd]\nhit_size = 4\nordering = "balanced"\n'
    (campaign / "campaign.toml").write_text(SETTINGS + crowd)
    rows, _ = assign("--group crowd --per-doc 3")
    assert list(rows[0])[5:] == ["hit", "docs"]
    assert {row["assessor"] for row in rows} == {""}
    judged = Counter((row["topic"], doc) for row in rows for doc in row["docs"].split())
    assert judged == {
        (topic, doc): 3
        for topic, docs in (("1", DOCS), ("2", DOCS[:4]), ("4", DOCS[:1]))
        for doc in docs
    }
    for row in rows:
        docs = row["docs"].split()
        assert len(docs) <= 4
        if row["topic"] == "1" and row["ordering"] == "prioritised":
            assert docs == sorted(docs, reverse=True)
    # The written file can be read.
    out = tmp_path / "a.csv"
    assign("--group", "crowd", "--per-doc", "3", "-o", str(out))
    written = out.read_bytes()
    write_assignments(read_assignments(out), out)
    assert out.read_bytes() == written


def test_options_complete_the_settings_of_the_campaign(
    refused, assign, campaign: Path, pools: Path
) -> None:
    (campaign / "campaign.toml").write_text(SETTINGS.replace('"w3"]', '"w3"]\nper_doc = 2'))
    rows, _ = assign("--hit-size 8 --per-doc 1 --group bronze --group robots")
    counts = Counter((row["group"], row["hit"]) for row in rows)
    assert counts["bronze", "2/1"] == 2
    assert counts["robots", "2/1"] == 1
    assert "--per-doc applies to groups without the role 'gold' and without per_doc" in refused(
        "c --per-doc 1 --group bronze"
    )


@pytest.mark.parametrize(
    ("settings", "arguments", "problem"),
    [
        ("format = 1\n", "", "the table [groups] is missing; expected groups of assessors"),
        (SETTINGS, "--group silver", "unknown group 'silver' (choices: gold, bronze, robots)"),
        (SETTINGS, "--per-doc 4", "per_doc=4 in the group 'bronze', which has 3 assessors"),
        (SETTINGS, "--hit-size 8", "HITs of the group 'bronze' need pools or answers"),
        (SETTINGS, "--group robots", "nothing to assign"),
        (
            SETTINGS.replace('role = "gold"', 'role = "gold"\nassessors = ["G1", "G3"]'),
            "",
            "topic '4' was created by 'G2', who is not in a group with the role 'gold'",
        ),
        (
            SETTINGS.replace('role = "gold"', 'role = "gold"\nassessors = ["G1", "G2", "w1"]'),
            "",
            "'w1' is in the groups 'gold' and 'bronze'; expected one group",
        ),
        (SETTINGS.replace('role = "gold"', 'role = "gold"\nhit_size = 8'), "", "has a hit_size"),
    ],
)
def test_wrong_settings_are_one_line_errors(
    refused, assign, campaign: Path, settings: str, arguments: str, problem: str
) -> None:
    (campaign / "campaign.toml").write_text(settings)
    assert problem in refused(f"c {arguments}")


def test_an_ordering_by_rank_needs_pools_in_that_order(refused, assign, pools: Path) -> None:
    write_pools(Pools("docno", 5, 0, {"1": DOCS}), pools)
    assert "the group 'bronze' needs prioritised pools; expected a file in" in refused("c")


def test_two_gold_groups_share_the_creators(assign, campaign: Path) -> None:
    second = '\n[groups.others]\nrole = "gold"\nassessors = ["G2"]\n'
    (campaign / "campaign.toml").write_text(SETTINGS + second)
    rows, _ = assign("--group gold --group others")
    assert {(row["topic"], row["group"]) for row in rows} == {
        ("1", "gold"), ("2", "gold"), ("3", "gold"), ("4", "others")
    }  # fmt: skip


def test_without_topics_there_is_nothing_to_assign(refused, assign, campaign: Path) -> None:
    (campaign / "topics.jsonl").unlink()
    assert "the campaign has no pools/, topics.* or answers.*; expected one of them" in refused("c")


def test_a_campaign_whose_topics_name_no_creator_has_no_gold(assign, campaign: Path) -> None:
    (campaign / "topics.jsonl").write_text('{"topic": "1", "title": "t"}\n')
    rows, err = assign()
    assert {row["group"] for row in rows} == {"bronze"}
    assert "the group 'gold' gets no work: no topic names its creator" in err


def test_named_gold_assessors_get_nothing_without_creators(refused, campaign: Path) -> None:
    (campaign / "topics.jsonl").write_text('{"topic": "1", "title": "t"}\n')
    (campaign / "campaign.toml").write_text(
        'format = 1\n[groups.g]\nrole = "gold"\nassessors = ["ann"]\n'
    )
    assert "the group 'g' gets no work: no topic names its creator. Add" in refused("c")


def test_only_topics_of_a_topic_set_are_assigned(
    refused, assign, campaign: Path, pools: Path
) -> None:
    (campaign / "some").write_text("4\n1\n3\n")
    rows, err = assign("--topic-set", str(campaign / "some"), "--hit-size", "5")
    assert {row["topic"] for row in rows} == {"1", "4"}
    assert {row["topic"] for row in rows if row["group"] == "bronze"} == {"1", "4"}
    assert "note: topics of the set that are not to be judged: 1 (first: 3)" in err
    (campaign / "some").write_text("3\n")
    assert (
        "none of the 1 topics of the topic set has docs to judge; expected at least one"
        in refused("c --topic-set", str(campaign / "some"))
    )


def test_a_group_that_only_compares_pairs_gets_no_topics(
    campaign: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = campaign / "campaign.toml"
    more = (
        '[groups.pairs]\nrole = "bronze"\nassessors = ["p1"]\n\n[preferences]\ngroups = ["pairs"]\n'
    )
    settings.write_text(settings.read_text() + more)
    assert run(["assign", str(campaign)]) == 0
    printed = capsys.readouterr()
    assert "p1" not in printed.out
    assert "only compares pairs" in printed.err
    assert run(["assign", str(campaign), "--group", "pairs"]) == 0
    assert "p1" in capsys.readouterr().out


def test_a_share_of_the_docs_is_repeated_for_people(assign, campaign: Path, pools: Path) -> None:
    robots = SETTINGS.replace('"llm"', '"llm"\nassessors = ["x"]')
    (campaign / "campaign.toml").write_text(robots)
    plain, _ = assign()
    rows, err = assign("--repeats .5")
    assert list(rows[0]) == ["topic", "assessor", "group", "ordering", "seed", "docs", "round"]
    first = [row for row in rows if row["round"] == "1"]
    assert [{name: row[name] for name in plain[0]} for row in first] == plain
    assert {row["docs"] for row in first} == {""}
    again = [row for row in rows if row["round"] == "2"]
    total = sum(len(row["docs"].split()) for row in again)
    assert f"docs to be judged again as hidden repeats: {total}" in err
    assert 5 <= total <= 25  # of 30
    assert {row["group"] for row in again} == {"gold", "bronze"}
    whose = {(row["topic"], row["assessor"]) for row in first}
    for row in again:
        assert (row["topic"], row["assessor"]) in whose
        assert set(row["docs"].split()) <= set(DOCS)
    everything, _ = assign("--repeats 1 --group bronze")
    assert sorted(len(row["docs"].split()) for row in everything if row["round"] == "2") == [
        1, 4, 10,
    ]  # fmt: skip
    assert assign("--repeats .5")[0] == rows
    assert assign("--repeats .5 --seed 3")[0] != rows


def test_repeats_need_docs_and_a_share(refused, assign, campaign: Path) -> None:
    assert "expected pools/" in refused("c --repeats .1")
    assert "0<x<=1" in refused("c --repeats 0")
