"""The pairs of docs that can be judged now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale
from qrelsmith.base.tables import Cell, Table
from qrelsmith.io.cells import OffScale
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.preference_sources import PreferencesLike
from qrelsmith.judgments.sources import QrelsLike
from qrelsmith.judgments.topic_sources import TopicSet
from qrelsmith.pairs.outcomes import Sign, Way
from qrelsmith.topk import State
from qrelsmith.topk.culling import Keep
from qrelsmith.topk.drawn import DrawnPairs
from qrelsmith.topk.topk_sessions import TopkSetting, progress_notes, states
from qrelsmith.topk.topk_sources import candidates_of, drawn_pairs_of, log_of, misfit_notes


@dataclass(frozen=True, eq=False, kw_only=True)
class TopkPairs(Result):
    """The pairs that can be judged now.

    Attributes
    ----------
    states : mapping of str to State
        Where each topic stands: its open pairs, what is settled, how many pairs were judged.
    each : int or None
        How many pairs of each topic the table has; None: all.
    """

    states: Mapping[str, State]
    each: int | None = None

    def table(self) -> Table:
        """Topic, round, left and right, on the sides on which to show them."""
        rows: list[tuple[Cell, ...]] = [
            (topic, pair.round, pair.left, pair.right)
            for topic, state in self.states.items()
            for pair in state.open_pairs[: self.each]
        ]
        return Table.of(("topic", "round", "left", "right"), rows)


@question(
    command="topk pairs",
    no_audit="it is asked while preferences are collected",
    flags={"forced": "--force"},
)
def topk_pairs(
    labels: QrelsLike,
    answers: PreferencesLike = None,
    *,
    each: int | None = None,
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
) -> TopkPairs:
    """The pairs that can be judged now, as they follow from grades and the answers so far.

    Parameters
    ----------
    labels : campaign, Qrels, path, {topic: {doc: grade}}, or data frame
        The grades that candidates come from; of a campaign its reference.
    answers : Preferences, path, data frame, mapping, or rows
        The log of answers; a campaign's own is the default, else there are none yet.
    each : int, optional
        How many pairs of each topic; by default all.
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
    TopkPairs
        The same for the same answers and seed, in whatever order the answers came.

    Raises
    ------
    InputError
        If a file is not as it should be.
    UsageError
        If the setting is wrong.
    UndefinedError
        If no doc has a grade above 0.

    Examples
    --------
    >>> grades = {"t1": {"d1": 2, "d2": 2, "d3": 2, "d4": 0}}
    >>> len(topk_pairs(grades, k=2).table().rows)
    3
    >>> len(topk_pairs(grades, {"t1": [("d1", "d2")]}, k=2).table().rows)
    2
    """
    setting = TopkSetting(
        k=k, method=method, finalists=finalists, pairings=pairings, keep=keep, forced=forced,
        seed=seed, pairs=drawn_pairs_of(pairs),
    )  # fmt: skip
    _, pools = candidates_of(
        labels, setting, label_set=label_set, topic_set=topic_set, scale=scale, off_scale=off_scale
    )
    log = log_of(answers, labels, sign=sign, outcomes=outcomes)
    found = states(pools, log, setting)
    return TopkPairs(
        states=found,
        each=each,
        notes=(*misfit_notes(pools, log, setting), *progress_notes(found, log)),
    )
