"""Creation of a campaign folder from answers, aspects and labels."""

from __future__ import annotations

import json
import secrets
import shutil
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from qrelsmith.answers.answer_files import read_answers, unread_fields, write_answers
from qrelsmith.answers.answers import topics_of_answers
from qrelsmith.answers.aspects import Aspect, Aspects, kind_of, read_aspects, write_aspects
from qrelsmith.answers.mtrag import read_mtrag
from qrelsmith.base.errors import InputError, InputWarning, UsageError, quoted
from qrelsmith.base.items import citation_parts, item_parts
from qrelsmith.base.scales import levels_seen
from qrelsmith.campaign.campaign import Campaign, Group, Level, QrelsSource, campaign_toml
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.topics import write_topics
from qrelsmith.forms.answer_labels import kind_of_file, mtrag_labels
from qrelsmith.io.json_rows import Fields, first_text
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import write_text
from qrelsmith.judgments.item_scales import is_of_aspect
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_files import write_judgments
from qrelsmith.judgments.sources import as_judgments

PEOPLE = "people"


def init_answers(
    folder: FilePath,
    answers: Sequence[FilePath],
    *,
    labels: Sequence[FilePath] = (),
    aspects: Sequence[FilePath] = (),
) -> Path:
    """Create a campaign folder with answers, aspects, judgments, topics and campaign.toml.

    Parameters
    ----------
    folder : path
        The campaign folder, which must not exist or must be empty.
    answers : sequence of path
        Files of answers. MTRAG's JSON also has docs and labels. The human labels in it become a
        group, and the labels of each program become a numeric label set.
    labels : sequence of path
        Labels of aspects.
    aspects : sequence of path
        The file of aspects; by default, the criteria that have labels.

    Returns
    -------
    path
        The new campaign.toml.

    Raises
    ------
    UsageError
        If the folder is not empty, or no file of answers or labels is given.
    InputError
        If a file is malformed, or the folder cannot be written.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{quoted(folder)} exists and is not empty; expected a new folder")
    system_answers = read_answers(*answers) if answers else None
    programs: dict[str, Qrels] = {}
    docs: dict[str, Fields] = {}
    parts = [_people(as_judgments(path), "") for path in labels]
    own: list[Aspect] = []
    for path, labels_of_file in zip(labels, parts, strict=True):
        if kind := kind_of_file(path):
            own += _aspects_of(labels_of_file, kind)
    for path in answers:
        fields = read_mtrag(path)
        if fields is not None:
            programs |= _programs(fields)
            docs |= {first_text(doc, "document_id"): doc for doc in fields.get("documents", ())}
            parts.append(_people(as_judgments(path), PEOPLE))
    if system_answers is None and not parts:
        raise UsageError("no answers or labels given; expected at least one of them")
    # The docs file has the texts of the references.
    stored_answers = [
        replace(each, contexts=()) if docs and docs.keys() >= {*each.references} else each
        for each in system_answers or ()
    ]
    judgments = _join_judgments(parts)
    unread = {path: unread_fields(path) for path in answers}
    if not aspects:
        own += _aspects_beside(unread)
    declared = read_aspects(*aspects) if aspects else Aspects(own) if own else _criteria(judgments)
    campaign = _settings(target, judgments, declared, programs)
    part = target.resolve().with_name(f".{target.resolve().name}.{secrets.token_hex(4)}.part")
    try:
        part.mkdir(parents=True)
        write_text(part / SETTINGS, campaign_toml(campaign))
        write_aspects(declared, part / "aspects.csv")
        if system_answers is not None:
            write_answers(stored_answers, part / "answers.jsonl")
            write_topics(topics_of_answers(system_answers), part / "topics.jsonl")
        if judgments is not None:
            write_judgments(judgments, part / "judgments.csv")
        if docs:
            write_text(part / "documents.jsonl", "".join(map(_doc_line, docs.values())))
        for name, qrels in programs.items():
            (part / "qrels").mkdir(exist_ok=True)
            write_qrels(qrels, part / "qrels" / f"{name}.qrels")
        if target.exists():
            target.rmdir()
        part.rename(target.resolve())
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=folder) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    for path, names in unread.items():
        if names:
            warnings.warn(f"{path}: ignored fields: {', '.join(names)}", InputWarning, stacklevel=2)
    return target / SETTINGS


def _people(judgments: Judgments, group: str) -> Judgments:
    """Assign judgments without groups to one group."""
    if judgments.group is not None or not group:
        return judgments
    return replace(judgments, group=(group,) * len(judgments))


def _join_judgments(parts: Sequence[Judgments]) -> Judgments | None:
    """Join the judgments of all files."""
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    tables = [(part.filled_columns(), [""] * len(part)) for part in parts]
    names = dict.fromkeys(name for columns, _ in tables for name in columns)
    return Judgments.from_columns(
        {
            name: [cell for columns, empty in tables for cell in columns.get(name, empty)]
            for name in names
        }
    )


def _programs(fields: Fields) -> dict[str, Qrels]:
    """Return a label set of whole answers for each program in MTRAG's JSON."""
    rows: dict[str, list[tuple[str, str, float]]] = {}
    for topic, run, name, judge, value, *_ in mtrag_labels(fields):
        if not judge.isdecimal():
            rows.setdefault(name, []).append((topic, run, float(value)))
    return {name: Qrels.from_rows(of, name=name) for name, of in sorted(rows.items())}


