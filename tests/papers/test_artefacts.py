"""Every artefact at the small size, and every claim about the printed numbers of the paper."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from qrelsmith.base.content import Section
from qrelsmith.studies.claims import ClaimKind, ClaimOutcome, Difference, judge
from qrelsmith.studies.findings import base_kind
from qrelsmith.studies.registry import PAPERS, paper_named
from qrelsmith.studies.reproduction import kind_of
from qrelsmith_papers.judging_order.new_systems import Robust

from .conftest import Artefacts, small

EVERY = [(key, name) for key in PAPERS.names() for name in paper_named(key).artefacts.names()]
# Artefacts without a claim: one shows the simulated data, the other has no numbers and no text.
WITHOUT = {("ordering", "draws"), ("scales", "fig7")}
# Artefacts that take long at the small size, and artefacts that are empty without data.
SLOW = {("pdp", name) for name in ("fig4", "fig5", "fig5-readings", "fig6")}
OF_DATA = [
    ("pdp", "table1"), ("pdp", "fig7"), ("scales", "truthfulness"), ("scales", "dl2021"),
    *(one for one in EVERY if one[0] == "topk" and one[1] != "costs"),
]  # fmt: skip


@pytest.mark.parametrize(("paper", "name"), EVERY)
def test_every_artefact_declares_its_claims(paper: str, name: str) -> None:
    study = paper_named(paper)
    claims = study.claims(name)
    assert bool(claims) == ((paper, name) not in WITHOUT)
    assert len({(one.says, one.of) for one in claims}) == len(claims)
    for one in claims:
        assert one.parts
        assert one.says.endswith(".")
    assert isinstance(kind_of(study.artefacts.get(name), small()), ClaimKind)


def _marked(one: tuple[str, str]):
    return pytest.param(*one, marks=[pytest.mark.slow, pytest.mark.full] if one in SLOW else [])


@pytest.mark.parametrize(("paper", "name"), [_marked(one) for one in EVERY])
def test_every_claim_holds_on_print_or_is_an_erratum(
    made: Artefacts, paper: str, name: str
) -> None:
    """A claim without support by the printed numbers has a reason; other claims need none."""
    study = paper_named(paper)
    found = study.artefacts.get(name)(small())
    printed = {one.of: one.evidence for one in found.held if one.kind is ClaimKind.FROM_PRINT}
    for one in study.claims(name):
        if one.of not in printed:
            assert not one.erratum, one.says
            continue
        judged = judge(one, printed[one.of])
        numbers = [v.value if isinstance(v, Difference) else v for v in judged.values]
        if any(number != number for number in numbers):
            continue  # not printed
        assert (judged.outcome is not ClaimOutcome.HOLDS) == bool(one.erratum), (one.says, judged)


@pytest.mark.parametrize(("paper", "name"), [_marked(one) for one in EVERY])
def test_every_artefact_is_computed_or_names_its_missing_data(
    made: Artefacts, paper: str, name: str
) -> None:
    section: Section = made(paper, name)
    assert section.title
    assert bool(section.missing) == ((paper, name) in OF_DATA)
    if section.missing:
        assert (section.tables, section.figures, section.findings) == ((), (), ())
        return
    assert section.tables or section.figures
    assert all(one.key.startswith(name) for one in section.tables)
    assert len({one.key for one in section.tables}) == len(section.tables)
    assert len({one.key for one in section.figures}) == len(section.figures)
    assert {one.section for one in section.findings} <= {name}
    assert {base_kind(one) for one in section.findings} <= {"simulated", "from print"}


@pytest.mark.parametrize(("paper", "name"), OF_DATA)
def test_an_empty_data_folder_is_like_none(paper: str, name: str, tmp_path: Path) -> None:
    assert paper_named(paper).artefacts.get(name)(small(tmp_path)).missing


def test_no_artefact_computes_a_statistic_without_naming_its_bound() -> None:
    """A claim consists of a statistic and a bound: no artefact contains a verdict."""
    import qrelsmith_papers

    for path in Path(inspect.getfile(qrelsmith_papers)).parent.rglob("*.py"):
        assert "Verdict" not in path.read_text("utf-8"), path


# The wins of TREC DL 2021 (31, 6, 22), and wins that the earlier test accepted (58, 0, 1).
@pytest.mark.parametrize(
    ("wins", "outcome"),
    [
        ((31, 6, 22), ClaimOutcome.FAILS),
        ((58, 0, 1), ClaimOutcome.FAILS),
        ((21, 19, 20), ClaimOutcome.HOLDS),
    ],
)
def test_not_clear_fails_if_wins_are_clear(wins: tuple[int, ...], outcome: ClaimOutcome) -> None:
    names = ("Gold", "BronzeW", "BronzeT")
    winners = [name for name, count in zip(names, wins, strict=True) for _ in range(count)]
    taus = {
        (name, "nDCG", str(place)): 0.9 + 0.02 * (name == winner) + 0.0001 * (place % 3)
        for place, winner in enumerate(winners)
        for name in names
    }
    one = paper_named("ordering").claims("table18")[0]
    assert judge(one, Robust(taus)).outcome is outcome
