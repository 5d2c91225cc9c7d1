"""`qrelsmith topk hits`: export of pairs to a crowd platform, and import of answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from qrelsmith.base.options import Option, Source
from qrelsmith.base.tables import Table
from qrelsmith.cli.actions import action
from qrelsmith.cli.declared_options import Argument
from qrelsmith.cli.options import Common, common_options
from qrelsmith.io.writing import replacing, write_together
from qrelsmith.topk.crowd.platforms import PLATFORMS, ShownTexts, platform_of
from qrelsmith.topk.topk_options import TERMS

PlatformName = Annotated[str, Option(
    "Platform of the file's format.", ("--platform",), choices=PLATFORMS.names)]  # fmt: skip


@action(
    "topk hits out",
    short="Write HITs in a platform's format.",
    example="qrelsmith topk hits out round1.hits.csv --platform mturk -o batch.csv",
)
@common_options()
def out(
    common: Common,
    record: Argument,
    where: PlatformName = "mturk",
    topics: Annotated[str | None, Option("File of topics whose titles are added.", file=True)] =
        None,
    documents: Annotated[str | None, Option(
        "JSONL file with doc_id and text, whose texts are added.", file=True)] = None,
) -> None:  # fmt: skip
    """Write the HITs of RECORD for a platform, without marking attention checks.

    For mturk, there is one line per HIT, with the columns hit, pairs, topic_1, left_1, right_1, ….
    The form of your project needs the inputs pair_1, pair_2, … with the values left, right or tie.
    For prolific, there is one line per pair.
    """
    from qrelsmith.topk.crowd.hit_files import read_hits
    from qrelsmith.topk.crowd.hit_texts import read_doc_texts, topic_texts

    hits_of_round = read_hits(record)
    texts = None
    if topics is not None or documents is not None:
        wanted = {
            doc for hit in hits_of_round for pair in hit.pairs for doc in (pair.left, pair.right)
        }
        texts = ShownTexts(
            topics={} if topics is None else topic_texts(topics),
            docs={} if documents is None else read_doc_texts(documents, wanted),
        )
    _put(platform_of(where).columns(hits_of_round, texts), common)


@action(
    "topk hits in",
    short="Read the results of workers.",
    example="qrelsmith topk hits in round1.hits.csv results.csv --answers answers.csv",
)
@common_options("seed")
@write_together()
def take_in(
    common: Common,
    *,
    record: Argument,
    results: Annotated[tuple[str, ...], Source("Results.", "", required=True)],
    where: PlatformName = "mturk",
    answers: Annotated[str, Option("Log to which the answers are added.", file=True)],
    excluded: Annotated[str | None, Option(
        "Workers excluded in earlier rounds, one per line.", file=True)] = None,
    again: Annotated[str | None, Option(
        "Write the record of the HITs to publish again to this file.", file=True)] = None,
    terms: Annotated[str | None, Option(TERMS, file=True)] = None,
) -> None:  # fmt: skip
    """Add the valid answers in RESULTS to a log; RESULTS must be all result files for RECORD.

    A worker who fails an attention check is excluded. The worker is paid for all HITs of the round,
    but the worker's answers are discarded, and the HITs are published again (--again). Import all
    results of a round together. You can repeat the import, because answers in the log are not added
    twice. The log contains pseudonyms of workers; the printed table contains their ids, too.
    Columns: worker, assessor, hits, counted, missed, excluded, paid.
    """
    from qrelsmith.judgments.topic_set import read_names
    from qrelsmith.pairs.preference_files import add_to_log, read_preferences
    from qrelsmith.topk.crowd.hit_files import hits_bytes
    from qrelsmith.topk.crowd.topk_hits_in import topk_hits_in

    known = read_preferences(answers) if Path(answers).exists() else None
    result = topk_hits_in(
        record,
        results,
        known,
        platform=where,
        terms=terms,
        excluded=() if excluded is None else read_names(excluded),
        seed=common.seed,
    )
    add_to_log(answers, result.new)
    if again is not None:
        with replacing(again) as file:
            file.write(hits_bytes(result.open))
    common.say([*result.notes, f"answers added to the log: {len(result.new)}"])
    common.emit(result.table())


def _put(columns: Mapping[str, Sequence[str]], common: Common) -> None:
    """Write cells as lossless CSV, or in another requested format."""
    from qrelsmith.io.table_writing import table_bytes

    if common.form in (None, "csv"):
        common.put(table_bytes(columns))
    else:
        common.emit(Table.of(tuple(columns), zip(*columns.values(), strict=True)))
