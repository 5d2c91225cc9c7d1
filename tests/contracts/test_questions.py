"""One question has one answer: all interfaces give the same result, to the last digit.

These interfaces are compared: the function on the campaign's folder, the command that the result
itself names, the results in the audit, and the frame of a notebook.
"""

from __future__ import annotations

import inspect
import io
import shlex
from collections.abc import Mapping
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pandas
import pytest

import qrelsmith
from qrelsmith.base.content import Report
from qrelsmith.base.errors import QrelsmithError
from qrelsmith.base.headings import heading
from qrelsmith.base.options import Option, Source
from qrelsmith.base.questions import QUESTIONS, Question
from qrelsmith.base.results import Result
from qrelsmith.cli import group, run

for _module in dict.fromkeys(qrelsmith.public_names().values()):
    import_module(_module)

# The questions about the demo collection, as in the audit if the audit asks them.
CASES: Mapping[str, list[dict[str, Any]]] = {
    "agree": [{}, {"by": "pair"}, {"by": "assessor"}, {"by": "topic"}],
    "compare": [{}, {"common": "all"}, {"top": True}],
    "consistency": [{}],
    "cut": [
        {"levels": 2, "method": "topicwide"},
        {"levels": 4, "method": "doc-at", "target": "gold", "aggregation": "assessor"},
    ],
    "disagree": [{}],
    "efficiency": [{}],
    "find_damages": [{}, {"kinds": ("favoured",)}],
    "evaluate": [{}, {"per_topic": True}],
    "gate": [
        {
            "label_set": "simulated-liberal",
            "baseline": "simulated-careless",
            "margins": {"bias": 1.0},
        }
    ],
    "loto": [{"depth": 10}],
    "plan_topics": [{"difference": 0.1}],
    "plan_sample": [{"budget": (60,), "draws": 1}],
    "power": [{"measures": ["nDCG@10"], "tests": ["bootstrap", "paired-t", "randomised-tukey"]}],
    "sample": [{"budget": 60}],
    "significance": [{}, {"test": "paired-t", "adjust": "holm"}],
}
# Commands that print labels or a file instead of a table, and one that reads only files.
PRINTS_NO_TABLE = {"aggregate", "check_files", "pool", "transform"}
# Keywords without an option in the command: an object's name, and a word of 0.1.0.
PYTHON_ONLY = {("aggregate", "name"), ("compare", "gmax"), ("evaluate", "gmax")}


def asked_of_the_demo() -> list[Any]:
    """Return every question about a campaign, with every set of options and an id for pytest."""
    return [
        pytest.param(question, options, id=f"{name}-{place}")
        for name, question in sorted(QUESTIONS.items())
        if name in CASES or takes_a_campaign(question)
        for place, options in enumerate(CASES.get(name, [{}]))
    ]


def takes_a_campaign(question: Question) -> bool:
    """Return whether the command's only argument can be a campaign and no option is required."""
    sources = [each for each in question.parameters if isinstance(each.declared, Source)]
    required = [
        each.name
        for each in question.parameters
        if isinstance(each.declared, Option) and each.default is inspect.Parameter.empty
    ]
    return bool(sources) and not required and question.name not in PRINTS_NO_TABLE


@cache
def commands(of: click.Group = group, before: str = "") -> dict[str, click.Command]:
    """Return every command by its words; commands of groups by all their words."""
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


def answer_or_refusal(question: Question, folder: Path, options: dict[str, Any]) -> Result | str:
    """Return the answer of a question about a folder, or its error."""
    try:
        result: Result = question.function(folder, **options)
    except QrelsmithError as error:
        return str(error)
    return result


@cache
def printed(command_line: str) -> str:
    """Return the output of a command without output file; calls of two tests run once."""
    words = shlex.split(command_line)[1:]
    out = io.BytesIO()
    with io.TextIOWrapper(out, "utf-8", newline="") as text, redirect_stdout(text):
        assert run([*words, "--quiet"]) == 0, command_line
        text.flush()
        return out.getvalue().decode()


def test_every_question_has_its_command() -> None:
    assert {question.command for question in QUESTIONS.values()} <= commands().keys()


@pytest.mark.parametrize("name", sorted(QUESTIONS))
class TestEveryQuestion:
    def test_every_question_has_a_public_function_with_an_example(self, name: str) -> None:
        function = getattr(qrelsmith, name)
        assert name in qrelsmith.__all__
        assert "Examples\n" in inspect.getdoc(function) or "", name
        assert ">>>" in (inspect.getdoc(function) or "")

    def test_every_command_has_an_example_and_its_options(self, name: str) -> None:
        question: Question = QUESTIONS[name]
        command = commands()[question.command]
        assert (command.epilog or "").startswith("Example")
        flags = {flag for parameter in command.params for flag in parameter.opts}
        asked = [key for key in question.options if (name, key) not in PYTHON_ONLY]
        missing = [key for key in asked if question.flag(key) not in flags]
        assert not missing, f"{question.command} has no option for {missing}"

    def test_every_question_is_in_the_reference(self, name: str) -> None:
        folder = Path(__file__).parents[2] / "docs" / "reference"
        assert f"qrelsmith {QUESTIONS[name].command}" in (folder / "commands.md").read_text("utf-8")
        assert f"## {name}" in (folder / "python.md").read_text("utf-8")


@pytest.mark.parametrize(("question", "options"), asked_of_the_demo())
def test_function_command_and_notebook_give_the_same_result(
    question: Question, options: dict[str, Any], demo_campaign: Path, capsys
) -> None:
    result = answer_or_refusal(question, demo_campaign, options)
    if isinstance(result, str):  # such as PDP's, because the demo has no preferences
        assert run([*question.command.split(), str(demo_campaign), "--quiet"]) == 2
        said = capsys.readouterr().err
        assert result.partition(" ")[0] in said
        assert said.count("\n") == 1
        return
    assert isinstance(result, Result)
    text = result.table().text("csv")
    assert [words for words in map(heading, result.table().columns) if "_" in words] == []
    assert printed(result.asked.command(str(demo_campaign))) == text
    frame = result.to_pandas() if question.name != "evaluate" else result.table().to_pandas()
    again = pandas.read_csv(io.StringIO(text), dtype=object, keep_default_na=False)
    assert list(frame.columns) == list(again.columns)
    assert len(frame) == len(again)


def test_the_audit_shows_the_results_of_the_commands(
    demo_audit: Report, demo_campaign: Path
) -> None:
    """The test above shows the same of functions: a command calls one and prints its table."""
    assert demo_audit.answers
    for answer in demo_audit.answers:
        text = answer.table().text("csv")
        assert printed(answer.asked.command(str(demo_campaign))) == text, answer.asked


def test_a_question_of_the_audit_is_in_its_sections(demo_audit: Report) -> None:
    shown = {answer.asked.question for answer in demo_audit.answers}
    of_preferences = {"pdp", "pdp_compare", "topk_result"}  # which the demo does not have
    wanted = {name for name, question in QUESTIONS.items() if question.audit}
    assert shown == wanted - of_preferences
