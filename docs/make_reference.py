"""Pages of the reference that are made from the program itself: `python docs/make_reference.py`."""

from __future__ import annotations

import json
import pkgutil
import re
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from make_architecture import PICTURE, draw
from make_commands import commands_page
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
_NAMES_NOTE = """\
These names can be used on the command line and in Python. A ditto mark (″) stands for the text in
the row above."""


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
    simulated = "[commands](commands.md#qrelsmith-simulate-campaign)"
    pages = {id(MEASURES): "[measures](../measures.md)", id(PLANTS): simulated}
    for key in PAPERS.names():
        pages[id(paper_named(key).artefacts)] = f"[this paper](../papers/{key}.md)"
    return pages


def names_page() -> str:
    """Every registered name with its formula and source."""
    lines = ["# Names", "", _NAMES_NOTE, ""]
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
        above = ("",) * 4
        for row in rows:
            cells = [_cell(row[place], above[place]) for place in shown]
            lines.append("| " + " | ".join(cells) + " |")
            above = row
        lines.append("")
    return "\n".join(lines)


def _cell(text: str, above: str) -> str:
    """Text that markdown shows as it is, or a ditto mark."""
    if text == above and " " in text:
        return "″"
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
