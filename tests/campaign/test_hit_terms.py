from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.campaign.campaign import Campaign, campaign_toml, read_campaign, write_campaign_toml
from qrelsmith.campaign.hit_terms import HitTerms, hit_terms_toml, read_hit_terms

# topk-preferences 4.3.
PAPER = HitTerms()


def test_the_papers_terms_are_the_default() -> None:
    assert (PAPER.pairs, PAPER.challenges, PAPER.reward, PAPER.fee) == (10, 3, 2.0, 0.4)
    assert (PAPER.approval, PAPER.completed, PAPER.countries) == (95, 1000, ("US",))
    assert PAPER.price == pytest.approx(2.4)
    # "Roughly one HIT every 10 minutes."
    assert (PAPER.pairs + PAPER.challenges) * PAPER.seconds == pytest.approx(600, abs=5)


def test_terms_are_settings_of_the_campaign(tmp_path: Path) -> None:
    terms = HitTerms(pairs=8, reward=1.25, currency="EUR", countries=("DE", "AT"))
    campaign = Campaign(folder=tmp_path, title="crowd", hits=terms)
    write_campaign_toml(campaign)
    assert read_campaign(tmp_path) == campaign
    assert read_hit_terms(tmp_path / "campaign.toml") == terms
    assert campaign_toml(read_campaign(tmp_path)) == (tmp_path / "campaign.toml").read_text()


def test_terms_of_the_app_are_read_back_unchanged(tmp_path: Path) -> None:
    terms = HitTerms(
        doc_seconds=30.5, challenge_docs=2, group="turkers", hold=45, per_worker=4, pass_mark=60,
        training_reward=0.25, contact="who@example.org", notice="One.\n\nTwo.",
    )  # fmt: skip
    path = tmp_path / "terms.toml"
    path.write_text(hit_terms_toml(terms))
    assert read_hit_terms(path) == terms


def test_a_campaign_without_crowd_work_has_no_terms(tmp_path: Path) -> None:
    write_campaign_toml(Campaign(folder=tmp_path, title="none"))
    assert read_campaign(tmp_path).hits is None
    with pytest.raises(InputError, match=r"table \[hits\] is missing"):
        read_hit_terms(tmp_path / "campaign.toml")


def test_an_empty_list_means_anywhere_and_omitted_terms_are_the_papers(tmp_path: Path) -> None:
    path = tmp_path / "terms.toml"
    path.write_text("[hits]\ncountries = []\nfee = 0\n")
    assert read_hit_terms(path) == HitTerms(countries=(), fee=0)
    path.write_text(hit_terms_toml(PAPER))
    assert read_hit_terms(path) == PAPER


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("pairs = 0", "expected at least one pair"),
        ("pairs = 2.5", "pairs is '2.5'; expected a whole number"),
        ("approval = 101", "an approval of at most 100%"),
        ("reward = -1", "numbers of 0 or more"),
        ("price = 2", "unknown key 'price'"),
        ("hold = 0", "expected at least 1 minute"),
        ("pass_mark = 101", "0 to 100%"),
        ("per_worker = -1", "expected a number of 0 or more"),
        ("training_reward = '1'", "training_reward is '1'; expected a number"),
        ("group = 1", "group is '1'; expected text"),
    ],
)
def test_wrong_terms_name_the_file(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "terms.toml"
    path.write_text(f"[hits]\n{line}\n")
    with pytest.raises(InputError, match=rf"terms\.toml:.*{problem}"):
        read_hit_terms(path)
    with pytest.raises(UsageError):
        HitTerms(challenges=-1)
