"""The example workflow and the action, run step by step."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from qrelsmith import read_qrels, write_qrels

ROOT = Path(__file__).parents[2]
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def run_step(step: dict[str, Any], folder: Path, values: dict[str, str]) -> int:
    """Run a step of a workflow as its runner does: in bash, with its environment."""
    told = {
        name: EXPRESSION.sub(lambda found: values.get(found[1], ""), str(text))
        for name, text in step.get("env", {}).items()
    }
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder, env={**os.environ, **runner(folder), **told}, check=False,
    )  # fmt: skip
    return done.returncode


def runner(folder: Path) -> dict[str, str]:
    """Set the variables of a runner."""
    files = {name: str(folder / name) for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**files, "RUNNER_TEMP": str(folder), "GITHUB_ACTION_PATH": str(ROOT), "PATH": path}


def run_action(given: dict[str, str], folder: Path) -> int:
    """Run the steps of the action with its inputs; steps with a false condition are skipped."""
    action = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    assert given.keys() <= action["inputs"].keys()
    needed = {name for name, told in action["inputs"].items() if told.get("required")}
    assert needed <= given.keys()
    defaults = {name: told.get("default", "") for name, told in action["inputs"].items()}
    values = {f"inputs.{name}": text for name, text in (defaults | given).items()}
    for step in action["runs"]["steps"]:
        condition = step.get("if", "").partition(" == ")
        if condition[1] and values[condition[0]] != condition[2].strip("'"):
            continue
        if status := run_step(step, folder, values):
            return status
    return 0


@pytest.mark.slow
@pytest.mark.parametrize(("is_spoiled", "status"), [(False, 0), (True, 1)], ids=["same", "spoiled"])
def test_the_example_workflow_fails_if_the_judge_became_worse(
    small_demo: Path, tmp_path: Path, *, is_spoiled: bool, status: int
) -> None:
    shutil.copytree(small_demo, tmp_path / "campaign")
    (tmp_path / "campaign/qrels/gold.qrels").rename(tmp_path / "campaign/qrels/people.qrels")
    settings = tmp_path / "campaign/campaign.toml"
    settings.write_text(settings.read_text("utf-8").replace("gold.qrels", "people.qrels"), "utf-8")
    shutil.copy(small_demo / "qrels/baseline-lexical.qrels", tmp_path / "baseline.qrels")
    (tmp_path / "judge.env").write_text("ENDPOINT=builtin:lexical\nMODEL=\nPROMPT=grade\n", "utf-8")
    workflow = yaml.safe_load((ROOT / "deploy/github/gate.yml").read_text("utf-8"))
    (job,) = workflow["jobs"].values()
    found = None
    for step in job["steps"]:
        if "qrelsmith@" in step.get("uses", ""):
            if is_spoiled:
                spoil(tmp_path / "new.qrels")
            found = run_action({name: str(text) for name, text in step["with"].items()}, tmp_path)
        elif "run" in step and not step["name"].startswith("Install"):
            assert run_step(step, tmp_path, {}) == 0
    assert found == status
    summary = (tmp_path / "GITHUB_STEP_SUMMARY").read_text("utf-8")
    verdict = (tmp_path / "GITHUB_OUTPUT").read_text("utf-8").strip()
    assert summary.startswith(f"### Gate: {verdict.removeprefix('verdict=')}")
    (suite,) = ElementTree.parse(tmp_path / "gate.xml").getroot()  # noqa: S314 - our own
    assert (int(suite.get("failures", "0")) > 0) is is_spoiled


def spoil(path: Path) -> None:
    """Reverse a judge's grades."""
    qrels = read_qrels(path)
    rows = {topic: {doc: 3 - grade for doc, grade in of.items()}
            for topic, of in qrels.to_dict().items()}  # fmt: skip
    write_qrels(type(qrels).from_dict(rows), path)


def test_bad_input_gives_no_summary(tmp_path: Path) -> None:
    given = {"new": "absent", "baseline": "absent", "reference": "absent", "install": "false"}
    assert run_action(given, tmp_path) == 2
    assert not (tmp_path / "GITHUB_STEP_SUMMARY").exists()
