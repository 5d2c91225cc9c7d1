"""Crowd platforms: HIT files, result files, arrival and submission of workers.

A platform is a class that is registered with `@PLATFORMS.add`; a new platform needs no other
change. Files for workers never identify attention checks. Results are compared with the record of
the HITs and rejected if a pair is in a wrong position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlencode

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.registry import Registry
from qrelsmith.io.text import FilePath
from qrelsmith.pairs.hits import HitPair, HitResult, PairHit
from qrelsmith.topk.crowd.platform_results import read_platform_results

__all__ = ["PLATFORMS", "Arrival", "Ending", "Platform", "ShownTexts", "platform_of"]

_TURK_ID = re.compile("[0-9A-Z]{5,64}")
_PROLIFIC_ID = re.compile("[0-9a-f]{24}")
_TURK_HOSTS = ("https://www.mturk.com", "https://workersandbox.mturk.com")
_NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"


@dataclass(frozen=True, slots=True)
class ShownTexts:
    """Texts shown to workers instead of ids; if an id has no text, the id is shown.

    Attributes
    ----------
    topics, docs : mapping of str to str
        Text by id.
    """

    topics: Mapping[str, str]
    docs: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Arrival:
    """The arrival of a worker from a platform.

    Attributes
    ----------
    worker : str
        The platform's id of the worker; empty in a preview.
    reference : str
        The platform's id of the assignment that is paid; not guessable by others.
    study : str
        The study of the assignment.
    submit_to : str
        The address for submitting the code, if the platform provides one.
    is_preview : bool
        Whether the worker is previewing without having accepted the work.
    """

    worker: str
    reference: str
    study: str = ""
    submit_to: str = ""
    is_preview: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """The link or form with which a worker submits the code.

    Attributes
    ----------
    address : str
        The link or the form's target.
    fields : mapping of str to str
        The form fields; empty for a link.
    """

    address: str
    fields: dict[str, str] = field(default_factory=dict)


SubmittedColumns = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""The columns of worker, assignment and code in a file of submissions; of several possible names,
the first that exists is used."""


class Platform(Protocol):
    """A crowd platform that publishes HITs and provides workers."""

    title: str
    # Other sites that may show the landing page in a frame.
    framed_by: str
    # The query of the landing page's address, with placeholders for the platform.
    parameters: str
    submitted: SubmittedColumns

    def columns(self, hits: Sequence[PairHit], texts: ShownTexts | None) -> dict[str, list[str]]:
        """Return the table to upload to the platform."""

    def results(self, path: FilePath, hits: Sequence[PairHit]) -> list[HitResult]:
        """Return the results of workers from the platform's file."""

    def arrival(self, query: Mapping[str, str]) -> Arrival:
        """Return the arrival from an address; raise `UsageError` for a malformed address."""

    def ending(self, arrival: Arrival, code: str, study_code: str) -> Ending:
        """Return the link or form with which the worker submits the code."""


PLATFORMS: Registry[Callable[[], Platform]] = Registry("crowd platform")


@PLATFORMS.add("mturk", source="Amazon Mechanical Turk: batch input and batch results")
class MechanicalTurk:
    """Mechanical Turk: one line per HIT, with numbered columns that the project's template uses.

    The form has an input for each pair (`pair_1`, `pair_2`, …) with the value left, right or tie.
    The results repeat the input as `Input.…` and contain the worker's answers as `Answer.…`.
    """

    title = "Mechanical Turk"
    framed_by = "https://*.mturk.com"
    # MTurk adds them itself.
    parameters = ""
    submitted: SubmittedColumns = (
        ("WorkerId",),
        ("AssignmentId",),
        ("Answer.code", "Answer.surveycode"),
    )

    def columns(self, hits: Sequence[PairHit], texts: ShownTexts | None) -> dict[str, list[str]]:
        """Return one row per HIT; a shorter last HIT leaves columns empty."""
        table: dict[str, list[str]] = {
            "hit": [hit.key for hit in hits],
            "pairs": [str(len(hit.pairs)) for hit in hits],
        }
        for place in range(max((len(hit.pairs) for hit in hits), default=0)):
            pairs = [hit.pairs[place] if place < len(hit.pairs) else None for hit in hits]
            for name, cells in _pair_cells(pairs, texts).items():
                table[f"{name}_{place + 1}"] = cells
        return table

    def results(self, path: FilePath, hits: Sequence[PairHit]) -> list[HitResult]:
        """Return one result per line."""
        table = read_platform_results(path, ("Input.hit", "WorkerId"))
        known, results = {hit.key: hit for hit in hits}, []
        for number in range(len(table)):
            hit = table.hit(number, "Input.hit", known)
            outcomes = []
            for place, pair in enumerate(hit.pairs, start=1):
                names = {name: f"Input.{name}_{place}" for name in ("topic", "left", "right")}
                table.check(number, pair, names)
                outcomes.append(table.outcome(number, table.column(f"Answer.pair_{place}")))
            worker = table.cell(number, "WorkerId", required=True)
            results.append(
                HitResult(
                    hit.key,
                    worker,
                    tuple(outcomes),
                    assignment=table.cell(number, "AssignmentId"),
                    is_paid=table.cell(number, "AssignmentStatus").strip().lower() != "rejected",
                )
            )
        return results

    def arrival(self, query: Mapping[str, str]) -> Arrival:
        """Return the arrival from `assignmentId`, `workerId`, `hitId` and `turkSubmitTo`."""
        submit_to = query.get("turkSubmitTo", "").rstrip("/") or _TURK_HOSTS[0]
        if submit_to not in _TURK_HOSTS:
            raise UsageError("turkSubmitTo is not an address of Mechanical Turk")
        reference = query.get("assignmentId", "")
        if reference == _NOT_ACCEPTED:
            return Arrival("", "", submit_to=submit_to, is_preview=True)
        return Arrival(
            worker=_id(query, "workerId", _TURK_ID),
            reference=_id(query, "assignmentId", _TURK_ID),
            study=_id(query, "hitId", _TURK_ID, is_needed=False),
            submit_to=submit_to,
        )

    def ending(self, arrival: Arrival, code: str, study_code: str) -> Ending:
        """Return the form that MTurk expects."""
        fields = {"assignmentId": arrival.reference, "code": code}
        return Ending(f"{arrival.submit_to}/mturk/externalSubmit", fields)


