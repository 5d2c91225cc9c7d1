"""Pages of the reference that are made from the program itself: `python docs/make_reference.py`."""

from __future__ import annotations

import json
import pkgutil
import re
import sys
import textwrap
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from make_architecture import PICTURE, draw
from make_formats import formats_page
from make_python import python_page

import qrelsmith.audit.sections
import qrelsmith.cli
from qrelsmith import public_names
from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.audit.scorecard import VERDICTS
from qrelsmith.base.command_headings import GROUPS, HEADINGS
from qrelsmith.base.questions import QUESTIONS, Question
from qrelsmith.base.registry import Registry
from qrelsmith.base.tables import FORMATS
from qrelsmith.cli import group
from qrelsmith.cli.actions import ACTIONS, CommandAction
from qrelsmith.cli.question_commands import command_of
from qrelsmith.cli.stored_commands import FILE, command_entry, command_facts
from qrelsmith.collection.pools import ORDERINGS
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.cuts import CUT_METHODS
from qrelsmith.damages import DAMAGES
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.formats import FILE_FORMATS
from qrelsmith.forms.every import FORMS
from qrelsmith.gates.gate import FIGURES
from qrelsmith.judgments.aggregation import AGGREGATIONS
from qrelsmith.pairs.preference_files import TEXTS
from qrelsmith.planning import damage_plants  # noqa: F401 (registers the damages)
from qrelsmith.planning.damaged_groups import PLANTS
from qrelsmith.planning.simulation.designs import DESIGNS
from qrelsmith.stats.correlation import CORRELATIONS
from qrelsmith.stats.design.power import POWERS
from qrelsmith.stats.design.width import WIDTHS
from qrelsmith.stats.multiplicity import ADJUSTMENTS
from qrelsmith.stats.significance import INDEPENDENT_TESTS, TESTS
from qrelsmith.stats.tau_intervals import INTERVALS
from qrelsmith.studies.registry import PAPERS, paper_named
from qrelsmith.topk.crowd.platforms import PLATFORMS
from qrelsmith.topk.schedulers import SCHEDULERS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDER = Path(__file__).with_name("reference")
ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "qrelsmith"
_QUESTION = re.compile(r"^@question\(", re.MULTILINE)
_COLUMNS = ("name", "what", "formula", "source")
# An option of a help, with the lines of its description.
_OPTION = re.compile(r"^  -{1,2}\w.*\n?(?:^ {3,}\S.*\n?)*", re.MULTILINE)
# Options of so many commands are described once.
_SHARED_BY = 3
_SHARED_NOTE = """\
`qrelsmith COMMAND --help` prints the help of a command with all its options. On this page, options
that several commands share are described only once. The line *Shared options* of a command lists
them, without `--help` and `--quiet`."""
# Every command has the one, and almost every command the other.
_UNIVERSAL = ("--help", "--quiet")
_SUBCOMMANDS = re.compile(r"(?<=^Commands:\n)(?:  .*\n)+", re.MULTILINE)


def registries() -> dict[str, Registry]:
    """Everything that is asked for by name, under a heading."""
    listed: dict[str, Registry] = {
        "Measures": MEASURES,
        "Orders of docs in a run": RUN_ORDERS,
        "Orderings of pooled docs": ORDERINGS,
        "Coefficients of agreement": COEFFICIENTS,
        "Aggregations": AGGREGATIONS,
        "Methods for finding cuts": CUT_METHODS,
        "Data problems in labels": DAMAGES,
        "Figures of `gate`": FIGURES,
        "Output file formats": FILE_FORMATS,
        "Input file forms": FORMS,
        "Schedulers of preferences": SCHEDULERS,
        "Crowd platforms": PLATFORMS,
        "Forms of preferences": TEXTS,
        "Correlations of rankings": CORRELATIONS,
        "Intervals for Kendall's τ": INTERVALS,
        "Significance tests of scores on the same topics": TESTS,
        "Significance tests of independent samples": INDEPENDENT_TESTS,
        "Adjustments for multiple tests": ADJUSTMENTS,
        "Powers of tests": POWERS,
        "Widths of intervals": WIDTHS,
        "Designs of simulated campaigns": DESIGNS,
        "Data problems that can be simulated": PLANTS,
        "Sections of the audit": SECTIONS,
        "Questions of the scorecard": VERDICTS,
        "Forms of tables": FORMATS,
        "Papers": PAPERS,
    }
    for key in PAPERS.names():
        listed[f"Artefacts of `{key}`"] = paper_named(key).artefacts
    return listed


