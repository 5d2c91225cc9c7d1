"""The page of the reference that lists the public names, made from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from typing import Any

import click

from qrelsmith import public_names
from qrelsmith.base.options import Option
from qrelsmith.base.questions import QUESTIONS, Question
from qrelsmith.base.registry import Registry
from qrelsmith.base.results import Result
from qrelsmith.cli import group

_WIDTH = 96
_SECTION = re.compile(r"^(\w[\w ]*)\n-+$", re.MULTILINE)
# Sections that list names, each with a kind and a description below it.
_LISTS = ("Parameters", "Attributes", "Returns", "Raises", "Warns", "Yields")
_ITEM = re.compile(r"^(\S.*?)(?: : (.+))?$")
# Lines that markdown shows as they stand.
_VERBATIM = re.compile(r"^(>>>|\.\.\.|\s{4})")
# The module that a type is named with.
_MODULE = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Za-z])|ForwardRef\('|(?<=\w)'\)")
_CODE = re.compile(r"(`[^`]+`)")

# What the types of inputs in the signatures are.
_INPUTS = """\
**Inputs of functions**

A DataFrame is one of pandas, polars or pyarrow, or a mapping of columns. Ids are text.

| input | object | DataFrame with the columns | plain Python | files |
| --- | --- | --- | --- | --- |
| qrels (`QrelsLike`) | `Qrels`, or a result that contains qrels | `query_id doc_id relevance`, `qid docno label` or `topic doc grade` | `{topic: {doc: grade}}` | a path |
| label sets (`LabelSets`) | a list of `Qrels` | one DataFrame with the column `assessor` | `{name: qrels}` | paths in a list or a mapping |
| judgments (`JudgmentsLike`) | `Judgments` | `topic doc assessor grade`; optional: `group`, `hit`, `judged_at` … | `{assessor: qrels}` | a path, or the qrels of each assessor |
| runs (`RunsLike`) | `Run`, or a list | `query_id doc_id score` or `qid docno score`; with several systems also `name`, `run` or `system` | `{topic: {doc: score}}`, or `{name: run}` | a path, a folder, a list |
| preferences (`PreferencesLike`) | `Preferences` | `topic left right outcome`; optional: `assessor`; an outcome below 0 means that left is better | `{topic: [(better, worse), (doc, doc, "tie")]}` | a path, or a list |
| measures (`MeasuresLike`) | a measure of ir_measures | | `"nDCG@10"`, or a list | |
| topics (`TopicSet`) | | a column | a list of ids | a file, one id per line |

The first argument of a function can be a campaign, or the path of its folder. The campaign's
label sets, reference, groups, scale, topics, runs, preferences and measures are then the defaults.
Write a scale as `Scale.parse("0..3")`.

**Results of functions**

A printed result includes its notes. `.asked.command("FOLDER")` returns the command that computes
the same result from a folder. Every result of a command has these methods; the classes below list
only further methods and figures:
"""  # noqa: E501

_SHARED_NOTE = """\
**Shared parameters**

Many functions have these parameters, so they are described only once. Signatures show them without
types. If a function has a command, the linked section of the command describes its columns and
options. A keyword is named like the option, with `_` instead of `-`, unless another option is shown
in parentheses. Every function that reads files raises `InputError` if a file is malformed.
"""
# A parameter of so many functions is described once; it is fewer if no command describes it.
_SHARED_BY, _UNDESCRIBED_BY = 8, 3
_MALFORMED = "- `InputError`: If a file is malformed."


def python_page() -> str:
    """Every public name with its signature and docstring, or what is registered in it."""
    values = {name: getattr(import_module(module), name) for name, module in public_names().items()}
    functions = {name: value for name, value in values.items() if inspect.isfunction(value)}
    shared = _shared(functions)
    lines = [
        "# Python",
        "",
        "`import qrelsmith` provides these names; each name is imported when it is first used.",
        "",
        *_INPUTS.splitlines(),
        "",
        *_methods(Result),
        *_SHARED_NOTE.splitlines(),
        "",
        *(line for item in sorted(shared) for line in _wrapped(shared[item])),
        "",
    ]
    for name, value in values.items():
        lines += [f"## {name}", ""]
        if isinstance(value, Registry):
            lines += _registry(value)
        elif isinstance(value, type):
            lines += [*_signed(name, value), *_methods(value)]
        else:
            lines += _function(name, value, shared)
    return "\n".join(lines).rstrip() + "\n"


def _shared(functions: Mapping[str, Any]) -> dict[str, str]:
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
    """The parameters that the function's command describes, with their names in a list."""
    asked = _asked(name, function)
    if asked is None:
        return {}
    flags = {
        parameter.name: parameter.flags
        for parameter in asked.parameters
        if isinstance(parameter.declared, Option)
    }
    of_command = {flag for each in _command(asked).params for flag in each.opts}
    listed = {}
    for item in _parameter_items(function):
        known = [flag for flag in flags.get(_name(item), ()) if flag in of_command]
        if known:
            is_same = "--" + _name(item).replace("_", "-") in known
            listed[item] = f"`{_name(item)}`" + ("" if is_same else f" (`{known[-1]}`)")
    return listed


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
    parts = _SECTION.split(inspect.getdoc(function) or "")
    bodies = dict(zip(parts[1::2], parts[2::2], strict=True))
    return _item_texts(bodies.get("Parameters", ""))


