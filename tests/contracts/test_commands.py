"""Rules for every command: help, and a one-line message for errors."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete

from qrelsmith.cli import group, run
from qrelsmith.cli.stored_commands import command_facts

# These commands need no file to start.
WITHOUT_INPUT = {"demo", "measures", "plan campaign", "prompts list", "reproduce", "simulate pdp"}
INPUTS = {"absent": None, "junk": b"\x00\xff\xfe no table \x80\n\n1 2 3\x00", "blank": b""}


def leaves(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Return the words that call each command that is not a group."""
    if not isinstance(command, click.Group):
        yield words
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from leaves(found, (*words, name))


def command_of(words: tuple[str, ...]) -> click.Command:
    found: click.Command = group
    for word in words:
        inner = found.get_command(click.Context(found), word)  # type: ignore[attr-defined]
        assert inner is not None
        found = inner
    return found


LEAVES = list(leaves(group))
# `check` reports the errors of a file in rows.
READERS = [words for words in LEAVES if " ".join(words) not in {*WITHOUT_INPUT, "check"}]
all_commands = pytest.mark.parametrize("words", LEAVES, ids=" ".join)
all_readers = pytest.mark.parametrize("words", READERS, ids=" ".join)


def least(command: click.Command, name: str) -> list[str]:
    """Return the fewest words that call a command, with the given name for every input."""
    words = []
    for parameter in command.params:
        if not parameter.required:
            continue
        value = name
        if isinstance(parameter.type, click.Choice):
            value = str(next(iter(parameter.type.choices)))
        elif isinstance(parameter.type, (click.types.IntParamType, click.types.FloatParamType)):
            value = "2"
        given = [value] * max(parameter.nargs, 1)
        words += [max(parameter.opts, key=len), *given] if parameter.opts[0][0] == "-" else given
    return words


@all_commands
def test_a_required_option_that_is_missing_is_an_error(words: tuple[str, ...]) -> None:
    command = command_of(words)
    for option in command.params:
        if isinstance(option, click.Option) and option.required:
            given = least(command, "x")
            at = given.index(max(option.opts, key=len))
            with pytest.raises(click.MissingParameter, match=f"Missing parameter: {option.name}"):
                command.make_context(words[-1], given[:at] + given[at + 2 :])


@all_commands
def test_help_begins_with_the_text_in_the_list_of_commands(words: tuple[str, ...]) -> None:
    summary = command_facts()[" ".join(words)]["summary"]
    command = command_of(words)
    assert summary in (command.short_help, (command.help or "").partition("\n")[0])


@all_commands
def test_help_has_a_sentence_an_example_and_a_text_for_every_option(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"Example: qrelsmith {words[0]}" in shown
    command = command_of(words)
    assert command.help
    assert command.help.split("\n\n")[0].endswith(".")
    options = [each for each in command.params if isinstance(each, click.Option)]
    assert [each.name for each in options if not (each.help or each.hidden)] == []


@all_commands
def test_an_unknown_option_is_a_one_line_error(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, "--no-such-option"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    (line,) = said.err.splitlines()
    assert line.startswith("qrelsmith: error: ")
    assert "--no-such-option" in line


@pytest.mark.parametrize("kind", [*INPUTS, "folder"])
@all_readers
def test_invalid_input_is_a_one_line_error_and_leaves_no_output(
    words: tuple[str, ...],
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if words == ("serve",) and kind == "folder":
        pytest.skip("an empty folder is served; campaigns are created in it")
    monkeypatch.chdir(tmp_path)
    if kind == "folder":
        Path(kind).mkdir()
    elif (content := INPUTS[kind]) is not None:
        Path(kind).write_bytes(content)
    before = sorted(tmp_path.rglob("*"))
    assert run([*words, *least(command_of(words), kind)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    errors = [line for line in said.err.splitlines() if ": note: " not in line]
    assert len(errors) == 1
    assert errors[0].startswith("qrelsmith: error: ")
    assert sorted(tmp_path.rglob("*")) == before


# Importing any of these takes longer than a command may take to show its help.
HEAVY = {
    "django", "http.client", "jinja2", "joblib", "matplotlib", "multiprocessing", "numpy.random",
    "pandas", "polars", "pyarrow", "qrelsmith.audit.sections", "rich", "scipy", "warcio",
}  # fmt: skip
ALL_HELP = """
import contextlib, io, sys
from qrelsmith.cli import run
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    for words in {words}:
        assert run([*words, "--help"]) == 0
        assert run([*words, "--no-such-option"]) == 2
    for words in {refused}:
        assert run(words) == 2
print(*sorted({heavy} & set(sys.modules)))
"""


def test_help_and_errors_import_no_slow_modules(tmp_path: Path) -> None:
    refused = [[*words, *least(command_of(words), "absent")] for words in READERS]
    refused.append(["audit", "absent", "-o", "report"])
    code = ALL_HELP.format(words=LEAVES, refused=refused, heavy=HEAVY)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, cwd=tmp_path, timeout=120,
    )  # fmt: skip
    assert done.stdout == "\n"


@pytest.mark.parametrize(
    ("words", "found"),
    [("pdp ", "compare"), ("pdp c", "compare"), ("plan t", "topics"), ("eval", "evaluate")],
)
def test_shell_completion_offers_the_words_that_can_follow(words: str, found: str) -> None:
    *given, incomplete = words.split(" ")
    shell = BashComplete(group, {}, "qrelsmith", "_QRELSMITH_COMPLETE")
    assert found in [item.value for item in shell.get_completions(given, incomplete)]


def test_shell_completion_offers_no_command_after_a_file() -> None:
    shell = BashComplete(group, {}, "qrelsmith", "_QRELSMITH_COMPLETE")
    found = shell.get_completions(["pdp", "nist.qrels"], "")
    assert [item.value for item in found if item.type == "plain"] == []


# Common questions, the words of help that answer them, and the command.
EVERYDAY = [
    ("how far is judging", "progress of judging", "app progress"),
    ("somebody forgot a password", "new password", "app invite"),
    ("keep a copy of the judgments", "back up", "app backup"),
    ("open the judging pages", "start the judging app", "serve"),
    ("is my judge good enough", "can replace human labels", "audit"),
    ("has my judge become worse", "as good as the current judge", "gate"),
    ("are my files fine", "problems", "check"),
    ("which docs to judge first", "choose the docs to judge", "pool"),
    ("who judges what", "assign topics to assessors", "assign"),
    ("do my assessors agree", "agreement between assessors", "agree"),
    ("what is wrong with my labels", "copied, swapped or hurried labels", "damages"),
    ("score my runs", "score runs", "evaluate"),
    ("is one system really better", "differences between systems for significance", "significance"),
    ("let a model label docs", "with a language model", "judge"),
    ("a campaign of the files that I have", "from loose files", "init"),
    ("how many topics do I need", "number of topics", "plan topics"),
]


@pytest.mark.parametrize(("task", "answer", "command"), EVERYDAY, ids=[row[0] for row in EVERYDAY])
def test_help_leads_to_common_tasks(
    task: str, answer: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    *before, name = command.split()
    for words, wanted in (((), before[0] if before else name), (before, name)):
        run([*words, "--help"])
        page = capsys.readouterr().out.partition("Commands:" if words else "Options:")[2]
        assert re.search(rf"^  {wanted} ", page, re.MULTILINE), page
    entry = re.search(rf"^  {name}  .*(?:\n    .*)*", page, re.MULTILINE)
    assert entry is not None
    assert answer in " ".join(entry[0].split()).lower()
