"""Fill a campaign's app with work for many people: `fill_matrix.py FOLDER ASSESSORS TOPICS`.

Every assessor has every topic, with two docs each; about a quarter is judged. The events have no
chain: the app is for looking at, not for `verify`.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

from qrelsmith.cli.app import open_app

DOCS = 2
STEP = timedelta(seconds=20)


def main(folder: str, assessors: int, topics: int) -> None:
    open_app(folder)
    from django.utils import timezone

    from qrelsmith.web.core.database import writing
    from qrelsmith.web.models import (
        Assessor,
        AssignedDoc,
        Assignment,
        Doc,
        Event,
        Topic,
        TopicVersion,
    )
    from qrelsmith.web.serving.start import prepare

    prepare()
    with Path(folder, "topics.jsonl").open("a", encoding="utf-8") as lines:
        for name in map("t{:04}".format, range(topics)):
            print(f'{{"topic": "{name}", "title": "About {name}"}}', file=lines)
    began = timezone.now() - timedelta(days=10)
    with writing():
        docs = list(Doc.objects.order_by("name")[:DOCS])
        made = _made(
            Assessor, [Assessor(name=f"p{n:03}", group=f"group-{n % 4}") for n in range(assessors)]
        )
        told = _made(Topic, [Topic(name=f"t{n:04}") for n in range(topics)])
        _made(
            TopicVersion,
            [TopicVersion(topic=each, version=1, title=f"About {each.name}") for each in told],
        )
        work = []
        for a, assessor in enumerate(made):
            for t, topic in enumerate(told):
                judged = (a * 7 + t * 3) % 3 if t < topics // 2 + a % 5 else 0
                work.append(Assignment(
                    assessor=assessor, topic=topic, ordering="prioritised", seed=0, total=DOCS,
                    judged=judged, opened_at=began if judged else None,
                ))  # fmt: skip
        _made(Assignment, work)
        rows = _made(AssignedDoc, [
            AssignedDoc(
                assignment=each, doc=doc, position=place, is_judged=place <= each.judged,
                revision=int(place <= each.judged), value=_grade(each, place),
            )
            for each in work
            for place, doc in enumerate(docs, start=1)
        ])  # fmt: skip
        _made(Event, [
            Event(
                op_id=f"filled-{n}", kind="judge", topic_version=1, base_revision=0, revision=1,
                assessor_id=row.assignment.assessor_id, assignment=row.assignment, assigned=row,
                value=row.value, scale_version=1, accepted_at=began + n * STEP / 10,
                judged_at=began + n * STEP / 10, shown_at=began + n * STEP / 10 - STEP,
                active_ms=12_000, idle_ms=0,
            )
            for n, row in enumerate(each for each in rows if each.is_judged)
        ])  # fmt: skip


def _grade(assignment: Any, place: int) -> float | None:
    if place > assignment.judged:
        return None
    return float((assignment.topic_id + place + (assignment.assessor_id % 5 == 0)) % 3)


def _made(kind: Any, objects: list[Any]) -> list[Any]:
    for start in range(0, len(objects), 20_000):
        kind.objects.bulk_create(objects[start : start + 20_000], batch_size=500)
    return objects


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
