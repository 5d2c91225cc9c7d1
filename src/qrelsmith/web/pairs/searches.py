"""The scheduler of a preference task, from `topk`, and the answers that affect the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from qrelsmith.base.errors import InputError, QrelsmithError, UsageError
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.pairs.drawn_pairs import read_drawn_pairs
from qrelsmith.topk import Answer, Scheduler, State
from qrelsmith.topk.topk_sessions import TopkSetting
from qrelsmith.web.models import Contest, PairTask

# Name in campaign.toml of the seed for pairings, leaves, sides, attention checks and repeats.
SEED = "preferences"
# Further keys of `[preferences]` that a task keeps as they were when it was opened.
KEPT = ("per_pair", "swapped", "challenges", "share")


def search_of(campaign: Campaign) -> TopkSetting:
    """Return the campaign's setting of the search for the best docs.

    Raises
    ------
    UsageError
        If the campaign judges no preferences.
    InputError
        If the scheduler or the sizes are wrong.
    """
    preferring = campaign.preference_judging
    if preferring is None:
        raise UsageError("campaign.toml has no table [preferences]; expected this table")
    search = TopkSetting(
        k=preferring.k,
        method=preferring.scheduler,
        finalists=preferring.finalists,
        pairings=preferring.pairings,
        keep=preferring.keep,
        forced=preferring.forced,
        seed=campaign.seeds.get(SEED, 0),
        pairs=_drawn_pairs(campaign.folder / preferring.pairs) if preferring.pairs else None,
    )
    try:
        search.scheduler("", ())
    except QrelsmithError as error:
        raise InputError(f"{error} in [preferences]", path=campaign.settings) from None
    return search


def setting_of(campaign: Campaign) -> dict[str, Any]:
    """Return the setting of a new task, as JSON values."""
    kept = {name: getattr(campaign.preference_judging, name) for name in KEPT}
    setting = asdict(search_of(campaign)) | kept
    # The pairs themselves are not copied: each task keeps only those of its topic.
    del setting["pairs"]
    return setting


def _drawn_pairs(path: Path) -> Mapping[str, Sequence[Sequence[str]]]:
    if not path.is_file():
        raise InputError("file not found; expected the pairs named in [preferences]", path=path)
    return read_drawn_pairs(path)


def scheduler_of(contest: Contest) -> Scheduler:
    """Return the scheduler of a task, which must be loaded with its topic."""
    names = TopkSetting.__dataclass_fields__
    search = TopkSetting(
        **{name: contest.setting[name] for name in names if name in contest.setting}
    )
    return search.scheduler(contest.topic.name, tuple(contest.candidates))


def state_of(contest: Contest) -> State:
    """Return the state of a task, derived from its answers."""
    return scheduler_of(contest).replay(answers_to(contest))


def search_tasks(contest: Contest | int) -> QuerySet[PairTask]:
    """Return the valid pairs of a task that affect the result."""
    return PairTask.objects.filter(
        contest=contest, withdrawn=False, purpose=PairTask.Purpose.SEARCH
    )


def answers_to(contest: Contest) -> list[Answer]:
    """Return the answers to pairs with enough assessors, in a fixed order."""
    rows = search_tasks(contest).filter(is_judged=True)
    columns = ("round", "left__name", "right__name", "outcome", "assessor__name")
    answers = [
        Answer(left, right, outcome, assessor or "", round_)
        for round_, left, right, outcome, assessor in rows.order_by("number").values_list(*columns)
    ]
    return complete(answers, contest.setting)


def complete(answers: Iterable[Answer], setting: Mapping[str, Any]) -> list[Answer]:
    """Return the answers to pairs that have as many answers as the setting requires.

    Until the last answer arrives, the median may still change.
    """
    found: dict[tuple[int, frozenset[str]], list[Answer]] = {}
    for answer in answers:
        found.setdefault((answer.round, frozenset((answer.left, answer.right))), []).append(answer)
    needed = int(setting["per_pair"])
    return [each for given in found.values() if len(given) >= needed for each in given]
