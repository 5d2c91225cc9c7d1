"""Cost of model requests by setting, and missing labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Avg, Count, Exists, Max, OuterRef, Q, QuerySet, Sum

from qrelsmith.base.errors import InputError
from qrelsmith.campaign.campaign_folder import APP_FOLDER
from qrelsmith.models.cache import FILE, Spent, open_cache
from qrelsmith.models.session import money_text
from qrelsmith.web.models import ModelReply, ModelSetting
from qrelsmith.web.project import current_instance

# Maximum number of missing labels shown, the latest first.
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class SettingSpending:
    """The cost of a model's replies under one setting.

    Attributes
    ----------
    setting : ModelSetting
        The setting.
    answers : int
        Number of labels; a pair has one label for each order of its docs.
    errors : int
        Number of failed labels, without any usable reply.
    replies : int
        Number of requests with a reply.
    tokens : int
        Number of tokens spent.
    money : str
        The cost.
    seconds : float
        Mean latency of a request; nan without replies.
    """

    setting: ModelSetting
    answers: int
    errors: int
    replies: int
    tokens: int
    money: str
    seconds: float


def spending() -> Iterator[SettingSpending]:
    """Yield the cost of each setting that has replies, by assessor and version."""
    settings = ModelSetting.objects.select_related("assessor").order_by("assessor__name", "version")
    for setting in settings.filter(Exists(ModelReply.objects.filter(setting=OuterRef("pk")))):
        own = ModelReply.objects.filter(setting=setting)
        # Two docs with equal texts share one request, which is paid once.
        requests = own.exclude(request="").values("request", "tokens", "money", "latency_ms")
        sums = requests.distinct().aggregate(
            replies=Count("request"), spent=Sum("tokens"), paid=Sum("money"), ms=Avg("latency_ms")
        )
        yield SettingSpending(
            setting=setting,
            answers=_units(own.filter(fault="")),
            errors=_units(_without_answer(own)),
            replies=sums["replies"],
            tokens=sums["spent"] or 0,
            money=money_text(sums["paid"] or 0),
            seconds=float("nan") if sums["ms"] is None else float(sums["ms"]) / 1000,
        )


@dataclass(frozen=True, slots=True)
class MissingLabel:
    """A label without any usable reply so far.

    Attributes
    ----------
    reply : ModelReply
        The last reply to the request, with its error.
    tries : int
        Number of replies.
    """

    reply: ModelReply
    tries: int


def missing_labels() -> list[MissingLabel]:
    """Return the labels without a usable reply so far, the latest first."""
    labels = _without_answer(ModelReply.objects.all()).order_by()
    counted = labels.values("setting", "topic", "doc", "other").annotate(
        last=Max("pk"), tries=Count("pk")
    )
    tries = {row["last"]: row["tries"] for row in counted.order_by("-last")[:_SHOWN]}
    replies = ModelReply.objects.select_related("assessor", "topic", "doc", "other")
    return [
        MissingLabel(reply, tries[reply.pk])
        for reply in replies.filter(pk__in=tries).order_by("-pk")
    ]


def campaign_spent() -> Spent | None:
    """Return the cost of all requests, even pending ones; None if there are no requests."""
    folder = current_instance().campaign.folder
    if not (folder / APP_FOLDER / FILE).is_file():
        return None
    try:
        with open_cache(folder, is_shared=True) as cache:
            return cache.spent()
    except InputError:  # the file is being written
        return None


def _without_answer(replies: QuerySet[ModelReply]) -> QuerySet[ModelReply]:
    """Return the failed replies of labels that have no usable reply under the same setting."""
    same_docs = Q(other=OuterRef("other")) | Q(other=None)
    answered = ModelReply.objects.filter(
        same_docs, setting=OuterRef("setting"), topic=OuterRef("topic"), doc=OuterRef("doc"),
        fault="",
    )  # fmt: skip
    return replies.exclude(fault="").exclude(Exists(answered))


def _units(replies: QuerySet[ModelReply]) -> int:
    return replies.order_by().values("topic", "doc", "other").distinct().count()
