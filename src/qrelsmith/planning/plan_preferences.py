"""The preference tests that PDP needs, over several scales at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Literal

import numpy as np

from qrelsmith.base.errors import InputError, UndefinedError, UsageError, quoted
from qrelsmith.base.questions import question
from qrelsmith.base.results import Result
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.base.tables import Table
from qrelsmith.collection.qrels import Qrels
from qrelsmith.discrimination.preferences.drawing import ScaleCounts, draw_tests
from qrelsmith.discrimination.preferences.needed import NeededTests, needed_tests
from qrelsmith.io.cells import OffScale
from qrelsmith.io.given_values import is_frame, is_nested
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.given_labels import on_scale
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.label_transforms import aggregated_qrels
from qrelsmith.judgments.preference_sources import PreferencesLike, preferences_of
from qrelsmith.judgments.sources import LabelSets, as_judgments
from qrelsmith.judgments.topic_sources import TopicSet, of_topics
from qrelsmith.pairs.preferences import Preferences

_PAIRS_SHOWN = 55  # pairs of grades of a scale that are told one by one; 11 levels


@dataclass(frozen=True, eq=False, kw_only=True)
class PlannedTests(Result):
    """Preference tests to be judged.

    Attributes
    ----------
    rows : tuple of (str, str, str)
        Topic, left and right doc of each test, in the order in which to hand them out.
    scales : mapping of str to ScaleCounts
        For each set of labels, how many tests there are for each pair of grades.
    needed : NeededTests
        How many tests an estimate takes that is as near as was asked for.
    """

    rows: tuple[tuple[str, str, str], ...]
    scales: Mapping[str, ScaleCounts]
    needed: NeededTests

    def table(self) -> Table:
        """Topic, left, right; with a column outcome they are preferences for `pdp`."""
        return Table.of(("topic", "left", "right"), self.rows)


@question(
    command="plan preferences",
    no_audit="it is asked where the audit lacks preferences; its section on PDP names the command",
)
def plan_preferences(
    labels: LabelSets,
    *,
    per_pair: int = 100,
    after: PreferencesLike = None,
    delta: float = 0.05,
    probability: float = 0.95,
    label_set: Sequence[str] = (),
    group: str | None = None,
    errors: Literal["missing", "nonrelevant"] = "missing",
    topic_set: TopicSet | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
    seed: int = 0,
) -> PlannedTests:
    """Draw the preference tests that PDP needs: pairs of docs of a topic with different grades.

    A test serves every set of labels at once.

    Parameters
    ----------
    labels : campaign, label sets, paths, frames, or one of them
        Each on a scale, as qrels or judgments; of several assessors of a doc the lower median
        counts, codes below 0 are no grades. Of a campaign all label sets with levels.
    per_pair : int
        Tests for each pair of different grades of each set; where there are fewer pairs of docs,
        all of them.
    after : Preferences, path, data frame, mapping, or a list of these, optional
        The answers so far: only what pairs of grades lack to `per_pair` is drawn, and no pair that
        was answered.
    delta, probability : float
        How near the estimate of a preference probability is to be, and with which probability.
    label_set : sequence of str
        Only these label sets of a campaign.
    group : str, optional
        Only the judgments of this group.
    errors : {'missing', 'nonrelevant'}
        What the code −2 (could not be displayed) is: no grade, or the grade 0.
    topic_set : path or collection of str, optional
        Only these topics.
    scale : Scale, optional
        The levels, if all sets have the same; without it, the grades that occur in each.
    off_scale : {'error', 'missing'}
        What a grade off the scale is.
    seed : int
        With the same labels, it means the same tests for ever. The order of lines does not matter.

    Returns
    -------
    PlannedTests

    Raises
    ------
    InputError
        If a file is not as it should be, or holds no judgments.
    UsageError
        If a grade is off the scale, or there are too many levels.
    UndefinedError
        If a set of labels has no grade.

    Examples
    --------
    >>> plan = plan_preferences({"t1": {"d1": 1, "d2": 0, "d3": 0}}, per_pair=1)
    >>> len(plan.rows), plan.scales["qrels"].possible[0, 1]
    (1, np.int64(2))
    """
    named = _label_sets(
        labels, label_set, group=group, errors=errors, topic_set=topic_set, scale=scale,
        off_scale=off_scale,
    )  # fmt: skip
    needed = needed_tests(delta=delta, probability=probability)
    drawn = _draw_tests(
        list(named.values()), per_pair=per_pair, seed=seed, scale=scale,
        before=None if after is None else preferences_of(after),
    )  # fmt: skip
    counts = dict(zip(named, drawn[1], strict=True))
    notes = [note for name, of_set in counts.items() for note in _notes(name, of_set, per_pair)]
    notes.append(
        f"tests in all: {len(drawn[0])}; a preference probability near 0.5 is within ±{delta:g}"
        f" with probability {probability:g} from {needed.tests} tests for a pair on (exact"
        f" binomial: {needed.exact})"
    )
    return PlannedTests(rows=drawn[0], scales=counts, needed=needed, notes=tuple(notes))


def _label_sets(
    labels: LabelSets,
    wanted: Sequence[str],
    *,
    group: str | None,
    errors: Literal["missing", "nonrelevant"],
    topic_set: TopicSet | None,
    scale: Scale | None,
    off_scale: OffScale,
) -> dict[str, Qrels]:
    """One grade for each doc of each set, by the set's name."""
    campaign = campaign_of(labels)
    judgments_by_name: dict[str, Judgments] = {}
    if campaign is not None:
        for name in wanted:
            campaign.check(name)
        for name in wanted or campaign.label_sets:
            if wanted or scale is not None or campaign.scale_text(name) != "real":
                own = campaign.judgments_of(name)
                judgments_by_name[name] = on_scale(own, scale, off_scale=off_scale)
        if not judgments_by_name:
            raise UndefinedError("the grades of all label sets are on a continuum")
    elif wanted:
        raise UsageError("label_set goes with a campaign")
    else:
        for name, each in _sources(labels).items():
            judgments_by_name[name] = as_judgments(each, scale=scale, off_scale=off_scale)
    named = {}
    for name, judgments in judgments_by_name.items():
        if not len(judgments):
            raise InputError("there are no judgments; expected at least one", path=name)
        by_median = aggregated_qrels(
            of_topics(judgments, topic_set), "median", group=group, errors=errors, scale=scale,
            name=name,
        )  # fmt: skip
        named[name] = by_median.qrels
    return named