def _criteria(judgments: Judgments | None) -> Aspects:
    """Return a criterion for each aspect with labels, except citations."""
    names = set() if judgments is None else set(judgments.aspect or ()) - {""}
    return Aspects(
        Aspect("", name, "criterion") for name in sorted(names) if citation_parts(name) is None
    )


def _aspects_beside(unread: Mapping[FilePath, list[str]]) -> list[Aspect]:
    """Return the aspects in files of answers, and remove `nuggets` from the unread fields."""
    aspects: dict[Aspect, None] = {}
    for path, names in unread.items():
        if "nuggets" in names:
            names.remove("nuggets")
            try:
                aspects |= dict.fromkeys(read_aspects(path))
            except InputError as error:
                names.append(f"nuggets ({error.problem})")
    return list(aspects)


def _aspects_of(judgments: Judgments, kind: str) -> list[Aspect]:
    """Return the labelled aspects of each topic from a program's labels, as aspects of one kind."""
    pairs = set(zip(judgments.topic.tolist(), judgments.doc.tolist(), strict=True))
    names = {(judgments.topics[t], item_parts(judgments.docs[key])[1]) for t, key in pairs}
    return [Aspect(topic, aspect, kind) for topic, aspect in sorted(names)]


def _settings(
    folder: Path, judgments: Judgments | None, aspects: Aspects, programs: Mapping[str, Qrels]
) -> Campaign:
    """Return the campaign settings: groups, and scales of criteria as inferred from the grades."""
    levels: dict[str, tuple[Level, ...]] = {}
    groups: dict[str, Group] = {}
    if judgments is not None:
        pairs = set(zip(judgments.topic.tolist(), judgments.doc.tolist(), strict=True))
        names = {
            kind_of(aspects, judgments.topics[topic], aspect)
            for topic, doc in pairs
            if (aspect := item_parts(judgments.docs[doc])[1])
        }
        for kind in sorted(name for name in names if name.startswith("criterion.")):
            grades = judgments.of_aspects(is_of_aspect(kind, aspects)).grade
            levels[kind] = tuple(Level(grade) for grade in _levels(levels_seen(grades)))
        if PEOPLE in set(judgments.group or ()):
            groups = {PEOPLE: Group(role="gold")}
    return Campaign(
        folder,
        title=folder.resolve().name,
        groups=groups,
        qrels_of={f"{name}.qrels": QrelsSource(kind="model", real=True) for name in programs},
        aspect_levels=levels,
    )


def _levels(seen: Sequence[float]) -> Sequence[float]:
    """Return the levels, with integer gaps filled if the lowest and the highest are close."""
    low, high = seen[0], seen[-1]
    if all(level == int(level) for level in seen) and high - low < 10:
        return [float(level) for level in range(int(low), int(high) + 1)]
    return seen


def _doc_line(doc: Fields) -> str:
    fields = {
        "doc_id": first_text(doc, "document_id"),
        "title": first_text(doc, "title"),
        "text": first_text(doc, "text"),
    }
    return (
        json.dumps({key: text for key, text in fields.items() if text}, ensure_ascii=False) + "\n"
    )
