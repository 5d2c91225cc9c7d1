"""HITs of docs: the open HITs of the assignments table, with docs of known grade."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.assigning.assignment import Assignment
from qrelsmith.assigning.assignment_files import read_assignments
from qrelsmith.base.errors import InputError, UndefinedError, UsageError, quoted
from qrelsmith.base.rng import digest_key, shuffle
from qrelsmith.campaign.campaign import Campaign
from qrelsmith.topk.crowd.known_answers import CHALLENGE_DOCS, KnownDoc, read_known_docs
from qrelsmith.topk.hits import pilot_topics
from qrelsmith.web.crowd.keys import record_hits
from qrelsmith.web.models import Batch, Doc, Hit, Topic

_TABLE = "assignments.csv"


def make_doc_hits(batch: Batch, campaign: Campaign, pilot: float | None) -> list[Hit]:
    """Create a HIT for each open place in the assignments table that has none yet.

    The workers' group is that of the table.

    Raises
    ------
    UsageError
        If there is no open place.
    InputError
        If there is no table, or a topic or doc is not in the app.
    UndefinedError
        If a topic has too few docs of known grade.
    """
    places = _places(campaign, batch)
    if pilot is not None and places:
        chosen = set(pilot_topics(sorted({p.topic for p in places}), pilot, seed=batch.seed))
        places = [place for place in places if place.topic in chosen]
    if not places:
        raise UsageError(f"{_TABLE} has no open HITs outside a batch; expected at least one")
    groups = sorted({place.group for place in places})
    if len(groups) > 1:
        raise UsageError(f"found open HITs of the groups {', '.join(groups)}; expected one group")
    batch.group = groups[0]
    batch.save(update_fields=["group"])
    topics = dict(Topic.objects.values_list("name", "id"))
    challenges = _challenges(campaign, batch)
    docs = set(Doc.objects.values_list("name", flat=True))
    for name in sorted({place.topic for place in places} - topics.keys()):
        raise InputError(f"the topic {quoted(name)} is not in the app", path=campaign.folder)
    hits = []
    for place in places:
        for name in place.docs:
            if name not in docs:
                raise InputError(
                    f"the doc {quoted(name)} is not in the app", path=campaign.folder / _TABLE
                )
        challenge_docs = _challenge_docs(place, challenges.get(place.topic, ()), batch)
        hits.append(
            Hit(
                name=place.hit,
                topic_id=topics[place.topic],
                docs=_mix(place, [each.doc for each in challenge_docs]),
                challenges={each.doc: [each.lowest, each.highest] for each in challenge_docs},
                ordering=place.ordering,
                seed=place.seed,
            )
        )
    return record_hits(batch, hits)


def _places(campaign: Campaign, batch: Batch) -> list[Assignment]:
    """Return the open HITs of the table that are not in earlier batches, ordered by the seed."""
    path = campaign.folder / _TABLE
    if not path.exists():
        raise InputError(
            "file not found; expected the HITs of a group without assessors. Create "
            "them with qrelsmith assign --hit-size 8 --per-doc 10",
            path=path,
        )
    known = set(Hit.objects.filter(follows=None).values_list("name", "seed"))
    places = [each for each in read_assignments(path) if not each.assessor]
    new = [each for each in places if (each.hit, each.seed) not in known]
    return shuffle(new, seed=batch.seed, keys=("doc HITs",))


def _challenges(campaign: Campaign, batch: Batch) -> dict[str, list[KnownDoc]]:
    """Return the docs of known grade, by topic; empty if HITs need none."""
    if not batch.terms["challenge_docs"]:
        return {}
    path = campaign.folder / CHALLENGE_DOCS
    if not path.exists():
        problem = f"the file is missing, but challenge_docs = {batch.terms['challenge_docs']}"
        raise InputError(f"{problem} in [hits]", path=path)
    by_topic: dict[str, list[KnownDoc]] = {}
    for each in read_known_docs(path):
        by_topic.setdefault(each.topic, []).append(each)
    known = {each.doc for docs in by_topic.values() for each in docs}
    there = set(Doc.objects.filter(name__in=known, version__gt=0).values_list("name", flat=True))
    for name in sorted(known - there):
        raise InputError(f"the doc {quoted(name)} is not in the app", path=path)
    return by_topic


def _challenge_docs(place: Assignment, known: Sequence[KnownDoc], batch: Batch) -> list[KnownDoc]:
    """Return the attention checks for a place, which are not among its own docs."""
    count = int(batch.terms["challenge_docs"])
    keys = ("challenge docs", place.hit, place.seed)
    free = [each for each in known if each.doc not in place.docs]
    drawn = shuffle(free, seed=batch.seed, keys=keys)[:count]
    if len(drawn) < count:
        raise UndefinedError(
            f"{CHALLENGE_DOCS} has {len(drawn)} challenge docs for the HIT {quoted(place.hit)};"
            f" expected {count}. Add docs of topic {quoted(place.topic)}"
        )
    return drawn


def _mix(place: Assignment, challenges: Sequence[str]) -> list[str]:
    """Return the docs of a worker's HIT in order, with attention checks at random positions."""
    docs = list(place.docs)
    for each in challenges:
        drawn = digest_key(place.seed, "challenge place", place.hit, each)
        docs.insert(int.from_bytes(drawn[:8], "big") % (len(docs) + 1), each)
    return docs
