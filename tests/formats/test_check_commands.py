"""`check` suggests a working command for the campaign."""

from __future__ import annotations

import shlex
from pathlib import Path

from qrelsmith.campaign.campaign import Campaign, Group, write_campaign_toml
from qrelsmith.cli import run
from qrelsmith.formats.checking import check_files


def test_a_campaign_without_labels_is_pooled_assigned_imported_and_then_audited(
    tmp_path: Path,
) -> None:
    def suggested() -> str:
        return check_files(tmp_path).commands[str(tmp_path / "campaign.toml")]

    write_campaign_toml(Campaign(tmp_path))
    (tmp_path / "topics.tsv").write_text("1\tone\n")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "s.run").write_text("1 Q0 a 1 2.0 s\n1 Q0 b 2 1.0 s\n")
    assert suggested().startswith(f"qrelsmith pool {tmp_path} ")
    assert run([*shlex.split(suggested())[1:], "--quiet"]) == 0
    assert suggested() == f"qrelsmith assign {tmp_path} -o {tmp_path}/assignments.csv"
    write_campaign_toml(Campaign(tmp_path, groups={"people": Group("", ("ann",))}))
    assert run([*shlex.split(suggested())[1:], "--quiet"]) == 0
    assert suggested() == f"qrelsmith app import {tmp_path}"
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "gold.qrels").write_text("1 0 a 1\n")
    assert suggested() == f"qrelsmith audit {tmp_path}"
