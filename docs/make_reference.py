"""Pages of the reference that are made from the program itself, whenever the site is built."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from qrelsmith import _PUBLIC
from qrelsmith.aggregation import AGGREGATIONS
from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.audit.campaign_audit import SECTIONS
from qrelsmith.cli import COMMANDS, group
from qrelsmith.data.run_order import RUN_ORDERS
from qrelsmith.measures import MEASURES
from qrelsmith.registry import Registry
from qrelsmith.stats.correlation import CORRELATIONS
from qrelsmith.stats.significance import TESTS
from qrelsmith.studies.registry import PAPERS
from qrelsmith.studies.reproduction import paper_named
from qrelsmith.tables import FORMATS

if TYPE_CHECKING:
    from sphinx.application import Sphinx

FOLDER = Path(__file__).with_name("reference")


def registries() -> dict[str, Registry]:
    """Everything that is asked for by name, under a heading."""
    listed = {
        "Measures": MEASURES,
        "Orders of a run": RUN_ORDERS,
        "Coefficients of agreement": COEFFICIENTS,
        "Aggregations": AGGREGATIONS,
        "Correlations of rankings": CORRELATIONS,
        "Significance tests": TESTS,
        "Sections of the audit": SECTIONS,
        "Forms of tables": FORMATS,
    }
    for key in PAPERS:
        listed[f"Artefacts of `{key}`"] = paper_named(key).artefacts
    return listed


def commands_page() -> str:
    """Every command with its help."""
    lines = ["# Commands", ""]
    lines += ["`qrelsmith COMMAND --help` prints what stands here.", ""]
    for name in sorted(COMMANDS):
        command = group.get_command(click.Context(group), name)
        lines += _command(f"qrelsmith {name}", command, level=2)
    return "\n".join(lines)


def _command(name: str, command: click.Command, *, level: int) -> list[str]:
    context = click.Context(command, info_name=name, max_content_width=88, terminal_width=88)
    lines = [f"{'#' * level} {name}", "", "```text", command.get_help(context), "```", ""]
    if isinstance(command, click.Group):
        for part in command.list_commands(context):
            found = command.get_command(context, part)
            lines += _command(f"{name} {part}", found, level=level + 1)
    return lines


def names_page() -> str:
    """Every registered name with its formula and source."""
    lines = ["# Names", "", "What can be asked for by name, on the command line and in Python.", ""]
    for heading, registry in registries().items():
        lines += [
            f"## {heading}",
            "",
            "| name | what | formula | source |",
            "| --- | --- | --- | --- |",
        ]
        for entry in registry.entries():
            cells = (f"`{entry.name}`", entry.summary, entry.formula, entry.source)
            lines.append("| " + " | ".join(_cell(text) for text in cells) + " |")
        lines.append("")
    return "\n".join(lines)


def _cell(text: str) -> str:
    """Text that markdown shows as it is."""
    if text.startswith("`"):
        return text
    for letter in "\\|*_<>[]":
        text = text.replace(letter, f"\\{letter}")
    return text


def api_page() -> str:
    """The public names of the package."""
    lines = [
        "# Python",
        "",
        "`import qrelsmith` offers these; each is imported when it is used.",
        "",
    ]
    for name, module in _PUBLIC.items():
        value = getattr(import_module(module), name)
        kind = "autodata"
        if isinstance(value, type):
            kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
        elif callable(value):
            kind = "autofunction"
        members = ["   :members:"] if kind == "autoclass" else []
        lines += [
            f"## {name}",
            "",
            "```{eval-rst}",
            f".. {kind}:: {module}.{name}",
            *members,
            "```",
            "",
        ]
    return "\n".join(lines)


def write_pages(_: object = None) -> None:
    """Write the pages, and leave those alone that did not change."""
    for name, page in (("commands", commands_page), ("names", names_page), ("python", api_page)):
        path, text = FOLDER / f"{name}.md", page() + "\n"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """What Sphinx calls."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


if __name__ == "__main__":
    write_pages()
