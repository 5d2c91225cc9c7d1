"""The tree of commands with names, headings and summaries, without imports of commands.

`questions.json` lists every command with its attributes. `docs/make_reference.py` generates
`questions.json` from the declarations of questions and actions.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from qrelsmith.base.command_headings import GROUPS, HEADINGS
from qrelsmith.base.errors import nearest, quoted
from qrelsmith.base.plugins import PLUGINS
from qrelsmith.cli.notes import notes
from qrelsmith.cli.stored_commands import command_facts, has_plugins, stored_command

if TYPE_CHECKING:
    from qrelsmith.base.questions import Question

# Until 0.4.0, these commands also work without `app`.
_OF_APP = (
    "backup", "crowd", "doctor", "export", "forget", "import", "import-labels", "invite",
    "migrate", "restore", "token", "verify",
)  # fmt: skip


def question_command(words: str) -> click.Command:
    """Return the command of a question, which is imported when it runs."""
    if has_plugins():
        from qrelsmith.cli.question_commands import command_of

        command = command_of(question_of(words))
    else:

        def callback(**values: Any) -> None:
            from qrelsmith.cli.asking import ask

            ask(question_of(words), values)

        command = stored_command(words, callback)
    command.parts = {
        longer[len(words) + 1 :]: _summary(longer)
        for longer in command_facts()
        if longer.startswith(f"{words} ")
    }
    return command


def question_of(words: str) -> Question:
    """Import the module of a command's question and return the question."""
    from qrelsmith.base.questions import QUESTIONS

    facts = command_facts().get(words)
    if facts is None:
        return _plugin_questions()[words]
    import_module(facts["module"])
    return QUESTIONS[facts["question"]]


def _plugin_questions() -> dict[str, Question]:
    """Return the questions of loaded plug-ins, by command."""
    questions = sys.modules.get("qrelsmith.base.questions")
    if questions is None:
        return {}
    registered: Mapping[str, Question] = questions.QUESTIONS
    return {
        question.command: question
        for question in registered.values()
        if not question.function.__module__.startswith("qrelsmith.")
    }


class Commands(click.Group):
    """The commands with common first words; a list of the commands needs no imports."""

    def __init__(self, *args: Any, words: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.words = words

    def _whole(self, name: str) -> str:
        return f"{self.words} {name}".strip()

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of their headings; names from plug-ins are last."""
        order = [*HEADINGS, ""]
        known = command_facts()
        ranked = sorted(known, key=lambda words: (order.index(_heading(words)), words))
        names = [
            self._step(words[len(self.words) :].strip())
            for words in (*ranked, *_plugin_questions())
            if f"{words} ".startswith(f"{self.words} ".lstrip()) and words != self.words
        ]
        return list(dict.fromkeys(names))

    def _step(self, rest: str) -> str:
        """Return the next part of a command's name: a word that names a group, or all words."""
        first = rest.partition(" ")[0]
        return first if self._whole(first) in GROUPS else rest

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return a command or a group, importing only commands that are not questions."""
        words = self._whole(cmd_name)
        if words in GROUPS:
            group = GROUPS[words]
            return Commands(
                cmd_name, words=words, help=group.help, epilog=f"Example: {group.example}"
            )
        facts = command_facts().get(words)
        if facts is None and words in _plugin_questions():
            return question_command(words)
        if facts is None:
            return None
        if "action" not in facts:
            return question_command(words)
        from qrelsmith.cli.actions import action_command

        return action_command(words, facts["action"])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command of the given words.

        Raises
        ------
        click.UsageError
            If there is no such command; the message suggests the nearest one.
        """
        PLUGINS.add_files(ctx.params.get("plugins", ()))
        if not self.words and args[0] in _OF_APP:
            notes().keep_outdated(f"`qrelsmith {args[0]}`", f"`qrelsmith app {args[0]}`")
            args = ["app", *args]
        names = self.list_commands(ctx)
        if args[0] not in names and not args[0].startswith("-"):
            PLUGINS.load()  # an unknown command may be a plug-in's
            names = self.list_commands(ctx)
        if " ".join(args[:2]) in names:
            args = [" ".join(args[:2]), *args[2:]]
        if args[0] in names or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        near = nearest(args[0], names)
        hint = f"; did you mean {near}?" if near else ""
        raise click.UsageError(f"no such command {quoted(self._whole(args[0]))}{hint}", ctx)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the options, and remember whether help lists all commands."""
        ctx.meta["all"] = "--all" in args
        return super().parse_args(ctx, args)

    def shell_complete(
        self, ctx: click.Context, incomplete: str
    ) -> list[click.shell_completion.CompletionItem]:
        """Return possible completions; for example, `pdp` can continue as `pdp compare`."""
        return [item for item in super().shell_complete(ctx, incomplete) if " " not in item.value]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their summaries; the first page only has everyday commands."""
        shown = [name for name in self.list_commands(ctx) if " " not in name]
        if self.words:
            with formatter.section("Commands"):
                formatter.write_dl([(name, _summary(self._whole(name))) for name in shown])
            return
        everyday = [name for name in shown if ctx.meta.get("all") or _is_everyday(name)]
        width = max(map(len, everyday))
        titles = HEADINGS | {"": "from plug-ins"}
        for key, title in titles.items():
            rows = [
                (name.ljust(width), _summary(name)) for name in everyday if _heading(name) == key
            ]
            if rows:
                with formatter.section(title[0].upper() + title[1:]):
                    formatter.write_dl(rows)


def _heading(words: str) -> str:
    """Return the key of a command's heading."""
    first = words.partition(" ")[0]
    facts = command_facts().get(words) or command_facts().get(first) or {}
    return GROUPS[first].heading if first in GROUPS else facts.get("heading", "")


def _is_everyday(words: str) -> bool:
    if words in GROUPS:
        return GROUPS[words].everyday
    return bool(command_facts().get(words, {"everyday": True})["everyday"])


def _summary(words: str) -> str:
    """Return the summary of a command."""
    if words in GROUPS:
        return GROUPS[words].help.partition("\n")[0]
    facts = command_facts().get(words)
    if facts is None:
        asked = _plugin_questions()[words]
        return asked.short or (asked.function.__doc__ or "").partition("\n")[0]
    return str(facts["summary"])


def command_list() -> Mapping[str, list[str]]:
    """Return the names of the commands under each heading."""
    names = Commands().list_commands(click.Context(Commands()))
    return {
        title: [name for name in names if _heading(name) == key] for key, title in HEADINGS.items()
    }
