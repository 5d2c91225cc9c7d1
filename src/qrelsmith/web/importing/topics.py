"""Import of topics."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from qrelsmith.collection import topics as data
from qrelsmith.web.core.counts import Counts
from qrelsmith.web.core.names import check_name
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.models import Topic, TopicVersion


def import_topics(topics: Iterable[data.Topic], *, is_dry: bool = False) -> Counts:
    """Record topics; a changed text becomes a new version if the topic was judged."""
    counts = Counts("topics")
    known = {topic.name: topic for topic in Topic.objects.all()}
    versions = {(v.topic_id, v.version): v for v in TopicVersion.objects.all()}
    for source in topics:
        counts.digests[source.topic] = ""
        topic = known.get(source.topic)
        if topic is None:
            check_name(source.topic, what="topic", of=Topic)
            check_name(source.creator, what="creator", of=TopicVersion, field="creator")
            counts.new += 1
            if not is_dry:
                topic = Topic.objects.create(name=source.topic)
                TopicVersion.objects.create(topic=topic, version=1, **_fields(source))
            continue
        current = versions[topic.pk, topic.version]
        if all(getattr(current, name) == value for name, value in _fields(source).items()):
            counts.same += 1
            continue
        counts.changed += 1
        if not is_dry:
            _change(topic, source)
    return counts


def _change(topic: Topic, text: data.Topic) -> None:
    logs = (kind.events.objects.filter(**{f"{kind.stream}__topic": topic}) for kind in KINDS)
    if any(log.exists() for log in logs):
        topic.version += 1
        topic.save(update_fields=["version"])
        TopicVersion.objects.create(topic=topic, version=topic.version, **_fields(text))
    else:
        current = TopicVersion.objects.filter(topic=topic, version=topic.version)
        current.update(**_fields(text))


def _fields(topic: data.Topic) -> dict[str, Any]:
    return {
        "title": topic.title,
        "description": topic.description,
        "narrative": topic.narrative,
        "creator": topic.creator,
        "others": dict(topic.others),
    }
