"""Build and audit test collections for search.

The public API consists of the names below and of one function per question. Each name is imported
on first use, so that `import qrelsmith` is fast.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

__version__ = "0.3.0"

# Names that are not questions: the module of each name.
_OTHERS = {
    "ADJUSTMENTS": "qrelsmith.stats.multiplicity",
    "AGGREGATIONS": "qrelsmith.judgments.aggregation",
    "COEFFICIENTS": "qrelsmith.agreement",
    "CORRELATIONS": "qrelsmith.stats.correlation",
    "CUT_METHODS": "qrelsmith.cuts",
    "Campaign": "qrelsmith.campaign.campaign",
    "CampaignDesign": "qrelsmith.planning.simulation",
    "DAMAGES": "qrelsmith.damages",
    "DESIGNS": "qrelsmith.planning.simulation.designs",
    "Document": "qrelsmith.collection.document",
    "Evaluation": "qrelsmith.evaluation",
    "FORMATS": "qrelsmith.base.tables",
    "Gains": "qrelsmith.base.scales",
    "INDEPENDENT_TESTS": "qrelsmith.stats.significance",
    "INTERVALS": "qrelsmith.stats.tau_intervals",
    "InputError": "qrelsmith.base.errors",
    "InputWarning": "qrelsmith.base.errors",
    "Judgments": "qrelsmith.judgments.judgment_files",
    "MEASURES": "qrelsmith.evaluation.measures",
    "ORDERINGS": "qrelsmith.collection.pools",
    "PLATFORMS": "qrelsmith.topk.crowd.platforms",
    "Preferences": "qrelsmith.pairs.preferences",
    "Qrels": "qrelsmith.collection.qrels",
    "QrelsmithError": "qrelsmith.base.errors",
    "RUN_ORDERS": "qrelsmith.collection.run_order",
    "Report": "qrelsmith.base.content",
    "Result": "qrelsmith.base.results",
    "Run": "qrelsmith.collection.runs",
    "SCHEDULERS": "qrelsmith.topk.schedulers",
    "Scale": "qrelsmith.base.scales",
    "ScoreMatrix": "qrelsmith.evaluation",
    "TESTS": "qrelsmith.stats.significance",
    "Table": "qrelsmith.base.tables",
    "Topic": "qrelsmith.collection.topics",
    "UsageError": "qrelsmith.base.errors",
    "audit_campaign": "qrelsmith.audit.campaign_audit",
    "judge": "qrelsmith.models.judge",
    "read_answers": "qrelsmith.answers.answer_files",
    "read_aspects": "qrelsmith.answers.aspects",
    "read_campaign": "qrelsmith.campaign.campaign",
    "read_documents": "qrelsmith.collection.documents",
    "read_judgments": "qrelsmith.judgments.judgment_files",
    "read_preferences": "qrelsmith.pairs.preference_files",
    "read_qrels": "qrelsmith.judgments.given_labels",
    "read_run": "qrelsmith.collection.runs",
    "read_runs": "qrelsmith.evaluation.loaded_runs",
    "read_scores": "qrelsmith.evaluation.score_files",
    "read_topics": "qrelsmith.collection.topics",
    "write_judgments": "qrelsmith.judgments.judgment_files",
    "write_pools": "qrelsmith.collection.pools.pool_files",
    "write_preferences": "qrelsmith.pairs.preference_files",
    "write_qrels": "qrelsmith.collection.qrels",
    "write_report": "qrelsmith.report",
    "write_run": "qrelsmith.collection.run_writing",
}


@cache
def public_names() -> dict[str, str]:
    """Return the module that defines each public name, including every question."""
    import json
    from pathlib import Path

    stored = json.loads(
        Path(__file__).with_name("cli").joinpath("questions.json").read_text("utf-8")
    )
    asked = {each["question"]: each["module"] for each in stored.values() if "question" in each}
    return dict(sorted((_OTHERS | asked).items()))


def __getattr__(name: str) -> Any:
    """Import a public name on first use."""
    if name == "__all__":
        return ["__version__", *public_names()]
    module = _OTHERS.get(name) or (not name.startswith("_") and public_names().get(name))
    if not module:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(["__version__", *public_names()])
