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
    "Preferences": "qrelsmith.data.preferences",
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
    "aggregate": "qrelsmith.analyses.aggregate",
    "agree": "qrelsmith.analyses.agree",
    "assign": "qrelsmith.analyses.assign",
    "audit_campaign": "qrelsmith.audit.campaign_audit",
    "compare": "qrelsmith.analyses.compared_rankings",
    "consistency": "qrelsmith.analyses.consistency",
    "cut": "qrelsmith.analyses.cut",
    "disagree": "qrelsmith.analyses.disagree",
    "efficiency": "qrelsmith.analyses.efficiency",
    "evaluate": "qrelsmith.analyses.scored_runs",
    "loto": "qrelsmith.analyses.loto",
    "pdp": "qrelsmith.analyses.pdp",
    "plan_campaign": "qrelsmith.analyses.plan_campaign",
    "plan_preferences": "qrelsmith.analyses.plan_preferences",
    "plan_topics": "qrelsmith.analyses.plan_topics",
    "pool": "qrelsmith.analyses.pool",
    "power": "qrelsmith.analyses.discriminative_powers",
    "read_campaign": "qrelsmith.data.campaign",
    "read_documents": "qrelsmith.data.documents",
    "read_judgments": "qrelsmith.data.judgments",
    "read_preferences": "qrelsmith.data.preference_files",
    "read_published": "qrelsmith.data.published_labels",
    "read_qrels": "qrelsmith.data.qrels",
    "read_run": "qrelsmith.data.runs",
    "read_runs": "qrelsmith.analyses.loaded_runs",
    "read_scores": "qrelsmith.analyses.score_files",
    "read_topics": "qrelsmith.data.topics",
    "significance": "qrelsmith.analyses.significance",
    "simulate_campaign": "qrelsmith.analyses.simulate_campaign",
    "simulate_pdp": "qrelsmith.analyses.simulate_pdp",
    "topk_answer": "qrelsmith.analyses.topk_answer",
    "topk_hits": "qrelsmith.analyses.topk_hits",
    "topk_hits_in": "qrelsmith.analyses.topk_hits_in",
    "topk_pairs": "qrelsmith.analyses.topk_pairs",
    "topk_plan": "qrelsmith.analyses.topk_plan",
    "topk_pool": "qrelsmith.analyses.topk_pool",
    "topk_result": "qrelsmith.analyses.topk_result",
    "topk_simulate": "qrelsmith.analyses.topk_simulate",
    "transform": "qrelsmith.analyses.transform",
    "write_judgments": "qrelsmith.data.judgments",
    "write_pools": "qrelsmith.data.pools",
    "write_preferences": "qrelsmith.data.preference_files",
    "write_qrels": "qrelsmith.data.qrels",
    "write_report": "qrelsmith.report",
    "write_run": "qrelsmith.data.runs",
}

__all__ = ["__version__", *sorted(_PUBLIC)]  # noqa: PLE0604 - they are all text

if TYPE_CHECKING:
    from qrelsmith.aggregation import AGGREGATIONS
    from qrelsmith.agreement import COEFFICIENTS
    from qrelsmith.analyses.aggregate import aggregate
    from qrelsmith.analyses.agree import agree
    from qrelsmith.analyses.assign import assign
    from qrelsmith.analyses.compared_rankings import compare
    from qrelsmith.analyses.consistency import consistency
    from qrelsmith.analyses.cut import cut
    from qrelsmith.analyses.disagree import disagree
    from qrelsmith.analyses.discriminative_powers import power
    from qrelsmith.analyses.efficiency import efficiency
    from qrelsmith.analyses.loaded_runs import read_runs
    from qrelsmith.analyses.loto import loto
    from qrelsmith.analyses.pdp import pdp
    from qrelsmith.analyses.plan_campaign import plan_campaign
    from qrelsmith.analyses.plan_preferences import plan_preferences
    from qrelsmith.analyses.plan_topics import plan_topics
    from qrelsmith.analyses.pool import pool
    from qrelsmith.analyses.score_files import read_scores
    from qrelsmith.analyses.scored_runs import evaluate
    from qrelsmith.analyses.significance import significance
    from qrelsmith.analyses.simulate_campaign import simulate_campaign
    from qrelsmith.analyses.simulate_pdp import simulate_pdp
    from qrelsmith.analyses.topk_answer import topk_answer
    from qrelsmith.analyses.topk_hits import topk_hits
    from qrelsmith.analyses.topk_hits_in import topk_hits_in
    from qrelsmith.analyses.topk_pairs import topk_pairs
    from qrelsmith.analyses.topk_plan import topk_plan
    from qrelsmith.analyses.topk_pool import topk_pool
    from qrelsmith.analyses.topk_result import topk_result
    from qrelsmith.analyses.topk_simulate import topk_simulate
    from qrelsmith.analyses.transform import transform
    from qrelsmith.audit.campaign_audit import audit_campaign
    from qrelsmith.content import Report
    from qrelsmith.cuts import CUT_METHODS
    from qrelsmith.data.campaign import Campaign, read_campaign
    from qrelsmith.data.documents import Document, read_documents
    from qrelsmith.data.hit_platforms import PLATFORMS
    from qrelsmith.data.judgments import Judgments, read_judgments, write_judgments
    from qrelsmith.data.pools import write_pools
    from qrelsmith.data.preference_files import read_preferences, write_preferences
    from qrelsmith.data.preferences import Preferences
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
