"""Preference judging: the preference task of each topic, its pairs, and the answers."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from qrelsmith.web.models.accepted import AcceptedEvent
from qrelsmith.web.models.accounts import Assessor
from qrelsmith.web.models.content import Doc, Topic


class PreferenceVersion(models.Model):
    """A version of the choices and instructions."""

    version = models.PositiveIntegerField(unique=True)
    content = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)


class Contest(models.Model):
    """The preference task of a topic: the search for its best docs.

    The task's candidates and setting determine, together with the answers, which pairs are open.
    `total`, `judged` and `revision` belong to the projection: the numbers of valid pairs, of
    answered pairs, and of events.
    """

    topic = models.OneToOneField(Topic, on_delete=models.PROTECT, related_name="contest")
    # The grade of each candidate, and the docs that attention checks may use.
    candidates = models.JSONField(default=dict)
    nonrelevant = models.JSONField(default=list)
    setting = models.JSONField(default=dict)
    # The assessor of all pairs of the task; null if any free assessor may take them, or if no
    # assessor has taken one yet.
    assessor = models.ForeignKey(
        Assessor, null=True, on_delete=models.PROTECT, related_name="contests"
    )
    is_open = models.BooleanField(default=True)
    total = models.PositiveIntegerField(default=0)
    judged = models.PositiveIntegerField(default=0)
    revision = models.PositiveIntegerField(default=0)
    # The revision at which the open pairs were derived (-1: never); whether an earlier answer has
    # changed since; whether no pair was left.
    derived = models.BigIntegerField(default=-1)
    is_changed = models.BooleanField(default=False)
    is_done = models.BooleanField(default=False)
    # The digest of the last event; see `chain`.
    head = models.CharField(max_length=64, default="")
    created_at = models.DateTimeField(default=timezone.now)


class PairTask(models.Model):
    """A pair for one assessor, and the current answer: a projection of the events.

    If several assessors answer a pair, the pair has a slot for each of them. A withdrawn task is no
    longer valid: it stays as a record, and an answer to it is refused with a message.
    """

    class Purpose(models.TextChoices):
        """The purpose of a pair; only pairs with the purpose `SEARCH` affect the result."""

        SEARCH = "search"
        CHALLENGE = "challenge"
        SWAPPED = "swapped"

    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="pairs")
    number = models.PositiveIntegerField()
    left = models.ForeignKey(Doc, on_delete=models.PROTECT, related_name="+")
    right = models.ForeignKey(Doc, on_delete=models.PROTECT, related_name="+")
    round = models.PositiveIntegerField(default=1)
    slot = models.PositiveIntegerField(default=1)
    purpose = models.CharField(max_length=10, choices=Purpose, default=Purpose.SEARCH)
    # The side of the better doc in an attention check.
    better = models.CharField(max_length=5, blank=True)
    hit = models.CharField(max_length=200, blank=True)
    # The assessor, the time, and the position among the assessor's pairs of the task (or HIT).
    assessor = models.ForeignKey(
        Assessor, null=True, on_delete=models.PROTECT, related_name="pairs"
    )
    claimed_at = models.DateTimeField(null=True)
    position = models.PositiveIntegerField(default=0)
    withdrawn = models.BooleanField(default=False)
    # The current answer, and the versions of the docs.
    revision = models.PositiveIntegerField(default=0)
    outcome = models.SmallIntegerField(null=True)
    passages = models.JSONField(default=list)
    is_judged = models.BooleanField(default=False)
    left_sha256 = models.CharField(max_length=64, blank=True)
    right_sha256 = models.CharField(max_length=64, blank=True)
    topic_version = models.PositiveIntegerField(default=0)
    settings_version = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["contest", "number"], name="one_pair_a_number"),
            models.UniqueConstraint(
                fields=["contest", "round", "left", "right", "slot"],
                condition=Q(withdrawn=False, purpose="search"),
                name="one_task_a_slot",
            ),
            models.UniqueConstraint(
                fields=["contest", "round", "left", "right", "purpose", "assessor"],
                # Two HITs of a worker may contain the same attention check.
                condition=Q(withdrawn=False) & ~Q(purpose="challenge"),
                name="pair_once_an_assessor",
            ),
        ]
        indexes = [
            models.Index(
                fields=["contest", "number"],
                condition=Q(assessor=None, withdrawn=False, is_judged=False),
                name="free_pairs",
            ),
            models.Index(fields=["assessor", "contest", "position"]),
            models.Index(fields=["hit"]),
        ]


class PreferenceEvent(AcceptedEvent):
    """An answer to a pair, or the undo of an answer."""

    assessor = models.ForeignKey(
        Assessor, on_delete=models.PROTECT, related_name="preference_events"
    )
    contest = models.ForeignKey(Contest, on_delete=models.PROTECT, related_name="events")
    pair = models.ForeignKey(PairTask, on_delete=models.PROTECT, related_name="events")
    undoes = models.OneToOneField("self", null=True, on_delete=models.PROTECT, related_name="undo")
    # The answer after the event; empty: unjudged again. Negative: the left doc is better.
    outcome = models.SmallIntegerField(null=True)
    # The versions of the docs and of the choices.
    left_sha256 = models.CharField(max_length=64, blank=True)
    right_sha256 = models.CharField(max_length=64, blank=True)
    settings_version = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pair", "revision"], name="one_answer_a_revision")
        ]
        indexes = [models.Index(fields=["contest", "assessor", "kind", "-id"])]
