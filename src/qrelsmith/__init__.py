"""Build and audit test collections for search.

The names below are the public API; each is imported when it is first asked for, so that
`import qrelsmith` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.1"

# name: the module that defines it.
_PUBLIC = {
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
    "aggregate": "qrelsmith.judgments.aggregate",
    "agree": "qrelsmith.agreement.agree",
    "assign": "qrelsmith.assigning.assign",
    "audit_campaign": "qrelsmith.audit.campaign_audit",
    "compare": "qrelsmith.rankings.compared_rankings",
    "consistency": "qrelsmith.rankings.consistency",
    "cut": "qrelsmith.cuts.cut",
    "disagree": "qrelsmith.agreement.disagreement.disagree",
    "efficiency": "qrelsmith.judging_times.efficiency",
    "estimate": "qrelsmith.estimation.estimate",
    "evaluate": "qrelsmith.evaluation.scored_runs",
    "find_damages": "qrelsmith.damages.find_damages",
    "judge": "qrelsmith.models.judge",
    "loto": "qrelsmith.rankings.loto",
    "pdp": "qrelsmith.discrimination.pdp",
    "pdp_compare": "qrelsmith.discrimination.pdp_compare",
    "plan_campaign": "qrelsmith.planning.plan_campaign",
    "plan_preferences": "qrelsmith.planning.plan_preferences",
    "plan_sample": "qrelsmith.estimation.plan_sample",
    "plan_topics": "qrelsmith.rankings.plan_topics",
    "pool": "qrelsmith.pooling.pool",
    "power": "qrelsmith.rankings.discriminative_powers",
    "read_answers": "qrelsmith.answers.answer_files",
    "read_aspects": "qrelsmith.answers.aspects",
    "read_campaign": "qrelsmith.campaign.campaign",
    "read_documents": "qrelsmith.collection.documents",
    "read_judgments": "qrelsmith.judgments.judgment_files",
    "read_preferences": "qrelsmith.pairs.preference_files",
    "read_published": "qrelsmith.judgments.published_labels",
    "read_qrels": "qrelsmith.judgments.given_labels",
    "read_run": "qrelsmith.collection.runs",
    "read_runs": "qrelsmith.evaluation.loaded_runs",
    "read_scores": "qrelsmith.evaluation.score_files",
    "read_topics": "qrelsmith.collection.topics",
    "sample": "qrelsmith.estimation.sample",
    "significance": "qrelsmith.rankings.significance",
    "simulate_campaign": "qrelsmith.planning.simulate_campaign",
    "simulate_pdp": "qrelsmith.planning.simulate_pdp",
    "topk_answer": "qrelsmith.topk.topk_answer",
    "topk_hits": "qrelsmith.topk.crowd.topk_hits",
    "topk_hits_in": "qrelsmith.topk.crowd.topk_hits_in",
    "topk_pairs": "qrelsmith.topk.topk_pairs",
    "topk_plan": "qrelsmith.topk.topk_plan",
    "topk_pool": "qrelsmith.topk.topk_pool",
    "topk_result": "qrelsmith.topk.topk_result",
    "topk_simulate": "qrelsmith.topk.topk_simulate",
    "transform": "qrelsmith.cuts.transform",
    "write_judgments": "qrelsmith.judgments.judgment_files",
    "write_pools": "qrelsmith.collection.pools.pool_files",
    "write_preferences": "qrelsmith.pairs.preference_files",
    "write_qrels": "qrelsmith.collection.qrels",
    "write_report": "qrelsmith.report",
    "write_run": "qrelsmith.collection.runs",
}

__all__ = ["__version__", *sorted(_PUBLIC)]  # noqa: PLE0604 - they are all text

if TYPE_CHECKING:
    from qrelsmith.agreement import COEFFICIENTS
    from qrelsmith.agreement.agree import agree
    from qrelsmith.agreement.disagreement.disagree import disagree
    from qrelsmith.answers.answer_files import read_answers
    from qrelsmith.answers.aspects import read_aspects
    from qrelsmith.assigning.assign import assign
    from qrelsmith.audit.campaign_audit import audit_campaign
    from qrelsmith.base.content import Report
    from qrelsmith.base.errors import InputError, InputWarning, QrelsmithError, UsageError
    from qrelsmith.base.results import Result
    from qrelsmith.base.scales import Gains, Scale
    from qrelsmith.base.tables import FORMATS, Table
    from qrelsmith.campaign.campaign import Campaign, read_campaign
    from qrelsmith.collection.document import Document
    from qrelsmith.collection.documents import read_documents
    from qrelsmith.collection.pools import ORDERINGS
    from qrelsmith.collection.pools.pool_files import write_pools
    from qrelsmith.collection.qrels import Qrels, write_qrels
    from qrelsmith.collection.run_order import RUN_ORDERS
    from qrelsmith.collection.runs import Run, read_run, write_run
    from qrelsmith.collection.topics import Topic, read_topics
    from qrelsmith.cuts import CUT_METHODS
    from qrelsmith.cuts.cut import cut
    from qrelsmith.cuts.transform import transform
    from qrelsmith.damages import DAMAGES
    from qrelsmith.damages.find_damages import find_damages
    from qrelsmith.discrimination.pdp import pdp
    from qrelsmith.discrimination.pdp_compare import pdp_compare
    from qrelsmith.estimation.estimate import estimate
    from qrelsmith.estimation.plan_sample import plan_sample
    from qrelsmith.estimation.sample import sample
    from qrelsmith.evaluation import Evaluation, ScoreMatrix
    from qrelsmith.evaluation.loaded_runs import read_runs
    from qrelsmith.evaluation.measures import MEASURES
    from qrelsmith.evaluation.score_files import read_scores
    from qrelsmith.evaluation.scored_runs import evaluate
    from qrelsmith.judging_times.efficiency import efficiency
    from qrelsmith.judgments.aggregate import aggregate
    from qrelsmith.judgments.aggregation import AGGREGATIONS
    from qrelsmith.judgments.given_labels import read_qrels
    from qrelsmith.judgments.judgment_files import Judgments, read_judgments, write_judgments
    from qrelsmith.judgments.published_labels import read_published
    from qrelsmith.models.judge import judge
    from qrelsmith.pairs.preference_files import read_preferences, write_preferences
    from qrelsmith.pairs.preferences import Preferences
    from qrelsmith.planning.plan_campaign import plan_campaign
    from qrelsmith.planning.plan_preferences import plan_preferences
    from qrelsmith.planning.simulate_campaign import simulate_campaign
    from qrelsmith.planning.simulate_pdp import simulate_pdp
    from qrelsmith.planning.simulation import CampaignDesign
    from qrelsmith.planning.simulation.designs import DESIGNS
    from qrelsmith.pooling.pool import pool
    from qrelsmith.rankings.compared_rankings import compare
    from qrelsmith.rankings.consistency import consistency
    from qrelsmith.rankings.discriminative_powers import power
    from qrelsmith.rankings.loto import loto
    from qrelsmith.rankings.plan_topics import plan_topics
    from qrelsmith.rankings.significance import significance
    from qrelsmith.report import write_report
    from qrelsmith.stats.correlation import CORRELATIONS
    from qrelsmith.stats.multiplicity import ADJUSTMENTS
    from qrelsmith.stats.significance import INDEPENDENT_TESTS, TESTS
    from qrelsmith.stats.tau_intervals import INTERVALS
    from qrelsmith.topk.crowd.platforms import PLATFORMS
    from qrelsmith.topk.crowd.topk_hits import topk_hits
    from qrelsmith.topk.crowd.topk_hits_in import topk_hits_in
    from qrelsmith.topk.schedulers import SCHEDULERS
    from qrelsmith.topk.topk_answer import topk_answer
    from qrelsmith.topk.topk_pairs import topk_pairs
    from qrelsmith.topk.topk_plan import topk_plan
    from qrelsmith.topk.topk_pool import topk_pool
    from qrelsmith.topk.topk_result import topk_result
    from qrelsmith.topk.topk_simulate import topk_simulate


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
