"""Anchors: docs with human labels that a model grades again in every run, bypassing the cache."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError
from qrelsmith.base.scales import grade_text
from qrelsmith.base.tables import Table
from qrelsmith.campaign.campaign_folder import APP_FOLDER
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.models.cache import KeptReply, ReplyCache
from qrelsmith.models.runner import UnitOutcome
from qrelsmith.models.session import ModelSession
from qrelsmith.models.work import Work

FILE = "anchors.csv"
COLUMNS = (
    "date", "assessor", "model", "prompt", "prompt_version", "prompt_sha256", "parameters", "topic",
    "doc", "grade", "people",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnchorLabel:
    """A model's grade for an anchor on a date.

    Attributes
    ----------
    date : str
        The start of the run, in UTC.
    assessor, model, prompt : str
        Name of the assessor, the model, and the prompt with its version.
    grade, people : float
        The model's grade and the human grade.
    """

    date: str
    assessor: str
    model: str
    prompt: str
    topic: str
    doc: str
    grade: float
    people: float


class NewReplies(ReplyCache):
    """Replies to repeated requests, cached by date; their costs count like all other costs.

    Parameters
    ----------
    cache : ReplyCache
        The campaign's replies.
    date : str
        The date of the run.
    """

    def __init__(self, cache: ReplyCache, date: str) -> None:
        super().__init__(cache.connection)
        self._date = date

    def find(self, digest: str) -> KeptReply | None:
        """Return the reply stored under the date of the run, or None."""
        return super().find(f"{digest}@{self._date}")

    def keep(self, digest: str, reply: KeptReply, *, number: int) -> None:
        """Store a reply under the date of the run."""
        super().keep(f"{digest}@{self._date}", reply, number=number)


def anchor_work(work: Work, anchors: FilePath | Any) -> tuple[Work, dict[tuple[str, str], float]]:
    """Return the anchors as docs to judge, and their human grades; codes below 0 are left out.

    Raises
    ------
    InputError
        If a topic of the anchors is not in the campaign, or there are no anchors.
    """
    people = {(topic, doc): grade for topic, doc, grade in read_qrels(anchors).rows() if grade >= 0}
    path = anchors if isinstance(anchors, str | Path) else None
    docs: dict[str, list[str]] = {}
    for topic, doc in people:
        if topic not in work.topics:
            raise InputError(
                f"the topic {topic} is not in the campaign; expected one of its topics", path=path
            )
        docs.setdefault(topic, []).append(doc)
    if not docs:
        raise InputError("found no anchors; expected docs with human labels", path=path)
    return replace(work, docs=docs, cut=set(), suspects=set()), people


def keep_anchors(
    session: ModelSession,
    campaign: Path,
    date: str,
    outcomes: Iterable[UnitOutcome],
    people: Mapping[tuple[str, str], float],
) -> int:
    """Add the labels of a run to the campaign's file of anchors; return the number of labels."""
    path = campaign / APP_FOLDER / FILE
    prompt = session.asking.prompt
    rows = sorted(
        (
            date, session.assessor, session.asking.model, prompt.name, str(prompt.version),
            prompt.sha256, session.parameters_text, *outcome.key[:2],
            grade_text(outcome.said.value), grade_text(people[outcome.key[0], outcome.key[1]]),
        )
        for outcome in outcomes
        if outcome.said is not None
    )  # fmt: skip
    before = path.read_text("utf-8") if path.is_file() else ",".join(COLUMNS) + "\n"
    text = Table.of(COLUMNS, rows).text("csv")
    write_text(path, before + text.partition("\n")[2])
    return len(rows)


def read_anchors(campaign: Path) -> Sequence[AnchorLabel]:
    """Read the labels of the anchors, run by run.

    Raises
    ------
    InputError
        If no run has labelled anchors, or a row is malformed.
    """
    path = campaign / APP_FOLDER / FILE
    if not path.is_file():
        raise InputError(
            "no labelled anchors found; expected at least one. Run qrelsmith judge --anchors "
            "FILE first",
            path=path,
        )
    labels = []
    reader = csv.DictReader(io.StringIO(path.read_text("utf-8")))
    for row in reader:
        try:
            labels.append(
                AnchorLabel(
                    _in_utc(row["date"]),
                    row["assessor"],
                    row["model"],
                    f"{row['prompt']} {row['prompt_version']}",
                    row["topic"],
                    row["doc"],
                    float(row["grade"]),
                    float(row["people"]),
                )
            )
        except (KeyError, TypeError, ValueError):
            expected = f"expected the columns {','.join(COLUMNS)} with dates and grades"
            raise InputError(expected, path=path, line=reader.line_num) from None
    return sorted(labels, key=lambda label: (label.date, label.assessor))


def _in_utc(date: str) -> str:
    return datetime.fromisoformat(date).astimezone(UTC).isoformat(timespec="milliseconds")
