"""The page of agreement has the numbers of `qrelsmith agree` on the export."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qrelsmith import agree
from qrelsmith.base.scales import Scale
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.web.organiser import agreement
from qrelsmith.web.organiser.agreement import default_coefficient
from qrelsmith.web.templatetags.figures import coefficient

Read = Callable[..., Any]
ADDRESS = "/organiser/agreement"
SCALE = Scale((0.0, 1.0, 2.0))


@pytest.mark.parametrize("name", ["alpha-ordinal", "kappa-quadratic", "ac1"])
def test_the_page_has_the_numbers_of_the_export(
    judged: Any, read: Read, exported: Callable[..., Path], name: str
) -> None:
    judgments = read_judgments(exported(judged) / "judgments.csv", scale=SCALE, off_scale="missing")
    overall, *pairs = agree(judgments, name, by="pair", scale=SCALE).parts
    page = read(judged, f"{ADDRESS}?coefficient={name}")
    rows = {row[0]: row for row in page.rows("Between assessors")}
    assert len(pairs) == len(rows) == 6
    for pair in pairs:
        assert rows[pair.scope][1:3] == [
            coefficient(pair.value),
            "–",  # there are two topics, too few for an interval
        ]
        assert rows[pair.scope][4:7] == [str(pair.units), "2", str(pair.pairs)]
    # One of 20 docs was judged by only one assessor.
    assert page.fact("Docs with at least two labels") == "19"
    assert page.fact("All labels").startswith(coefficient(overall.value))


def test_groups_are_compared_by_topic(judged: Any, read: Read) -> None:
    page = read(judged, f"{ADDRESS}?coefficient=agreement")
    rows = {row[0]: row for row in page.rows("Between groups")}
    assert list(rows) == ["gold ~ tin", "gold ~ zinc", "tin ~ zinc"]
    # By hand, gold with zinc: on q1, 3 of the 8 docs that both graded; on q2, 8 of 10.
    assert (3 / 8 + 8 / 10) / 2 == 0.5875
    assert rows["gold ~ zinc"][1] == ".588"
    assert rows["gold ~ zinc"][4:7] == ["18", "2", "18"]
    inside = {row[0]: row for row in page.rows("Within groups")}
    assert list(inside) == ["tin"]
    # t1 and t2 agree on 6 of the 8 docs of q1 that both judged, and on 9 of 10 of q2.
    assert inside["tin"][1] == f"{15 / 18:.3f}".removeprefix("0")


def test_the_coefficient_fits_the_scale(judged: Any) -> None:
    assert default_coefficient() == "alpha-ordinal"


def test_the_lack_of_two_labels_of_a_doc_is_reported(
    unjudged: Any, at_work: Any, read: Read
) -> None:
    assert "No doc has two labels yet." in read(unjudged, ADDRESS).text
    at_work(unjudged, "g1", "q1").judge(1, 2)
    assert "No doc has two labels yet." in read(unjudged, ADDRESS).text


def test_too_many_ratings_for_a_page_are_not_loaded(
    lite_judged: Any, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreement, "MOST_CELLS", 10)
    assert (
        "There may be up to 80 ratings, which is too many for this page"
        in read(lite_judged, ADDRESS).text
    )


def test_an_unknown_coefficient_is_refused(lite_judged: Any, read: Read) -> None:
    read(lite_judged, f"{ADDRESS}?coefficient=nonsense", status=400)


def test_a_later_round_does_not_count(
    lite_judged: Any, read: Read, judge_again: Callable[..., None]
) -> None:
    before = read(lite_judged, ADDRESS).fact("All labels")
    client = lite_judged.client("olga", role="organiser")
    client.post("/organiser/disagreements/round", {"who": "reference", "after": "1"})
    judge_again("g1", "q1", "2222222222", round_=2)
    assert read(lite_judged, ADDRESS).fact("All labels") == before
