"""The plan of a draft (docs, assignments, hours, cost), computed as in `pool` and `assign`."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.utils.translation import gettext

from qrelsmith.assigning.assign import AssignedWork, assign
from qrelsmith.base.errors import QrelsmithError
from qrelsmith.base.scales import grade_text
from qrelsmith.campaign.campaign import campaign_toml
from qrelsmith.collection.documents import located_documents
from qrelsmith.collection.pools.pool_files import Pools
from qrelsmith.collection.topics import read_topics, write_topics
from qrelsmith.io.writing import write_text
from qrelsmith.pooling.pool import PooledRuns, pool
from qrelsmith.pooling.pool_contents import pool_sizes
from qrelsmith.pooling.run_pools import pool_runs
from qrelsmith.web.setup.choices import DraftChoices
from qrelsmith.web.setup.drafts import Draft
from qrelsmith.web.setup.uploads import paths_of

Stamp = tuple[str, int, int]


@dataclass(frozen=True)
class Plan:
    """The work planned in a draft.

    Attributes
    ----------
    topics, docs, judgments : int
        Numbers of topics, of docs in their pools, and of judgments by all assessors.
    shares : tuple of (str, str, int, int)
        Group, assessor, number of topics and number of docs, for each assessor.
    hours, cost : float
        The time of all judgments, and its cost.
    notes : tuple of str
        Unusual facts about the plan.
    problems : tuple of str
        Reasons why the campaign cannot be started yet.
    """

    topics: int = 0
    docs: int = 0
    judgments: int = 0
    shares: tuple[tuple[str, str, int, int], ...] = ()
    hours: float = 0.0
    cost: float = 0.0
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


def plan_of(draft: Draft, choices: DraftChoices | None = None) -> Plan:
    """Return the plan of a draft, or of other choices with the draft's files."""
    choices = choices or draft.choices
    parts = paths_of(draft)
    problems = []
    if not parts["topics"]:
        problems.append(gettext("There are no topics. Upload a file of topics."))
    if not parts["documents"]:
        problems.append(gettext("There are no docs. Upload a file of docs."))
    if choices.kind == "pairs" and not parts["qrels"]:
        problems.append(gettext("Pairs are chosen from graded docs. Upload a file of labels."))
    if choices.kind == "graded" and choices.depth and not parts["runs"]:
        problems.append(gettext("Pools need runs. Upload runs, or choose all docs."))
    if not choices.title:
        problems.append(gettext("The campaign has no name."))
    if choices.kind == "graded" and len(choices.levels) < 2:
        problems.append(gettext("The scale has fewer than two grades."))
    if choices.kind == "graded":
        problems += [
            gettext("The grade %(grade)s has neither a name nor a meaning.")
            % {"grade": grade_text(level.grade)}
            for level in choices.levels
            if not level.label and not level.text
        ]
    if not any(group.people for group in choices.groups):
        problems.append(gettext("There are no assessors yet. Add people to a group."))
    is_pooled = parts["topics"] and parts["documents"] and (parts["runs"] or not choices.depth)
    if choices.kind == "pairs" or not is_pooled:
        return Plan(problems=tuple(problems))
    stamps = tuple(_stamp(path) for part in sorted(parts) for path in parts[part])
    try:
        found = _plan(str(draft.files), choices, stamps)
    except (QrelsmithError, OSError) as error:
        return Plan(problems=(*problems, str(error).replace(f"{draft.files}/", "")))
    return Plan(**{**vars(found), "problems": (*problems, *found.problems)})


def lay_out(
    folder: Path, choices: DraftChoices, runs: Sequence[Path], documents: Path
) -> tuple[PooledRuns, AssignedWork | None]:
    """Write pools and assignments into a campaign folder, as `pool` and `assign` write them."""
    pooled = _pools(choices, runs, documents, folder)
    file = pooled.output_file(f"{folder / 'pools'}/")
    write_text(file, (pooled.file_content(None, file) or b"").decode())
    work = None
    if any(group.people for group in choices.groups):
        work = assign(folder)
        write_text(folder / "assignments.csv", work.table().text("csv"))
    return pooled, work


