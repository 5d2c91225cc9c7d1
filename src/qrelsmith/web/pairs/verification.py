"""Answers to pairs rebuilt from the events, and compared with what the database holds."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Exists, OuterRef, Q

from qrelsmith.web.core.checks import Check
from qrelsmith.web.judging.projections import compare_labels, compare_untouched, rebuild_units
from qrelsmith.web.models import Contest, DocVersion, PairTask, PreferenceEvent, TopicVersion
from qrelsmith.web.pairs.choices import choices_versions
from qrelsmith.web.pairs.kind import PAIRS
from qrelsmith.web.pairs.open_pairs import is_derived
from qrelsmith.web.pairs.searches import search_tasks, state_of

_CHUNK = 2000


def preference_checks() -> list[Check]:
    """Look at every answer and at every pair; only inside a snapshot."""
    events = Check("answers to pairs follow one another")
    undone = Check("an undo restores the answer before")
    pairs = Check("pairs hold what their events leave")
    compare_labels(PAIRS, (events, undone, pairs), event="answer", unit="pair", belongs=_belongs)
    bare = compare_untouched(PAIRS, Check("pairs without events are unjudged"), unit="pair")
    return [
        events, undone, pairs, bare, _check_choices(), _check_versions(), _exclusive(),
        _check_counts(), _check_open_pairs(),
    ]  # fmt: skip


def rebuilt_pairs() -> int:
    """Give every pair the answer that its events leave; how many had another one."""
    changed = rebuild_units(PAIRS)
    for contest in _with_counts():
        counts = _counts(contest)
        # What was open is derived anew when somebody asks for a pair.
        is_same = contest.revision == counts["revision"]
        derived = contest.derived if is_same else -1
        Contest.objects.filter(pk=contest.pk).update(**counts, derived=derived)
    return changed


def _belongs(event: PreferenceEvent, task: PairTask) -> str:
    is_own = event.contest_id == task.contest_id and event.assessor_id == task.assessor_id
    return "" if is_own else "of another contest or assessor than its pair"


def _check_choices() -> Check:
    """Whether every answer is among the choices and on the text that its event names."""
    check = Check("answers to pairs are among the choices")
    judged = PreferenceEvent.objects.exclude(outcome=None)
    check.rows = judged.count()
    versions = choices_versions()
    topics = set(TopicVersion.objects.values_list("topic_id", "version"))
    columns = ("op_id", "outcome", "settings_version", "contest__topic_id", "topic_version")
    for op_id, outcome, version, topic, text in judged.values_list(*columns).iterator():
        choices = versions.get(version)
        if choices is None or outcome not in choices.outcomes:
            check.fault(f"answer {op_id} is {outcome}, none of version {version} of the choices")
        if (topic, text) not in topics:
            check.fault(f"answer {op_id} names version {text} of its topic, which is not there")
    return check


def _check_versions() -> Check:
    """Whether what was compared are versions of the docs, where their content is here."""
    check = Check("what was compared are versions of the docs")
    judged = PreferenceEvent.objects.exclude(outcome=None)
    check.rows = judged.count()
    for side in ("left", "right"):
        versions = DocVersion.objects.filter(doc=OuterRef(f"pair__{side}"))
        known = versions.filter(sha256=OuterRef(f"{side}_sha256"))
        for event in judged.filter(Exists(versions), ~Exists(known)).iterator(chunk_size=_CHUNK):
            check.fault(f"answer {event.op_id} names no version of its {side} doc")
    return check


def _exclusive() -> Check:
    """Whether no pair in play has two assessors in a slot, and nobody two slots of a pair."""
    check = Check("nobody has a pair twice, and no two have the same one")
    live = PairTask.objects.filter(withdrawn=False)
    check.rows = live.count()
    asked = live.filter(purpose=PairTask.Purpose.SEARCH)
    place = ("contest", "round", "left", "right", "slot")
    owner = ("contest", "round", "left", "right", "purpose", "assessor")
    # Two HITs of a worker may hold the same challenge pair.
    held = live.exclude(assessor=None).exclude(purpose=PairTask.Purpose.CHALLENGE)
    doubles = [
        *asked.values_list(*place).annotate(Count("id")).filter(id__count__gt=1),
        *held.values_list(*owner).annotate(Count("id")).filter(id__count__gt=1),
    ]
    for double in doubles:
        check.fault(f"contest {double[0]} has {double[-1]} tasks where one may be")
    return check


def _with_counts() -> Iterator[Contest]:
    yield from Contest.objects.select_related("topic").order_by("pk").iterator()


def _counts(contest: Contest) -> dict[str, int]:
    live = PairTask.objects.filter(contest=contest, withdrawn=False)
    counts = live.aggregate(total=Count("id"), judged=Count("id", filter=Q(is_judged=True)))
    return counts | {"revision": PreferenceEvent.objects.filter(contest=contest).count()}


def _check_counts() -> Check:
    check = Check("contests count their pairs and answers")
    for contest in _with_counts():
        check.rows += 1
        held = {name: getattr(contest, name) for name in ("total", "judged", "revision")}
        counts = _counts(contest)
        if held != counts:
            check.fault(f"contest {contest.pk} counts {held}; there are {counts}")
    return check


def _check_open_pairs() -> Check:
    """Whether the open pairs are those that the answers ask, where they are derived."""
    check = Check("open pairs are what the answers ask")
    for contest in _with_counts():
        if not is_derived(contest):
            continue
        check.rows += 1
        tasks = search_tasks(contest).filter(is_judged=False).values_list(
            "round", "left__name", "right__name"
        )  # fmt: skip
        there = {(round_, frozenset(pair)) for round_, *pair in tasks}
        state = state_of(contest)
        asked = {(pair.round, frozenset((pair.left, pair.right))) for pair in state.open_pairs}
        if there != asked or contest.is_done != state.done:
            check.fault(f"contest {contest.pk} has {len(there)} open pairs; {len(asked)} are asked")
    return check
