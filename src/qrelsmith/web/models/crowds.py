"""Crowd work: batches of HITs, the workers who come from a platform, and what they are owed."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from qrelsmith.web.models.accounts import Assessor
from qrelsmith.web.models.assignments import Assignment
from qrelsmith.web.models.content import Topic


class Batch(models.Model):
    """HITs that were published together, under terms that do not change any more."""

    class Kind(models.TextChoices):
        """The kind of a batch: HITs of docs, or of pairs."""

        PAIRS = "pairs"
        DOCS = "docs"

    name = models.CharField(max_length=100, unique=True)
    kind = models.CharField(max_length=10, choices=Kind)
    platform = models.CharField(max_length=20)
    group = models.CharField(max_length=200)
    # `[hits]` of campaign.toml, and the training, as they were when the batch was opened.
    terms = models.JSONField(default=dict)
    training = models.JSONField(default=list)
    seed = models.BigIntegerField(default=0)
    is_open = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)
    # What Prolific calls a study's completion code; it is the platform's, and never exported.
    study_code = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return self.name


class CrowdWorker(models.Model):
    """A worker of a platform, and the pseudonym that he or she judges under.

    `platform_id` and `digest` are never exported; both are deleted when the worker is forgotten.
    """

    assessor = models.OneToOneField(Assessor, on_delete=models.PROTECT, related_name="crowd_worker")
    platform = models.CharField(max_length=20)
    platform_id = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, null=True, unique=True)
    # For each kind of HITs that the worker was trained for, whether he or she passed.
    trained = models.JSONField(default=dict)
    # Since when no HIT is given to the worker any more, and why.
    excluded_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.assessor.name


class Hit(models.Model):
    """A HIT: the work of one sitting. It is given to one worker, and to no other one after.

    A HIT that was abandoned or discarded stays as a record, and another one follows it. Its pairs
    name it by `key`; its docs are those of its assignment, which is made when it is taken.
    """

    class State(models.TextChoices):
        """How far it is."""

        OPEN = "open"
        TAKEN = "taken"
        FINISHED = "finished"
        DISCARDED = "discarded"
        ABANDONED = "abandoned"

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="hits")
    number = models.PositiveIntegerField()
    # What it is made of; a HIT that follows another one has the same name, and a key of its own.
    name = models.CharField(max_length=200)
    key = models.CharField(max_length=200, unique=True)
    follows = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="followed_by"
    )
    # Only in batches of docs: the topic, the docs in their order, and what is known of some.
    topic = models.ForeignKey(Topic, null=True, on_delete=models.PROTECT, related_name="hits")
    docs = models.JSONField(default=list)
    challenges = models.JSONField(default=dict)
    ordering = models.CharField(max_length=100, blank=True)
    seed = models.BigIntegerField(null=True)
    assignment = models.OneToOneField(
        Assignment, null=True, on_delete=models.PROTECT, related_name="crowd_hit"
    )
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    worker = models.ForeignKey(
        CrowdWorker, null=True, on_delete=models.PROTECT, related_name="hits"
    )
    taken_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    # How many answers its pairs had when it was closed; docs are counted by their assignment.
    events_at_close = models.PositiveIntegerField(null=True)
    # Challenges that were missed, known once it is finished.
    missed = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "number"], name="one_hit_a_number"),
            models.UniqueConstraint(
                fields=["worker"], condition=Q(state="taken"), name="one_hit_at_a_time"
            ),
        ]
        indexes = [models.Index(fields=["batch", "state", "number"])]


class Sitting(models.Model):
    """One arrival of a worker: what came of it, what is owed for it, and the code that says so.

    `reference`, `study` and `submit_to` are the platform's names of this piece of work. They and
    what belongs to the code are never exported.
    """

    class Result(models.TextChoices):
        """How it ended."""

        FINISHED = "finished"
        UNTRAINED = "untrained"
        EMPTY = "empty"
        ABANDONED = "abandoned"

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="sittings")
    worker = models.ForeignKey(CrowdWorker, on_delete=models.PROTECT, related_name="sittings")
    number = models.PositiveIntegerField()
    hit = models.OneToOneField(Hit, null=True, on_delete=models.PROTECT, related_name="sitting")
    reference = models.CharField(max_length=200, blank=True)
    study = models.CharField(max_length=200, blank=True)
    submit_to = models.CharField(max_length=200, blank=True)
    began_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)
    result = models.CharField(max_length=10, choices=Result, blank=True)
    pay = models.FloatField(default=0)
    # From the nonce and the app's secret the code follows; the digest finds it.
    nonce = models.CharField(max_length=64, blank=True)
    code_sha256 = models.CharField(max_length=64, null=True, unique=True)
    approved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["worker", "number"], name="one_sitting_a_number"),
            models.UniqueConstraint(
                fields=["batch", "worker", "reference"],
                condition=~Q(reference=""),
                name="one_sitting_a_reference",
            ),
            models.UniqueConstraint(
                fields=["worker"], condition=Q(ended_at=None), name="one_sitting_at_a_time"
            ),
        ]


class TrainingAnswer(models.Model):
    """The answer of a worker in the training for one kind of HITs."""

    worker = models.ForeignKey(CrowdWorker, on_delete=models.PROTECT, related_name="training")
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    value = models.FloatField()
    is_right = models.BooleanField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["worker", "batch", "number"], name="one_training_answer"
            )
        ]
