"""Topics, docs and the scale, each with its versions."""

from __future__ import annotations

import zlib

from django.db import models
from django.utils import timezone


class Topic(models.Model):
    """A topic; its texts are in its versions."""

    name = models.CharField(max_length=500, unique=True)
    version = models.PositiveIntegerField(default=1)

    def __str__(self) -> str:
        return self.name


class TopicVersion(models.Model):
    """A version of a topic's text."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="versions")
    version = models.PositiveIntegerField()
    title = models.TextField(blank=True)
    description = models.TextField(blank=True)
    narrative = models.TextField(blank=True)
    creator = models.CharField(max_length=200, blank=True)
    others = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["topic", "version"], name="one_topic_version")
        ]


class Doc(models.Model):
    """A doc; its contents are in its versions, unless the app has only digests of them."""

    name = models.CharField(max_length=500, unique=True)
    version = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.name


class DocVersion(models.Model):
    """A version of a doc's content, compressed; empty if only its digest is known."""

    doc = models.ForeignKey(Doc, on_delete=models.CASCADE, related_name="versions")
    version = models.PositiveIntegerField()
    form = models.CharField(max_length=4, choices=[("text", "text"), ("html", "html")])
    title = models.TextField(blank=True)
    url = models.TextField(blank=True)
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["doc", "version"], name="one_doc_version")]
        indexes = [models.Index(fields=["doc", "sha256"])]

    @classmethod
    def current(cls, doc: str, column: str) -> models.Subquery:
        """Return a subquery for a column of the current version of a row's doc."""
        version = models.OuterRef(f"{doc}__version")
        versions = cls.objects.filter(doc=models.OuterRef(doc), version=version)
        return models.Subquery(versions.values(column)[:1])

    @property
    def text(self) -> str:
        """The content as text."""
        return zlib.decompress(bytes(self.content)).decode("utf-8")


class ScaleVersion(models.Model):
    """A version of the scale and of the other settings in `[judging]`."""

    version = models.PositiveIntegerField(unique=True)
    content = models.JSONField()
    created_at = models.DateTimeField(default=timezone.now)
