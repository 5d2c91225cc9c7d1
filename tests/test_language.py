"""Plain words: variables are nouns, functions verbs, and a first line says what comes back."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
# What Django writes is not ours to name.
PASSED_OVER = "migrations"
DOCUMENTED = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

# A variable with such a name says nothing of what it holds. It may stand for a few lines, where one
# sees at a glance where it comes from; a keyword-only parameter or an option of a command is read
# beside the name of what it belongs to.
LINES = 5
VAGUE = {
    "each": "of what? name it: `session`, `row`",
    "found": "who found what? `intervals`, `by_topic`; the result of a question is a `result`",
    "given": "by whom? `declared` by a campaign, `answers`, `rows`",
    "kept": "of what? `rows`; a mask says its condition: `is_level`",
    "known": "by whom? `defined` is what is not nan; a mask is `has_label`",
    "of": "half a sentence: `topics_of`, `unit_count`",
    "one": "of what? `choice`, `first` and `second`",
    "these": "which? name them",
    "those": "which? name them",
    "told": "what was said? `notes`, `facts`",
}

# A function does something (`check`, `draw`) or is called by the noun that it returns
# (`expected_pairs`, `doc_row_json`). A participle alone says neither.
PARTICIPLES = {
    "begun", "broken", "chosen", "dealt", "done", "drawn", "found", "given", "gone", "held",
    "hidden", "kept", "known", "left", "lost", "made", "meant", "paid", "said", "seen", "shown",
    "spread", "taken", "told", "untold", "won", "written",
}  # fmt: skip
# Verbs and nouns; and three that are read as what comes back: `sorted` is Python's word, `combined`
# the papers' for preferences above grades, and `quoted(name)` stands in the middle of a message.
IN_ED = {
    "combined", "embed", "exceed", "feed", "need", "proceed", "quoted", "seed", "sorted", "speed",
}  # fmt: skip
# A name that begins so is a riddle: whoever reads the call must look the function up.
RIDDLES = {
    "about": "say what of it: `p_value_text`",
    "above": "above what? `docs_above`",
    "across": "across what? name what comes back",
    "alone": "`exclusive_lock`",
    "along": "along what? name what comes back",
    "among": "say the check: `check_choices`",
    "apart": "say what is apart",
    "asked": "`requested_look`",
    "behind": "`test_counts`",
    "below": "below what? `count_below`",
    "beside": "say the table or the comparison that comes back",
    "both": "of what?",
    "each": "of what?",
    "every": "of what?",
    "found": "`read_found_docs` is a verb, `found_taus` is none",
    "given": "of a user: `user_matrix`, or the verb: `as_qrels`",
    "held": "`cached_runs`, or the verb",
    "kept": "`cached_tests`, or the verb",
    "left": "`remaining_docs`, `excluded_rows`",
    "listed": "the noun: `name_list`",
    "looked": "the verb",
    "made": "the verb: `make_app`",
    "named": "`columns_by_name`",
    "settled": "the verb: `settle_order`",
    "several": "of what?",
    "shown": "the noun and its form: `doc_row_json`, `number_text`",
    "some": "of what?",
    "strange": "say what is wrong with it",
    "taken": "the verb: `take_rows`",
    "then": "the verb",
    "there": "what is where?",
    "together": "the verb",
    "told": "the noun: `unique_results`",
    "too": "the sentence or the condition",
    "wanted": "the verb, or the noun that comes back",
    "what": "the noun: `missing_preferences_note`",
    "when": "`event_times`",
    "whose": "the noun: `owner`",
    "why": "the noun: `reason`",
}  # fmt: skip

# A first line that begins so asks a question or points elsewhere; it should begin with what comes
# back: "Notes on …", "The docs that …", "Kendall's τ …".
NO_BEGINNINGS = {"Everything", "Some", "Something", "That", "Those", "What", "Who"}

# How many may still stand in a house; none may be added.
VARIABLES: Mapping[str, int] = {"web": 4}
FUNCTIONS: Mapping[str, int] = {"web": 9}
FIRST_LINES: Mapping[str, int] = {}


@dataclass(frozen=True)
class SourceFile:
    """A file of the program with its house; the files of `qrelsmith_papers` are one house."""

    house: str
    path: Path
    lines: list[str]
    nodes: list[ast.AST]

    @property
    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        for node in self.nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield node


@pytest.fixture(scope="module")
def files() -> list[SourceFile]:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        package, house, *_ = *path.relative_to(SOURCE).parts, ""
        if PASSED_OVER not in path.parts:
            name = house if package == "qrelsmith" else package
            text = path.read_text("utf-8")
            nodes = list(ast.walk(ast.parse(text)))
            found.append(SourceFile(name, path, text.splitlines(), nodes))
    return found


def lives(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, int]:
    """Over how many lines each vague name lives in a function."""
    lines: dict[str, list[int]] = {}
    for node in ast.walk(function):
        name = node.id if isinstance(node, ast.Name) else getattr(node, "arg", "")
        if name in VAGUE and isinstance(node, ast.Name | ast.arg):
            lines.setdefault(name, []).append(node.lineno)
    keywords = {argument.arg for argument in function.args.kwonlyargs}
    if lines and any("click." in ast.unparse(mark) for mark in function.decorator_list):
        keywords |= {argument.arg for argument in function.args.args}
    return {
        name: max(places) - min(places) for name, places in lines.items() if name not in keywords
    }


def is_data(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a function is read as data: a property, or an entry known by its registered name."""
    marks = [ast.unparse(mark) for mark in function.decorator_list]
    return any("property" in mark or ".add" in mark for mark in marks)


