"""The public interface, and that importing it is fast."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import qrelsmith


def test_public_names_of_released_versions_exist() -> None:
    assert set(qrelsmith.__all__) >= {
            "__version__", "ADJUSTMENTS", "AGGREGATIONS", "COEFFICIENTS", "CORRELATIONS",
            "CUT_METHODS", "Campaign", "CampaignDesign", "DAMAGES", "DESIGNS", "Document",
            "Evaluation",
            "FORMATS", "Gains", "INDEPENDENT_TESTS", "INTERVALS", "InputError", "InputWarning",
            "Judgments", "MEASURES", "ORDERINGS", "PLATFORMS", "Preferences", "Qrels",
            "QrelsmithError", "RUN_ORDERS", "Report", "Result", "Run", "SCHEDULERS", "Scale",
            "ScoreMatrix", "TESTS", "Table", "Topic", "UsageError", "aggregate", "agree",
            "assign", "audit_campaign", "compare", "consistency", "cut", "disagree", "drift",
            "efficiency",
            "estimate", "evaluate", "find_damages", "gate", "judge", "loto", "pdp", "pdp_compare",
            "plan_campaign", "plan_preferences", "plan_sample", "plan_topics", "pool",
            "power", "read_answers", "read_aspects", "read_campaign",
            "read_documents", "read_judgments", "read_preferences",
            "read_published", "read_qrels", "read_run", "read_runs", "read_scores", "read_topics",
            "sample", "significance", "simulate_campaign", "simulate_pdp", "topk_answer",
            "topk_hits",
            "topk_hits_in", "topk_pairs", "topk_plan", "topk_pool", "topk_result",
            "topk_simulate", "transform", "write_judgments", "write_pools", "write_preferences",
            "write_qrels", "write_report", "write_run",
    }  # fmt: skip


def test_the_names_for_type_checkers_are_the_existing_names() -> None:
    stub = Path(qrelsmith.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    told = {
        alias.name: node.module
        for node in ast.walk(ast.parse(stub))
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert told == qrelsmith.public_names()


def test_every_public_name_can_be_imported_and_is_documented() -> None:
    for name in qrelsmith.__all__:
        value = getattr(qrelsmith, name)
        assert name == "__version__" or value.__doc__


def test_a_public_name_is_not_a_module_after_its_module_was_imported() -> None:
    code = (
        "import importlib, pkgutil, qrelsmith;"
        "names = {module.name for module in pkgutil.iter_modules(qrelsmith.__path__)};"
        "importlib.import_module('qrelsmith.cli.question_commands');"
        "print(sorted(names & set(qrelsmith.__all__)), callable(qrelsmith.evaluate))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[] True\n"


@pytest.mark.parametrize("source", [[1, 2], ["a", "b"], 3, None, {"x": 1}], ids=repr)
@pytest.mark.parametrize(
    "read",
    [
        "read_campaign",
        "read_judgments",
        "read_preferences",
        "read_qrels",
        "read_run",
        "read_scores",
    ],
)
def test_readers_document_their_inputs(read: str, source: object) -> None:
    with pytest.raises(qrelsmith.UsageError, match=r"^expected .*; found "):
        getattr(qrelsmith, read)(source)


def test_importing_the_package_imports_no_other_module() -> None:
    code = "import sys, qrelsmith; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
