"""HITs of pairs: the open pairs of all preference tasks, bundled with attention checks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.rng import digest_key
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.pairs.hits import HitPair, PairHit
from qrelsmith.topk.answers import Pair
from qrelsmith.topk.hits import ChallengeDocs, bundle, pilot_topics
from qrelsmith.web.crowd.keys import record_hits
from qrelsmith.web.models import Batch, Contest, Doc, Hit, PairTask
from qrelsmith.web.pairs.open_pairs import add_tasks, derive
from qrelsmith.web.pairs.searches import search_tasks

_Key = tuple[str, int, str, str]


def make_pair_hits(batch: Batch, campaign: Campaign, pilot: float | None) -> list[Hit]:
    """Bundle the free open pairs; if pairs have several slots, bundle each slot separately.

    The first slot's HITs equal those of `qrelsmith topk hits` with the same pairs and seed.

    Raises
    ------
    UsageError
        If there are no free pairs, or whole topics are assigned to assessors.
    UndefinedError
        If there are too few docs with the grade 0 for the attention checks.
    """
    contests = {each.topic.name: each for each in _open_contests()}
    if pilot is not None:
        chosen = pilot_topics(sorted(contests), pilot, seed=batch.seed) if contests else []
        contests = {topic: contests[topic] for topic in chosen}
    challenges = {
        topic: ChallengeDocs(tuple(contest.candidates), tuple(contest.nonrelevant))
        for topic, contest in contests.items()
    }
    slots = _free_slots(contests.values())
    if not slots:
        raise UsageError(
            "no unassigned pair is open; expected at least one. See qrelsmith prefer, "
            "or finish the earlier batch"
        )
    made: list[Hit] = []
    for slot, tasks in sorted(slots.items()):
        pairs: dict[str, list[Pair]] = defaultdict(list)
        for topic, round_, left, right in tasks:
            pairs[topic].append(Pair(left, right, round_))
        bundles = bundle(
            pairs,
            challenges,
            seed=_seed(batch.seed, slot),
            size=int(batch.terms["pairs"]),
            challenge_pairs=int(batch.terms["challenges"]),
        )
        hits = record_hits(batch, [Hit(name=bundle.key) for bundle in bundles])
        _fill(hits, bundles, tasks, contests)
        made += hits
    return made


def _open_contests() -> list[Contest]:
    contests = Contest.objects.select_related("topic").filter(is_open=True).order_by("topic__name")
    for contest in contests:
        if contest.setting["share"] != "pair":
            raise UsageError(
                f"the pairs of topic {quoted(contest.topic.name)} are assigned as "
                "whole topics; expected share = 'pair' in [preferences] for a crowd"
            )
        derive(contest.pk)
    return list(contests)


def _free_slots(contests: Iterable[Contest]) -> dict[int, dict[_Key, PairTask]]:
    """Return the open pairs without a worker and a HIT, by slot, topic, round and docs."""
    slots: dict[int, dict[_Key, PairTask]] = defaultdict(dict)
    for contest in contests:
        free = search_tasks(contest).filter(assessor=None, is_judged=False, hit="")
        # They stay locked until they are in their HITs, so that no other worker takes one
        # meanwhile.
        held = free.select_for_update(of=("self",))
        for task in held.select_related("left", "right").order_by("number"):
            key = (contest.topic.name, task.round, task.left.name, task.right.name)
            slots[task.slot][key] = task
    return slots


def _fill(
    hits: list[Hit],
    bundles: Iterable[PairHit],
    tasks: dict[_Key, PairTask],
    contests: dict[str, Contest],
) -> None:
    """Put pairs into their HITs, and create the attention checks."""
    new: dict[str, list[PairTask]] = defaultdict(list)
    taken: list[PairTask] = []
    for hit, contents in zip(hits, bundles, strict=True):
        for place, pair in enumerate(contents.pairs, start=1):
            if pair.challenge:
                task = _challenge(pair)
                new[pair.topic].append(task)
            else:
                task = tasks[pair.topic, pair.round, pair.left, pair.right]
                taken.append(task)
            task.hit = hit.key
            task.position = place
    for topic, made in new.items():
        add_tasks(contests[topic], made)
    PairTask.objects.bulk_update(taken, ["hit", "position"], batch_size=500)


def _challenge(pair: HitPair) -> PairTask:
    docs = {doc.name: doc.pk for doc in Doc.objects.filter(name__in=(pair.left, pair.right))}
    return PairTask(
        left_id=docs[pair.left],
        right_id=docs[pair.right],
        round=0,
        purpose=PairTask.Purpose.CHALLENGE,
        better=pair.challenge,
    )


def _seed(seed: int, slot: int) -> int:
    """Return the seed of a slot: each slot of the same pairs is bundled differently."""
    return seed if slot == 1 else int.from_bytes(digest_key(seed, "slot", slot)[:4], "big")