def is_riddle(name: str) -> bool:
    """Whether a function's name is neither a verb nor the noun that it returns."""
    first, *rest = name.strip("_").split("_")
    if rest:
        return first in RIDDLES
    in_ed = first.endswith("ed") and first not in IN_ED
    return in_ed or first in PARTICIPLES or first in RIDDLES


def refuse(problems: Mapping[str, list[str]], allowed: Mapping[str, int]) -> None:
    """Fail with what is too many in any house."""
    counts = Counter({house: len(lines) for house, lines in problems.items()})
    too_many = {house for house in counts if counts[house] > allowed.get(house, 0)}
    assert not too_many, "\n".join(line for house in too_many for line in problems[house])


def test_no_vague_name_lives_over_more_than_five_lines(files: list[SourceFile]) -> None:
    problems: dict[str, list[str]] = {}
    vague = re.compile(rf"\b({'|'.join(VAGUE)})\b")
    for file in files:
        for function in file.functions:
            # To walk through a function takes longer than to search it for words.
            lines = file.lines[function.lineno - 1 : function.end_lineno]
            if len(lines) <= LINES or not vague.search("\n".join(lines)):
                continue
            for name, length in lives(function).items():
                if length > LINES:
                    place = f"{file.path}:{function.lineno}: {function.name}"
                    problems.setdefault(file.house, []).append(f"{place}: {name}: {VAGUE[name]}")
    refuse(problems, VARIABLES)


def test_functions_are_verbs_or_nouns(files: list[SourceFile]) -> None:
    problems: dict[str, list[str]] = {}
    for file in files:
        for function in file.functions:
            if is_riddle(function.name) and not is_data(function):
                first = function.name.strip("_").split("_")[0]
                advice = RIDDLES.get(first, "a verb, or the noun that comes back")
                line = f"{file.path}:{function.lineno}: {function.name}: {advice}"
                problems.setdefault(file.house, []).append(line)
    refuse(problems, FUNCTIONS)


def test_docstrings_describe_the_parameters_that_there_are(files: list[SourceFile]) -> None:
    stale = []
    for file in files:
        for function in file.functions:
            text = ast.get_docstring(function) or ""
            section = re.search(r"Parameters\n-+\n(.*?)(?=\n\n[A-Z]\w+\n-+\n|\Z)", text, re.DOTALL)
            lines = [] if section is None else section[1].splitlines()
            names = [line.partition(" : ")[0] for line in lines if line and not line[0].isspace()]
            every = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
            stale += [
                f"{file.path.name}: {function.name} has no {name}"
                for name in ", ".join(names).replace("*", "").split(", ")
                # The contract of a registry describes the parameters of what is added to it.
                if name.isidentifier() and every and name not in every
            ]
    assert stale == []


def test_first_lines_say_what_comes_back(files: list[SourceFile]) -> None:
    problems: dict[str, list[str]] = {}
    for file in files:
        for node in file.nodes:
            if not isinstance(node, DOCUMENTED):
                continue
            first_line = (ast.get_docstring(node) or "").partition("\n")[0]
            if first_line.partition(" ")[0] in NO_BEGINNINGS:
                problems.setdefault(file.house, []).append(f"{file.path}: {first_line}")
    refuse(problems, FIRST_LINES)


@pytest.mark.parametrize("name", ["_told_once", "settled_hits", "shown_row", "_drawn", "checked"])
def test_riddles_are_seen(name: str) -> None:
    assert is_riddle(name)


@pytest.mark.parametrize("name", ["unique_results", "resolve_hits", "doc_row_json", "seed"])
def test_verbs_and_nouns_pass(name: str) -> None:
    assert not is_riddle(name)
