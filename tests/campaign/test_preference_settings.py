"""Settings of preference judging: strictly parsed from campaign.toml, and written unchanged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.campaign.campaign import Campaign, campaign_toml, read_campaign
from qrelsmith.campaign.preference_settings import OUTCOMES, PreferenceJudging

TOML = """\
format = 1
title = ""

[preferences]
choices = 4
scheduler = "tournament"
k = 3
groups = ["bronze"]
per_pair = 3
swapped = 0.1
challenges = 2
source = "qrels/gold.qrels"
share = "pair"
instructions = "Which one\\nhelps more?"

[groups.bronze]
"""


def written(folder: Path, text: str) -> Path:
    (folder / "campaign.toml").write_text(text, encoding="utf-8")
    return folder


def test_the_table_is_read_and_written_unchanged(tmp_path: Path) -> None:
    campaign = read_campaign(written(tmp_path, TOML))
    assert campaign.preference_judging == PreferenceJudging(
        choices=4,
        scheduler="tournament",
        k=3,
        groups=("bronze",),
        per_pair=3,
        swapped=0.1,
        challenges=2,
        source="qrels/gold.qrels",
        share="pair",
        instructions="Which one\nhelps more?",
    )
    assert campaign_toml(campaign) == TOML


def test_an_empty_table_has_the_sizes_of_the_paper(tmp_path: Path) -> None:
    text = 'format = 1\ntitle = ""\n\n[preferences]\n'
    campaign = read_campaign(written(tmp_path, text))
    found = campaign.preference_judging
    assert found == PreferenceJudging()
    assert (found.k, found.finalists, found.pairings) == (5, 9, 7)
    assert found.source_file == ""
    assert campaign_toml(campaign) == text


def test_without_the_table_no_pairs_are_judged(tmp_path: Path) -> None:
    campaign = read_campaign(written(tmp_path, "format = 1\n"))
    assert campaign.preference_judging is None
    assert "preferences" not in campaign_toml(campaign)


def test_outcomes_are_symmetric_and_match_the_number_of_choices() -> None:
    for choices, outcomes in OUTCOMES.items():
        assert len(outcomes) == choices
        assert [-outcome for outcome in reversed(outcomes)] == list(outcomes)
        assert PreferenceJudging(choices=choices).outcomes == outcomes
    assert OUTCOMES[4] == (-2, -1, 1, 2)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("choices = 6", "choices is '6'; expected 2, 3, 4, 5 in [preferences]"),
        ("choices = '3'", "choices is '3'; expected a whole number"),
        ("choises = 3", "unknown key 'choises'; did you mean choices?"),
        ("k = 0", "k is 0; expected 1 or more"),
        ("keep = 'all'", "keep is 'all'; expected majority, half"),
        ("forced = 1", "forced is '1'; expected true or false"),
        ("groups = ['gold']", "'gold' is not a group (groups: bronze) in [preferences]"),
        ("per_pair = 2", "per_pair is 2, but share is 'topic'"),
        ("swapped = 1.5", "swapped is 1.5; expected a share from 0 to 1"),
        ("challenges = -1", "challenges is -1; expected 0 or more"),
        ("share = 'doc'", "share is 'doc'; expected topic, pair"),
        ("hold = 0", "hold is 0; expected 1 or more"),
        ("source = ''", "source is ''; expected 'judgments' or a qrels file"),
        ("source = '../x.qrels'", "source is '../x.qrels'; expected 'judgments' or a qrels file"),
        ("source = '/etc/passwd'", "source is '/etc/passwd'; expected 'judgments' or a qrels file"),
    ],
)
def test_an_error_names_its_line(tmp_path: Path, line: str, words: str) -> None:
    path = written(tmp_path, f"format = 1\n[groups.bronze]\n\n[preferences]\n{line}\n")
    with pytest.raises(InputError) as caught:
        read_campaign(path)
    assert str(caught.value).startswith(f"{path / 'campaign.toml'}:5: ")
    assert words in str(caught.value)


def test_settings_are_checked_on_creation(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'g' is not a group"):
        Campaign(tmp_path, preference_judging=PreferenceJudging(groups=("g",)))
    with pytest.raises(UsageError, match="swapped is nan"):
        PreferenceJudging(swapped=float("nan"))


@given(
    st.builds(
        PreferenceJudging,
        choices=st.sampled_from(list(OUTCOMES)),
        scheduler=st.text(st.characters(exclude_categories=["Cs"])),
        k=st.integers(1, 99),
        finalists=st.integers(1, 99),
        pairings=st.integers(1, 99),
        keep=st.sampled_from(["majority", "half"]),
        forced=st.booleans(),
        swapped=st.floats(0, 1),
        challenges=st.integers(0, 9),
        hold=st.integers(1, 999),
        instructions=st.text(st.characters(exclude_categories=["Cs"])),
    ),
    st.integers(1, 5),
)
@examples(50)
def test_all_settings_survive_writing(
    tmp_path_factory: pytest.TempPathFactory, preferring: PreferenceJudging, per_pair: int
) -> None:
    if per_pair > 1:
        preferring = replace(preferring, share="pair", per_pair=per_pair)
    folder = tmp_path_factory.mktemp("campaign")
    campaign = Campaign(folder, preference_judging=preferring)
    again = read_campaign(written(folder, campaign_toml(campaign)))
    assert again == campaign
    assert campaign_toml(again) == campaign_toml(campaign)
