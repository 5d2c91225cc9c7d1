"""`qrelsmith published`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from qrelsmith.base.errors import InputError
from qrelsmith.base.options import Option, Source
from qrelsmith.cli.actions import action
from qrelsmith.cli.declared_options import Argument
from qrelsmith.cli.options import Common, common_options
from qrelsmith.io.writing import write_together


@action(
    "published",
    "convert",
    example="qrelsmith published S100.csv s100/",
    renamed={"--gold": "--gold-labels"},
)
@common_options()
@write_together()
def command(
    common: Common,
    file: Argument,
    folder: Annotated[Path, Source("A folder.", "", many=False, required=True)],
    score: Annotated[Literal["raw", "normalized"], Option(
        "Column of relevance labels that is used as the grade.")] = "raw",
    gold_labels: Annotated[Literal["keep", "drop"], Option(
        "Treatment of relevance labels that are marked as gold.")] = "keep",
) -> None:  # fmt: skip
    """Convert published crowd labels on several scales.

    A FILE of crowd labels is converted to judgments and experts' qrels in FOLDER. Supported formats
    are relevance labels on S2, S4, S100 and ME (columns topic_id, unit_id, document_id, gold,
    doc_pos, worker_id, relevance_score, normalized_relevance_score, cumulative_time, comment, trec,
    sormunen, relevance_scale) and truthfulness labels on S3, S6 and S100 (columns unit_id,
    position, statement_id, name, source, label, time_elapsed_s, politifact_label, abc_label).

    FOLDER gets judgments.csv (or a file for each scale), and trec.qrels, sormunen.qrels,
    politifact.qrels or abc.qrels. Printed columns: file, topics, docs, assessors, labels.
    """
    from qrelsmith.collection.qrels import Qrels, write_qrels
    from qrelsmith.judgments.judgment_files import write_judgments
    from qrelsmith.judgments.published_labels import read_published

    labels = read_published(file, score=score, gold_labels=gold_labels)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be created: {error.strerror or error}", path=folder) from None
    for name, held in labels.files().items():
        if isinstance(held, Qrels):
            write_qrels(held, folder / name)
        else:
            write_judgments(held, folder / name)
    common.say(labels.notes)
    common.emit(labels.table())
