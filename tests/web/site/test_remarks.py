"""Remarks of tables, which are computed in English, translated into the language of the page."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.utils.translation import override

import qrelsmith
from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.agreement.disagreement.gold_bronze import gold_and_bronze
from qrelsmith.agreement.disagreement.rules import Rule
from qrelsmith.base.errors import QrelsmithError
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.stats.population import few_topics_note
from qrelsmith.web.site.remarks import _sentences, remark

# The text of a rule, and names of people.
DATA = re.compile(r"'[^']*'|gold|any|all|relevant|high|zinc|tin|\bp1\b")


@pytest.mark.parametrize(
    "ratings", [[[1.0, 2.0]], [[np.nan, np.nan]], [[1, 1], [1, 1]], [[1, np.nan], [np.nan, 2]]]
)
def test_reasons_of_coefficients_are_translated(lite_app: Any, ratings: Any) -> None:
    reason = COEFFICIENTS.get("alpha-ordinal")(ratings).reason
    assert remark(reason) == reason
    with override("ja"):
        assert not any(each.isascii() and each.isalpha() for each in remark(reason))


def test_several_remarks_in_one_are_translated(lite_app: Any) -> None:
    text = "the mean leaves out 2 of 5 topics, in which the coefficient is undefined; "
    text += few_topics_note(3)
    assert remark(text) == text
    with override("ja"):
        assert remark(text).startswith(
            "平均は、係数が定義されないトピックを除いています（5 のうち 2）"
        )
        assert remark("what nobody knows") == "what nobody knows"


def gold_bronze(*rows: tuple[str, str]) -> Any:
    """Return labels of docs by Gold and Bronze, each with a doc and its assessor."""
    docs, assessors = zip(*rows, strict=True)
    columns = {"topic": ["q1"] * len(rows), "doc": docs, "assessor": assessors}
    return gold_and_bronze(Judgments.from_columns(columns | {"grade": [1.0] * len(rows)}), "tin")


@pytest.mark.parametrize(
    "refused",
    [
        lambda: Rule.parse("silver < 1"),
        lambda: Rule.parse("gold < 1 and any >= much; or more"),
        lambda: gold_bronze(("d1", "tin"), ("d2", "zinc")),
        lambda: gold_bronze(("d1", "tin"), ("d1", "zinc")).of_orderings(["prioritised"]),
    ],
)
def test_the_reason_for_a_lack_of_disagreements_is_translated(
    lite_app: Any, refused: Callable[[], Any]
) -> None:
    with pytest.raises(QrelsmithError) as caught:
        refused()
    reason = str(caught.value)
    assert remark(reason) == reason
    with override("ja"):
        said = remark(reason)
    assert re.search("[\u3040-\u30ff]", said)
    assert not re.search("[A-Za-z]", DATA.sub("", said)), said


def test_every_translated_remark_is_still_in_use() -> None:
    package = Path(qrelsmith.__file__).parent
    written = "\n".join(
        node.value
        for folder in ("agreement", "estimation", "judging_times", "stats", "web/sampling")
        for path in (package / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    parts = {
        part.strip() for sentence in _sentences() for part in re.split(r"\{\w+\}|[,;:()]", sentence)
    }
    # Placeholders, here and in the code of the remarks.
    parts -= {"topic", "assessor", ""}
    parts = {part.removeprefix("pairs ").removesuffix(" or more") for part in parts}
    assert {part for part in parts if part not in written} == set()
