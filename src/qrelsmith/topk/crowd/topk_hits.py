"""The next round of pairs as HITs for a crowd."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Annotated, Unpack

from qrelsmith.base.options import Option
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.tables import Table
from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.io.table_writing import table_bytes
from qrelsmith.judgments.campaign_sources import resolve_source
from qrelsmith.pairs.hits import PairHit
from qrelsmith.topk.crowd.hit_files import COLUMNS, hit_columns
from qrelsmith.topk.hits import ChallengeDocs, bundle, pilot_topics
from qrelsmith.topk.topk_options import AnswerLog, GradesAndLog, SearchOptions, TermsOption
from qrelsmith.topk.topk_sessions import progress_notes, states
from qrelsmith.topk.topk_sources import (
    candidates_of,
    log_of,
    misfit_notes,
    setting_by,
    terms_of_hits,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class TopkHits(Result):
    """The HITs of a round, including attention checks.

    Attributes
    ----------
    hits : tuple of PairHit
        The HITs in the order of the record.
    terms : HitTerms
        Size, payment and requirements of a HIT.
    """

    hits: tuple[PairHit, ...]
    terms: HitTerms

    def table(self) -> Table:
        """Return the record as a table: hit, position, topic, round, left, right, challenge."""
        return Table.of(COLUMNS.names, zip(*hit_columns(self.hits).values(), strict=True))

    def file_content(self, form: str | None, output: str | PathLike[str] | None) -> bytes | None:
        """Return the record as lossless CSV, or None if `form` is another format."""
        del output
        return table_bytes(hit_columns(self.hits)) if form in (None, "csv") else None


@question(
    command="topk hits make",
    no_audit="it is used while preferences are collected",
    example="qrelsmith topk hits make graded.qrels --pilot 0.1 -o pilot.hits.csv",
    short="Create HITs from the open pairs.",
)
def topk_hits(
    labels: GradesAndLog,
    answers: AnswerLog = None,
    *,
    pilot: Annotated[float | None, Option(
        "Share of the topics to use, drawn at random; the same seed always gives the same topics.",
        metavar="SHARE", above=0, most=1)] = None,
    terms: TermsOption = None,
    **options: Unpack[SearchOptions],
) -> TopkHits:  # fmt: skip
    """Create the next round's HITs from the grades in QRELS and the log ANSWERS.

    Columns: hit, position, topic, round, left, right, challenge. Keep the output private, because
    it shows the attention checks (a candidate against a doc with grade 0) and their correct sides.
    `topk hits out` writes the version for a platform.

    Returns
    -------
    TopkHits
        The result is reproducible for the same pairs and seed.

    Raises
    ------
    InputError
        If a file is malformed.
    UsageError
        If the setting is invalid.
    UndefinedError
        If no doc has a grade above 0, or there are too few docs with the grade 0.

    References
    ----------
    Clarke, Vtyurina and Smucker (2021), section 4.3.

    Examples
    --------
    >>> grades = {"t1": {"d1": 2, "d2": 2, "d3": 2, "d4": 0, "d5": 0}}
    >>> [len(hit.pairs) for hit in topk_hits(grades, k=2).hits]
    [6]
    """
    setting = setting_by(options, None)
    seed = setting.seed
    labels = resolve_source(labels)
    _, pools = candidates_of(labels, setting, options)
    log = log_of(answers, labels, options)
    of_hits = terms_of_hits(terms, labels)
    state_of = states(pools, log, setting)
    chosen = [pool.topic for pool in pools if pool.candidates]
    if pilot is not None:
        chosen = pilot_topics(chosen, pilot, seed=seed)
    hits = bundle(
        {topic: state_of[topic].open_pairs for topic in chosen},
        {
            pool.topic: ChallengeDocs(pool.candidates, pool.nonrelevant)
            for pool in pools
            if pool.topic in set(chosen)
        },
        seed=seed,
        size=of_hits.pairs,
        challenge_pairs=of_hits.challenges,
    )
    who = f"approval of {of_hits.approval:g}% or more, {of_hits.completed} HITs or more"
    where = f", from {', '.join(of_hits.countries)}" if of_hits.countries else ""
    cost = f"{len(hits) * of_hits.price:.2f} {of_hits.currency} with fees"
    notes = [*misfit_notes(pools, log, setting), *progress_notes(state_of, log)]
    notes.append(f"HITs: {len(hits)}, which cost {cost}; workers: {who}{where}")
    return TopkHits(hits=hits, terms=of_hits, notes=tuple(notes))
