"""Third-party plug-ins: an installed package, and a file named on the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import qrelsmith as qs
from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.base.plugins import Plugins

# The whole package: a measure, a coefficient and a scheduler.
PACKAGE = '''
import numpy as np
from qrelsmith.agreement import COEFFICIENTS, AgreementResult
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.topk import SCHEDULERS, Rounds

@MEASURES.add("First", formula="[g(1) ≥ 1]", source="mine")
def first(grades, ideal):
    """Whether the first doc is relevant."""
    return np.nan_to_num(grades[..., :1] >= 1).sum(axis=-1).astype(float)

@COEFFICIENTS.add("identical", formula="docs of one label", source="mine", in_audit=True)
def identical(ratings, *, scale=None, undefined="nan"):
    """Share of the docs to which all gave one label."""
    same = np.nanmax(ratings, axis=0) == np.nanmin(ratings, axis=0)
    return AgreementResult("identical", same.mean(), same.size, 2, same.size, 0.0, 0.0)

@SCHEDULERS.add("at-once", formula="all pairs", source="mine", bounded=True)
def at_once(candidates, *, k, seed, topic=""):
    """All pairs of all candidates."""
    return Rounds(candidates, k=k, seed=seed, topic=topic, finalists=9, pairings=8, forced=True)
'''
CAMPAIGN = """\
format = 1
title = "With a plug-in"
[scale]
levels = [{ grade = 0, label = "no" }, { grade = 1, label = "yes" }]
[groups.gold]
role = "gold"
assessors = ["ann", "bob"]
[preferences]
scheduler = "at-once"
k = 1
source = "qrels/gold.qrels"
"""
# One process for all: the output of each command, and the preference task opened by the app.
DRIVER = """
import contextlib, io, json, sys
from qrelsmith.cli import run
told = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert run(words) == 0, words
    told.append(out.getvalue())
from qrelsmith.web.models import Contest
from qrelsmith.web.organiser.agreement import coefficient_names
told += [Contest.objects.get().setting["method"], "identical" in coefficient_names()]
print(json.dumps(told))
"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder of installed packages, one of which provides a plug-in."""
    facts = tmp_path / "site" / "newcomer-1.0.dist-info"
    facts.mkdir(parents=True)
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: newcomer\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text("[qrelsmith.plugins]\nnewcomer = newcomer\n")
    (facts.parent / "newcomer.py").write_text(PACKAGE, encoding="utf-8")
    return facts.parent


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """A campaign of two docs: gold labels both as relevant, and the assessors agree on one."""
    folder = tmp_path / "campaign"
    for name in ("qrels", "runs"):
        (folder / name).mkdir(parents=True)
    (folder / "campaign.toml").write_text(CAMPAIGN)
    (folder / "topics.jsonl").write_text('{"topic": "t1", "title": "one"}\n')
    docs = [{"doc_id": doc, "title": doc, "text": doc} for doc in ("d1", "d2")]
    (folder / "documents.jsonl").write_text("".join(json.dumps(doc) + "\n" for doc in docs))
    (folder / "qrels" / "gold.qrels").write_text("t1 0 d1 1\nt1 0 d2 1\n")
    (folder / "runs" / "a.run").write_text("t1 Q0 d1 1 2 a\nt1 Q0 d2 2 1 a\n")
    (folder / "runs" / "b.run").write_text("t1 Q0 d9 1 2 b\nt1 Q0 d2 2 1 b\n")
    (folder / "judgments.csv").write_text(
        "topic,doc,assessor,grade\nt1,d1,ann,1\nt1,d1,bob,1\nt1,d2,ann,1\nt1,d2,bob,0\n"
    )
    return folder


