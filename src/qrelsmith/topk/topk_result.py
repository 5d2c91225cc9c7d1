"""The best docs of each topic by preferences."""

from __future__ import annotations

from dataclasses import replace

from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.questions import question
from qrelsmith.base.scales import Scale
from qrelsmith.io.cells import OffScale
from qrelsmith.judgments.preference_sources import PreferencesLike
from qrelsmith.judgments.sources import QrelsLike
from qrelsmith.judgments.topic_sources import TopicSet
from qrelsmith.pairs.outcomes import Sign, Way
from qrelsmith.topk.culling import Keep
from qrelsmith.topk.topk_results import TopkResults, topk_results
from qrelsmith.topk.topk_sessions import TopkSetting
from qrelsmith.topk.topk_sources import candidates_of, log_of, misfit_notes


@question(
    command="topk result",
    audit=("compatibility",),
    flags={"forced": "--force"},
)
def topk_result(
    labels: QrelsLike,
    preferences: PreferencesLike = None,
    *,
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
) -> TopkResults:
    """The best k docs of each topic, by grades and preferences; ties at rank k are kept.

    A log that names rounds is replayed. Preferences that name none, such as released ones, are
    taken for what they settle: of rounds the final is told by how often each doc was judged; of a
    tournament whatever order the answers fix from the top.

    Parameters
    ----------
    labels : campaign, Qrels, path, {topic: {doc: grade}}, or data frame
        The grades that candidates come from; of a campaign its reference.
    preferences : Preferences, path, data frame, mapping, or a list of these
        A log, or preferences in any form; those that stand count. A campaign's own are the default.
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
    TopkResults
        `top`, `best` and `combined` are qrels made of it.

    Raises
    ------
    InputError
        If a file is not as it should be.
    UsageError
        If the setting is wrong.
    UndefinedError
        If no doc has a grade above 0, or there are no preferences.

    References
    ----------
    Clarke, Vtyurina and Smucker (2021), section 4.

    Examples
    --------
    >>> grades = {"t1": {"d1": 2, "d2": 2, "d3": 2, "d4": 0}}
    >>> answers = {"t1": [("d2", "d1"), ("d2", "d3"), ("d3", "d1")]}
    >>> print(topk_result(grades, answers, k=2))
    topic  doc  rank  wins
    ─────  ───  ────  ────
    t1     d2      1     2
    t1     d3      2     1
    """
    setting = TopkSetting(
        k=k, method=method, finalists=finalists, pairings=pairings, keep=keep, forced=forced,
        seed=seed,
    )  # fmt: skip
    graded, pools = candidates_of(
        labels, setting, label_set=label_set, topic_set=topic_set, scale=scale, off_scale=off_scale
    )
    log = log_of(preferences, labels, sign=sign, outcomes=outcomes)
    if not len(log):
        raise UndefinedError("there are no preferences; expected at least one")
    found = topk_results(pools, log, setting, graded=graded)
    notes = misfit_notes(pools, log, setting) if log.round.any() else []
    return replace(found, notes=(*notes, *found.notes))
