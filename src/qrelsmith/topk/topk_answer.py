"""Answers that come in while the top k are looked for."""

from __future__ import annotations

from dataclasses import dataclass

from qrelsmith.base.errors import UsageError
from qrelsmith.base.questions import question
from qrelsmith.base.scales import Scale
from qrelsmith.io.cells import OffScale
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.preference_sources import PreferencesLike, preferences_of
from qrelsmith.judgments.sources import QrelsLike
from qrelsmith.judgments.topic_sources import TopicSet
from qrelsmith.pairs.outcomes import Sign, Way
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.topk.culling import Keep
from qrelsmith.topk.drawn import DrawnPairs
from qrelsmith.topk.topk_answers import placed_answers
from qrelsmith.topk.topk_fit import misfit
from qrelsmith.topk.topk_pairs import TopkPairs
from qrelsmith.topk.topk_sessions import TopkSetting, progress_notes, states
from qrelsmith.topk.topk_sources import candidates_of, drawn_pairs_of


@dataclass(frozen=True, eq=False, kw_only=True)
class TopkAnswers(TopkPairs):
    """Answers that were taken in, and the pairs of their topics that can be judged now.

    Attributes
    ----------
    added : Preferences
        The new answers, each with the round that asked for it.
    log : Preferences
        The answers before, and these.
    """

    added: Preferences
    log: Preferences


@question(
    command="topk answer",
    no_audit="it is asked while preferences are collected",
    flags={"forced": "--force", "new_answers": "--from"},
)
def topk_answer(
    labels: QrelsLike,
    answers: PreferencesLike,
    new_answers: PreferencesLike,
    *,
    k: int = 5,
    method: str = "rounds",
    finalists: int = 9,
    pairings: int = 7,
    keep: Keep = "majority",
    forced: bool = False,
    pairs: DrawnPairs | FilePath | None = None,
    label_set: str | None = None,
    topic_set: TopicSet | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    sign: Sign = "negative-left",
    outcomes: Way | None = None,
    seed: int = 0,
) -> TopkAnswers:
    """Take answers into a log: each gets the round that asked, and what follows is told.

    A second answer of an assessor to a pair changes the first; an undo withdraws it.

    Parameters
    ----------
    labels : campaign, Qrels, path, {topic: {doc: grade}}, or data frame
        The grades that candidates come from; of a campaign its reference.
    answers : Preferences, path, data frame, mapping, or rows
        The log of answers so far; None: there are none.
    new_answers : Preferences, path, data frame, mapping, or rows
        The answers that come in.
    k, method, finalists, pairings, keep, forced, seed
        How the top is looked for: k docs; a scheduler of `SCHEDULERS`; up to F candidates all pairs
        are judged; P pairings of each candidate in a round; who stays after it; whether F > P > k
        may be violated; what decides pairings, leaves and sides.
    pairs : path or mapping of str to pairs, optional
        The list whose pairs the method `drawn` asks, by topic, such as that of `plan preferences`.
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
    TopkAnswers
        Nothing is written; `log` is the log with the answers.

    Raises
    ------
    InputError
        If a file is not as it should be.
    UsageError
        If the setting is wrong, a topic or doc is not known, there is nothing to withdraw, or
        answers are to pairs that the setting never asked, unless it is forced.
    UndefinedError
        If no doc has a grade above 0.

    Examples
    --------
    >>> grades = {"t1": {"d1": 2, "d2": 2, "d3": 2, "d4": 0}}
    >>> first = topk_answer(grades, None, [("t1", "d1", "d2", -1, "ann")], k=2)
    >>> second = topk_answer(grades, first.log, [("t1", "d1", "d2", None, "ann")], k=2)
    >>> len(second.log), len(second.log.current()), len(second.states["t1"].open_pairs)
    (2, 0, 3)
    """
    setting = TopkSetting(
        k=k, method=method, finalists=finalists, pairings=pairings, keep=keep, forced=forced,
        seed=seed, pairs=drawn_pairs_of(pairs),
    )  # fmt: skip
    _, pools = candidates_of(
        labels, setting, label_set=label_set, topic_set=topic_set, scale=scale, off_scale=off_scale
    )
    log = preferences_of(answers)
    new = preferences_of(new_answers, way=outcomes, sign=sign)
    added, notes = placed_answers(new, pools, states(pools, log, setting), log)
    whole = Preferences.join([log, added])
    problem = None if forced else misfit(pools, whole, setting)
    if problem is not None:
        raise UsageError(f"{problem} (--force adds the answers all the same)")
    found = states(pools, whole, setting)
    return TopkAnswers(
        states={topic: found[topic] for topic in found if topic in set(added.topics)},
        added=added,
        log=whole,
        notes=(*notes, *progress_notes(found, log)),
    )