def _name(item: str) -> str:
    return item.split("`")[1]


def _function(name: str, function: Any, shared: Mapping[str, str]) -> list[str]:
    """A signature and a docstring, without what the top of the page and the command describe."""
    asked, options = _asked(name, function), _options(name, function)
    items = _parameter_items(function)
    ours = [item for item in items if item in shared]
    untyped = frozenset(map(_name, ours))
    lines = ["```python", _signature(name, function, untyped=untyped), "```", ""]
    opening, *sections = _SECTION.split(inspect.getdoc(function) or "")
    lines += [*_paragraphs(_undescribed(opening, asked) if asked else opening), ""]
    if asked:
        where = f"commands.md#qrelsmith-{asked.command.replace(' ', '-')}"
        lines += [f"Command: [`qrelsmith {asked.command}`]({where}).", ""]
    own = [item for item in items if item not in shared and item not in options]
    for heading, body in zip(sections[::2], sections[1::2], strict=True):
        if heading != "Parameters":
            lines += _section(heading, body)
            continue
        described = [listed for item, listed in options.items() if item not in shared]
        lines += ["**Parameters**", ""]
        lines += [line for item in own for line in _wrapped(item)]
        if described:
            lines += _wrapped(f"- Options of the command: {', '.join(described)}.")
        if ours:
            lines += _wrapped(
                f"- Shared parameters: {', '.join(f'`{_name(item)}`' for item in ours)}."
            )
        lines.append("")
    return [*lines, *(_result(function) if asked else ())]


def _undescribed(opening: str, asked: Question) -> str:
    """The first paragraph of a docstring, and those that the command's help lacks."""
    told = " ".join((_command(asked).help or "").split())
    first, *others = re.split(r"\n\s*\n", opening.strip())
    return "\n\n".join([first, *(each for each in others if " ".join(each.split()) not in told)])


def _registry(registry: Registry[Any]) -> list[str]:
    return [f"The registry of every {registry.kind}; [names](names.md) lists them.", ""]


def _signed(name: str, value: Any) -> list[str]:
    """A signature in a block of code, and the docstring below it."""
    is_error = isinstance(value, type) and issubclass(value, BaseException | Warning)
    code = [] if is_error else ["```python", _signature(name, value), "```", ""]
    return [*code, *_prose(inspect.getdoc(value) or "")]


def _result(function: Any) -> list[str]:
    """What the result of a question holds, where its class is no public name itself."""
    asking = inspect.unwrap(function)
    of = asking.__globals__.get(asking.__annotations__["return"])
    if of is None or of.__name__ in public_names():
        return []
    prose = _prose(inspect.getdoc(of) or "")
    return [f"### {of.__name__}", "", *prose, *_methods(of)]


