"""A command made of a question: a plug-in's function is all that it takes."""

from __future__ import annotations

import json
import subprocess
import sys
import types
from importlib import import_module
from pathlib import Path

import pytest

import qrelsmith
from qrelsmith.base.errors import UsageError
from qrelsmith.base.questions import QUESTIONS
from qrelsmith.cli.question_commands import command_of
from qrelsmith.cli.stored_commands import FILE, command_entry

PLUGIN = '''
from dataclasses import dataclass
from typing import Annotated

from qrelsmith import Result, Table, read_qrels
from qrelsmith.base.options import Option
from qrelsmith.base.questions import question
from qrelsmith.judgments.label_options import LabelFiles


@dataclass(frozen=True, eq=False, kw_only=True)
class Hardest(Result):
    rows: tuple = ()

    def table(self):
        return Table.of(("topic", "relevant"), self.rows)


@question("hardest", no_audit="an example", example="qrelsmith hardest gold.qrels --top 3")
def hardest(labels: LabelFiles, *, top: Annotated[int, Option("Topics.", least=1)] = 5) -> Hardest:
    """Topics with the fewest relevant docs."""
    counts = {}
    for topic, _, grade in read_qrels(labels).rows():
        counts[topic] = counts.get(topic, 0) + (grade > 0)
    rows = sorted(counts.items(), key=lambda row: (row[1], row[0]))
    return Hardest(rows=tuple(rows[:top]))
'''


@pytest.fixture
def hardest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    Path("hardest.py").write_text(PLUGIN)
    Path("gold.qrels").write_text("1 0 a 1\n1 0 b 2\n2 0 a 1\n2 0 b 0\n")

    def call(*words: str) -> tuple[int, str, str]:
        command = [sys.executable, "-m", "qrelsmith", "--plugin", "hardest.py", "hardest", *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    return call


def test_a_question_of_a_plugin_is_a_command(hardest) -> None:
    assert hardest("gold.qrels", "--top", "1") == (0, "topic,relevant\n2,1\n", "")
    _, shown, _ = hardest("--help")
    assert "Topics with the fewest relevant docs." in shown
    assert "[default: 5; x>=1]" in shown
    assert "Example: qrelsmith hardest gold.qrels --top 3" in shown
    status, _, problem = hardest("gold.qrels", "--top", "0")
    assert (status, "0 is not in the range x>=1" in problem) == (2, True)


def test_a_declaration_is_the_docstring_and_the_check() -> None:
    module = types.ModuleType("hardest_plugin")
    sys.modules["hardest_plugin"] = module
    try:
        exec(PLUGIN, module.__dict__)  # noqa: S102 - our own source
        assert "top : int\n    Topics." in (module.hardest.__doc__ or "")
        with pytest.raises(UsageError, match="top is 0; expected 1 or more"):
            module.hardest({"t": {"d": 1}}, top=0)
    finally:
        QUESTIONS.pop("hardest", None)
        del sys.modules["hardest_plugin"]


def test_the_stored_commands_are_those_that_questions_declare() -> None:
    """After a change of a question: python docs/make_reference.py."""
    for module in dict.fromkeys(qrelsmith._PUBLIC.values()):
        import_module(module)
    stored = json.loads(FILE.read_text("utf-8"))
    declared = {
        question.command: json.loads(json.dumps(command_entry(command_of(question))))
        for question in QUESTIONS.values()
        if question.function.__module__.startswith("qrelsmith.")
    }
    assert stored == declared
