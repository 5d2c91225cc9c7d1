"""Each name has one meaning in all commands, functions and settings."""

from __future__ import annotations

import dataclasses
import inspect
from collections import defaultdict
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Literal, get_origin, get_type_hints

import click
import pytest

import qrelsmith
from qrelsmith.base.parameters import changed_keywords, old_keywords
from qrelsmith.base.question_options import alternatives
from qrelsmith.base.questions import QUESTIONS
from qrelsmith.campaign.preference_settings import PreferenceJudging
from qrelsmith.campaign.sample_settings import SampleJudging
from qrelsmith.cli import group, run
from qrelsmith.cli.stored_commands import Command

Uses = Mapping[str, Mapping[str, set[str]]]  # name: shape: where

# Numbers with a special notation.
NUMBERS = {"LOW:HIGH", "N", "W"}
# Possible contents of a file, or possible names in a campaign.
FILE_OR_NAME = {"prompt", "reference"}
# Settings whose names are fixed by the format of campaign.toml: the file of pairs.
FIXED = {"pairs"}


def leaves(of: click.Group, before: str = "") -> Mapping[str, click.Command]:
    found: dict[str, click.Command] = {}
    for name in of.list_commands(click.Context(of)):
        command = of.get_command(click.Context(of), name)
        assert command is not None
        if isinstance(command, click.Group):
            found |= leaves(command, f"{before}{name} ")
        else:
            found[before + name] = command
    return found


COMMANDS = leaves(group)


def shape(option: click.Option) -> str:
    """Return the kind of an option's value: flag, number, file, word or one of these words."""
    if option.is_flag:
        return "flag"
    if isinstance(option.type, click.types.IntParamType | click.types.FloatParamType):
        return "number"
    if option.metavar in NUMBERS or option.metavar == "AMOUNT":
        return "number"
    if isinstance(option.type, click.Path):
        return "file"
    return "word"


def shape_of_type(kind: Any) -> str:
    """Return the same for a Python type, if it has such a kind; else nothing."""
    kinds = {each for each in alternatives(kind) if each is not type(None)}
    if kinds == {bool}:
        return "flag"
    if kinds and kinds <= {int, float}:
        return "number"
    if all(get_origin(each) is Literal or each is str for each in kinds):
        return "word"
    return ""


def uses_of_commands() -> Uses:
    uses: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for words, command in COMMANDS.items():
        for option in command.params:
            if isinstance(option, click.Option) and not option.hidden:
                for flag in option.opts:
                    if flag.startswith("--"):
                        uses[flag[2:].replace("-", "_")][shape(option)].add(words)
    return uses


def functions() -> Mapping[str, Callable[..., Any]]:
    values = {name: getattr(qrelsmith, name) for name in qrelsmith.public_names()}
    return {name: value for name, value in values.items() if inspect.isfunction(value)}


def test_an_option_has_the_same_kind_of_value_in_all_commands() -> None:
    second = {
        name: dict(shapes)
        for name, shapes in uses_of_commands().items()
        if len(shapes.keys() - ({"file"} if name in FILE_OR_NAME else set())) > 1
    }
    assert second == {}


def test_choices_of_an_option_overlap_between_commands() -> None:
    choices: dict[str, list[set[str]]] = defaultdict(list)
    for command in COMMANDS.values():
        for option in command.params:
            if isinstance(option, click.Option) and isinstance(option.type, click.Choice):
                choices[option.opts[-1]].append(set(option.type.choices))
    assert len(choices) > 20
    # The content of a table, and its subject, differ from question to question.
    several = {name for name, sets in choices.items() if not set.intersection(*sets)}
    assert several - {"--show", "--over", "--method", "--test"} == set()


def test_keywords_of_functions_have_the_meaning_of_options() -> None:
    options = uses_of_commands()
    second = {}
    for name, function in functions().items():
        for parameter in inspect.signature(function).parameters.values():
            found = shape_of_type(parameter.annotation)
            known = options.get(parameter.name, {})
            if found and known and found not in known and parameter.name not in FILE_OR_NAME:
                second[name, parameter.name] = (found, dict(known))
    assert second == {}


@pytest.mark.parametrize("settings", [PreferenceJudging, SampleJudging])
def test_settings_have_the_meaning_of_options(settings: type) -> None:
    options = uses_of_commands()
    kinds = get_type_hints(settings)
    for field in dataclasses.fields(settings):
        found, known = shape_of_type(kinds[field.name]), options.get(field.name, {})
        if found and known and field.name not in FIXED:
            assert found in known, field.name


for _module in dict.fromkeys(qrelsmith.public_names().values()):
    import_module(_module)


@pytest.mark.parametrize("name", sorted(QUESTIONS))
def test_an_old_name_is_not_a_current_name(name: str) -> None:
    question = QUESTIONS[name]
    present = {parameter.name for parameter in question.parameters}
    old = old_keywords(question.parameters)
    assert {before for before, now in old.items() if before != now.name} & present == set()
    assert set(changed_keywords(question.parameters)) <= present


@pytest.mark.parametrize(
    ("command", "old", "new"),
    [
        (words, old, now)
        for words, command in COMMANDS.items()
        if isinstance(command, Command)
        for old, now in command.renamed.items()
    ],
)
def test_an_old_option_has_the_effect_of_the_new_one(command: str, old: str, new: Any) -> None:
    flags = {flag for parameter in COMMANDS[command].params for flag in parameter.opts}
    assert new.name in flags
    assert old not in flags - {new.name}
    kinds = {flag: each.type for each in COMMANDS[command].params for flag in each.opts}
    kind = kinds[new.name]
    if isinstance(kind, click.Choice):
        assert set(new.values.values()) <= set(kind.choices)
        assert not set(new.values) & set(kind.choices)


def test_an_old_option_works_with_a_note(tmp_path: Any, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q").write_text("1 0 a 1\n2 0 b 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1.0 r\n")
    words = ["evaluate", "q", "r", "-m", "P@1"]
    assert run([*words, "--missing-topics", "drop"]) == 0
    new = capsys.readouterr()
    assert "--missing-topics" not in new.err
    assert run([*words, "--topics", "intersection"]) == 0
    old = capsys.readouterr()
    note = "--topics intersection is now --missing-topics drop; the old form works until 0.4.0"
    assert (old.out, note in old.err) == (new.out, True)
    assert run([*words, "--topics=intersection", "--quiet"]) == 0
    assert capsys.readouterr() == (new.out, "")
    with pytest.warns(DeprecationWarning, match="topics is now missing_topics='drop'"):
        qrelsmith.evaluate("q", "r", "P@1", topics="intersection")  # type: ignore[call-arg]


def test_an_option_that_changed_its_meaning_names_the_new_option(capsys: Any) -> None:
    assert run(["estimate", "r", "--order"]) == 2
    assert "The former --order is now --ranking." in capsys.readouterr().err
    with pytest.raises(qrelsmith.UsageError, match="The former order is now ranking"):
        qrelsmith.estimate({}, order=True)  # type: ignore[arg-type]