def _listed_elsewhere() -> dict[int, str]:
    """Pages that list a registry, by its identity."""
    pages = {id(MEASURES): "[measures](../measures.md)"}
    for key in PAPERS.names():
        pages[id(paper_named(key).artefacts)] = f"[this paper](../papers/{key}.md)"
    return pages


def commands_page() -> str:
    """Every command with its help; the options of many commands are described once."""
    context = click.Context(group)
    helps: dict[str, str] = {}
    for name in sorted(group.list_commands(context)):
        helps |= _helps(f"qrelsmith {name}", group.get_command(context, name))
    records = [record for text in helps.values() for record in _OPTION.findall(text)]
    counts = Counter(map(_option_text, records))
    shared = _shared(counts)
    widest = {_option_text(record): record for record in sorted(records, key=len)}
    described = [widest[text].rstrip("\n") for text in sorted(shared, key=shared.__getitem__)]
    lines = ["# Commands", "", _SHARED_NOTE, ""]
    lines += ["## Shared options", "", "```text", *described, "```", ""]
    for name, text in helps.items():
        lines += [f"{'#' * len(name.split())} {name}", ""]
        lines += ["```text", _without_shared(text, shared), "```", ""]
    return "\n".join(lines)


def _shared(counts: Counter[str]) -> dict[str, str]:
    """Names of options by their descriptions; of several with a name, the one that saves most."""
    savings = {
        text: (count - 1) * len(text) for text, count in counts.items() if count >= _SHARED_BY
    }
    named = {_long_name(text): text for text in sorted(savings, key=lambda text: savings[text])}
    return {text: name for name, text in named.items()}


def _helps(name: str, command: click.Command) -> dict[str, str]:
    """The help of a command and of its subcommands, by their full names."""
    context = click.Context(command, info_name=name, max_content_width=88, terminal_width=88)
    helps = {name: command.get_help(context)}
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            helps |= _helps(f"{name} {part}", command.get_command(context, part))
    return helps


def _option_text(record: str) -> str:
    return " ".join(record.split())


def _long_name(text: str) -> str:
    return next(word for word in text.split() if word.startswith("--"))


def _without_shared(text: str, shared: dict[str, str]) -> str:
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
    line = f"  Shared options: {', '.join(names)}"
    line = textwrap.fill(line, 88, subsequent_indent="    ", break_on_hyphens=False) + "\n"
    if not names:
        heading, line = (heading, "") if end else ("", "")
        after = after if end else after.lstrip("\n")
    return before + heading + after[:end] + line + after[end:]


def _subcommand_names(listed: str) -> str:
    names = re.findall(r"^  (\w\S*)", listed, re.MULTILINE)
    return (
        textwrap.fill(
            ", ".join(names),
            88,
            initial_indent="  ",
            subsequent_indent="  ",
            break_on_hyphens=False,
        )
        + "\n"
    )


