"""A command generated from a question: a plug-in only needs a function."""

from __future__ import annotations

import subprocess
import sys
import types
from pathlib import Path

import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.base.questions import QUESTIONS
from qrelsmith.cli.stored_commands import FILE

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


def test_a_question_of_a_plugin_becomes_a_command(hardest) -> None:
    assert hardest("gold.qrels", "--top", "1") == (0, "topic,relevant\n2,1\n", "")
    _, shown, _ = hardest("--help")
    assert "Topics with the fewest relevant docs." in shown
    assert "[default: 5; x>=1]" in shown
    assert "Example: qrelsmith hardest gold.qrels --top 3" in shown
    status, _, problem = hardest("gold.qrels", "--top", "0")
    assert (status, "0 is not in the range x>=1" in problem) == (2, True)


FORM = """
import re
from qrelsmith.forms.registry import FORMS, form_table

LINE = re.compile(r"([^|\\s]+)\\|([^|\\s]+)\\|(\\d+)")

@FORMS.add("bars", kinds=("qrels",), about="https://example.org")
def bars(looked):
    \"\"\"Read lines of topic|doc|grade.\"\"\"
    if not LINE.fullmatch(looked.line.strip()):
        return None
    rows = [found.groups() for found in LINE.finditer(looked.text)]
    taken = {"topic": "first", "doc": "second", "grade": "third"}
    return form_table(looked, rows, taken, lines=list(range(1, len(rows) + 1)))
"""


def test_a_file_format_of_a_plugin_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "form.py").write_text(FORM, encoding="utf-8")
    (tmp_path / "labels.txt").write_text("q1|d1|2\nq1|d2|0\n", encoding="utf-8")
    command = [sys.executable, "-m", "qrelsmith", "--plugin", "form.py", "check", "labels.txt"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout.splitlines()[1].startswith("labels.txt,qrels,bars,")


def test_choices_of_a_plugin_are_available_in_our_commands(tmp_path: Path) -> None:
    plugin = tmp_path / "forms.py"
    plugin.write_text(
        "from qrelsmith.base.tables import FORMATS\n"
        "@FORMATS.add('semicolons', formula='', source='')\n"
        "def semicolons(table):\n"
        "    'Cells separated by semicolons.'\n"
        "    return ';'.join(table.columns) + '\\n'\n"
    )
    command = [sys.executable, "-m", "qrelsmith", "--plugin", str(plugin), "agree", "--help"]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=60).stdout
    assert "semicolons" in shown


def test_a_declaration_gives_the_docstring_and_the_checks() -> None:
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


def test_the_stored_commands_are_those_declared_by_questions() -> None:
    """After a change of a question, run python docs/make_reference.py."""
    docs = Path(__file__).parents[2] / "docs"
    # In a separate process: the order of names depends on earlier imports.
    code = "import sys; sys.path.insert(0, sys.argv[1]); from make_reference import stored_commands"
    code += "; sys.stdout.buffer.write(stored_commands().encode())"
    done = subprocess.run([sys.executable, "-c", code, docs], capture_output=True, timeout=120)
    assert done.stdout.decode("utf-8") == FILE.read_text("utf-8"), done.stderr
