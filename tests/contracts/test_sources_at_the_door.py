"""A question checks once whether its input is a campaign; code below does not check again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import qrelsmith
from qrelsmith.campaign import campaign as campaigns

FIXTURE = Path(__file__).parents[1] / "fixtures" / "v0_2_1" / "campaign"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("agree", {"resamples": 0}),
        ("agree", {"by": "pair", "resamples": 0}),
        ("compare", {}),
        ("cut", {"levels": 2, "method": "topicwide"}),
        ("disagree", {}),
        ("efficiency", {}),
        ("evaluate", {}),
        ("find_damages", {}),
        ("power", {}),
        ("topk_pool", {}),
        ("topk_pairs", {}),
    ],
)
def test_a_campaign_is_read_only_once(
    name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []
    original = campaigns.read_campaign

    def reading(folder: Any) -> campaigns.Campaign:
        read.append(Path(folder))
        return original(folder)

    monkeypatch.setattr(campaigns, "read_campaign", reading)
    getattr(qrelsmith, name)(FIXTURE, **options)
    assert read == [FIXTURE]
