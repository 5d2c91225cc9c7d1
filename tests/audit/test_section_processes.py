"""An audit by two processes equals the audit by one process."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.audit import section_processes
from qrelsmith.audit.campaign_audit import compute_audit
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.io import sizes
from qrelsmith.report import write_report

from .conftest import write_campaign


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("two") / "campaign"
    return write_campaign(path, topics=10, docs=20, systems=6)


def written(folder: Path, output: Path, *, jobs: int) -> tuple[dict[str, bytes], list[str]]:
    """Return the files of the audit, and the commands of its answers in order."""
    report = compute_audit(AuditInputs(folder, jobs=jobs))
    write_report(report, output)
    files = {str(file.relative_to(output)): file.read_bytes() for file in output.rglob("*.*")}
    return files, [" ".join(answer.asked.command("C")) for answer in report.answers]


def test_two_processes_write_the_same_as_one(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = written(folder, tmp_path / "alone", jobs=1)
    monkeypatch.setattr(sizes, "AUDIT_LABELS", 1)
    made_here: list[str] = []
    make = section_processes.make_section

    def noting(inputs: AuditInputs, name: str) -> section_processes.Made:
        made_here.append(name)
        return make(inputs, name)

    monkeypatch.setattr(section_processes, "make_section", noting)
    monkeypatch.setattr("qrelsmith.audit.campaign_audit.make_section", noting)
    assert written(folder, tmp_path / "two", jobs=2) == alone
    assert "rankings" in made_here
    assert "agreement" not in made_here


def test_an_audit_succeeds_although_one_of_its_processes_fails(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = written(folder, tmp_path / "alone", jobs=1)
    monkeypatch.setattr(sizes, "AUDIT_LABELS", 1)
    monkeypatch.setattr(section_processes, "_PROGRAM", "raise SystemExit")
    assert written(folder, tmp_path / "two", jobs=2) == alone
