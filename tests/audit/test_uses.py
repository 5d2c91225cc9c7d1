from __future__ import annotations

import math

import pytest

from qrelsmith.audit.scorecard import families_of, use_of
from qrelsmith.base.content import CellVerdict, ScorecardCell


def cells(**verdicts: CellVerdict) -> list[ScorecardCell]:
    return [
        ScorecardCell("x", name.replace("_", "-"), verdict, math.nan, math.nan, math.nan, "", 5, "")
        for name, verdict in verdicts.items()
    ]


def test_a_line_shows_what_a_label_set_can_replace_and_what_is_unproven() -> None:
    told = use_of(
        "x", "nist",
        cells(picks_the_best="good", ranks_all="good", ranks_top="unclear", agrees="bad"),
    )  # fmt: skip
    assert told == (
        "Can replace nist for: choosing the best system, ranking all systems; unclear for: ranking"
        " the top systems; not for: grades of docs."
    )


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        ("good", "Can replace nist for: ranking all systems."),
        ("probably good", "Can probably replace nist for: ranking all systems."),
        ("fair or better", "Can replace nist with some loss for: ranking all systems."),
        ("fair", "Can replace nist with some loss for: ranking all systems."),
        ("fair or worse", "Unclear for: ranking all systems."),
        ("unclear", "Unclear for: ranking all systems."),
        ("probably bad", "Cannot replace nist for any purpose."),
        ("bad", "Cannot replace nist for any purpose; clearly worse for ranking all systems."),
        ("none", ""),
    ],
)
def test_every_verdict_has_a_label(verdict: CellVerdict, told: str) -> None:
    assert use_of("x", "nist", cells(ranks_all=verdict)) == told


def test_without_a_reference_no_line_is_shown() -> None:
    assert use_of("x", "", cells(ranks_all="good")) == ""


def test_passes_of_a_model_are_one_family_but_versions_of_a_model_are_not() -> None:
    names = ["umbrela.llama.run1", "umbrela.llama.run2", "gpt-4", "gpt-3", "lone.run1", "run1"]
    assert families_of(names, {}) == dict.fromkeys(names[:2], "umbrela.llama")
    assert families_of(["a", "b", "c"], {"a": "m", "b": "m"}) == {"a": "m", "b": "m"}
