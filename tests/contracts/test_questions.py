"""One question, one answer: every face of every question says the same, to the last digit.

What is held against each other: the function on the campaign's folder, the command that the result
itself names, the results that stand in the audit, and the frame of a notebook.
"""

from __future__ import annotations

import inspect
import io
import shlex
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pandas
import pytest

import qrelsmith
from qrelsmith.base.content import Report
from qrelsmith.base.headings import heading
from qrelsmith.base.questions import QUESTIONS, Question
from qrelsmith.base.results import Result
from qrelsmith.cli import group, run

for _module in dict.fromkeys(qrelsmith._PUBLIC.values()):
    import_module(_module)

# What is asked of the demo collection.
CASES: Mapping[str, list[dict[str, Any]]] = {
    "agree": [{}, {"by": "pair"}, {"by": "assessor"}, {"by": "topic"}],
    "compare": [{}, {"common": "all"}, {"top": True}],
    "consistency": [{"splits": 20}],
    "cut": [
        {"levels": 2, "method": "topicwide"},
        {"levels": 4, "method": "doc-at", "target": "gold", "by": "assessor"},
    ],
    "disagree": [{}],
    "efficiency": [{}],
    "find_damages": [{}, {"kinds": ("favoured",)}],
    "evaluate": [{}, {"per_topic": True}],
    "loto": [{"depth": 10}],
    "plan_topics": [{"difference": 0.1}],
    "plan_sample": [{"budget": (60,), "draws": 1}],
    "power": [{}],
    "sample": [{"budget": 60}],
    "significance": [{}, {"test": "paired-t", "adjust": "holm"}],
}
# Why the others are not, and where they are held against their commands.
ELSEWHERE = {
    "aggregate": "its command prints qrels: tests of `aggregate`",
    "assign": "the demo has no assessors to be assigned: tests of `assign`",
    "estimate": "the demo holds no sample: tests/estimation/test_campaign_sample.py",
    "gate": "of two judges that follow each other: tests/gates",
    "pdp": "the demo has no preferences: tests/contracts/test_preference_logs.py",
    "pdp_compare": "the demo has no preferences: tests/contracts/test_preference_logs.py",
    "plan_campaign": "of no labels: tests of `plan campaign`",
    "plan_preferences": "its answer is drawn for a scale: tests of `plan preferences`",
    "pool": "its command prints a pool file: tests of `pool`",
    "read_published": "of a published file: tests of `published`",
    "simulate_campaign": "of no labels: tests of `simulate`",
    "simulate_pdp": "of no labels: tests of `simulate`",
    "transform": "its command prints labels: tests of `transform`",
}


# Commands that answer no question: they keep the app, or make, move and show things.
DEEDS = frozenset(
    [
        "audit", "backup", "carry", "convert", "crowd", "demo", "doctor", "export", "forget",
        "import", "import-labels", "init", "invite", "judge", "measures", "migrate", "prefer",
        "prompts", "reproduce", "restore", "serve", "token", "topk hits out", "verify",
    ]
)  # fmt: skip


# Keywords that say nothing to a command: what an object is called, and a word of 0.1.0.
PYTHON_ONLY = {("aggregate", "name"), ("compare", "gmax"), ("evaluate", "gmax")}


def asked_of_the_demo() -> list[Any]:
    """Every question with every set of options, named for pytest."""
    return [
        pytest.param(question, options, id=f"{name}-{place}")
        for name, question in sorted(QUESTIONS.items())
        for place, options in enumerate(CASES.get(name, []))
    ]


def commands(of: click.Group = group, before: str = "") -> dict[str, click.Command]:
    """Every command by its words; those of groups by all of theirs."""
    flat: dict[str, click.Command] = {}
    context = click.Context(of)
    for name in of.list_commands(context):
        command = of.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            flat |= commands(command, f"{before}{name} ")
        else:
            flat[before + name] = command
    return flat


def printed(capsys: pytest.CaptureFixture[str], command_line: str) -> str:
    """What a command prints when its output is a file."""
    words = shlex.split(command_line)[1:]
    capsys.readouterr()
    assert run([*words, "--quiet"]) == 0, command_line
    return capsys.readouterr().out


def test_every_command_is_a_question_or_a_deed() -> None:
    asked = {question.command for question in QUESTIONS.values()}
    neither = {
        name for name in commands() if name not in asked and not DEEDS & {name, name.split()[0]}
    }
    assert not neither
    assert asked <= commands().keys()


def test_every_question_is_asked_of_the_demo_or_elsewhere() -> None:
    topk = {name for name in QUESTIONS if name.startswith("topk_")}  # tests/topk
    assert CASES.keys() | ELSEWHERE.keys() | topk == QUESTIONS.keys()


@pytest.mark.parametrize("name", sorted(QUESTIONS))
class TestEveryQuestion:
    def test_has_a_public_function_with_an_example(self, name: str) -> None:
        function = getattr(qrelsmith, name)
        assert name in qrelsmith.__all__
        assert "Examples\n" in inspect.getdoc(function) or "", name
        assert ">>>" in (inspect.getdoc(function) or "")

    def test_has_a_command_with_an_example_and_its_options(self, name: str) -> None:
        question: Question = QUESTIONS[name]
        command = commands()[question.command]
        assert (command.epilog or "").startswith("Example")
        flags = {flag for parameter in command.params for flag in parameter.opts}
        asked = [key for key in question.options if (name, key) not in PYTHON_ONLY]
        missing = [key for key in asked if question.flag(key) not in flags]
        assert not missing, f"{question.command} has no option for {missing}"

    def test_stands_in_the_reference(self, name: str) -> None:
        folder = Path(__file__).parents[2] / "docs" / "reference"
        assert f"qrelsmith {QUESTIONS[name].command}" in (folder / "commands.md").read_text("utf-8")
        assert f"## {name}" in (folder / "python.md").read_text("utf-8")


@pytest.mark.parametrize(("question", "options"), asked_of_the_demo())
def test_function_command_and_notebook_say_the_same(
    question: Question, options: dict[str, Any], demo_campaign: Path, capsys
) -> None:
    result = question.function(demo_campaign, **options)
    assert isinstance(result, Result)
    text = result.table().text("csv")
    assert [words for words in map(heading, result.table().columns) if "_" in words] == []
    assert printed(capsys, result.asked.command(str(demo_campaign))) == text
    frame = result.to_pandas() if question.name != "evaluate" else result.table().to_pandas()
    again = pandas.read_csv(io.StringIO(text), dtype=object, keep_default_na=False)
    assert list(frame.columns) == list(again.columns)
    assert len(frame) == len(again)


def test_the_audit_shows_what_commands_say(demo_audit: Report, demo_campaign: Path, capsys) -> None:
    """That functions say the same is shown above: a command asks one and prints its table."""
    assert demo_audit.answers
    for answer in demo_audit.answers:
        text = answer.table().text("csv")
        assert printed(capsys, answer.asked.command(str(demo_campaign))) == text, answer.asked


def test_a_question_of_the_audit_is_in_its_sections(demo_audit: Report) -> None:
    shown = {answer.asked.question for answer in demo_audit.answers}
    of_preferences = {"pdp", "pdp_compare", "topk_result"}  # which the demo has not
    wanted = {name for name, question in QUESTIONS.items() if question.audit}
    assert shown == wanted - of_preferences
