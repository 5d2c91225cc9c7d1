"""HITs of pairs: the open pairs of all preference tasks, bundled with attention checks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from math import inf

from django.db.models import QuerySet
from django.urls import reverse

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.rng import digest_key
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.campaign.hit_terms import HitTerms
from qrelsmith.pairs.hits import HitPair, PairHit
from qrelsmith.topk.answers import Pair
from qrelsmith.topk.crowd.known_answers import TRAINING_PAIRS
from qrelsmith.topk.hits import ChallengeDocs, bundle, pilot_topics
from qrelsmith.web.crowd.hit_kind import HitKind
from qrelsmith.web.crowd.keys import record_hits
from qrelsmith.web.models import Assessor, Batch, Contest, Doc, Hit, PairTask, PreferenceEvent
from qrelsmith.web.pairs.claims import free_again
from qrelsmith.web.pairs.kind import PAIRS
from qrelsmith.web.pairs.open_pairs import add_tasks, derive
from qrelsmith.web.pairs.searches import search_tasks

_Key = tuple[str, int, str, str]
_ANY = 1e-9
# The correct outcomes of an attention check, by the better doc.
_RANGES = {"left": (-inf, -_ANY), "right": (_ANY, inf)}


class PairHits(HitKind):
    """HITs of pairs of any topics; each pair refers to its HIT."""

    name, judged = Batch.Kind.PAIRS.value, PAIRS
    seconds, checks = "seconds", "challenges"
    training = TRAINING_PAIRS

    def make(self, batch: Batch, campaign: Campaign, pilot: float | None) -> list[Hit]:
        """Bundle the free open pairs; if pairs have several slots, bundle each slot separately.

        The first slot's HITs equal those of `qrelsmith topk hits` with the same pairs and seed.

        Raises
        ------
        UsageError
            If there are no free pairs, or whole topics are assigned to assessors.
        UndefinedError
            If there are too few docs with the grade 0 for the attention checks.
        """
        return _make(batch, pilot)

    def size(self, batch: Batch, terms: HitTerms) -> int:
        """Return the number of pairs in the terms."""
        return terms.pairs + terms.challenges

    def give(self, hit: Hit, assessor: Assessor) -> None:
        """Assign the pairs to the worker."""
        self.items(hit).update(assessor=assessor, claimed_at=hit.taken_at)

    def items(self, hit: Hit) -> QuerySet[PairTask]:
        """Return the valid pairs."""
        return PairTask.objects.filter(hit=hit.key, withdrawn=False).order_by("position")

    def check_ranges(self, hit: Hit) -> dict[int, tuple[float, float]]:
        """Return the correct outcomes of the attention checks; a tie is wrong."""
        checks = self.items(hit).filter(purpose=PairTask.Purpose.CHALLENGE)
        return {pk: _RANGES[better] for pk, better in checks.values_list("pk", "better")}

    def address(self, hit: Hit) -> str:
        """Return the address of the first unanswered pair, or of the first pair."""
        items = self.items(hit)
        task = items.filter(is_judged=False).first() or items.first()
        return reverse("prefer", args=[task.contest_id, task.pk]) if task else reverse("hand-in")

    def close(self, hit: Hit) -> None:
        """Store the number of answers; a closed HIT needs no further change to its pairs."""
        hit.events_at_close = events_of_pairs(hit).count()
        hit.save(update_fields=["events_at_close"])

    def requeue(self, hit: Hit, following: Hit) -> None:
        """Withdraw the pairs, and give copies without answers to the replacement HIT."""
        tasks = self.items(hit)
        for contest in sorted(set(tasks.values_list("contest", flat=True))):
            own = tasks.filter(contest=contest).order_by("number")
            places = list(own.values_list("position", flat=True))
            # The keys are listed first, because queries do not find withdrawn pairs.
            keys = list(own.values_list("pk", flat=True))
            copies = free_again(PairTask.objects.filter(pk__in=keys))
            for copy, place in zip(copies, places, strict=True):
                copy.hit = following.key
                copy.position = place
            PairTask.objects.bulk_update(copies, ["hit", "position"])

    def claim_faults(self, hit: Hit, assessor: int | None) -> Iterator[str]:
        """Yield an error if pairs of the HIT are assigned to another assessor."""
        owners = PairTask.objects.filter(hit=hit.key).values_list("assessor", flat=True)
        if set(owners) - {assessor}:
            yield f"pairs of HIT {hit.key} are assigned to another worker"


def events_of_pairs(hit: Hit) -> QuerySet[PreferenceEvent]:
    """Return the answers to the pairs of a HIT, in order."""
    return PreferenceEvent.objects.filter(pair__hit=hit.key).order_by("id")


def _make(batch: Batch, pilot: float | None) -> list[Hit]:
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
    """Return the open pairs that have neither worker nor HIT, by slot, topic, round and docs."""
    slots: dict[int, dict[_Key, PairTask]] = defaultdict(dict)
    for contest in contests:
        free = search_tasks(contest).filter(assessor=None, is_judged=False, hit="")
        # The pairs stay locked until they are in their HITs, so that no other worker takes a pair
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
    """Return the seed of a slot, so that each slot bundles the same pairs differently."""
    return seed if slot == 1 else int.from_bytes(digest_key(seed, "slot", slot)[:4], "big")
