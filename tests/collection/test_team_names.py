from __future__ import annotations

import pytest

from qrelsmith.collection.team_names import team_in_name, teams_of_runs
from qrelsmith.collection.teams import team_numbers


@pytest.mark.parametrize(
    ("run", "team"),
    [
        # Runs of NTCIR-16 WWW-4 and of TREC 2021.
        ("KASYS-CO-NEW-1", "KASYS"),
        ("ORG-TOPICDEV", "ORG"),
        ("Fast_ForwardP_2", "Fast"),
        ("ielab-robertav2", "ielab"),
        ("uogTrPC", "uogTrPC"),
        ("a_b-c", "a"),
        ("-x", "-x"),
        ("_", "_"),
        ("", ""),
    ],
)
def test_the_team_is_the_part_before_the_first_hyphen_or_underscore(run: str, team: str) -> None:
    assert team_in_name(run) == team


def test_a_table_overrides_the_names() -> None:
    runs = ["a-1", "a-2", "b-1"]
    assert teams_of_runs(runs, None) == {"a-1": "a", "a-2": "a", "b-1": "b"}
    assert teams_of_runs(runs, {}) == teams_of_runs(runs, None)
    # A run that the table lacks is a separate team, whatever its name.
    names, _ = team_numbers(runs, teams_of_runs(runs, {"a-1": "x"}))
    assert names == ("a-2", "b-1", "x")