def test_functions_of_a_package_work_in_commands_audit_and_app(site: Path, campaign: Path) -> None:
    pytest.importorskip("django", reason="needs the extra web")
    gold = str(campaign / "qrels" / "gold.qrels")
    runs = [str(campaign / "runs" / name) for name in ("a.run", "b.run")]
    commands = [
        ["evaluate", gold, *runs, "-m", "First"],
        ["agree", str(campaign / "judgments.csv"), "--coefficient", "identical"],
        ["topk", "pairs", gold, "--method", "at-once", "-k", "1"],
        ["audit", str(campaign), "-m", "First", "--quiet"],
        ["import", str(campaign), "--quiet"],
    ]
    paths = [str(site), *sys.path]
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, json.dumps(commands)],
        env=environment | {"PYTHONPATH": os.pathsep.join(paths)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    evaluated, agreed, pairs, _, _, method, is_offered = json.loads(done.stdout)
    assert [line.split(",")[-1] for line in evaluated.splitlines()] == ["score", "1.0", "0.0"]
    assert "identical,0.5" in agreed
    assert len(pairs.splitlines()) == 2
    assert (method, is_offered) == ("at-once", True)
    page = (campaign / "audit" / "audit.html").read_text("utf-8")
    assert "First" in page
    assert "<td>identical</td>" in page


def test_a_file_is_named_before_the_command(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("import numpy\n\nnumpy.nothing()\n")
    words = ["--plugin", str(tmp_path / "broken.py"), "measures"]
    code = f"from qrelsmith.cli import run; run({words!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (
        "broken.py:3: the plug-in cannot be loaded: AttributeError: module 'numpy'" in done.stderr
    )
    assert done.stderr.count("\n") == 1


def test_files_are_loaded_once_and_their_errors_are_reported(tmp_path: Path) -> None:
    plugins = Plugins()
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text("import sys\nsys.modules.setdefault('told', []).append(1)\n")
    bad.write_text("x = (\n")
    plugins.add_files([str(good), str(good)])
    plugins.load()
    plugins.load()
    assert sys.modules.pop("told") == [1]
    assert plugins.files == (str(good),)
    plugins.add_files([str(bad)])
    for _ in range(2):
        with pytest.raises(InputError, match=r"bad\.py:1: the plug-in cannot be loaded: Syntax"):
            plugins.load()


def test_a_missing_file_is_a_one_line_error(tmp_path: Path) -> None:
    plugins = Plugins()
    plugins.add_files([str(tmp_path / "none.py")])
    with pytest.raises(InputError, match=r"none\.py: .*: No such file or directory"):
        plugins.load()


def test_a_package_that_cannot_be_loaded_is_named(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (site / "newcomer-1.0.dist-info" / "entry_points.txt").write_text(
        "[qrelsmith.plugins]\nnewcomer = nowhere.newcomer\n"
    )
    monkeypatch.syspath_prepend(str(site))
    with pytest.raises(UsageError, match=r"^newcomer \(nowhere.newcomer\) of newcomer 1.0: the pl"):
        Plugins().load()


# Errors of a measure: it drops its axis, mixes topics, is undefined, or raises.
FAULTS = {
    "np.nan_to_num(grades).sum()": r"shape \(\) for rankings of shape \(2,\); .*axis=-1",
    "np.nan_to_num(grades).max(axis=1)": r"shape \(1, 2\) for rankings of shape \(1, 1\)",
    "np.nan_to_num(grades)[..., 0] / "
    "np.nansum(ideal)": "0.333333 alone, but 0.25 with other topics",
    "grades[..., 0] * np.nan": "a topic the score nan; expected a finite number",
    "grades[..., 9]": r"failed: IndexError: index 9 .*cell\.py:3\)",
}


CELL = """\
@qs.MEASURES.add("Mine", formula="mine", source="mine")
def mine(grades, ideal):
    return {}
"""


@pytest.fixture
def run_cell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Define the measure Mine, as a notebook cell does."""
    for name in ("_entries", "_aliases"):
        monkeypatch.setattr(qs.MEASURES, name, dict(getattr(qs.MEASURES, name)))
    file = tmp_path / "cell.py"

    def run(expression: str) -> None:
        file.write_text(CELL.format(expression))
        code = compile(CELL.format(expression), file, "exec")
        exec(code, {"qs": qs, "np": np, "__name__": "me"})  # noqa: S102 - what a notebook does

    return run


def evaluate() -> float:
    """Return the mean score of a run on two topics by the measure Mine."""
    qrels = {"t1": {"d1": 1, "d2": 2}, "t2": {"d1": 1}}
    run = {"t1": {"d1": 2.0, "d2": 1.0}, "t2": {"d1": 1.0}}
    return qs.evaluate(qrels, run, "Mine").table().rows[0][-1]


@pytest.mark.parametrize("expression", FAULTS)
def test_a_measure_that_breaks_the_contract_is_refused_in_one_line(
    expression: str, run_cell: Callable[[str], None]
) -> None:
    run_cell(expression)
    with pytest.raises(UsageError, match=FAULTS[expression]):
        evaluate()


def test_a_cell_can_be_run_again(run_cell: Callable[[str], None]) -> None:
    for number in (1, 2):
        run_cell(f"grades[..., 0] * {number}")
        assert evaluate() == number
    with pytest.raises(UsageError, match="P is registered twice; expected different names"):
        qs.MEASURES.add("P")(evaluate)
