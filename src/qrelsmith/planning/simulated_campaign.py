"""A simulated campaign in the formats of a real campaign: judgments with a log, and a folder."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qrelsmith.assigning.assignment_files import write_assignments
from qrelsmith.base.arrays import IntArray
from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.campaign.campaign import Campaign, Group, Level, write_campaign_toml
from qrelsmith.campaign.campaign_folder import MANIFEST
from qrelsmith.collection.pools import order_docs
from qrelsmith.collection.pools.pool_files import Pools, write_pools
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.collection.topics import Topic, write_topics
from qrelsmith.io.manifest import manifest_for, manifest_text
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_files import write_judgments
from qrelsmith.planning.campaign_designs import campaign_design_text
from qrelsmith.planning.simulation import Events, SimulatedCampaign

# An assessor starts one topic a day, at nine o'clock UTC, from 8 January 2024 on.
_START_MS, _DAY_MS = 1_704_704_400_000, 86_400_000
TRUTH = "simulated-truth"
MEASURES = ("nDCG@10", "Q@10", "nERR@10", "iRBU@10")


def simulated_judgments(
    campaign: SimulatedCampaign, events: Events | None = None, *, day: int = 0
) -> Judgments:
    """Return all answers of a simulated campaign, with their log.

    Each time an assessor views a doc, there is an event with a revision. Efficiency is computed
    from `shown_at` and `judged_at`. The time between `shown_at` and `judged_at` is the sum of
    `active_ms` and `idle_ms`.

    Parameters
    ----------
    events : Events, optional
        The events of another round of judging; by default those of the campaign.
    day : int
        The first day of the round, counted from the first day of the campaign.
    """
    events = campaign.events if events is None else events
    names = campaign.assessors
    work = {(row.topic, row.assessor): row for row in campaign.assignments}
    pairs = [
        work[campaign.topics[topic], names[who]]
        for topic, who in zip(events.topic.tolist(), events.assessor.tolist(), strict=True)
    ]
    opened = _START_MS + _DAY_MS * (day + _topics_before(events.assessor, events.topic))
    shown = opened + np.round(events.shown * 1000).astype(np.int64)
    judged = opened + np.round(events.judged * 1000).astype(np.int64)
    idle = np.round(events.idle * 1000).astype(np.int64)
    docs = zip(events.topic.tolist(), events.doc.tolist(), strict=True)
    return Judgments.from_columns(
        {
            "topic": [row.topic for row in pairs],
            "doc": [campaign.docno(topic, doc) for topic, doc in docs],
            "assessor": [row.assessor for row in pairs],
            "grade": events.grade.tolist(),
            "group": [row.group for row in pairs],
            "position": events.position.tolist(),
            "ordering": [row.ordering for row in pairs],
            "shown_at": shown.tolist(),
            "judged_at": judged.tolist(),
            "active_ms": (judged - shown - idle).tolist(),
            "idle_ms": idle.tolist(),
            "revision": events.revision.tolist(),
        }
    )


def simulated_runs(campaign: SimulatedCampaign) -> list[Run]:
    """Return the runs of a simulated campaign, named after their teams."""
    systems = campaign.design.systems
    width = len(str(systems.count))
    runs = []
    for system, team in enumerate(systems.team_of().tolist()):
        scores = {
            topic: {
                campaign.docno(number, doc): float(-rank)
                for rank, doc in enumerate(campaign.ranked[system, number].tolist(), start=1)
            }
            for number, topic in enumerate(campaign.topics)
        }
        name = f"{team_name(team)}-s{system + 1:0{width}d}"
        runs.append(Run.from_dict(scores, name=name, order="file"))
    return runs


def simulated_truth(campaign: SimulatedCampaign) -> Qrels:
    """Return the true grades of the pooled docs."""
    grades = campaign.true_grades()
    return Qrels.from_rows(
        (
            (topic, doc, float(grades[number, int(doc.rpartition("-d")[2])]))
            for number, topic in enumerate(campaign.topics)
            for doc in campaign.pools[number].docs
        ),
        name=TRUTH,
    )


def write_simulated_campaign(
    campaign: SimulatedCampaign,
    folder: FilePath,
    *,
    title: str,
    damages: Sequence[str] = (),
    advance: Callable[[], None] = lambda: None,
) -> None:
    """Write a simulated campaign as a campaign folder, atomically.

    Parameters
    ----------
    folder : path
        A folder that does not exist, or an empty folder.
    title : str
        The title of the campaign.
    damages : sequence of str
        The simulated data problems, for the manifest.
    advance : callable
        Called after each of the `1 + systems` steps.

    Raises
    ------
    UsageError
        If the folder is not empty.
    InputError
        If it cannot be written.
    """
    target = Path(folder).resolve()
    check_new(folder)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        for name in ("runs", "pools", "qrels"):
            (part / name).mkdir(parents=True)
        _write_files(campaign, part, title, damages)
        advance()
        for run in simulated_runs(campaign):
            write_run(run, part / "runs" / f"{run.name}.run")
            advance()
        if target.exists():
            target.rmdir()
        part.rename(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=folder) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)


def check_new(folder: FilePath) -> None:
    """Raise `UsageError` if a path exists and is not an empty folder."""
    path = Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        what = "is not empty" if path.is_dir() else "is a file"
        raise UsageError(f"{quoted(path)} {what}; expected a new folder")


@dataclass(frozen=True, slots=True)
class GroupWork:
    """The numbers of topics, judgments and hours of a group of assessors.

    Attributes
    ----------
    assessors : int
        The number of its members.
    topics : int
        The sum of the numbers of topics of all assessors.
    judgments, corrections : int
        The numbers of first answers and of later answers.
    hours : float
        The hours of work, without breaks.
    """

    group: str
    assessors: int
    topics: int
    judgments: int
    corrections: int
    hours: float


def group_work(campaign: SimulatedCampaign) -> tuple[GroupWork, ...]:
    """Return the numbers of topics, judgments and hours of each group of a campaign."""
    events = campaign.events
    work = []
    first = 0
    for group in campaign.design.groups:
        own = (events.assessor >= first) & (events.assessor < first + group.assessors.count)
        first += group.assessors.count
        work.append(
            GroupWork(
                group=group.name,
                assessors=group.assessors.count,
                topics=sum(one.group == group.name for one in campaign.assignments),
                judgments=int((own & (events.revision == 1)).sum()),
                corrections=int((own & (events.revision > 1)).sum()),
                hours=float(events.active[own].sum()) / 3600,
            )
        )
    return tuple(work)


def _write_files(
    campaign: SimulatedCampaign, folder: Path, title: str, damages: Sequence[str]
) -> None:
    design, seed = campaign.design, campaign.seed
    runs = design.systems.team_of().tolist()
    width = len(str(len(runs)))
    write_campaign_toml(
        Campaign(
            folder,
            title=title,
            levels=tuple(Level(float(grade)) for grade in range(design.levels)),
            groups={
                group.name: Group(
                    role="gold" if group.creators else "bronze",
                    assessors=group.members(),
                    ordering=group.ordering,
                    per_doc=group.per_doc,
                )
                for group in design.groups
            },
            teams={
                f"{team_name(team)}-s{system + 1:0{width}d}": team_name(team)
                for system, team in enumerate(runs)
            },
            seeds={"assignments": seed, "simulation": seed},
            measures=MEASURES,
        )
    )
    write_topics(
        (
            Topic(topic, title=f"Simulated topic {number}", creator=creator)
            for number, (topic, creator) in enumerate(
                zip(campaign.topics, campaign.creators, strict=True), start=1
            )
        ),
        folder / "topics.jsonl",
    )
    pools = {
        topic: order_docs(pool, "prioritised", topic=topic, seed=seed)
        for topic, pool in zip(campaign.topics, campaign.pools, strict=True)
    }
    name = f"prioritised-{design.depth}.pool"
    write_pools(Pools("prioritised", design.depth, seed, pools), folder / "pools" / name)
    write_assignments(campaign.assignments, folder / "assignments.csv")
    write_judgments(simulated_judgments(campaign), folder / "judgments.csv")
    write_qrels(simulated_truth(campaign), folder / "qrels" / f"{TRUTH}.qrels")
    manifest = manifest_for(
        ("qrelsmith", "simulate", "campaign"),
        parameters={
            "design": campaign_design_text(design),
            **({"damages": list(damages)} if damages else {}),
        },
        seed=seed,
    )
    write_text(folder / MANIFEST, manifest_text(manifest))


def team_name(team: int) -> str:
    """Return the name of a team by its number."""
    return f"team{team + 1}"


def _topics_before(assessor: IntArray, topic: IntArray) -> IntArray:
    """Count the topics judged before each event by its assessor; events are sorted by assessor."""
    new = np.append(True, (np.diff(assessor) != 0) | (np.diff(topic) != 0))
    session = np.cumsum(new) - 1
    first = session[np.searchsorted(assessor, assessor)]
    return np.asarray(session - first)