@PLATFORMS.add("prolific", source="Prolific, or another form that shows pairs one by one")
class Prolific:
    """Prolific: one line per pair; the external survey adds lines with the workers' answers.

    Results need the columns `participant_id,hit,position,answer`; additional columns are allowed.
    """

    title = "Prolific"
    framed_by = ""
    parameters = (
        "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    )
    submitted: SubmittedColumns = (
        ("Participant id", "Participant Id"),
        ("Submission id", "Submission Id"),
        ("Completion code", "Completion Code"),
    )

    def columns(self, hits: Sequence[PairHit], texts: ShownTexts | None) -> dict[str, list[str]]:
        """Return one row per pair."""
        return {
            "hit": [hit.key for hit in hits for _ in hit.pairs],
            "position": [str(place + 1) for hit in hits for place in range(len(hit.pairs))],
            **_pair_cells([pair for hit in hits for pair in hit.pairs], texts),
        }

    def results(self, path: FilePath, hits: Sequence[PairHit]) -> list[HitResult]:
        """Return one result per worker and HIT; a pair without a line has no answer."""
        table = read_platform_results(path, ("participant_id", "hit", "position", "answer"))
        hits_by_key = {hit.key: hit for hit in hits}
        answers_of: dict[tuple[str, str], dict[int, int | None]] = {}
        for number in range(len(table)):
            hit = table.hit(number, "hit", hits_by_key)
            cell = table.cell(number, "position")
            pairs = {str(place): pair for place, pair in enumerate(hit.pairs, start=1)}
            if cell not in pairs:
                expected = f"expected 1 to {len(pairs)}"
                raise table.fault(number, f"the position is {quoted(cell)}; {expected}")
            table.check(number, pairs[cell], {n: n for n in ("topic", "left", "right")})
            worker = table.cell(number, "participant_id", required=True)
            answers = answers_of.setdefault((hit.key, worker), {})
            if int(cell) in answers:
                raise table.fault(number, f"the pair {cell} of the HIT is answered twice")
            answers[int(cell)] = table.outcome(number, "answer")
        return [
            HitResult(
                key, worker, tuple(map(answers.get, range(1, len(hits_by_key[key].pairs) + 1)))
            )
            for (key, worker), answers in answers_of.items()
        ]

    def arrival(self, query: Mapping[str, str]) -> Arrival:
        """Return the arrival from the parameters `PROLIFIC_PID`, `SESSION_ID` and `STUDY_ID`."""
        return Arrival(
            worker=_id(query, "PROLIFIC_PID", _PROLIFIC_ID),
            reference=_id(query, "SESSION_ID", _PROLIFIC_ID),
            study=_id(query, "STUDY_ID", _PROLIFIC_ID, is_needed=False),
        )

    def ending(self, arrival: Arrival, code: str, study_code: str) -> Ending:
        """Return Prolific's completion page, which accepts the code of a study."""
        query = urlencode({"cc": study_code or code})
        return Ending(f"https://app.prolific.com/submissions/complete?{query}")


def platform_of(name: str) -> Platform:
    """Return the platform with the given name.

    Raises
    ------
    UnknownNameError
        If there is no such platform.
    """
    found: Platform = PLATFORMS.get(name)()
    return found


def _pair_cells(pairs: Sequence[HitPair | None], texts: ShownTexts | None) -> dict[str, list[str]]:
    """Return topics and docs of pairs, with texts if available; for None, return empty cells."""
    ids = {
        "topic": [pair.topic if pair else "" for pair in pairs],
        "left": [pair.left if pair else "" for pair in pairs],
        "right": [pair.right if pair else "" for pair in pairs],
    }
    if texts is None:
        return ids
    return ids | {
        "topic_text": [texts.topics.get(topic, topic) for topic in ids["topic"]],
        "left_text": [texts.docs.get(doc, doc) for doc in ids["left"]],
        "right_text": [texts.docs.get(doc, doc) for doc in ids["right"]],
    }


def _id(
    query: Mapping[str, str], name: str, form: re.Pattern[str], *, is_needed: bool = True
) -> str:
    value = query.get(name, "")
    if not value and not is_needed:
        return ""
    if form.fullmatch(value) is None:
        raise UsageError(
            f"the link has an invalid {name}; open the link that the platform shows you"
        )
    return value