def _pools(
    choices: DraftChoices, runs: Sequence[Path], documents: Path, folder: Path
) -> PooledRuns:
    files = [str(run) for run in sorted(runs)]
    topics = [each.topic for each in read_topics(next(folder.glob("topics.*")))]
    if choices.depth:
        return pool(
            files, depth=choices.depth, ordering=choices.pool_ordering, topic_set=topics,
            seed=choices.seed,
        )  # fmt: skip
    docs = _ids(*_stamp(documents))
    everything = dict.fromkeys(topics, docs)
    if files:
        return pool(
            files, depth=1, found=everything, ordering=choices.pool_ordering, topic_set=topics,
            seed=choices.seed,
        )  # fmt: skip
    contents = pool_runs([], depth=1, found=everything)
    return PooledRuns(
        show="pool", pools=contents.order(choices.pool_ordering, seed=choices.seed),
        contents=contents, sizes=pool_sizes(contents),
    )  # fmt: skip


@lru_cache(maxsize=64)
def _plan(files: str, choices: DraftChoices, stamps: tuple[Stamp, ...]) -> Plan:
    """Return the plan; it is cached for the same files and choices."""
    from qrelsmith.formats.file_kinds import files_by_kind

    del files
    parts = files_by_kind(path for path, _, _ in stamps)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_text(folder / "campaign.toml", campaign_toml(choices.campaign(folder)))
        topics = read_topics(parts["topics"][0])
        write_topics(topics, folder / "topics.jsonl")
        documents = Path(parts["documents"][0])
        pooled, work = lay_out(folder, choices, [Path(run) for run in parts["runs"]], documents)
    return _count_work(pooled.pools, work, choices, topics=len(topics), documents=documents)


def _count_work(
    pools: Pools, work: AssignedWork | None, choices: DraftChoices, *, topics: int, documents: Path
) -> Plan:
    docs = {doc for each in pools.docs.values() for doc in each}
    notes = [] if work is None else list(work.notes)
    if unexplained := [grade_text(each.grade) for each in choices.levels if not each.text]:
        notes.append(
            gettext("Grades without a meaning (assessors see only the name): %(grades)s.")
            % {"grades": ", ".join(unexplained)}
        )
    bare = sorted(docs - set(_ids(*_stamp(documents))))
    if bare:
        notes.append(
            gettext("Pooled docs without text: %(count)s (first: %(first)s). Docs without text"
                    " cannot be judged.") % {"count": f"{len(bare):,}", "first": bare[0]}
        )  # fmt: skip
    if len(pools.docs) < topics:
        notes.append(
            gettext("Topics missing from every run: %(count)s.")
            % {"count": topics - len(pools.docs)}
        )
    shares: Counter[tuple[str, str]] = Counter()
    whose: Counter[tuple[str, str]] = Counter()
    for one in () if work is None else work.assignments:
        shares[one.group, one.assessor] += len(pools.docs[one.topic])
        whose[one.group, one.assessor] += 1
    judgments = sum(shares.values())
    hours = judgments * choices.seconds / 3600
    return Plan(
        topics=len(pools.docs),
        docs=sum(map(len, pools.docs.values())),
        judgments=judgments,
        shares=tuple((*who, whose[who], shares[who]) for who in sorted(shares)),
        hours=hours,
        cost=hours * choices.wage,
        notes=tuple(notes),
    )


def _stamp(path: Path) -> Stamp:
    """Return values that distinguish a file from an older file with the same name."""
    told = path.stat()
    return str(path), told.st_size, told.st_mtime_ns


@lru_cache(maxsize=32)
def _ids(path: str, _size: int, _changed: int) -> tuple[str, ...]:
    return tuple(document.doc_id for _, document in located_documents(path))
