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
    "Campaign": "qrelsmith.data.campaign",
    "Evaluation": "qrelsmith.evaluation",
    "Gains": "qrelsmith.scales",
    "InputError": "qrelsmith.errors",
    "InputWarning": "qrelsmith.errors",
    "Judgments": "qrelsmith.data.judgments",
    "MEASURES": "qrelsmith.measures",
    "Qrels": "qrelsmith.data.qrels",
    "QrelsmithError": "qrelsmith.errors",
    "RUN_ORDERS": "qrelsmith.data.run_order",
    "Report": "qrelsmith.content",
    "Run": "qrelsmith.data.runs",
    "Scale": "qrelsmith.scales",
    "ScoreMatrix": "qrelsmith.evaluation",
    "Table": "qrelsmith.tables",
    "UsageError": "qrelsmith.errors",
    "aggregate": "qrelsmith.analyses.label_transforms",
    "agree": "qrelsmith.analyses.agreement_tables",
    "audit_campaign": "qrelsmith.audit.campaign_audit",
    "compare": "qrelsmith.analyses.compared_rankings",
    "consistency": "qrelsmith.analyses.consistency",
    "evaluate": "qrelsmith.analyses.scored_runs",
    "loto": "qrelsmith.analyses.loto",
    "power": "qrelsmith.analyses.discriminative_powers",
    "read_campaign": "qrelsmith.data.campaign",
    "read_judgments": "qrelsmith.data.judgments",
    "read_qrels": "qrelsmith.data.qrels",
    "read_run": "qrelsmith.data.runs",
    "read_runs": "qrelsmith.analyses.loaded_runs",
    "read_scores": "qrelsmith.analyses.score_files",
    "significance": "qrelsmith.analyses.significance",
    "write_qrels": "qrelsmith.data.qrels",
    "write_report": "qrelsmith.report",
    "write_run": "qrelsmith.data.runs",
}

__all__ = ["__version__", *sorted(_PUBLIC)]  # noqa: PLE0604 - they are all text

if TYPE_CHECKING:
    from qrelsmith.analyses.agreement_tables import agree
    from qrelsmith.analyses.compared_rankings import compare
    from qrelsmith.analyses.consistency import consistency
    from qrelsmith.analyses.discriminative_powers import power
    from qrelsmith.analyses.label_transforms import aggregate
    from qrelsmith.analyses.loaded_runs import read_runs
    from qrelsmith.analyses.loto import loto
    from qrelsmith.analyses.score_files import read_scores
    from qrelsmith.analyses.scored_runs import evaluate
    from qrelsmith.analyses.significance import significance
    from qrelsmith.audit.campaign_audit import audit_campaign
    from qrelsmith.content import Report
    from qrelsmith.data.campaign import Campaign, read_campaign
    from qrelsmith.data.judgments import Judgments, read_judgments
    from qrelsmith.data.qrels import Qrels, read_qrels, write_qrels
    from qrelsmith.data.run_order import RUN_ORDERS
    from qrelsmith.data.runs import Run, read_run, write_run
    from qrelsmith.errors import InputError, InputWarning, QrelsmithError, UsageError
    from qrelsmith.evaluation import Evaluation, ScoreMatrix
    from qrelsmith.measures import MEASURES
    from qrelsmith.report import write_report
    from qrelsmith.scales import Gains, Scale
    from qrelsmith.tables import Table


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for."""
    if name not in _PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
