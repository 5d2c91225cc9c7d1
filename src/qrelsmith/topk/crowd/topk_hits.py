"""The next round of pairs as HITs for a crowd."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale
from qrelsmith.base.tables import Table
from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.preference_sources import PreferencesLike
from qrelsmith.judgments.sources import QrelsLike
from qrelsmith.judgments.topic_sources import TopicSet
from qrelsmith.pairs.hits import PairHit
from qrelsmith.pairs.outcomes import Sign, Way
from qrelsmith.topk.crowd.hit_files import COLUMNS, hit_columns
from qrelsmith.topk.culling import Keep
from qrelsmith.topk.hits import ChallengeDocs, bundle, pilot_topics
from qrelsmith.topk.topk_sessions import TopkSetting, progress_notes, states
from qrelsmith.topk.topk_sources import Terms, candidates_of, log_of, misfit_notes, terms_of_hits


@dataclass(frozen=True, eq=False, kw_only=True)
class TopkHits(Result):
    """The HITs of a round, challenge pairs included.

    Attributes
    ----------
    hits : tuple of PairHit
        In the order of their record.
    terms : HitTerms
        What a HIT is, what is paid for it and who may do it.
    """

    hits: tuple[PairHit, ...]
    terms: HitTerms

    def table(self) -> Table:
        """The record: hit, position, topic, round, left, right, challenge."""
        return Table.of(COLUMNS.names, zip(*hit_columns(self.hits).values(), strict=True))


@question(
    command="topk hits make",
    no_audit="it is asked while preferences are collected",
    flags={"forced": "--force"},
)
def topk_hits(
    labels: QrelsLike,
    answers: PreferencesLike = None,
    *,
    terms: Terms | None = None,
    pilot: float | None = None,
    k: int = 5,
    method: str = "rounds",
    finalists: int = 9,
    pairings: int = 7,
    keep: Keep = "majority",
    forced: bool = False,
    label_set: str | None = None,
    topic_set: TopicSet | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    sign: Sign = "negative-left",
    outcomes: Way | None = None,
    seed: int = 0,
) -> TopkHits:
    """The open pairs of all topics, bundled into HITs with challenge pairs.

    Parameters
    ----------
    labels : campaign, Qrels, path, {topic: {doc: grade}}, or data frame
        The grades that candidates come from; of a campaign its reference.
    answers : Preferences, path, data frame, mapping, or rows
        The log of answers; a campaign's own is the default, else there are none yet.
    terms : HitTerms or path, optional
        Pairs and challenge pairs of a HIT, reward and fee; a campaign's own are the default, else
        those of the paper.
    pilot : float, optional
        Only a random share of the topics; the same seed always takes the same ones.
    k, method, finalists, pairings, keep, forced, seed
        How the top is looked for: k docs; a scheduler of `SCHEDULERS`; up to F candidates all pairs
        are judged; P pairings of each candidate in a round; who stays after it; whether F > P > k
        may be violated; what decides pairings, leaves and sides.
    label_set : str, optional
        Another label set of a campaign than its reference.
    topic_set : path or collection of str, optional
        Only these topics.
    scale, off_scale
        Which grades there can be, and what others are.
    sign, outcomes
        How a file or frame writes outcomes: `sign` and `way` of `read_preferences`.

    Returns
    -------
    TopkHits
        The same for ever for the same pairs and seed.

    Raises
    ------
    InputError
        If a file is not as it should be.
    UsageError
        If the setting is wrong.
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
    setting = TopkSetting(
        k=k, method=method, finalists=finalists, pairings=pairings, keep=keep, forced=forced,
        seed=seed,
    )  # fmt: skip
    _, pools = candidates_of(
        labels, setting, label_set=label_set, topic_set=topic_set, scale=scale, off_scale=off_scale
    )
    log = log_of(answers, labels, sign=sign, outcomes=outcomes)
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
    who = f"approval of {of_hits.approval:g} % or more, {of_hits.completed} HITs or more"
    where = f", from {', '.join(of_hits.countries)}" if of_hits.countries else ""
    cost = f"{len(hits) * of_hits.price:.2f} {of_hits.currency} with fees"
    notes = [*misfit_notes(pools, log, setting), *progress_notes(state_of, log)]
    notes.append(f"HITs: {len(hits)}, which cost {cost}; workers: {who}{where}")
    return TopkHits(hits=hits, terms=of_hits, notes=tuple(notes))
