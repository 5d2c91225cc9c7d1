"""The display of our objects in a notebook: small, and no content of a file is active."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.agreement import krippendorff_alpha
from qrelsmith.base.content import Finding, Report, Section, Verdict
from qrelsmith.base.notebook import MOST_ROWS, html_table
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.runs import Run
from qrelsmith.evaluation import score_runs
from qrelsmith.judgments.judgment_files import Judgments

HOSTILE = "<script>alert('x')</script>&\"><img src=x onerror=y>"
OURS = {"p", "b", "small", "table", "thead", "tbody", "tr", "th", "td"}


class Elements(HTMLParser):
    """Collects the elements and the words of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert attrs in ([], [("style", "text-align:right")])

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def hostile_objects() -> list[object]:
    qrels = Qrels.from_dict({HOSTILE: {HOSTILE: 2, "b": 0}}, name=HOSTILE)
    run = Run.from_dict({HOSTILE: {HOSTILE: 1.0}}, name=HOSTILE)
    evaluation = score_runs(qrels, [run], ["nDCG@10", "AP(rel=9)"])
    finding = Finding(HOSTILE, Verdict.GOOD, HOSTILE, HOSTILE)
    return [
        qrels,
        run,
        evaluation,
        evaluation.matrix("nDCG@10"),
        evaluation.table(),
        Judgments.from_qrels({HOSTILE: qrels}),
        krippendorff_alpha(np.array([[1.0, 0.0], [1.0, math.nan]]), level="ordinal"),
        Table.of([HOSTILE], [[HOSTILE]], notes=[HOSTILE]),
        Report(
            title=HOSTILE,
            subtitle=HOSTILE,
            notices=(HOSTILE,),
            sections=(Section(HOSTILE, HOSTILE, findings=(finding,)),),
            manifest="{}",
        ),
    ]


@pytest.mark.parametrize("shown", hostile_objects(), ids=lambda shown: type(shown).__name__)
def test_every_object_has_a_display_that_escapes_file_contents(shown) -> None:
    page = Elements(shown._repr_html_())
    assert set(page.tags) <= OURS
    assert "table" in page.tags
    assert "".join(page.words).strip()


@given(st.text())
def test_any_text_is_shown_unchanged_in_a_cell(text: str) -> None:
    page = Elements(html_table(["a"], [[text]]))
    # A parser reads CR LF as one newline, and NUL as its replacement character.
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "�")
    found = "".join(page.words).removeprefix("a").replace("\r\n", "\n").replace("\r", "\n")
    assert found.replace("\0", "�") == plain


def test_long_tables_are_cut_with_the_number_of_further_rows() -> None:
    shown = Table.of(["n"], [[n] for n in range(5_000)])._repr_html_()
    assert shown.count("<tr>") == MOST_ROWS + 1
    assert "… and 4,980 rows more" in shown
    assert len(shown) < 2_000


def test_systems_are_sorted_by_the_first_measure_best_first() -> None:
    qrels = Qrels.from_dict({"t": {"a": 1, "b": 0}})
    runs = [Run.from_dict({"t": {first: 2.0}}, name=f"from-{first}") for first in ("b", "a")]
    shown = score_runs(qrels, runs, ["P@1", "NumRet"])._repr_html_()
    assert re.findall(r"from-\w", shown) == ["from-a", "from-b"]
    assert ">1.0000<" in shown
    assert ">0.0000<" in shown


def test_an_audit_is_displayed_as_its_summary() -> None:
    report = hostile_objects()[-1]
    assert str(report).splitlines()[-1] == f"       good  {HOSTILE}"
