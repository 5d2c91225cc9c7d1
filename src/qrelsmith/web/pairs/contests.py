"""Opening of preference tasks: the candidates of each topic, and the assessors of its pairs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from qrelsmith.base.errors import InputError, UndefinedError, quoted
from qrelsmith.base.rng import shuffle
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.topk.drawn import DrawnPairs
from qrelsmith.topk.topk_sessions import TopicPool, TopkSetting, drawn_pools, topic_pools
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.database import writing
from qrelsmith.web.core.names import check_assessor
from qrelsmith.web.models import Assessor, Contest, Doc, PairTask, Topic
from qrelsmith.web.pairs.choices import record_choices
from qrelsmith.web.pairs.grades import grades
from qrelsmith.web.pairs.open_pairs import derive, recount
from qrelsmith.web.pairs.searches import search_of, setting_of

_RECORD = "contests"


@dataclass(slots=True)
class Opening:
    """The preference tasks opened, or planned in a dry run.

    Attributes
    ----------
    contests : Counts
        Numbers of new, changed and unchanged tasks.
    kept : list of str
        Topics whose grades or setting have changed, but whose pairs were already judged.
    unfinished : tuple of str
        Topics with unfinished grading.
    without : list of str
        Topics with at most one candidate.
    missing : int
        Number of additional assessors that each pair needs.
    """

    contests: Counts = field(default_factory=lambda: Counts("contests"))
    kept: list[str] = field(default_factory=list)
    unfinished: tuple[str, ...] = ()
    without: list[str] = field(default_factory=list)
    missing: int = 0

    def notes(self) -> list[str]:
        """Return the notes, one sentence each."""
        told = {
            "not fully graded, so without a preference task": self.unfinished,
            "with at most one candidate, so without a preference task": self.without,
            "already judged, so left unchanged although grades or settings changed": self.kept,
        }
        notes = [f"topics {what}: {', '.join(topics)}" for what, topics in told.items() if topics]
        if self.missing:
            notes.append(
                f"the groups lack {self.missing} assessors; without them, no pair gets as many"
                " answers as per_pair requires"
            )
        return notes


def open_contests(
    campaign: Campaign,
    *,
    is_dry: bool = False,
    renew: bool = False,
    unfinished: bool = False,
    coming: Mapping[str, Collection[str]] | None = None,
) -> Opening:
    """Open a preference task for every topic with grades, and update existing tasks.

    A task with answers does not change unless `renew` is set. The answers of such a task are then
    kept, and used for pairs that are asked again.

    Parameters
    ----------
    campaign : Campaign
        The campaign.
    is_dry : bool
        Whether to record nothing.
    renew : bool
        Whether to update also tasks with answers.
    unfinished : bool
        Whether to include topics with unfinished grading.
    coming : mapping of str to collection of str, optional
        Names of `topics` and `docs` that a planned import will add.

    Raises
    ------
    UsageError
        If the campaign judges no preferences.
    InputError
        If the setting, the grades or the docs are invalid; nothing is recorded then.
    """
    search, setting = search_of(campaign), setting_of(campaign)
    opening = Opening()
    names = coming or {}
    known_topics = {*Topic.objects.values_list("name", flat=True), *names.get("topics", ())}
    pools = _pools(campaign, search, opening, known_topics, unfinished=unfinished)
    docs = set(Doc.objects.filter(version__gt=0).values_list("name", flat=True))
    docs.update(names.get("docs", ()))
    touched: list[int] = []
    with writing():
        if not is_dry:
            record_choices(campaign)
            assessors = _assessors(campaign)
            opening.missing = max(int(setting["per_pair"]) - len(assessors), 0)
        known = {each.topic.name: each for each in Contest.objects.select_related("topic")}
        topics = {topic.name: topic for topic in Topic.objects.all()}
        for pool in pools:
            content = _content(pool, setting, search.pairs)
            contest = known.get(pool.topic)
            if not _is_due(contest, content, opening, pool.topic, renew=renew):
                continue
            _check_docs(pool, docs)
            if not is_dry:
                touched.append(_put(contest, topics[pool.topic], content))
        if not is_dry and setting["share"] == "topic":
            _deal(search, assessors, touched)
    for pk in touched:
        derive(pk)
    return opening


def opened_from_file(
    campaign: Campaign, *, coming: Mapping[str, Collection[str]] | None = None
) -> Opening | None:
    """Open the preference tasks of a campaign with grades in a file; None if there is no file.

    If the grades come from the app, an organiser decides when they are ready. If `coming` (the
    names that a planned import will add) is given, nothing is recorded.

    Raises
    ------
    InputError
        As for `open_contests`.
    """
    preferring = campaign.preference_judging
    if preferring is None or not preferring.is_from_file:
        return None
    # An export may lack its qrels; its preference tasks are then in its records.
    is_gone = not (campaign.folder / (preferring.pairs or preferring.source_file)).exists()
    if is_gone and Contest.objects.exists():
        return None
    return open_contests(campaign, is_dry=coming is not None, coming=coming)


def expected_pairs(setting: Mapping[str, Any], candidates: int) -> int:
    """Return the approximate number of answers: a bound for tournaments, a forecast for rounds."""
    names = TopkSetting.__dataclass_fields__
    search = TopkSetting(**{name: setting[name] for name in names if name in setting})
    return search.expected_pairs(candidates) * int(setting["per_pair"])


def _pools(
    campaign: Campaign,
    search: TopkSetting,
    opening: Opening,
    topics: Collection[str],
    *,
    unfinished: bool,
) -> list[TopicPool]:
    """Return the candidates of all known topics with at least two candidates."""
    preferring = campaign.preference_judging
    if preferring is None:
        return []
    if search.pairs is not None:
        pools = drawn_pools(search.pairs)
    else:
        graded = grades(campaign, preferring, unfinished=unfinished)
        opening.unfinished = graded.unfinished
        if graded.qrels is None:
            return []
        try:
            pools = topic_pools(graded.qrels, k=search.k)
        except UndefinedError:
            opening.without = list(graded.qrels.topics)
            return []
    there = [pool for pool in pools if pool.topic in topics]
    opening.without = [pool.topic for pool in there if len(pool.candidates) < 2]
    return [pool for pool in there if len(pool.candidates) > 1]


def _check_docs(pool: TopicPool, docs: set[str]) -> None:
    """Raise `InputError` if a candidate cannot be shown."""
    for doc in pool.candidates:
        if doc not in docs:
            raise InputError(
                f"the doc {quoted(doc)} of topic {quoted(pool.topic)} is a candidate "
                "but is missing from the documents"
            )


def _content(
    pool: TopicPool, setting: Mapping[str, Any], drawn: DrawnPairs | None
) -> dict[str, Any]:
    if drawn is None:
        expected = expected_pairs(setting, len(pool.candidates))
    else:
        own = [list(pair) for pair in drawn[pool.topic]]
        setting = {**setting, "pairs": {pool.topic: own}}
        expected = len(own) * int(setting["per_pair"])
    return {
        "candidates": dict(zip(pool.candidates, pool.grades.tolist(), strict=True)),
        "nonrelevant": list(pool.nonrelevant),
        "setting": {**setting, "expected": expected},
    }


def _is_due(
    contest: Contest | None,
    content: Mapping[str, Any],
    opening: Opening,
    topic: str,
    *,
    renew: bool,
) -> bool:
    """Count a task, and return whether it must be opened or changed."""
    counts = opening.contests
    if contest is None:
        counts.new += 1
        return True
    if all(getattr(contest, name) == value for name, value in content.items()):
        counts.same += 1
        return False
    if contest.revision and not renew:
        counts.same += 1
        opening.kept.append(topic)
        return False
    counts.changed += 1
    return True


def _put(contest: Contest | None, topic: Topic, content: Mapping[str, Any]) -> int:
    """Create a task, or update an existing task to new candidates; return the task's key."""
    if contest is None:
        return Contest.objects.create(topic=topic, **content).pk
    # If pairs are now open to any assessor, the previous assessor does not matter.
    owner = contest.assessor if content["setting"]["share"] == "topic" else None
    Contest.objects.filter(pk=contest.pk).update(**content, derived=-1, assessor=owner)
    open_tasks = PairTask.objects.filter(contest=contest, is_judged=False)
    open_tasks.update(withdrawn=True)
    recount(contest.pk)
    return contest.pk


