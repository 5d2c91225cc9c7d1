"""The packages follow architecture.md: kernels read no files, imports have no cycles.

Which house may use which other house is checked by import-linter (pyproject.toml).
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src"
Imports = Mapping[str, set[str]]

# Modules that read files or contain file data, except for kernels among them.
DATA = ("io", "collection", "campaign", "pairs", "judgments")
# Packages of kernels: arrays in, arrays or frozen results out. Besides kernels, they contain the
# questions of the package, and modules that read or arrange labels for the kernels.
KERNELS: dict[str, set[str]] = {
    "agreement": {
        "agree",
        "agreement_of_labels",
        "answer_judges",
        "assessor_differences",
        "compared_labels",
        "group_agreement",
        "assessor_groups",
        "label_agreement",
        "rating_levels",
        "scoped_agreement",
    },
    "assigning": {"answer_plan", "assign", "assignment_files", "assignment_groups"},
    "collection.pools": {"pool_files", "pool_sets"},
    "cuts": {
        "cut",
        "cut_positions",
        "cut_rankings",
        "cut_search",
        "cut_sources",
        "cut_tables",
        "cut_topics",
        "cut_validation",
        "label_cuts",
        "label_operation",
        "transform",
    },
    "damages": {
        "damage_report",
        "find_damages",
        "group_damages",
        "layout",
        "origins",
        "doc_properties",
        "property_options",
    },
    "discrimination": {
        "campaign_pdp",
        "common_docs",
        "compared_settings",
        "grade_matrices",
        "judgments_pdp",
        "label_pdp",
        "label_set_pdp",
        "pdp",
        "pdp_compare",
        "pdp_compared",
        "pdp_inputs",
        "pdp_notes",
        "pdp_options",
        "pdp_result",
        "pooled_docs",
    },
    "discrimination.plackett_luce": set(),
    "discrimination.preferences": set(),
    "estimation": {
        "answer_units",
        "estimate",
        "estimation_options",
        "plan_sample",
        "sample",
        "new_runs",
        "sample_files",
        "sources",
        "units",
    },
    "judging_times": {
        "efficiency",
        "efficiency_report",
        "judging_efficiency",
        "judging_logs",
        "judging_pace",
    },
    "evaluation.measures": set(),
    "judgments.aggregation": set(),
    "judgments.scale_operations": set(),
    "pairs": {
        "answers",
        "contradictions",
        "drawn_pairs",
        "outcomes",
        "preference_files",
        "preference_forms",
        "preference_text",
        "preferences",
    },
    "topk": {
        "topk_answer",
        "topk_fit",
        "topk_options",
        "topk_pairs",
        "topk_plan",
        "topk_plans",
        "topk_pool",
        "topk_reliability",
        "topk_result",
        "topk_results",
        "topk_sessions",
        "topk_simulate",
        "topk_sources",
        "topk_tables",
    },
    "planning.simulation": set(),
    "pooling": {"found_docs", "pool", "pool_contents", "run_pools", "run_teams"},
    "rankings": {
        "compared_rankings",
        "consistency",
        "discriminative_powers",
        "independent_samples",
        "leave_team_out",
        "loto",
        "measure_power",
        "paired_tests",
        "plan_topics",
        "ranking_comparison",
        "ranking_comparisons",
        "ranking_consistency",
        "ranking_figures",
        "significance",
        "significance_tests",
        "top_comparison",
        "topic_set_size",
    },
    "stats": set(),
    "stats.design": set(),
}


def is_data(module: str) -> bool:
    """Return whether a module belongs to a data package and is not a kernel."""
    _, house, *_ = *module.split("."), ""
    package, _, name = module.removeprefix("qrelsmith.").rpartition(".")
    is_kernel = package in KERNELS and name not in KERNELS[package]
    return house in DATA and not is_kernel and package.count(".") + bool(package) > 0


def modules() -> dict[str, Path]:
    """Return every file by its dotted name."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        *parts, last = path.relative_to(SOURCE).with_suffix("").parts
        found[".".join(parts if last == "__init__" else [*parts, last])] = path
    return found


def named(path: Path) -> Iterator[tuple[str, str]]:
    """Return module and name of every import anywhere in a file; the name may be empty."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


@pytest.fixture(scope="module")
def imports() -> Imports:
    """Return our modules that each file imports; a re-exported name counts as its module's."""
    files = modules()
    asked = {name: list(named(path)) for name, path in files.items()}
    handed = {
        (package, name): module
        for package, path in files.items()
        if path.name == "__init__.py"
        for module, name in asked[package]
        if module.startswith(f"{package}.") and f"{module}.{name}" not in files
    }

    def target(module: str, name: str) -> str:
        while (module, name) in handed:
            module = handed[module, name]
        return f"{module}.{name}" if f"{module}.{name}" in files else module

    return {name: {target(*each) for each in asked[name]} & files.keys() - {name} for name in files}


@pytest.fixture(scope="module")
def reached(imports: Imports) -> Imports:
    """Return our modules that each file imports directly or indirectly."""
    found: dict[str, set[str]] = {}
    for name in TopologicalSorter(imports).static_order():
        found[name] = imports[name].union(*(found[each] for each in imports[name]))
    return found


def test_imports_have_no_cycles(imports: Imports) -> None:
    try:
        list(TopologicalSorter(imports).static_order())
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


@pytest.mark.parametrize("package", KERNELS)
def test_kernels_do_not_depend_on_files_or_labels(package: str, reached: Imports) -> None:
    inside = {
        name.rpartition(".")[2]: reached[name]
        for name, path in modules().items()
        if name.rpartition(".")[0] == f"qrelsmith.{package}" and path.name != "__init__.py"
    }
    knowing = {name for name, others in inside.items() if any(map(is_data, others))}
    assert knowing == KERNELS[package]


@pytest.mark.parametrize("package", KERNELS)
def test_kernels_import_only_numpy_and_scipy(package: str) -> None:
    allowed = {"numpy", "scipy", "qrelsmith", *sys.stdlib_module_names}
    for path in (SOURCE / "qrelsmith" / package.replace(".", "/")).glob("*.py"):
        if path.stem not in KERNELS[package]:
            assert {module.partition(".")[0] for module, _ in named(path)} <= allowed, path
