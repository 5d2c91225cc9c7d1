"""Functions, registered with `PLANTS.add`, that simulate each kind of damage in a group's labels.

Each function takes the group's events, a size and random numbers. The function returns the events
with the damage, and the names of the damage's sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np

from qrelsmith.base.arrays import FloatArray
from qrelsmith.base.errors import UsageError
from qrelsmith.damages import planting
from qrelsmith.planning.damaged_groups import PLANTS, GroupEvents, Planted
from qrelsmith.planning.simulated_campaign import team_name


def _draw_topics(work: GroupEvents, count: float, rng: np.random.Generator) -> list[int]:
    """Draw a number of the group's topics, among the topics with more than one true grade."""
    varied = [
        topic
        for topic in work.topics().tolist()
        if np.ptp(np.nan_to_num(work.campaign.true_grades()[topic])) > 0
    ]
    if count > len(varied):
        raise UsageError(f"the damage affects {count:g} topics; expected at most {len(varied)}")
    return sorted(rng.choice(varied, int(count), replace=False).tolist())


def _topic_names(work: GroupEvents, topics: Sequence[int]) -> tuple[str, ...]:
    return tuple(work.campaign.topics[topic] for topic in topics)


@PLANTS.add(
    "shifted",
    size=2,
    unit="number of topics whose labels are shifted by one or two places",
    whole=True,
)
def _shifted(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    topics, places = _draw_topics(work, size, rng), work.pool_places()
    lags = {topic: int(rng.choice([-2, -1, 1, 2])) for topic in topics}

    def move(grades: FloatArray, _: int) -> FloatArray:
        for topic, lag in lags.items():
            if not np.isnan(grades[topic]).all():
                grades = planting.shift(grades, topic, lag, places=places)
        return grades

    return work.with_grades(move), _topic_names(work, topics)


@PLANTS.add(
    "swapped", size=1, unit="number of topic pairs whose label lists are swapped", whole=True
)
def _swapped(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    topics, places = _draw_topics(work, 2 * size, rng), work.pool_places()
    pairs = list(zip(topics[::2], topics[1::2], strict=True))
    own = {who: work.grades(who) for who in work.assessors}
    changed = {who: grades.copy() for who, grades in own.items()}
    for first, second in pairs:
        judges = [
            [who for who, grades in own.items() if not np.isnan(grades[topic]).all()]
            for topic in (first, second)
        ]
        # Each assessor's own list goes to one assessor of the other topic.
        for at in range(max(map(len, judges))):
            one, two = (of[at % len(of)] for of in judges)
            lists = own[one].copy()
            lists[second] = own[two][second]
            swapped = planting.swap(lists, first, second, places=places)
            changed[one][first], changed[two][second] = swapped[first], swapped[second]

    def exchange(grades: FloatArray, who: int) -> FloatArray:
        return np.where(np.isnan(grades), np.nan, changed[who])

    return work.with_grades(exchange), _topic_names(work, topics)


@PLANTS.add("reversed", size=1, unit="number of topics with a reversed scale", whole=True)
def _reversed(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    topics = _draw_topics(work, size, rng)

    def turn(grades: FloatArray, _: int) -> FloatArray:
        for topic in topics:
            grades = planting.reverse(grades, topic, top=work.top)
        return grades

    return work.with_grades(turn), _topic_names(work, topics)


@PLANTS.add(
    "constant", size=1, unit="number of topics whose docs all have the same grade", whole=True
)
def _constant(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    topics = _draw_topics(work, size, rng)

    def flatten(grades: FloatArray, _: int) -> FloatArray:
        for topic in topics:
            grades = planting.make_constant(grades, topic, work.top)
        return grades

    return work.with_grades(flatten), _topic_names(work, topics)


@PLANTS.add("constant-set", size=1.0, most=1.0, unit="share of labels with the same grade")
def _constant_set(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    def flatten(grades: FloatArray, _: int) -> FloatArray:
        return planting.repeat_grade(grades, size, 1.0, rng=rng)

    return work.with_grades(flatten), ()


@PLANTS.add(
    "constant-assessor", size=1.0, most=1.0, unit="share of the assessor's docs with the same grade"
)
def _constant_assessor(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    who = work.random_assessor(rng)

    def flatten(grades: FloatArray, _: int) -> FloatArray:
        return planting.repeat_grade(grades, size, 1.0, rng=rng)

    return work.with_grades(flatten, [who]), work.names([who])


@PLANTS.add("off-scale", size=5, unit="number of grades above the scale", whole=True)
def _off_scale(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    events = work.campaign.events
    # Choose first answers and change all answers on these docs, so that current labels change.
    rows = np.flatnonzero(work.rows() & (events.revision == 1))
    grades = events.grade.copy()
    for row in rng.choice(rows, min(int(size), len(rows)), replace=False).tolist():
        same = work.rows([int(events.assessor[row])]) & (events.doc == events.doc[row])
        grades[same & (events.topic == events.topic[row])] = work.top + 5
    return replace(events, grade=grades), ()


@PLANTS.add(
    "favoured", size=0.4, most=1.0, unit="share of a team's docs that are graded one level too high"
)
def _favoured(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    campaign = work.campaign
    teams = campaign.design.systems.team_of()
    team = int(rng.choice(np.unique(teams)))
    docs = np.zeros(campaign.truth.shape, dtype=bool)
    for system in np.flatnonzero(teams == team).tolist():
        tops = campaign.ranked[system, :, :10]
        docs[np.arange(len(tops))[:, None], tops] = True

    def lift(grades: FloatArray, _: int) -> FloatArray:
        return planting.favour(grades, docs, size, top=work.top, rng=rng)

    return work.with_grades(lift), (team_name(team),)


@PLANTS.add("drift", size=1.0, unit="change in grades from the first topic to the last")
def _drift(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    sequence = np.arange(len(work.campaign.topics), dtype=float)

    def rise(grades: FloatArray, _: int) -> FloatArray:
        return planting.drift(grades, size, sequence=sequence, top=work.top, rng=rng)

    return work.with_grades(rise), ()


@PLANTS.add(
    "position", size=1.0, unit="change in grades from a topic's first doc to its last", random=True
)
def _position(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    def rise(grades: FloatArray, who: int) -> FloatArray:
        places = work.judging_places(who)
        return planting.place_effect(grades, size, places=places, top=work.top, rng=rng)

    return work.with_grades(rise), ()


@PLANTS.add(
    "anchoring",
    size=0.4,
    most=1.0,
    unit="share of grades that repeat the previous grade",
    random=True,
)
def _anchoring(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    def repeat(grades: FloatArray, who: int) -> FloatArray:
        return planting.anchor(grades, size, places=work.judging_places(who), rng=rng)

    return work.with_grades(repeat), ()


@PLANTS.add(
    "tail",
    size=30,
    unit="position in each topic from which all docs get the lowest grade",
    whole=True,
)
def _tail(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:  # noqa: ARG001
    def stop(grades: FloatArray, who: int) -> FloatArray:
        return planting.lazy_tail(grades, int(size), places=work.judging_places(who))

    return work.with_grades(stop), ()


@PLANTS.add("copied", size=0.9, most=1.0, unit="share of grades copied from another assessor")
def _copied(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    graded = {who: ~np.isnan(work.grades(who)) for who in work.assessors}
    shared = {
        pair: int((graded[pair[0]] & graded[pair[1]]).sum())
        for pair in combinations(work.assessors, 2)
    }
    source, copier = max(shared, key=lambda pair: shared[pair], default=(0, 0))
    if not shared.get((source, copier)):
        raise UsageError(
            "damage 'copied': no two assessors of the group judge the same docs; expected a "
            "higher per_doc"
        )
    taken = work.grades(source)

    def copy(grades: FloatArray, _: int) -> FloatArray:
        return planting.copy_from(grades, taken, size, rng=rng)

    return work.with_grades(copy, [copier]), work.names([source, copier])


@PLANTS.add("outlying-assessor", size=1.0, most=1.0, unit="share of topics graded at random")
def _outlying(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    who = work.random_assessor(rng)

    def guess(grades: FloatArray, _: int) -> FloatArray:
        return planting.randomise(grades, rng.random(len(grades)) < size, rng=rng)

    return work.with_grades(guess, [who]), work.names([who])


@PLANTS.add("hurried", size=0.7, unit="seconds per doc")
def _hurried(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    who = work.random_assessor(rng)
    events = work.campaign.events
    shown, judged, idle = events.shown.copy(), events.judged.copy(), events.idle.copy()
    rows = np.flatnonzero(work.rows([who]))
    seconds = size * np.exp(0.3 * rng.standard_normal(len(rows)))
    begins = np.flatnonzero(np.append(True, np.diff(events.topic[rows]) != 0))
    for first, last in pairwise([*begins.tolist(), len(rows)]):
        judged[rows[first:last]] = np.cumsum(seconds[first:last])
    shown[rows], idle[rows] = judged[rows] - seconds, 0.0
    return replace(events, shown=shown, judged=judged, idle=idle), work.names([who])


@PLANTS.add("unrelated", size=1.0, most=1.0, unit="share of topics graded at random")
def _unrelated(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    topics = rng.random(len(work.campaign.topics)) < size

    def guess(grades: FloatArray, _: int) -> FloatArray:
        return planting.randomise(grades, topics, rng=rng)

    return work.with_grades(guess), ()


@PLANTS.add("unexplained", size=1, unit="number of topics graded at random", whole=True)
def _unexplained(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    topics = _draw_topics(work, size, rng)
    chosen = np.isin(np.arange(len(work.campaign.topics)), topics)

    def guess(grades: FloatArray, _: int) -> FloatArray:
        return planting.randomise(grades, chosen, rng=rng)

    return work.with_grades(guess), _topic_names(work, topics)


@PLANTS.add(
    "missing-positives",
    size=0.5,
    most=1.0,
    unit="share of relevant docs that are graded as not relevant",
)
def _missing_positives(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    lost = rng.random(work.campaign.truth.shape) < size

    def lose(grades: FloatArray, _: int) -> FloatArray:
        return np.where(lost & (grades > 0), 0.0, grades)

    return work.with_grades(lose), ()


@PLANTS.add(
    "follows-docno", size=2.0, unit="change in grades from a topic's first docno to its last"
)
def _follows_docno(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    pooled = work.pool_places() >= 0
    places = np.where(pooled, np.cumsum(pooled, axis=1) - 1, -1)

    def rise(grades: FloatArray, _: int) -> FloatArray:
        return planting.place_effect(grades, size, places=places, top=work.top, rng=rng)

    return work.with_grades(rise), ()


@PLANTS.add("unused-level", size=1, unit="number of top levels that are never used", whole=True)
def _unused_level(work: GroupEvents, size: float, rng: np.random.Generator) -> Planted:
    who = work.random_assessor(rng)

    def cap(grades: FloatArray, _: int) -> FloatArray:
        return np.minimum(grades, work.top - size)

    return work.with_grades(cap, [who]), work.names([who])
