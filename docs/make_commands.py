"""The page of the reference that lists the commands, made from their help."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping

import click

from qrelsmith.cli import group

# An option of a help, with the lines of its description.
_OPTION = re.compile(r"^  -{1,2}\w.*\n?(?:^ {3,}\S.*\n?)*", re.MULTILINE)
_SUBCOMMANDS = re.compile(r"(?<=^Commands:\n)(?:  .*\n)+", re.MULTILINE)
# An option is described once if that saves so many words.
_SAVED_WORDS = 9
_INDENT = " " * 34
_WIDTH = 88
# Every command has the one, and almost every command the other.
_UNIVERSAL = ("--help", "--quiet")
_NOTE = """\
`qrelsmith COMMAND --help` prints the help of a command with all its options. On this page, options
that several commands share are described only once. A description that ends with *Only in* applies
to the named commands; the one above it applies to all others. The line *Shared options* of a
command lists them, without `--help` and `--quiet`."""


def commands_page() -> str:
    """Every command with its help; the options of several commands are described once."""
    context = click.Context(group)
    helps: dict[str, str] = {}
    for name in sorted(group.list_commands(context)):
        helps |= _helps(f"qrelsmith {name}", group.get_command(context, name))
    users: dict[str, dict[str, str]] = {}
    for name, text in helps.items():
        for record in _OPTION.findall(text):
            users.setdefault(_option_text(record), {})[name] = record
    shared = {text: _long_name(text) for text, of in users.items() if _is_shared(text, len(of))}
    lines = ["# Commands", "", _NOTE, "", "## Shared options", "", "```text"]
    named = ""
    for text in sorted(shared, key=lambda text: (shared[text], -len(users[text]))):
        lines.append(max(users[text].values(), key=len).rstrip("\n"))
        lines += _only_in(users[text]) if shared[text] == named else []
        named = shared[text]
    lines += ["```", ""]
    for name, text in helps.items():
        lines += [f"{'#' * len(name.split())} {name}", ""]
        lines += ["```text", _without_shared(text, shared), "```", ""]
    return "\n".join(lines)


def _is_shared(text: str, count: int) -> bool:
    """Whether an option is described once, which saves words."""
    return (count - 1) * len(text.split()) >= _SAVED_WORDS


def _only_in(names: Iterable[str]) -> list[str]:
    """The commands of a description, if others have another with the same name."""
    words = ", ".join(name.removeprefix("qrelsmith ") for name in names)
    return _filled(f"(Only in {words}.)", _INDENT, _INDENT).splitlines()


def _filled(text: str, initial: str, indent: str) -> str:
    return textwrap.fill(
        text, _WIDTH, initial_indent=initial, subsequent_indent=indent, break_on_hyphens=False
    )


def _helps(name: str, command: click.Command) -> dict[str, str]:
    """The help of a command and of its subcommands, by their full names."""
    context = click.Context(
        command, info_name=name, max_content_width=_WIDTH, terminal_width=_WIDTH
    )
    helps = {name: command.get_help(context)}
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            helps |= _helps(f"{name} {part}", command.get_command(context, part))
    return helps


def _option_text(record: str) -> str:
    return " ".join(record.split())


def _long_name(text: str) -> str:
    return next(word for word in text.split() if word.startswith("--"))


def _without_shared(text: str, shared: Mapping[str, str]) -> str:
    """A help that names its shared options in place of their descriptions."""
    names = [
        shared[option]
        for record in _OPTION.findall(text)
        if (option := _option_text(record)) in shared and shared[option] not in _UNIVERSAL
    ]
    own = _OPTION.sub(lambda match: "" if _option_text(match[0]) in shared else match[0], text)
    own = _SUBCOMMANDS.sub(lambda match: _subcommand_names(match[0]), own)
    before, heading, after = own.partition("Options:\n")
    options = re.match(r"(?:  .*\n)*", after)
    end = options.end() if options else 0
    line = _filled(f"  Shared options: {', '.join(names)}", "", "    ") + "\n"
    if not names:
        heading, line = (heading, "") if end else ("", "")
        after = after if end else after.lstrip("\n")
    return before + heading + after[:end] + line + after[end:]


def _subcommand_names(listed: str) -> str:
    names = re.findall(r"^  (\w\S*)", listed, re.MULTILINE)
    return _filled(", ".join(names), "  ", "  ") + "\n"
