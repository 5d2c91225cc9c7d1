"""Tables of the passages behind current labels and answers, and of adjudicated verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from qrelsmith.answers.judged_aspects import answer_run
from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.items import item_key, item_parts
from qrelsmith.base.scales import Scale, grade_text
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.io.table_writing import write_table
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.web.answers.kind import run_of
from qrelsmith.web.core.lines import time_text
from qrelsmith.web.desk.contradictions import brought_pairs
from qrelsmith.web.graded.judgments import UNJUDGED_CODE
from qrelsmith.web.graded.labels import qrels_labels
from qrelsmith.web.models import AnswerAspect, AssignedDoc, DeskEvent, PairTask

_PASSAGES = (
    "topic", "doc", "aspect", "assessor", "group", "round", "grade", "start", "quote",
    "text_sha256", "sha256",
)  # fmt: skip
_PAIRED = (
    "topic", "left", "right", "assessor", "group", "round", "outcome", "side", "doc", "start",
    "quote", "text_sha256", "sha256",
)  # fmt: skip
_PAIR_VERDICTS = (
    "topic", "left", "right", "before", "after", "outcome", "by", "blind", "revision", "reason",
    "opened_at", "decided_at",
)  # fmt: skip
_VERDICTS = (
    "topic", "doc", "aspect", "grade", "by", "blind", "revision", "reason", "decided_at",
)  # fmt: skip


def write_evidence(folder: Path) -> None:
    """Write `passages.csv`, `pair_passages.csv` and the adjudications of docs and of pairs.

    Files without rows are not written.
    """
    _write(folder / "passages.csv", _PASSAGES, _passage_rows(), ("round", "grade", "start"))
    numbers = ("round", "outcome", "start")
    _write(folder / "pair_passages.csv", _PAIRED, _paired_rows(), numbers)
    _write(folder / "adjudications.csv", _VERDICTS, _verdict_rows(), ("grade", "revision"))
    _write(folder / "pair_adjudications.csv", _PAIR_VERDICTS, _pair_verdict_rows(), ())


def write_adjudicated(judgments: Judgments | None, folder: Path, *, scale: Scale | None) -> None:
    """Write `adjudicated.qrels`: the verdict or, without one, the lower median of the first round.

    If there are no verdicts, no file is written. Labels of aspects are in `adjudicated.csv`.
    """
    verdicts = {
        (topic, item_key(doc, aspect)): float(grade)
        for topic, doc, aspect, grade, *_ in _verdict_rows()
    }
    if not verdicts:
        return
    labels: dict[tuple[str, str], float] = {}
    with suppress(UndefinedError):
        now = judgments.current() if judgments is not None else None
        if now is not None and len(now):
            labels = qrels_labels(now.select(now.grade != UNJUDGED_CODE), scale)
    labels |= verdicts
    folder.mkdir(exist_ok=True)
    if any(item_parts(item)[1] for _, item in labels):
        rows = ((topic, *item_parts(item), grade_text(labels[topic, item]))
                for topic, item in sorted(labels))  # fmt: skip
        _write(folder / "adjudicated.csv", ("topic", "doc", "aspect", "grade"), rows, ("grade",))
        return
    topics, docs = map(list, zip(*sorted(labels), strict=True))
    grades = np.array([labels[key] for key in sorted(labels)])
    qrels = Qrels.from_columns(topics, docs, grades, name="adjudicated")
    write_qrels(qrels, folder / "adjudicated.qrels")


def _write(
    path: Path, names: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str]
) -> None:
    cells = [list(column) for column in zip(*rows, strict=True)]
    if cells:
        columns = dict(zip(names, cells, strict=True))
        if not any(columns.get("aspect", ())):
            columns.pop("aspect", None)
        kinds = {name: "float" if name == "grade" else "int" for name in numbers}
        write_table(path, columns, numbers=kinds)


def _passage_rows() -> Iterator[tuple[str, ...]]:
    """Yield the passages of labels that count; for an aspect, `doc` is the run of the answer."""
    for kind in (AssignedDoc, AnswerAspect):
        labels = kind.objects.filter(is_judged=True).exclude(passages=[])
        ordered = labels.select_related(
            "doc", "assignment__topic", "assignment__assessor", "assignment__crowd_hit"
        ).defer("assignment__crowd_hit__docs")
        names = ("assignment__topic__name", "assignment__assessor__name", "position")
        for label in ordered.order_by("assignment__round", *names).iterator(chunk_size=2000):
            yield from _label_passages(label)


def _label_passages(label: AssignedDoc | AnswerAspect) -> Iterator[tuple[str, ...]]:
    doc, aspect = label.doc.name, ""
    if isinstance(label, AnswerAspect):
        doc, aspect = run_of(label), label.aspect
    assessor, hit = label.assignment.assessor, getattr(label.assignment, "crowd_hit", None)
    if hit is not None and not hit.counts(doc):
        return
    for passage in label.passages:
        yield (
            label.assignment.topic.name, doc, aspect, assessor.name, assessor.group,
            str(label.assignment.round),
            grade_text(label.value or 0.0), str(passage["start"]), passage["quote"],
            passage["sha256"], label.sha256,
        )  # fmt: skip


def _paired_rows() -> Iterator[tuple[str, ...]]:
    tasks = PairTask.objects.filter(is_judged=True, withdrawn=False).exclude(passages=[])
    tasks = tasks.exclude(purpose=PairTask.Purpose.CHALLENGE)
    ordered = tasks.select_related("contest__topic", "left", "right", "assessor").order_by(
        "contest__topic__name", "number"
    )
    for task in ordered.defer("contest__candidates").iterator(chunk_size=2000):
        if task.assessor is None:
            continue
        for passage in task.passages:
            doc = getattr(task, passage["side"])
            yield (
                task.contest.topic.name, task.left.name, task.right.name, task.assessor.name,
                task.assessor.group, str(task.round), str(task.outcome), passage["side"], doc.name,
                str(passage["start"]), passage["quote"], passage["sha256"],
                getattr(task, f"{passage['side']}_sha256"),
            )  # fmt: skip


def has_verdicts() -> bool:
    """Return whether any verdict exists; only then, an export has adjudicated labels."""
    return next(_verdict_rows(), None) is not None


def _verdict_rows() -> Iterator[tuple[str, ...]]:
    """Yield the current verdicts on docs and aspects; for an aspect, `doc` is the answer's run."""
    verdicts = DeskEvent.objects.filter(kind=DeskEvent.Kind.ADJUDICATED, other=None)
    newest: dict[tuple[int, int | None, str], DeskEvent] = {}
    for verdict in verdicts.select_related("topic", "doc").order_by("revision"):
        newest[verdict.topic_id, verdict.doc_id, verdict.aspect] = verdict
    for verdict in sorted(newest.values(), key=lambda event: (event.topic.name, event.pk)):
        if verdict.value is not None and verdict.doc is not None:
            name, aspect = verdict.doc.name, verdict.aspect
            yield (
                verdict.topic.name, answer_run(name) if aspect else name, aspect,
                grade_text(verdict.value), verdict.by,
                "yes" if verdict.is_blind else "no", str(verdict.revision), verdict.text,
                time_text(verdict.at),
            )  # fmt: skip


def _pair_verdict_rows() -> Iterator[tuple[str, ...]]:
    """Yield the discussed or decided pairs: earlier answers, current answers, and verdict."""
    for pair in brought_pairs():
        opened, verdict = pair.opened, pair.verdict
        yield (
            pair.topic, pair.doc, pair.other, opened.text if opened else pair.answers_text,
            pair.answers_text,
            *(("", "", "", "", "") if verdict is None else (
                str(int(verdict.value or 0)), verdict.by, "yes" if verdict.is_blind else "no",
                str(verdict.revision), verdict.text,
            )),
            time_text(opened.at) if opened else "", time_text(verdict.at) if verdict else "",
        )  # fmt: skip
