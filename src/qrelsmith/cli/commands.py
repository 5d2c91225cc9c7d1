"""The commands by what they are for: the only list of them.

README's table has the same headings and commands; the first line of a command's own help is what
stands here. Tests compare.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import click

from qrelsmith.base.errors import nearest, quoted
from qrelsmith.base.plugins import PLUGINS

if TYPE_CHECKING:
    from qrelsmith.base.questions import Question

HEADINGS: dict[str, dict[str, str]] = {
    "score systems, and know which differ": {
        "evaluate": "Scores of runs against qrels.",
        "significance": "Significance tests of the difference between every two systems.",
        "power": "Discriminative power: the share of system pairs that differ significantly.",
        "estimate": "Estimate scores and differences of systems from few labels.",
        "measures": "The measures, with formula and source.",
    },
    "know whether a ranking can be trusted": {
        "init": "Make a campaign of files that lie about.",
        "audit": "Audit of a campaign: which labels and rankings to trust.",
        "compare": "Rank correlation of the systems under several label sets.",
        "consistency": "Rank correlation of the systems over random halves of the topics.",
        "gate": "Gate a new judge: is it as good as the one in use.",
        "damages": "Find what is broken in labels, and whose it is.",
        "loto": "Leave one team out: are systems that did not pool ranked fairly.",
    },
    "know how good labels are": {
        "agree": "Agreement between assessors or label sets, with intervals.",
        "pdp": "Pairwise discriminative power (PDP) of relevance labels.",
        "pdp compare": "Compare ways of labelling by PDP: which tells docs apart better.",
        "efficiency": "Judging times: how fast assessors judge.",
        "disagree": "Disagreements of Gold and Bronze, and a new round of judging.",
    },
    "decide what to judge, by whom, in which order": {
        "pool": "Pool runs: which docs to judge, in which order.",
        "assign": "Assign topics to assessors: who judges what, in which order.",
        "sample": "Sample docs for people to judge: few labels, valid conclusions.",
    },
    "try a design before you pay for it": {
        "plan": "Plan topics, preference tests, a sample, or a whole campaign with its cost.",
        "simulate": "Simulate topics, systems and assessors.",
    },
    "judge: grades, pairs, crowds, language models": {
        "serve": "Serve the judging app of a campaign.",
        "invite": "Print a link to an account of the judging app.",
        "token": "Print a token with which a model judges in the app.",
        "prefer": "Open the app's search for the best docs by preferences.",
        "crowd": "Publish HITs to a crowd platform; codes, payments.",
        "judge": "Judge a campaign's docs by a language model.",
        "prompts": "The prompts that models are asked with.",
        "import-labels": "Import a model's labels into the judging app.",
        "import": "Import a campaign folder into the judging app.",
        "export": "Export what the judging app holds as a campaign folder.",
    },
    "look after the judging app": {
        "verify": "Verify the app's current labels against its events.",
        "doctor": "Check how the judging app of a campaign is set up.",
        "backup": "Back up the app's database.",
        "restore": "Restore the app's database from a backup.",
        "migrate": "Migrate the app's database.",
        "forget": "Erase a person's data; keep the judgments.",
    },
    "find the best k by preferences, with few judgments": {
        "topk": "Find the best k docs of each topic by preferences.",
    },
    "make qrels of labels, move them to another scale": {
        "aggregate": "Aggregate several assessors' grades into one.",
        "transform": "Transform labels to another scale.",
        "cut": "Find the cuts that turn a scale into one of fewer levels.",
        "published": "Convert published crowd labels on several scales.",
        "carry": "Carry labels over to docs that were cut or edited anew.",
        "convert": "Convert files of other programs: BEIR, MS MARCO, Quepid, Label Studio, ….",
    },
    "see an example, or a paper's tables and figures made anew": {
        "demo": "Build a small test collection, evaluate and audit it.",
        "reproduce": "Reproduce a paper's tables and figures.",
    },
}
"""What each command does, in its first line of help, under a heading."""

COMMANDS = {name: what for commands in HEADINGS.values() for name, what in commands.items()}
"""What each command does, by its name."""

_KEYWORDS = {"import": "import_"}  # words of Python


# Questions that are not called as their commands.
_CALLED = {
    "damages": "find_damages",
    "published": "read_published",
    "topk hits make": "topk_hits",
}


def question_command(words: str) -> click.Command:
    """Return the command of the question of these words, which is imported when it is asked."""
    from qrelsmith.cli.stored_commands import has_plugins, stored_command

    if has_plugins():
        from qrelsmith.cli.question_commands import command_of

        return command_of(question_of(words))

    def callback(**values: Any) -> None:
        from qrelsmith.cli.asking import ask

        ask(question_of(words), values)

    return stored_command(words, callback)


def question_of(words: str) -> Question:
    """Return the question of a command, whose module is imported now."""
    import qrelsmith
    from qrelsmith.base.questions import QUESTIONS

    name = _CALLED.get(words, words.replace(" ", "_"))
    getattr(qrelsmith, name)
    return QUESTIONS[name]


def _plugin_questions() -> dict[str, Question]:
    """Questions of plug-ins that are loaded, by their commands; ours are in `COMMANDS`."""
    questions = sys.modules.get("qrelsmith.base.questions")
    if questions is None:
        return {}
    registered: Mapping[str, Question] = questions.QUESTIONS
    return {
        question.command: question
        for question in registered.values()
        if not question.function.__module__.startswith("qrelsmith.")
    }


class LazyGroup(click.Group):
    """A group that knows its commands' names without importing them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of their headings; those of plug-ins are the last."""
        return [*COMMANDS, *_plugin_questions()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, whose module is imported now."""
        if cmd_name not in COMMANDS:
            from qrelsmith.cli.question_commands import command_of

            question = _plugin_questions().get(cmd_name)
            return None if question is None else command_of(question)
        module = _KEYWORDS.get(cmd_name, re.sub("[- ]", "_", cmd_name))
        if find_spec(f"qrelsmith.cli.{module}") is None:
            return question_command(cmd_name)
        command: click.Command = import_module(f"qrelsmith.cli.{module}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the words call; an unknown one is told with the nearest that there is.

        Raises
        ------
        click.UsageError
            If there is no such command.
        """
        PLUGINS.add_files(ctx.params.get("plugins", ()))
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            PLUGINS.load()  # a command that is not ours may be one of theirs
        names = self.list_commands(ctx)
        if " ".join(args[:2]) in names:
            args = [" ".join(args[:2]), *args[2:]]
        if args[0] in names or args[0].startswith("-"):
            return super().resolve_command(ctx, args)
        near = nearest(args[0], names)
        hint = f"; did you mean {near}?" if near else ""
        raise click.UsageError(f"no such command {quoted(args[0])}{hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands under their headings, all in one width."""
        width = max(map(len, COMMANDS))
        for heading, commands in HEADINGS.items():
            with formatter.section(heading[0].upper() + heading[1:]):
                formatter.write_dl([(name.ljust(width), what) for name, what in commands.items()])
