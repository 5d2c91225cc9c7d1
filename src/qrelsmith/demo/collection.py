"""The demo collection as a campaign folder.

Docs are the docstrings of the running Python's standard library. Topics and relevant docs are
handwritten lists (see docs/demo-collection.md). Runs come from `demo.systems`, and the judgments of
the simulated groups from `demo.assessors`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign import Campaign, Group, Level, QrelsSource, write_campaign_toml
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run
from qrelsmith.collection.topics import Topic, read_topics, write_topics
from qrelsmith.demo.assessors import GROUPS, simulated_judgments
from qrelsmith.demo.docstrings import DemoDoc, stdlib_docs
from qrelsmith.demo.ranking import rank_all
from qrelsmith.demo.systems import SYSTEMS
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.judgment_files import write_judgments
from qrelsmith.models.session import BASELINE


@dataclass(frozen=True, slots=True)
class DemoCollection:
    """The demo collection on disk.

    Attributes
    ----------
    folder : path
        The campaign folder.
    qrels : path
        The gold qrels.
    runs : tuple of path
        The run files, sorted.
    docs, topics, judgments : int
        The numbers of docs, topics and judgments.
    absent : int
        Number of judgments left out because this Python does not have the doc.
    """

    folder: Path
    qrels: Path
    runs: tuple[Path, ...]
    docs: int
    topics: int
    judgments: int
    absent: int


# The meanings of the grades in the gold qrels, and the instructions for assessors.
_LEVELS = (
    Level(0, "not relevant", "Does not help with the question.", 0),
    Level(1, "helps", "Is on the subject and helps somewhat.", 1),
    Level(2, "answers", "Answers the question, but less directly or in another way.", 2),
    Level(3, "answers directly", "The doc that you would give to the person who asks.", 3),
)
# The files of a demo's folder, including the audit and the baseline's replies.
_MADE = frozenset((
    ".qrelsmith", ".qrelsmith-demo", "audit", "campaign.toml", "documents.jsonl", "evaluation.csv",
    "judgments.csv", "rag", "sample.csv", "topics.jsonl",
))  # fmt: skip
_MARK = "Created by `qrelsmith demo`, which may replace it.\n"


def topics() -> tuple[Topic, ...]:
    """Return the 25 topics."""
    with _package_file("topics.jsonl") as path:
        return read_topics(path)


def gold() -> Qrels:
    """Return the relevant docs, as listed by a person for an earlier Python version."""
    with _package_file("gold.qrels") as path:
        return read_qrels(path, name="gold", scale=Scale(tuple(level.grade for level in _LEVELS)))


def build(folder: Path) -> DemoCollection:
    """Write the collection as a campaign folder.

    Parameters
    ----------
    folder : path
        A folder that does not exist, is empty, or contains an earlier demo collection.

    Raises
    ------
    UsageError
        If the folder contains anything else.
    MissingDependencyError
        If bm25s, which is part of the extra `demo`, is not installed.
    """
    _claim(folder)
    docs, asked = stdlib_docs(), topics()
    known = {doc.doc_id for doc in docs}
    judged = gold()
    written_qrels = Qrels.from_rows((row for row in judged.rows() if row[1] in known), name="gold")
    rankings = rank_all(docs, asked)
    for name in ("runs", "qrels"):
        (folder / name).mkdir(exist_ok=True)
    write_text(folder / "documents.jsonl", "".join(_doc_line(doc) for doc in docs))
    write_topics(asked, folder / "topics.jsonl")
    write_qrels(written_qrels, folder / "qrels" / "gold.qrels")
    write_judgments(simulated_judgments(written_qrels), folder / "judgments.csv")
    runs = []
    for tag, ranking in sorted(rankings.items()):
        runs.append(folder / "runs" / f"{tag}.run")
        scores = {topic: dict(pairs) for topic, pairs in ranking.items()}
        write_run(Run.from_dict(scores, name=tag), runs[-1])
    creators = sorted({topic.creator for topic in asked})
    write_campaign_toml(
        Campaign(
            folder=folder,
            title="Python's docstrings (the demo collection of qrelsmith)",
            levels=_LEVELS,
            groups={
                "gold": Group(role="gold", assessors=tuple(creators)),
                **{group.name: Group(role="bronze") for group in GROUPS},
            },
            qrels_of={"gold.qrels": QrelsSource(group="gold")},
            teams={system.tag: system.team for system in SYSTEMS},
            measures=("nDCG@10", "AP"),
        )
    )
    return DemoCollection(
        folder=folder,
        qrels=folder / "qrels" / "gold.qrels",
        runs=tuple(runs),
        docs=len(docs),
        topics=len(asked),
        judgments=len(written_qrels),
        absent=len(judged) - len(written_qrels),
    )


def foreign_files(folder: Path) -> tuple[str, ...]:
    """Return the names of pools, labels and runs in a demo's folder that are not from a demo."""
    runs = {f"{system.tag}.run" for system in SYSTEMS}
    labels = {"gold.qrels", f"{BASELINE}.qrels"}
    return (
        *_others(folder, _MADE | {"runs", "qrels"}),
        *(f"qrels/{name}" for name in _others(folder / "qrels", labels)),
        *(f"runs/{name}" for name in _others(folder / "runs", runs)),
    )


def _others(folder: Path, known: Set[str]) -> list[str]:
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(path.name for path in found if path.name not in known)


@contextmanager
def _package_file(name: str) -> Iterator[Path]:
    """Return the path of a data file of this package."""
    with resources.as_file(resources.files(__package__) / name) as path:
        yield path


def _claim(folder: Path) -> None:
    """Create the folder, or check that it is an earlier demo."""
    mark = folder / ".qrelsmith-demo"
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; expected a folder for the demo collection")
    if folder.is_dir() and any(folder.iterdir()) and not mark.exists():
        raise UsageError(
            f"the folder {quoted(folder)} is not empty and is not a demo collection; "
            "expected a new folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    write_text(mark, _MARK)


def _doc_line(doc: DemoDoc) -> str:
    """Format a doc as a line of JSON."""
    fields = {"doc_id": doc.doc_id, "title": doc.title, "text": doc.text}
    return json.dumps(fields, ensure_ascii=False) + "\n"