def _sources(labels: LabelSets) -> dict[str, Any]:
    """Several sources of labels by name."""
    if isinstance(labels, Mapping) and not is_nested(labels) and not is_frame(labels):
        return {str(name): source for name, source in labels.items()}
    listed = list(labels) if isinstance(labels, list | tuple) else [labels]
    named: dict[str, Any] = {}
    for source in listed:
        is_path = isinstance(source, str | PathLike)
        name = str(source) if is_path else getattr(source, "name", "qrels")
        if name in named:
            raise UsageError(
                f"two label sets are called {quoted(name)}; name them: {{name: qrels}}"
            )
        named[name] = source
    return named


def _draw_tests(
    sets: Sequence[Qrels],
    *,
    per_pair: int,
    seed: int,
    scale: Scale | None,
    before: Preferences | None,
) -> tuple[tuple[tuple[str, str, str], ...], tuple[ScaleCounts, ...]]:
    """The tests, and how they spread over the pairs of grades of each set."""
    docs_of: dict[str, set[str]] = {}
    for judgments in sets:
        for topic, doc, _ in judgments.rows():
            docs_of.setdefault(topic, set()).add(doc)
    topics = sorted(docs_of)
    docs = [sorted(docs_of[topic]) for topic in topics]
    widest = max(map(len, docs))
    topic_place = {topic: place for place, topic in enumerate(topics)}
    doc_place = [{doc: place for place, doc in enumerate(names)} for names in docs]
    arrays = []
    for judgments in sets:
        grades = np.full((len(topics), widest), np.nan)
        for topic, doc, grade in judgments.rows():
            place = topic_place[topic]
            grades[place, doc_place[place][doc]] = grade
        arrays.append(grades)
    answered = (
        ()
        if before is None
        else (
            (
                topic_place[topic],
                doc_place[topic_place[topic]][left],
                doc_place[topic_place[topic]][right],
            )
            for topic, left, right, *_ in before.current().rows()
            if topic in topic_place and {left, right} <= docs_of[topic]
        )
    )
    drawn = draw_tests(
        arrays,
        per_pair=per_pair,
        seed=seed,
        before=answered,
        levels=None if scale is None else [scale.levels] * len(arrays),
        topic_keys=topics,
        # Numbers, which no doc is called, fill the places after a topic's docs.
        doc_keys=[[*names, *range(len(names), widest)] for names in docs],
    )
    places = zip(drawn.topics.tolist(), drawn.left.tolist(), drawn.right.tolist(), strict=True)
    rows = tuple((topics[t], docs[t][left], docs[t][right]) for t, left, right in places)
    return rows, drawn.scales


def _notes(name: str, counts: ScaleCounts, per_pair: int) -> list[str]:
    """How many tests each pair of grades of a scale has."""
    count = len(counts.levels)
    pairs = [(low, high) for low in range(count) for high in range(low + 1, count)]
    if not pairs:
        return [
            f"{name}: all grades are {grade_text(counts.levels[0])}: there is no pair of grades"
        ]
    if len(pairs) <= _PAIRS_SHOWN:
        text = [grade_text(level) for level in counts.levels]
        return [
            f"{name}: grades {text[low]} and {text[high]}: {counts.drawn[low, high]} tests of"
            f" {counts.possible[low, high]} possible"
            for low, high in pairs
        ]
    drawn = [int(counts.drawn[pair]) for pair in pairs]
    short = f"{len(counts.short(per_pair))} of them fewer than {per_pair}, which are all there are"
    return [
        f"{name}: {len(pairs)} pairs of grades have {min(drawn)} to {max(drawn)} tests; {short}"
    ]