def _assessors(campaign: Campaign) -> list[Assessor]:
    """Return the assessors of groups that judge pairs, even if only campaign.toml names them."""
    groups = judging_groups(campaign)
    for group in groups:
        for name in campaign.groups[group].assessors:
            check_assessor(name, group=group)
            assessor, _ = Assessor.objects.get_or_create(name=name, defaults={"group": group})
            if assessor.group != group:
                raise InputError(
                    f"the assessor {quoted(name)} is in the groups {quoted(assessor.group)} and"
                    f" {quoted(group)}; expected one group",
                    path=campaign.settings,
                )
    return list(Assessor.objects.filter(group__in=groups).order_by("name"))


def judging_groups(campaign: Campaign) -> tuple[str, ...]:
    """Return the groups that judge pairs: those in the setting, or else all groups of people."""
    preferring = campaign.preference_judging
    if preferring is None:
        return ()
    people = (name for name, group in campaign.groups.items() if group.role != "llm")
    return preferring.groups or tuple(people)


def _deal(search: TopkSetting, assessors: Sequence[Assessor], contests: Iterable[int]) -> None:
    """Assign each unassigned task, in seeded random order, to the assessor with the least work."""
    order = {
        name: place
        for place, name in enumerate(
            shuffle(
                (assessor.name for assessor in assessors), seed=search.seed, keys=(_RECORD, "deal")
            )
        )
    }
    if not order:
        return
    load = {assessor.pk: 0 for assessor in assessors}
    for contest in Contest.objects.exclude(assessor=None):
        if contest.assessor_id in load:
            load[contest.assessor_id] += int(contest.setting["expected"])
    waiting = Contest.objects.select_related("topic").filter(pk__in=list(contests), assessor=None)
    free = {contest.topic.name: contest for contest in waiting}
    for topic in shuffle(free, seed=search.seed, keys=(_RECORD, "topics")):
        contest = free[topic]
        taker = min(assessors, key=lambda assessor: (load[assessor.pk], order[assessor.name]))
        load[taker.pk] += int(contest.setting["expected"])
        Contest.objects.filter(pk=contest.pk).update(assessor=taker)
