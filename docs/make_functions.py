"""The functions in the reference, without what their commands or other functions describe."""

from __future__ import annotations

import inspect
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal, get_origin

import click
from numpydoc_markdown import SECTION, item_texts, paragraphs, section, signature, wrapped

from qrelsmith.base.options import Option
from qrelsmith.base.question_options import alternatives
from qrelsmith.base.questions import QUESTIONS, Question
from qrelsmith.cli import group

# A parameter of so many functions is described once; it is fewer if no command describes it.
_SHARED_BY, _UNDESCRIBED_BY = 8, 3


def shared_parameters(functions: Mapping[str, Any]) -> dict[str, str]:
    """Descriptions of the parameters of many functions; a name with several lists its functions."""
    users: dict[str, list[str]] = {}
    for name, function in functions.items():
        for item in _parameter_items(function):
            users.setdefault(item, []).append(name)
    options = {item for name, function in functions.items() for item in _options(name, function)}
    kept = {
        item: names
        for item, names in users.items()
        if len(names) >= (_SHARED_BY if item in options else _UNDESCRIBED_BY)
    }
    counts = Counter(map(_name, kept))
    shared = {}
    for item, names in kept.items():
        of = f" of {', '.join(f'`{name}`' for name in names)}" if counts[_name(item)] > 1 else ""
        name, rest = f"- `{_name(item)}`", item.removeprefix(f"- `{_name(item)}`")
        shared[item] = f"{name}{of}{rest}"
    return shared


def _options(name: str, function: Any) -> dict[str, str]:
    """The parameters that the function's command describes, with their options."""
    asked = _asked(name, function)
    if asked is None:
        return {}
    flags = {
        parameter.name: parameter.flags
        for parameter in asked.parameters
        if isinstance(parameter.declared, Option)
    }
    of_command = {flag for each in _command(asked).params for flag in each.opts}
    found = {
        item: [flag for flag in flags.get(_name(item), ()) if flag in of_command]
        for item in _parameter_items(function)
    }
    return {item: known[-1] for item, known in found.items() if known}


def _asked(name: str, function: Any) -> Question | None:
    asked = QUESTIONS.get(name)
    return asked if asked is not None and asked.function is function else None


def _command(asked: Question) -> click.Command:
    command: Any = group
    words = asked.command.split()
    while words:  # the name of a command can have a space: `pdp compare`
        context, whole = click.Context(command), " ".join(words)
        found = command.get_command(context, whole)
        command, words = (
            (found, []) if found else (command.get_command(context, words[0]), words[1:])
        )
    return command


def _parameter_items(function: Any) -> list[str]:
    parts = SECTION.split(inspect.getdoc(function) or "")
    bodies = dict(zip(parts[1::2], parts[2::2], strict=True))
    return item_texts(bodies.get("Parameters", ""))


def _name(item: str) -> str:
    return item.split("`")[1]


def function_lines(name: str, function: Any, shared: Mapping[str, str]) -> list[str]:
    """A signature and a docstring, without what the top of the page and the command describe."""
    asked, options = _asked(name, function), _options(name, function)
    items = _parameter_items(function)
    ours = [item for item in items if item in shared]
    parameters = inspect.signature(function).parameters
    simple = (name for name in map(_name, options) if _is_simple(parameters[name].annotation))
    untyped = {*map(_name, ours), *simple}
    lines = ["```python", signature(name, function, untyped=untyped), "```", ""]
    opening, *sections = SECTION.split(inspect.getdoc(function) or "")
    lines += [*paragraphs(_undescribed(opening, asked) if asked else opening), ""]
    if asked:
        where = f"commands.md#qrelsmith-{asked.command.replace(' ', '-')}"
        lines += [f"Command: [`qrelsmith {asked.command}`]({where}).", ""]
    own = [item for item in items if item not in shared and item not in options]
    for heading, body in zip(sections[::2], sections[1::2], strict=True):
        if heading != "Parameters":
            lines += section(heading, body)
            continue
        renamed = [
            f"`{_name(item)}` (`{flag}`)"
            for item, flag in options.items()
            if item not in shared and flag != "--" + _name(item).replace("_", "-")
        ]
        shown = [line for item in own for line in wrapped(item)]
        if renamed:
            shown += wrapped(f"- Options with another name: {', '.join(renamed)}.")
        if ours:
            names = ", ".join(f"`{_name(item)}`" for item in ours)
            shown += wrapped(f"- Shared parameters: {names}.")
        if shown:
            lines += ["**Parameters**", "", *shown, ""]
    return lines


def _is_simple(annotation: Any) -> bool:
    """Whether a value is text, a number, or yes and no, as on the command line."""
    return all(
        kind in (str, int, float, bool, type(None)) or get_origin(kind) is Literal
        for kind in alternatives(annotation)
    )


def _undescribed(opening: str, asked: Question) -> str:
    """The first paragraph of a docstring, and those that the command's help lacks."""
    told = " ".join((_command(asked).help or "").split())
    first, *others = re.split(r"\n\s*\n", opening.strip())
    return "\n\n".join([first, *(each for each in others if " ".join(each.split()) not in told)])
