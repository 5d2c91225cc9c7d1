"""Opening of batches: storing the terms and the training, and creating the HITs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.topk.crowd.known_answers import (
    TRAINING_PAIRS,
    KnownDoc,
    KnownPair,
    read_known_docs,
    read_known_pairs,
)
from qrelsmith.topk.crowd.platforms import platform_of
from qrelsmith.web.core.database import writing
from qrelsmith.web.crowd.hit_kind import HitKind
from qrelsmith.web.crowd.hit_kinds import HIT_KINDS
from qrelsmith.web.models import Batch, Doc, Topic

# The name of the HITs' seed in campaign.toml.
SEED = "hits"
_NAME = re.compile("[0-9A-Za-z][0-9A-Za-z_.-]{0,59}")


@dataclass(frozen=True, slots=True)
class WantedBatch:
    """Options of a new batch.

    Attributes
    ----------
    kind : str
        One of `HIT_KINDS`: `pairs`, `docs` or `answers`.
    platform : str
        The platform of its workers: one of `PLATFORMS`.
    name : str
        Its name; empty: the kind and a number.
    pilot : float or None
        Share of the topics in a pilot.
    study_code : str
        The completion code of the study on Prolific.
    """

    kind: str
    platform: str
    name: str = ""
    pilot: float | None = None
    study_code: str = ""


def open_batch(campaign: Campaign, wanted: WantedBatch) -> Batch:
    """Bundle the open work into HITs, and publish them under a new address.

    Raises
    ------
    UsageError
        If the name is taken, or there is no open work.
    InputError
        If the campaign has no table `[hits]`, or one of its files is invalid.
    UndefinedError
        If there are too few docs for the attention checks.
    """
    platform_of(wanted.platform)
    terms = campaign.hits
    if terms is None:
        raise InputError(
            "the table [hits] is missing; expected it with the terms of the HITs",
            path=campaign.settings,
        )
    kind = HIT_KINDS[wanted.kind]
    training = _training(campaign, kind)
    with writing():
        batch = Batch.objects.create(
            name=_free_name(wanted),
            kind=wanted.kind,
            platform=wanted.platform,
            group=terms.group,
            terms=asdict(terms),
            training=training,
            seed=campaign.seeds.get(SEED, 0),
            study_code=wanted.study_code,
        )
        kind.make(batch, campaign, wanted.pilot)
        _check_group(batch, campaign)
    return batch


def _free_name(wanted: WantedBatch) -> str:
    names = set(Batch.objects.values_list("name", flat=True))
    if not wanted.name:
        numbers = range(1, len(names) + 2)
        return next(n for n in (f"{wanted.kind}-{k}" for k in numbers) if n not in names)
    if not _NAME.fullmatch(wanted.name):
        raise UsageError(
            f"the batch name is {quoted(wanted.name)}; expected at most 60 letters, "
            "digits, '.', '_' and '-'"
        )
    if wanted.name in names:
        raise UsageError(f"the batch {quoted(wanted.name)} already exists; expected a new name")
    return wanted.name


def _check_group(batch: Batch, campaign: Campaign) -> None:
    if batch.group not in campaign.groups:
        there = ", ".join(campaign.groups) or "there are none"
        raise InputError(
            f"the workers' group {quoted(batch.group)} is unknown (groups: {there})",
            path=campaign.settings,
        )


def _training(campaign: Campaign, kind: HitKind) -> list[dict[str, object]]:
    """Return the campaign's training for a kind of HITs; empty if there is none."""
    questions: Sequence[KnownPair | KnownDoc] = ()
    docs: set[str] = set()
    path = campaign.folder / kind.training
    if not kind.training or not path.exists():
        return []
    if kind.training == TRAINING_PAIRS:
        pairs = read_known_pairs(path)
        questions, docs = (
            pairs,
            {doc for question in pairs for doc in (question.left, question.right)},
        )
    else:
        graded = read_known_docs(path)
        questions, docs = graded, {question.doc for question in graded}
    topics = set(Topic.objects.values_list("name", flat=True))
    shown = set(Doc.objects.filter(version__gt=0, name__in=docs).values_list("name", flat=True))
    for what, wanted, there in (
        ("topic", {question.topic for question in questions}, topics),
        ("doc", docs, shown),
    ):
        for name in _missing(wanted, there):
            raise InputError(
                f"the {what} {quoted(name)} is not in the app. Import the {what} first", path=path
            )
    return [asdict(question) for question in questions]


def _missing(wanted: Iterable[str], there: set[str]) -> list[str]:
    return sorted(set(wanted) - there)
