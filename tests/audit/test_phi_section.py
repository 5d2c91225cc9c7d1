from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qrelsmith.agreement import checco_phi, krippendorff_alpha
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.base.content import Intervals, Section
from qrelsmith.base.tables import Cell
from qrelsmith.campaign.campaign import Campaign, write_campaign_toml
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.judgments.judgment_events import Judgments

import qrelsmith.audit.sections  # noqa: F401, isort: skip - fills the registry


@pytest.fixture(scope="session")
def phi(preferred: AuditInputs) -> Section:
    return SECTIONS.get("phi")(preferred)


def row(section: Section, name: str) -> dict[str, Cell]:
    rows = [
        dict(zip(named.table.columns, one, strict=True))
        for named in section.tables
        for one in named.table.rows
    ]
    return next(one for one in rows if one["labels"] == name)


def test_the_reference_is_compared_with_every_set_and_a_group_with_itself(phi: Section) -> None:
    assert [[one[0] for one in named.table.rows] for named in phi.tables] == [
        ["gold ~ careless", "gold ~ reversed", "gold ~ sound", "gold ~ students"],
        ["within students"],
    ]


def test_phi_and_alpha_are_those_of_the_same_labels(phi: Section, preferred: AuditInputs) -> None:
    sets = {name: preferred.label_sets[name] for name in ("gold", "sound")}
    values = Judgments.from_qrels(sets).ratings().values
    found = row(phi, "gold ~ sound")
    assert found["phi"] == pytest.approx(checco_phi(values, scale=range(4)).value)
    assert found["alpha-ordinal"] == pytest.approx(krippendorff_alpha(values).value)
    assert found["low"] <= found["phi"] <= found["high"]  # type: ignore[operator]
    assert (found["assessors"], found["docs"]) == (2, 360)


def test_random_labels_have_a_high_phi_like_shuffled_labels(phi: Section) -> None:
    careless, sound = row(phi, "gold ~ careless"), row(phi, "gold ~ sound")
    # 85 % of the careless grades are random: α is near 0, and Φ near that of shuffled labels.
    assert careless["alpha-ordinal"] < 0.3  # type: ignore[operator]
    assert careless["phi"] > 0.6  # type: ignore[operator]
    above = np.array([one["phi"] - one["phi shuffled"] for one in (careless, sound)])  # type: ignore[operator]
    assert above[0] < above[1]


def test_only_values_above_those_of_shuffled_labels_are_drawn(phi: Section) -> None:
    (figure,) = phi.figures
    assert isinstance(figure.drawing, Intervals)
    drawn = dict(zip(figure.drawing.names, figure.drawing.values, strict=True))
    untold = " ".join(phi.paragraphs)
    for name in [str(one[0]) for named in phi.tables for one in named.table.rows]:
        found = row(phi, name)
        shuffled = found["phi shuffled"]
        assert isinstance(shuffled, float)
        # If shuffled labels have too high a value already, the reason is shown instead.
        assert (name in drawn) == (shuffled <= 0.95)
        assert (f"{name} (" in untold) == (shuffled > 0.95)
        if name in drawn:
            assert drawn[name] == pytest.approx(found["phi"] - shuffled)  # type: ignore[operator]


def test_two_labels_per_doc_that_plainly_disagree_are_not_drawn_as_perfect(tmp_path: Path) -> None:
    # Nine in ten docs have two labels 0, so that even shuffled labels have a high value.
    (tmp_path / "qrels").mkdir()
    for name, step in (("gold", 10), ("other", 9)):
        grades = {f"d{doc}": float(doc % step == 0) for doc in range(400)}
        write_qrels(Qrels.from_dict({"1": grades}), tmp_path / "qrels" / f"{name}.qrels")
    write_campaign_toml(Campaign(tmp_path))
    section = SECTIONS.get("phi")(AuditInputs(tmp_path))
    ((_, _, alpha, value, *_),) = section.tables[0].table.rows
    assert alpha < 0.1
    assert value > 0.95
    assert section.figures == ()
    assert (
        "Omitted because Φ of shuffled labels is too high: gold ~ other" in section.paragraphs[-1]
    )
    assert "gold ~ other" in section.tables[0].note


def test_no_verdict_depends_on_phi(phi: Section) -> None:
    assert phi.findings == ()
    assert "not corrected for chance" in " ".join(phi.paragraphs)


def test_grades_in_the_billions_are_treated_as_real_valued(tmp_path: Path) -> None:
    """A row of all whole numbers below these grades would fill the memory."""
    header, rows = "topic,doc,assessor,grade,group\n", ("d1", "d2", "d3", "d4", "d5", "d6")
    judged = [
        f"t1,{doc},{who},{10 ** (3 * place if doc != late else 3)},{group}\n"
        for place, doc in enumerate(rows)
        for who, group, late in (("a", "g", "d6"), ("b", "h", "d5"), ("c", "h", "d4"))
    ]
    (tmp_path / "campaign.toml").write_text("format = 1\n")
    (tmp_path / "judgments.csv").write_text(header + "".join(judged))
    inputs = AuditInputs(tmp_path)
    assert {inputs.scale_text(name) for name in inputs.label_sets} == {"real"}
    (pair,) = SECTIONS.get("agreement")(inputs).tables[0].table.rows
    sets = Judgments.from_qrels(inputs.label_sets).ratings().values
    assert pair[2] == pytest.approx(krippendorff_alpha(sets).value)
    assert SECTIONS.get("phi")(inputs).missing
