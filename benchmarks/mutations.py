"""Are wrong programs caught? Changes one place of the code at a time and runs the tests beside it.

python benchmarks/mutations.py [--count 40] [--seed 0] [--group kernels] [--list]

A mutant is one comparison, operator, constant, boolean or `return` that is another one. It is drawn
by a seed, evenly over groups: kernels, readers, events, access. The tests of its house run on a
copy of the code; a mutant that they catch is printed with the first test that failed. One that they
pass has survived. Some survivors mean the same as the original; a person decides.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "qrelsmith"
JUDGING = "web/judging web/graded web/exporting"
ENTERING = "web/accounts web/graded web/model_assessors/test_model_api.py"
# Where mutants are made, and the tests that must catch them.
GROUPS = {
    "kernels": [
        (("agreement", "alpha.py coincidence.py kappa.py gwet.py distance.py"), "agreement"),
        (("evaluation/measures", "*.py"), "evaluation/measures contracts/test_measures.py"),
        (("cuts", "*.py"), "cuts"),
        (("stats", "*.py"), "stats"),
        (("discrimination/plackett_luce", "*.py"), "discrimination"),
        (("topk", "tournament.py"), "topk"),
    ],
    "readers": [
        (("io", "*.py"), "io collection"),
        (("collection", "*.py"), "collection"),
        (("judgments", "*.py"), "judgments"),
        (("pairs", "*.py"), "pairs topk"),
    ],
    "events": [
        (("web/core", "*.py"), f"{JUDGING} web/pairs web/crowd/test_late_events.py"),
        (("web/judging", "*.py"), f"{JUDGING} web/pairs web/crowd/test_late_events.py"),
        (("web/graded", "*.py"), f"{JUDGING} web/organiser/test_rounds.py"),
        (("web/pairs", "*.py"), "web/pairs web/judging/test_chain.py"),
        (("web/desk", "*.py"), "web/desk"),
    ],
    "access": [
        (("web/accounts", "*.py"), ENTERING),
        (("web/serving", "middleware.py"), f"{ENTERING} web/serving/test_server.py"),
    ],
}
COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult}
# A whole number from here on is a setting: how many draws, how many bytes at once.
SETTING = 10
BOOLEANS = {ast.And: ast.Or, ast.Or: ast.And}


class Mutant(NamedTuple):
    """A changed place of a file, and the tests that should notice."""

    path: Path
    line: int
    before: str
    after: str
    text: str
    tests: str


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--group", choices=GROUPS)
    parser.add_argument("--list", action="store_true", help="only say which")
    options = parser.parse_args()
    groups = [options.group] if options.group else list(GROUPS)
    chosen = drawn(groups, options.count, random.Random(options.seed))
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        for mutant in chosen:
            place = (
                f"{mutant.path.relative_to(ROOT)}:{mutant.line}: {mutant.before} → {mutant.after}"
            )
            if options.list:
                print(place)
                continue
            failed = failing_test(mutant, source)
            print(f"caught   {place} by {failed}" if failed else f"SURVIVED {place}", flush=True)
            survivors += [] if failed else [place]
    if not options.list:
        print(f"{len(chosen) - len(survivors)} of {len(chosen)} caught")


def drawn(groups: list[str], count: int, rng: random.Random) -> list[Mutant]:
    """As many mutants from each group; no two on one line."""
    chosen = []
    for number, group in enumerate(groups):
        places = [mutant for files, tests in GROUPS[group] for mutant in in_files(files, tests)]
        lines = {(mutant.path, mutant.line): mutant for mutant in rng.sample(places, len(places))}
        share = count // len(groups) + (number < count % len(groups))
        chosen += rng.sample(list(lines.values()), min(share, len(lines)))
    return chosen


def in_files(files: tuple[str, str], tests: str) -> Iterator[Mutant]:
    folder, patterns = files
    for pattern in patterns.split():
        for path in sorted((PACKAGE / folder).glob(pattern)):
            yield from mutants(path, tests)


def mutants(path: Path, tests: str) -> Iterator[Mutant]:
    """Every mutant of a file: the text with one expression replaced."""
    text = path.read_text("utf-8")
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode()))
    content = text.encode()
    tree = ast.parse(text)
    passed_over = {id(part) for node in ast.walk(tree) for part in settings(node)}
    for node in ast.walk(tree):
        after = None if id(node) in passed_over else changed(node)
        if after is None:
            continue
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        before = content[begin:end].decode()
        mutated = (content[:begin] + after.encode() + content[end:]).decode()
        yield Mutant(path, node.lineno, before, after, mutated, tests)


def settings(node: ast.AST) -> Iterator[ast.AST]:
    """What is no part of an answer: options of decorators, sizes of blocks, values at the top."""
    if isinstance(node, ast.ClassDef | ast.FunctionDef):
        yield from (part for decorator in node.decorator_list for part in ast.walk(decorator))
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift):
        yield from ast.walk(node)


def changed(node: ast.AST) -> str | None:
    """An expression that is another one, or None where nothing is to be changed."""
    match node:
        case ast.Compare(ops=[operator, *rest]) if type(operator) in COMPARISONS:
            other = [COMPARISONS[type(operator)](), *rest]
            return f"({ast.unparse(ast.Compare(node.left, other, node.comparators))})"
        case ast.BinOp(op=operator) if type(operator) in OPERATORS:
            return f"({ast.unparse(ast.BinOp(node.left, OPERATORS[type(operator)](), node.right))})"
        case ast.BoolOp(op=operator):
            return f"({ast.unparse(ast.BoolOp(BOOLEANS[type(operator)](), node.values))})"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return f"({ast.unparse(operand)})"
        case ast.Constant(value=bool(value)):
            return str(not value)
        case ast.Constant(value=int(value)) if value < SETTING:
            return str(value + 1)
    return None


def test_files(mutant: Mutant) -> list[str]:
    """The test files of a mutant's house, those that name its module first."""
    places = [ROOT / "tests" / name for name in mutant.tests.split()]
    files = [file for place in places for file in sorted(place.rglob("test_*.py")) or [place]]
    module = ".".join(mutant.path.relative_to(ROOT / "src").with_suffix("").parts)
    return sorted(map(str, files), key=lambda file: module not in Path(file).read_text("utf-8"))


def failing_test(mutant: Mutant, source: Path) -> str:
    """The first test of the mutant's house that fails on it; empty where all pass."""
    place = source / mutant.path.relative_to(ROOT / "src")
    original = place.read_text("utf-8")
    tests = test_files(mutant)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-rfE",
               "--timeout", "100", "-m", "not slow and not full", *tests]  # fmt: skip
    # Sources are compiled once for all mutants; what is compiled of this file would look current.
    environment = {**os.environ, "PYTHONPATH": str(source)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    compiled = Path(cache_from_source(str(place)))
    try:
        compiled.unlink(missing_ok=True)
        place.write_text(mutant.text, "utf-8")
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=1800,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "no test: they do not end"
    finally:
        place.write_text(original, "utf-8")
        compiled.unlink(missing_ok=True)
    if done.returncode > 3:  # a folder of tests that is not there
        raise SystemExit(f"the tests did not run:\n{done.stdout}{done.stderr}")
    if not done.returncode:
        return ""
    told = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return told[0][:150] if told else f"status {done.returncode}: {done.stdout[-150:]}"


if __name__ == "__main__":
    main()
