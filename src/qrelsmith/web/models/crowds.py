"""Crowd work: batches of HITs, the workers of a platform, and their payments."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from qrelsmith.web.models.accounts import Assessor
from qrelsmith.web.models.assignments import AnswerAssignment, Assignment
from qrelsmith.web.models.content import Topic


class Batch(models.Model):
    """HITs that were published together, under fixed terms."""

    class Kind(models.TextChoices):
        """The kind of a batch: the items of its HITs."""

        PAIRS = "pairs"
        DOCS = "docs"
        ANSWERS = "answers"

    name = models.CharField(max_length=100, unique=True)
    kind = models.CharField(max_length=10, choices=Kind)
    platform = models.CharField(max_length=20)
    group = models.CharField(max_length=200)
    # `[hits]` of campaign.toml and the training, copied when the batch was opened.
    terms = models.JSONField(default=dict)
    training = models.JSONField(default=list)
    seed = models.BigIntegerField(default=0)
    is_open = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now)
    # The completion code of the study on Prolific; it belongs to the platform, and is never
    # exported.
    study_code = models.CharField(max_length=100, blank=True)

    def __str__(self) -> str:
        return self.name


class CrowdWorker(models.Model):
    """A worker of a platform, with the worker's pseudonym.

    `platform_id` and `digest` are never exported; both are deleted when the worker is forgotten.
    """

    assessor = models.OneToOneField(Assessor, on_delete=models.PROTECT, related_name="crowd_worker")
    platform = models.CharField(max_length=20)
    platform_id = models.CharField(max_length=200, blank=True)
    digest = models.CharField(max_length=64, null=True, unique=True)
    # Whether the worker passed the training, by kind of HITs.
    trained = models.JSONField(default=dict)
    # When and why the worker was excluded from further HITs.
    excluded_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.assessor.name


class Hit(models.Model):
    """A HIT: the work of one session. A HIT is assigned to one worker and never reassigned.

    An abandoned or discarded HIT is kept as a record, and a new HIT replaces it. Pairs refer to
    their HIT by `key`. Docs and answers are copied to an assignment when a worker takes the HIT.
    """

    class State(models.TextChoices):
        """The state of a HIT."""

        OPEN = "open"
        TAKEN = "taken"
        FINISHED = "finished"
        DISCARDED = "discarded"
        ABANDONED = "abandoned"

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="hits")
    number = models.PositiveIntegerField()
    # The contents of the HIT; a replacement has the same name and a new key.
    name = models.CharField(max_length=200)
    key = models.CharField(max_length=200, unique=True)
    follows = models.OneToOneField(
        "self", null=True, on_delete=models.PROTECT, related_name="followed_by"
    )
    # Not in batches of pairs: the topic, the docs in order, and known grades. In batches of
    # answers, `docs` has their contents and aspects, and the known grades are those of aspects, by
    # run.
    topic = models.ForeignKey(Topic, null=True, on_delete=models.PROTECT, related_name="hits")
    docs = models.JSONField(default=list)
    challenges = models.JSONField(default=dict)
    ordering = models.CharField(max_length=100, blank=True)
    seed = models.BigIntegerField(null=True)
    assignment = models.OneToOneField(
        Assignment, null=True, on_delete=models.PROTECT, related_name="crowd_hit"
    )
    answers = models.OneToOneField(
        AnswerAssignment, null=True, on_delete=models.PROTECT, related_name="crowd_hit"
    )
    # The number of aspects, in batches of answers.
    aspects = models.PositiveIntegerField(null=True)
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)
    worker = models.ForeignKey(
        CrowdWorker, null=True, on_delete=models.PROTECT, related_name="hits"
    )
    taken_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    # The number of answers to its pairs at closing; other events are counted by the assignment.
    events_at_close = models.PositiveIntegerField(null=True)
    # The number of failed attention checks, known once the HIT is finished.
    missed = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "number"], name="one_hit_a_number"),
            models.UniqueConstraint(
                fields=["worker"], condition=Q(state="taken"), name="one_hit_at_a_time"
            ),
        ]
        indexes = [models.Index(fields=["batch", "state", "number"])]

    def counts(self, name: str) -> bool:
        """Return whether the label of a doc, or of a run's answer, counts in results."""
        return self.state == self.State.FINISHED and name not in self.challenges


class Sitting(models.Model):
    """One session of a worker: its result, the payment due, and the completion code.

    `reference`, `study` and `submit_to` are the platform's identifiers and address for this
    session. These values and the columns of the completion code are never exported.
    """

    class Result(models.TextChoices):
        """The result of a session."""

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
    # The code is derived from the nonce and the app's secret; the code is found by its digest.
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
    """A worker's answer in the training for one kind of HIT."""

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
