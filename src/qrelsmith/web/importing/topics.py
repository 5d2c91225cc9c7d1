"""Topics into the database."""

from __future__ import annotations

from collections.abc import Iterable

from qrelsmith.data import topics as data
from qrelsmith.web.importing.counts import Counts
from qrelsmith.web.models import Event, Topic, TopicVersion


def import_topics(topics: Iterable[data.Topic]) -> Counts:
    """Record topics; one whose text has changed becomes a new version once it was judged."""
    counts = Counts("topics")
    known = {topic.name: topic for topic in Topic.objects.all()}
    versions = {(v.topic_id, v.version): v for v in TopicVersion.objects.all()}
    for each in topics:
        topic = known.get(each.topic)
        if topic is None:
            topic = Topic.objects.create(name=each.topic)
            TopicVersion.objects.create(topic=topic, version=1, **_fields(each))
            counts.new += 1
            continue
        current = versions[topic.pk, topic.version]
        if all(getattr(current, name) == value for name, value in _fields(each).items()):
            counts.same += 1
            continue
        counts.changed += 1
        if Event.objects.filter(assignment__topic=topic).exists():
            topic.version += 1
            topic.save(update_fields=["version"])
            TopicVersion.objects.create(topic=topic, version=topic.version, **_fields(each))
        else:
            TopicVersion.objects.filter(pk=current.pk).update(**_fields(each))
    return counts


def _fields(topic: data.Topic) -> dict[str, object]:
    return {
        "title": topic.title,
        "description": topic.description,
        "narrative": topic.narrative,
        "creator": topic.creator,
        "others": dict(topic.others),
    }
