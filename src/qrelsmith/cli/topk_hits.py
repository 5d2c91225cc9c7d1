"""`qrelsmith topk hits`: pairs out to a crowd platform, answers in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import click

from qrelsmith.analyses.topk_hits import hits_of_round, new_events, settled_round
from qrelsmith.analyses.topk_sessions import TopkSetting, progress_notes, states
from qrelsmith.cli.options import Common, Finite, common_options, scale_options, topic_set_option
from qrelsmith.cli.topk_options import (
    read_log,
    read_pools,
    read_terms,
    setting_options,
    terms_option,
    warn_of_misfit,
)
from qrelsmith.data.hit_files import hit_rows_bytes, hit_rows_columns, read_hit_rows
from qrelsmith.data.hit_platforms import PLATFORMS, Texts, platform_of
from qrelsmith.data.hit_texts import read_doc_texts, topic_texts
from qrelsmith.data.preference_events import add_preference_events, read_preference_events
from qrelsmith.data.table_writing import table_bytes
from qrelsmith.data.topic_set import read_topic_set
from qrelsmith.data.writing import replacing, together
from qrelsmith.tables import Table

platform_option = click.option(
    "--platform", "where", type=click.Choice(PLATFORMS.names()), default="mturk",
    show_default=True, help="Whose form the file has.",
)  # fmt: skip


@click.group(
    name="hits",
    short_help="Bundle pairs for a crowd, and take its answers in.",
    epilog="Example: qrelsmith topk hits make graded.qrels answers.csv -o round1.hits.csv",
)
def hits() -> None:
    """Pairs as HITs with challenge pairs: `make` them, hand them `out`, take answers `in`."""


@hits.command(
    name="make",
    short_help="Bundle the open pairs.",
    epilog="Example: qrelsmith topk hits make graded.qrels --pilot 0.1 -o pilot.hits.csv",
)
@click.argument("qrels", type=click.Path())
@click.argument("answers", type=click.Path(), required=False)
@click.option(
    "--pilot", type=Finite(0, 1, min_open=True), metavar="SHARE",
    help="Only a random share of the topics; the same seed always takes the same ones.",
)  # fmt: skip
@terms_option
@setting_options
@topic_set_option
@scale_options
@common_options
def make(
    common: Common,
    setting: TopkSetting,
    qrels: str,
    answers: str | None,
    pilot: float | None,
    terms: str | None,
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """The record of the next round's HITs, from the grades in QRELS and the log ANSWERS.

    Columns: hit, position, topic, round, left, right, challenge. The record tells which pairs are
    challenge pairs (a candidate against a doc with the grade 0) and which side is right: it stays
    with you; `topk hits out` makes of it what a platform gets.
    """
    of_hits = read_terms(terms)
    pools = read_pools(qrels, topic_set, scale, off_scale, k=setting.k)
    log = read_log(answers)
    warn_of_misfit(pools, log, setting)
    found = states(pools, log, setting)
    rows = hits_of_round(pools, found, of_hits, seed=common.seed, pilot=pilot)
    count = len({row.hit for row in rows})
    who = f"approval of {of_hits.approval:g} % or more, {of_hits.completed} HITs or more"
    where = f", from {', '.join(of_hits.countries)}" if of_hits.countries else ""
    cost = f"{count * of_hits.price:.2f} {of_hits.currency} with fees"
    workers = f"workers: {who}{where}"
    common.say([*progress_notes(found, log), f"HITs: {count}, which cost {cost}; {workers}"])
    _put(hit_rows_columns(rows), common)


@hits.command(
    name="out",
    short_help="Write HITs as a platform takes them.",
    epilog="Example: qrelsmith topk hits out round1.hits.csv --platform mturk -o batch.csv",
)
@click.argument("record", type=click.Path())
@platform_option
@click.option("--topics", type=click.Path(), help="A file of topics: adds their titles.")
@click.option(
    "--documents", type=click.Path(), help="JSONL with doc_id and text: adds the docs' texts."
)
@common_options
def out(common: Common, record: str, where: str, topics: str | None, documents: str | None) -> None:
    """What the platform gets of a RECORD of HITs: nothing in it tells challenge pairs from others.

    mturk: a line for each HIT, with the columns hit, pairs, topic_1, left_1, right_1, …; the form
    of the project has inputs pair_1, pair_2, … with the values left, right or tie. prolific: a line
    for each pair.
    """
    rows = read_hit_rows(record)
    texts = None
    if topics is not None or documents is not None:
        wanted = {doc for row in rows for doc in (row.left, row.right)}
        texts = Texts(
            topics={} if topics is None else topic_texts(topics),
            docs={} if documents is None else read_doc_texts(documents, wanted),
        )
    _put(platform_of(where).columns(rows, texts), common)


@hits.command(
    name="in",
    short_help="Take in what workers did.",
    epilog="Example: qrelsmith topk hits in round1.hits.csv results.csv --answers answers.csv",
)
@click.argument("record", type=click.Path())
@click.argument("results", type=click.Path(), nargs=-1, required=True)
@platform_option
@click.option(
    "--answers", type=click.Path(), required=True, help="The log that the answers are added to."
)
@click.option(
    "--excluded", type=click.Path(), help="Workers excluded in earlier rounds, one a line."
)
@click.option(
    "--again", type=click.Path(), help="Write the record of the HITs to publish again here."
)
@terms_option
@common_options
@together()
def take_in(
    common: Common,
    record: str,
    results: tuple[str, ...],
    where: str,
    answers: str,
    excluded: str | None,
    again: str | None,
    terms: str | None,
) -> None:
    """Add the answers that count to a log; RESULTS are all files that came back for the RECORD.

    A worker who misses a challenge pair is excluded: all their HITs of the round are discarded and
    open again, and paid. Read all results of a round at once, as often as you like: answers that
    are in the log already are not added again. The log calls workers by pseudonyms; the table that
    is printed has both names: worker, assessor, hits, counted, missed, excluded, paid.
    """
    rows = read_hit_rows(record)
    from_platform = platform_of(where)
    done = [one for path in results for one in from_platform.results(path, rows)]
    before = () if excluded is None else read_topic_set(excluded)
    settled = settled_round(rows, done, read_terms(terms), seed=common.seed, excluded=before)
    known = read_preference_events(answers) if Path(answers).exists() else []
    new = new_events(settled.events, known)
    add_preference_events(answers, new)
    if again is not None:
        with replacing(again) as file:
            file.write(hit_rows_bytes(settled.open))
    common.say([*settled.notes, f"answers added to the log: {len(new)}"])
    common.emit(settled.workers)


def _put(columns: Mapping[str, Sequence[str]], common: Common) -> None:
    """Write cells as CSV that reads back to the byte, or in another form that is asked for."""
    if common.form in (None, "csv"):
        common.put(table_bytes(columns))
    else:
        common.emit(Table.of(tuple(columns), zip(*columns.values(), strict=True)))