def _methods(of: type) -> list[str]:
    """The public methods and properties of a class, a line each."""
    rows = []
    for name in sorted({name for each in of.__mro__ for name in vars(each)}):
        member = inspect.getattr_static(of, name)
        if name.startswith("_") or not _is_ours(of, name):
            continue
        shared = vars(Result).get(name) if of is not Result else None
        if shared and (name != "figure" or member is shared):
            continue
        held = getattr(member, "fget", None) or getattr(member, "func", None) or member
        held = getattr(held, "__func__", held)
        if not inspect.isfunction(held):
            continue
        called = isinstance(member, classmethod | staticmethod) or inspect.isfunction(member)
        first = (inspect.getdoc(held) or "").partition("\n\n")[0].replace("\n", " ")
        shown = _signature(name, held, bound=True) if called else name
        rows.append(f"- `{' '.join(shown.split())}`: {_escaped(first)}")
    return [*rows, ""] if rows else []


def _is_ours(of: type, name: str) -> bool:
    """Whether a member is of a class of this package."""
    owner = next(each for each in of.__mro__ if name in vars(each))
    return owner.__module__.startswith("qrelsmith")


def _signature(name: str, value: Any, *, bound: bool = False, untyped: Collection[str] = ()) -> str:
    """A call with its parameters, on several lines where one is too short."""
    parameters = [
        each.replace(annotation=each.empty) if each.name in untyped else each
        for each in inspect.signature(value).parameters.values()
    ]
    if bound and parameters and parameters[0].name in ("self", "cls"):
        parameters = parameters[1:]
    words = list(_parameters(parameters))
    line = f"{name}({', '.join(words)})"
    if len(line) <= _WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {word}," for word in words), ")"])


def _parameters(parameters: list[inspect.Parameter]) -> Iterator[str]:
    keyword_only = False
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            keyword_only = True
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY and not keyword_only:
            keyword_only = True
            yield "*"
        yield _parameter(parameter)


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    shown = stars.get(parameter.kind, "") + parameter.name
    is_typed = parameter.annotation is not inspect.Parameter.empty
    if is_typed:
        note = parameter.annotation
        text = note if isinstance(note, str) else inspect.formatannotation(note)
        shown += f": {_MODULE.sub('', text)}"
    if parameter.default is inspect.Parameter.empty:
        return shown
    default = parameter.default
    # What has an address in its text, such as a function, is not the same in every process.
    is_made = callable(default) or repr(default).startswith("<") or " at 0x" in repr(default)
    text = "..." if is_made else repr(default)
    return f"{shown} = {text}" if is_typed else f"{shown}={text}"


def _prose(docstring: str) -> list[str]:
    """A numpydoc docstring as markdown."""
    parts = _SECTION.split(docstring)
    lines = [*_paragraphs(parts[0]), ""]
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        lines += _section(heading, body)
    return lines


def _section(heading: str, body: str) -> list[str]:
    items = [item for item in _item_texts(body) if item != _MALFORMED]
    is_list = heading in _LISTS
    if is_list and not items:
        return []
    shown = [line for item in items for line in _wrapped(item)] if is_list else _paragraphs(body)
    return [f"**{heading}**", "", *shown, ""]


def _item_texts(body: str) -> list[str]:
    """Names with kind and description, each as an item of a list."""
    items: list[tuple[str, list[str]]] = []
    for line in body.strip("\n").splitlines():
        if line.strip() and not line.startswith(" "):
            match = _ITEM.match(line)
            name, kind = match.groups() if match else (line, None)
            items.append((f"`{name}`" + (f" ({_escaped(kind)})" if kind else ""), []))
        elif items and line.strip():
            items[-1][1].append(line.strip())
    return [
        f"- {head}" + (f": {_escaped(' '.join(words))}" if words else "") for head, words in items
    ]


def _wrapped(text: str) -> list[str]:
    indent = "  " if text.startswith("- ") else ""
    return textwrap.wrap(
        text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _paragraphs(body: str) -> list[str]:
    """Paragraphs as they are, examples as code."""
    lines: list[str] = []
    for block in re.split(r"\n\s*\n", textwrap.dedent(body).strip("\n")):
        if not block.strip():
            continue
        if block.startswith(">>>") or all(map(_VERBATIM.match, block.splitlines())):
            kind = "pycon" if ">>>" in block else "text"
            lines += [f"```{kind}", textwrap.dedent(block), "```", ""]
        else:
            lines += [*(_escaped(line) for line in block.splitlines()), ""]
    return lines[:-1]


def _escaped(text: str) -> str:
    """Text that markdown shows as it is, but for what stands between backticks."""
    parts = _CODE.split(text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([\\*_<>\[\]|])", r"\\\1", part)
        for part in parts
    )
