"""Build and audit test collections for search.

The names below are the public API; each is imported when it is first asked for, so that
`import qrelsmith` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0.dev0"

# name: the module that defines it.
_PUBLIC = {
    "ADJUSTMENTS": "qrelsmith.stats.multiplicity",
    "AGGREGATIONS": "qrelsmith.aggregation",
    "COEFFICIENTS": "qrelsmith.agreement",
    "CORRELATIONS": "qrelsmith.stats.correlation",
    "CUT_METHODS": "qrelsmith.cuts",
    "Campaign": "qrelsmith.data.campaign",
    "CampaignDesign": "qrelsmith.simulate",
    "DESIGNS": "qrelsmith.simulate.designs",
    "Document": "qrelsmith.data.documents",
    "Evaluation": "qrelsmith.evaluation",
    "FORMATS": "qrelsmith.tables",
    "Gains": "qrelsmith.scales",
    "INDEPENDENT_TESTS": "qrelsmith.stats.significance",
    "INTERVALS": "qrelsmith.stats.tau_intervals",
    "InputError": "qrelsmith.errors",
    "InputWarning": "qrelsmith.errors",
    "Judgments": "qrelsmith.data.judgments",
    "MEASURES": "qrelsmith.measures",
    "ORDERINGS": "qrelsmith.pooling",
    "PLATFORMS": "qrelsmith.data.hit_platforms",
    "Qrels": "qrelsmith.data.qrels",
    "QrelsmithError": "qrelsmith.errors",
    "RUN_ORDERS": "qrelsmith.data.run_order",
    "Report": "qrelsmith.content",
    "Result": "qrelsmith.results",
    "Run": "qrelsmith.data.runs",
    "SCHEDULERS": "qrelsmith.topk.schedulers",
    "Scale": "qrelsmith.scales",
    "ScoreMatrix": "qrelsmith.evaluation",
    "TESTS": "qrelsmith.stats.significance",
    "Table": "qrelsmith.tables",
    "Topic": "qrelsmith.data.topics",
    "UsageError": "qrelsmith.errors",
    "aggregate": "qrelsmith.analyses.label_transforms",
    "agree": "qrelsmith.analyses.agreement_tables",
    "assign": "qrelsmith.analyses.assign",
    "audit_campaign": "qrelsmith.audit.campaign_audit",
    "compare": "qrelsmith.analyses.compared_rankings",
    "consistency": "qrelsmith.analyses.consistency",
    "cut": "qrelsmith.analyses.cut",
    "evaluate": "qrelsmith.analyses.scored_runs",
    "loto": "qrelsmith.analyses.loto",
    "plan_campaign": "qrelsmith.analyses.plan_campaign",
    "plan_topics": "qrelsmith.analyses.plan_topics",
    "pool": "qrelsmith.analyses.pool",
    "power": "qrelsmith.analyses.discriminative_powers",
    "read_campaign": "qrelsmith.data.campaign",
    "read_documents": "qrelsmith.data.documents",
    "read_judgments": "qrelsmith.data.judgments",
    "read_published": "qrelsmith.data.published_labels",
    "read_qrels": "qrelsmith.data.qrels",
    "read_run": "qrelsmith.data.runs",
    "read_runs": "qrelsmith.analyses.loaded_runs",
    "read_scores": "qrelsmith.analyses.score_files",
    "read_topics": "qrelsmith.data.topics",
    "significance": "qrelsmith.analyses.significance",
    "simulate_campaign": "qrelsmith.analyses.simulate_campaign",
    "transform": "qrelsmith.analyses.transform",
    "write_judgments": "qrelsmith.data.judgments",
    "write_pools": "qrelsmith.data.pools",
    "write_qrels": "qrelsmith.data.qrels",
    "write_report": "qrelsmith.report",
    "write_run": "qrelsmith.data.runs",
}

__all__ = ["__version__", *sorted(_PUBLIC)]  # noqa: PLE0604 - they are all text

if TYPE_CHECKING:
    from qrelsmith.aggregation import AGGREGATIONS
    from qrelsmith.agreement import COEFFICIENTS
    from qrelsmith.analyses.agreement_tables import agree
    from qrelsmith.analyses.assign import assign
    from qrelsmith.analyses.compared_rankings import compare
    from qrelsmith.analyses.consistency import consistency
    from qrelsmith.analyses.cut import cut
    from qrelsmith.analyses.discriminative_powers import power
    from qrelsmith.analyses.label_transforms import aggregate
    from qrelsmith.analyses.loaded_runs import read_runs
    from qrelsmith.analyses.loto import loto
    from qrelsmith.analyses.plan_campaign import plan_campaign
    from qrelsmith.analyses.plan_topics import plan_topics
    from qrelsmith.analyses.pool import pool
    from qrelsmith.analyses.score_files import read_scores
    from qrelsmith.analyses.scored_runs import evaluate
    from qrelsmith.analyses.significance import significance
    from qrelsmith.analyses.simulate_campaign import simulate_campaign
    from qrelsmith.analyses.transform import transform
    from qrelsmith.audit.campaign_audit import audit_campaign
    from qrelsmith.content import Report
    from qrelsmith.cuts import CUT_METHODS
    from qrelsmith.data.campaign import Campaign, read_campaign
    from qrelsmith.data.documents import Document, read_documents
    from qrelsmith.data.hit_platforms import PLATFORMS
    from qrelsmith.data.judgments import Judgments, read_judgments, write_judgments
    from qrelsmith.data.pools import write_pools
    from qrelsmith.data.published_labels import read_published
    from qrelsmith.data.qrels import Qrels, read_qrels, write_qrels
    from qrelsmith.data.run_order import RUN_ORDERS
    from qrelsmith.data.runs import Run, read_run, write_run
    from qrelsmith.data.topics import Topic, read_topics
    from qrelsmith.errors import InputError, InputWarning, QrelsmithError, UsageError
    from qrelsmith.evaluation import Evaluation, ScoreMatrix
    from qrelsmith.measures import MEASURES
    from qrelsmith.pooling import ORDERINGS
    from qrelsmith.report import write_report
    from qrelsmith.results import Result
    from qrelsmith.scales import Gains, Scale
    from qrelsmith.simulate import CampaignDesign
    from qrelsmith.simulate.designs import DESIGNS
    from qrelsmith.stats.correlation import CORRELATIONS
    from qrelsmith.stats.multiplicity import ADJUSTMENTS
    from qrelsmith.stats.significance import INDEPENDENT_TESTS, TESTS
    from qrelsmith.stats.tau_intervals import INTERVALS
    from qrelsmith.tables import FORMATS, Table
    from qrelsmith.topk.schedulers import SCHEDULERS


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
