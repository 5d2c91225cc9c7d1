"""Parameters of commands about sampled labels: runs or a campaign, model labels, measures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option, ScaleOption, Source
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.evaluation.answer_options import AnswerFiles
from qrelsmith.evaluation.ranking_options import are_about_answers
from qrelsmith.judgments.label_options import OnlyTopics, is_campaign
from qrelsmith.judgments.run_options import GainsOption, check_named_once, files_by_name, run_words
from qrelsmith.judgments.run_sources import MeasuresLike, RunsLike
from qrelsmith.judgments.sources import QrelsLike


def _sources(words: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """Parse a campaign folder, or runs with label set files."""
    files = run_words(words)
    chosen = options.pop("label_set", ())
    if not files and chosen and are_about_answers(options):
        return {"labels": files_by_name(chosen)}
    if not files:
        raise UsageError("Missing argument 'RUN...|CAMPAIGN'.")
    if is_campaign(files[0]):
        return {"labels": files[0], "runs": files[1:] or None, "label_set": chosen or None}
    check_named_once(files)
    return {"labels": files_by_name(chosen) if chosen else None, "runs": files}


ModelLabels = Annotated[
    Any,
    Source("Labels of models, whose docs are the pool. Default in a campaign: the label sets"
    " known to be by models, else all except the reference. If there are none, the pool is the "
    "runs' top docs.",
           "RUN...|CAMPAIGN", _sources),
]  # fmt: skip
SumMeasures = Annotated[
    MeasuresLike | None,
    Option("Measure that is a sum over docs (P@k, RBP, DCG@k, nDCG@k), or a measure of answers."
        " Default: the campaign's first measure.", ("-m", "--measure"), many=True, split=True),
]  # fmt: skip
PeoplesLabels = Annotated[
    QrelsLike | None,
    Option("Human labels of the sampled docs: a qrels file, or a label set of the campaign"
           " (default: its reference).", metavar="QRELS|NAME", file=False, many=False),
]  # fmt: skip


NewRuns = Annotated[
    RunsLike | None,
    Option("New run that is not in the pool; repeatable.", metavar="RUN", file=True, many=True),
]  # fmt: skip


class EstimationScope(AnswerFiles, total=False):
    """Options for model labels, for topics and for reading run files."""

    label_set: Annotated[
        str | Sequence[str] | None,
        Option("Labels of a model: a label set of the campaign (default: all except the"
            " reference), or a qrels file; repeatable.", metavar="NAME|FILE"),
    ]  # fmt: skip
    topic_set: OnlyTopics
    order: Annotated[
        str,
        Option("Order of the docs in a run.", choices=RUN_ORDERS.names,
               default="trec", was={"run_order": {}}),
    ]  # fmt: skip
    gains: GainsOption
    scale: ScaleOption