def names_page() -> str:
    """Every registered name with its formula and source."""
    lines = ["# Names", "", "These names can be used on the command line and in Python.", ""]
    elsewhere = _listed_elsewhere()
    for heading, registry in registries().items():
        rows = [
            (f"`{entry.name}`", entry.summary, entry.formula, entry.source)
            for entry in registry.entries()
        ]
        # A column that is empty for all of them is none.
        shown = [place for place in range(4) if any(row[place] for row in rows)]
        lines += [f"## {heading}", ""]
        if id(registry) in elsewhere:
            lines += [f"The page on {elsewhere[id(registry)]} lists them.", ""]
            continue
        lines.append("| " + " | ".join(_COLUMNS[place] for place in shown) + " |")
        lines.append("|" + " --- |" * len(shown))
        for row in rows:
            lines.append("| " + " | ".join(_cell(row[place]) for place in shown) + " |")
        lines.append("")
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Text that markdown shows as it is."""
    if text.startswith("`"):
        return text
    for letter in "\\|*_<>[]":
        text = text.replace(letter, f"\\{letter}")
    return text


PAGES = {
    "commands": commands_page,
    "formats": formats_page,
    "names": names_page,
    "python": python_page,
}


def questions_of(source: Path = SOURCE) -> dict[str, Question]:
    """Import every module that declares a question, and return the questions by command."""
    for file in sorted(source.rglob("*.py")):
        if _QUESTION.search(file.read_text("utf-8")):
            import_module(".".join(file.relative_to(source.parent).with_suffix("").parts))
    ours = [
        each for each in QUESTIONS.values() if each.function.__module__.startswith("qrelsmith.")
    ]
    return {each.command: each for each in ours}


def actions() -> dict[str, CommandAction]:
    """Import every command that answers no question, and return them by their words."""
    for module in pkgutil.iter_modules(qrelsmith.cli.__path__, "qrelsmith.cli."):
        import_module(module.name)
    return dict(ACTIONS)


def stored_commands(*, with_actions: bool = True) -> str:
    """Return every command, each on a line, for the program to start by."""
    questions, done = questions_of(), actions() if with_actions else {}
    lines = []
    for words in sorted(questions | done):
        facts: dict[str, Any] = {}
        if words in questions:
            asked = questions[words]
            facts = {"question": asked.name, "module": asked.function.__module__}
            facts |= {"heading": asked.heading, "everyday": asked.everyday}
            facts |= {"summary": asked.summary, "command": command_entry(command_of(asked))}
        if words in done:
            action = done[words]
            summary = action.command.short_help or (action.command.help or "").partition("\n")[0]
            facts |= {
                "action": action.module,
                "heading": action.heading,
                "everyday": action.everyday,
            }
            facts |= {"summary": summary}
        if not facts["heading"] and words.partition(" ")[0] not in GROUPS:
            raise SystemExit(f"{words}; expected heading= with one of {', '.join(HEADINGS)}")
        lines.append(f"{json.dumps(words)}: {json.dumps(facts, ensure_ascii=False)}")
    return "{" + ",\n".join(lines) + "}\n"


def stub() -> str:
    """Return what type checkers are told of the public names."""
    lines = [
        '"""The public names, written by `python docs/make_reference.py`."""',
        "",
        *(f"from {module} import {name} as {name}" for name, module in sorted(
            public_names().items(), key=lambda item: (item[1], item[0])
        )),
        "",
        "__all__: list[str]",
        "__version__: str",
        "",
        "def public_names() -> dict[str, str]: ...",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def write_pages(folder: Path = FOLDER) -> None:
    """Write the pages, and leave those alone that did not change."""
    for name, page in PAGES.items():
        path, text = folder / f"{name}.md", page().rstrip("\n") + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("builder-inited", lambda _: write_pages())
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_sources() -> None:
    """Write what is derived from the program: its commands and its stub."""
    for with_actions in (False, True):  # some actions take over options of a question
        FILE.write_text(stored_commands(with_actions=with_actions), encoding="utf-8", newline="\n")
        command_facts.cache_clear()
    for path, text in derived().items():
        path.write_text(text, encoding="utf-8", newline="\n")


def derived() -> dict[Path, str]:
    """Return the files that follow from the stored commands and from the imports."""
    return {SOURCE / "__init__.pyi": stub(), PICTURE: draw()}


if __name__ == "__main__":
    if not sys.argv[1:]:
        write_sources()
    write_pages(Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
