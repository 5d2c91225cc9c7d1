"""How the audit computes answers to questions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from qrelsmith.agreement.agree import agree
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.base.questions import QUESTIONS, question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.campaign.loose_files import LooseFiles
from qrelsmith.judgments.label_sets import CampaignLabels


@dataclass(frozen=True, eq=False, kw_only=True)
class Names(Result):
    names: tuple[str, ...]

    def table(self) -> Table:
        return Table.of(["label set"], [[name] for name in self.names])


def name_labels(
    labels: CampaignLabels,
    measures: object = None,
    *,
    by: str = "set",
    reference: str | None = None,
    seed: int = 0,
) -> Names:
    return Names(names=tuple(labels.label_sets))


@pytest.fixture
def asking() -> Iterator[object]:
    """The question above, registered while a test runs."""
    yield question("name labels", audit=("inventory",), flags={"measures": "-m"})(name_labels)
    del QUESTIONS["name_labels"]


def test_a_question_is_computed_once_with_the_options_of_the_audit(
    campaign: Path, asking: object
) -> None:
    inputs = AuditInputs(campaign, reference="sound", seed=5, measures=["nDCG@5"])
    first = inputs.ask(asking, by="group")  # type: ignore[arg-type]
    assert inputs.ask(asking, by="group") is first  # type: ignore[arg-type]
    assert first.names == tuple(inputs.label_sets)
    assert first.asked is not None
    assert dict(first.asked.options) == {
        "measures": ("nDCG@5",), "by": "group", "reference": "sound", "seed": 5,
    }  # fmt: skip
    assert first.asked.command("CAMPAIGN") == (
        "qrelsmith name labels CAMPAIGN -m nDCG@5 --by group --reference sound --seed 5"
    )
    other = inputs.ask(asking, ["AP"], seed=0)  # type: ignore[arg-type]
    assert other.asked is not None
    assert other.asked.command("C") == "qrelsmith name labels C -m AP --reference sound"
    assert inputs.answers == (first, other)


def test_the_digests_of_a_campaign_are_those_of_its_files(campaign: Path, asking: object) -> None:
    answer = AuditInputs(campaign).ask(asking)  # type: ignore[arg-type]
    assert answer.asked is not None
    files = {str(each) for each in campaign.rglob("*") if each.is_file()}
    assert set(answer.asked.inputs) == files


def test_a_question_is_computed_once_however_its_options_are_written(inputs: AuditInputs) -> None:
    names = ["alpha-ordinal", "agreement"]
    first = inputs.ask(agree, tuple(names), by="pair", reference=None)
    assert inputs.ask(agree, tuple(names), by="pair", reference=None) is first
    assert inputs.ask(agree, "alpha-ordinal", by="pair", reference=None) is not first


def test_the_note_about_teams_of_loose_files_names_no_settings_file(tmp_path: Path) -> None:
    qrels, run = tmp_path / "gold.qrels", tmp_path / "one.run"
    qrels.write_text("t 0 d 1\nt 0 e 0\n")
    run.write_text("t Q0 d 1 2 one\nt Q0 e 2 1 one\n")
    files = LooseFiles(tmp_path, qrels_files=(qrels,), run_files=(run,))
    assert AuditInputs(files).notes[-1] == (
        "teams are guessed from the names of the runs, so verdicts ignore teams"
    )
