"""The current labels as qrels: one file per assessor, one per group, and one for all."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import write_qrels
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_transforms import aggregated_qrels
from qrelsmith.web.graded.judgments import UNJUDGED_CODE

# Aggregation of several grades of a doc, as in the audit.
AGGREGATION = "median"


def write_labels(judgments: Judgments, folder: Path, *, scale: Scale | None) -> None:
    """Write the labels of one round into a new folder."""
    (folder / "assessors").mkdir(parents=True)
    (folder / "groups").mkdir()
    now = judgments.current()
    now = now.select(now.grade != UNJUDGED_CODE)
    for assessor in now.assessors:
        write_qrels(now.to_qrels(assessor=assessor), folder / "assessors" / _file(assessor))
    groups = {name: part for name, part in now.by_group().items() if name and len(part)}
    for name, part in groups.items():
        _write_aggregate(part, folder / "groups" / _file(name), scale)
    if len(now):
        _write_aggregate(now, folder / "all.qrels", scale)


def qrels_labels(judgments: Judgments, scale: Scale | None) -> dict[tuple[str, str], float]:
    """Return the aggregated label of each doc of a topic, as in `all.qrels`.

    Raises
    ------
    UndefinedError
        If there are no labels.
    """
    qrels = aggregated_qrels(judgments, AGGREGATION, scale=scale).qrels
    rows = zip(qrels.topic.tolist(), qrels.doc.tolist(), qrels.grade.tolist(), strict=True)
    return {(qrels.topics[topic], qrels.docs[doc]): grade for topic, doc, grade in rows}


def _write_aggregate(judgments: Judgments, path: Path, scale: Scale | None) -> None:
    try:
        result = aggregated_qrels(judgments, AGGREGATION, scale=scale)
    except UndefinedError:
        return
    write_qrels(result.qrels, path)


def _file(name: str) -> str:
    """Return a file name for a pseudonym, which may have characters not allowed in file names."""
    return f"{quote(name, safe=' @+')}.qrels"
