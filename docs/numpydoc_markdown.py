"""Signatures and docstrings of numpydoc as markdown."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Collection, Iterator
from typing import Any

_WIDTH = 96
SECTION = re.compile(r"^(\w[\w ]*)\n-+$", re.MULTILINE)
# Sections that list names, each with a kind and a description below it.
_LISTS = ("Parameters", "Attributes", "Returns", "Raises", "Warns", "Yields")
_ITEM = re.compile(r"^(\S.*?)(?: : (.+))?$")
# Lines that markdown shows as they stand.
_VERBATIM = re.compile(r"^(>>>|\.\.\.|\s{4})")
# The module that a type is named with.
_MODULE = re.compile(r"\b(?:[a-z_]+\.)+(?=[A-Za-z])|ForwardRef\('|(?<=\w)'\)")
_CODE = re.compile(r"(`[^`]+`)")
_MALFORMED = "- `InputError`: If a file is malformed."


def signature(name: str, value: Any, *, bound: bool = False, untyped: Collection[str] = ()) -> str:
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
    is_made |= len(repr(default)) > _WIDTH
    text = "..." if is_made else repr(default)
    return f"{shown} = {text}" if is_typed else f"{shown}={text}"


def prose(docstring: str) -> list[str]:
    """A numpydoc docstring as markdown."""
    parts = SECTION.split(docstring)
    lines = [*paragraphs(parts[0]), ""]
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        lines += section(heading, body)
    return lines


def section(heading: str, body: str) -> list[str]:
    items = [item for item in item_texts(body) if item != _MALFORMED]
    is_list = heading in _LISTS
    if is_list and not items:
        return []
    shown = [line for item in items for line in wrapped(item)] if is_list else paragraphs(body)
    return [f"**{heading}**", "", *shown, ""]


def item_texts(body: str) -> list[str]:
    """Names with kind and description, each as an item of a list."""
    items: list[tuple[str, list[str]]] = []
    for line in body.strip("\n").splitlines():
        if line.strip() and not line.startswith(" "):
            match = _ITEM.match(line)
            name, kind = match.groups() if match else (line, None)
            items.append((f"`{name}`" + (f" ({escaped(kind)})" if kind else ""), []))
        elif items and line.strip():
            items[-1][1].append(line.strip())
    return [
        f"- {head}" + (f": {escaped(' '.join(words))}" if words else "") for head, words in items
    ]


def wrapped(text: str) -> list[str]:
    indent = "  " if text.startswith("- ") else ""
    return textwrap.wrap(
        text, _WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def paragraphs(body: str) -> list[str]:
    """Paragraphs as they are, examples as code."""
    lines: list[str] = []
    for block in re.split(r"\n\s*\n", textwrap.dedent(body).strip("\n")):
        if not block.strip():
            continue
        if block.startswith(">>>") or all(map(_VERBATIM.match, block.splitlines())):
            kind = "pycon" if ">>>" in block else "text"
            lines += [f"```{kind}", textwrap.dedent(block), "```", ""]
        else:
            lines += [*(escaped(line) for line in block.splitlines()), ""]
    return lines[:-1]


def escaped(text: str) -> str:
    """Text that markdown shows as it is, but for what stands between backticks."""
    parts = _CODE.split(text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([\\*_<>\[\]|])", r"\\\1", part)
        for part in parts
    )
