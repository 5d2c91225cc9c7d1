"""Creation of campaign folders from loose files; guessed settings are comments in campaign.toml.

Files of other programs are converted to TREC formats.
"""

from __future__ import annotations

import secrets
import shutil
import warnings
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import InputError, InputWarning, UsageError, quoted
from qrelsmith.base.scales import levels_seen
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.collection.qrels import Qrels, stem, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run, read_run
from qrelsmith.collection.team_names import team_in_name
from qrelsmith.collection.topics import Topic, is_topic_header, read_topics, split_header
from qrelsmith.formats import FILE_FORMATS
from qrelsmith.formats.convert import read_as, without_blanks
from qrelsmith.formats.registry import Texts
from qrelsmith.forms.column_names import MODEL_NAMES, plain
from qrelsmith.forms.recognising import recognise
from qrelsmith.io.format_marks import Kind, first_line
from qrelsmith.io.text import FilePath
from qrelsmith.io.toml_settings import toml_key, toml_text
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.joined_labels import join_labels
from qrelsmith.judgments.judgment_files import Judgments, labels_form, write_judgments
from qrelsmith.judgments.references import guessed_reference, is_named_for_people

_MOST_BUTTONS = 10
# A file to copy, or its content: Qrels, Judgments, a Run, topics or docs.
Content = Any


def init_campaign(
    folder: FilePath,
    *,
    runs: Sequence[FilePath],
    qrels: Sequence[FilePath],
    topics: FilePath | None = None,
    documents: FilePath | None = None,
    settings: str | None = None,
    finish: Callable[[Path], None] = lambda _: None,
) -> Path:
    """Create a campaign folder with copies: runs/, qrels/, topics.*, documents.*, campaign.toml.

    Every file is read first, and the campaign is created atomically. Labels by several assessors
    become judgments.csv, with the name of each file as the group of its labels.

    Parameters
    ----------
    folder : path
        The campaign folder, which must not exist or must be empty.
    runs, qrels : sequence of path
        The files, which keep their names. Files of other programs get TREC formats and suffixes.
    topics, documents : path, optional
        The topics, and the docs. Topics that labels identify only by their texts are written, too.
    settings : str, optional
        The text of campaign.toml; by default inferred from the files.
    finish : callable
        Called with the folder before it is moved into place, to add files.

    Returns
    -------
    path
        The new campaign.toml.

    Raises
    ------
    UsageError
        If there are neither qrels nor topics with docs to judge, two files have the same name, or
        the folder is not empty.
    InputError
        If a file is malformed, or the folder cannot be written.
    """
    target = Path(folder)
    if not qrels and (topics is None or documents is None):
        raise UsageError("no labels given; expected labels, or topics and docs to judge")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{quoted(folder)} already exists; expected a new or an empty folder")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        copies = _copies(runs, qrels, topics)
        by_models = {stem(file) for file in qrels if _is_by_models(file)}
        if documents is not None:
            copies["documents.jsonl"] = tuple(read_as(documents, "documents"))
        text = settings or _settings(target.resolve().name, copies, by_models)
    notes = dict.fromkeys(str(each.message) for each in caught)
    for note in notes:
        warnings.warn(note, InputWarning, stacklevel=2)
    taken = [f"# {' '.join(note.split())}" for note in notes if ": read as " in note]
    if taken and settings is None:
        text += "\n".join(["", "# How the files were read.", *taken, ""])
    part = target.resolve().with_name(f".{target.resolve().name}.{secrets.token_hex(4)}.part")
    try:
        for name, source in copies.items():
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(source, Qrels):
                write_qrels(source, part / name)
            elif isinstance(source, Judgments):
                write_judgments(source, part / name)
            elif isinstance(source, tuple):
                kind: Kind = "topics" if name.startswith("topics") else "documents"
                FILE_FORMATS.get("jsonl").entry.function().write(source, part / name, kind, Texts())
            elif isinstance(source, Run):
                write_run(source, part / name)
            else:
                shutil.copyfile(source, part / name)
        (part / SETTINGS).write_text(text, encoding="utf-8", newline="\n")
        finish(part)
        if target.exists():
            target.rmdir()
        part.rename(target.resolve())
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=folder) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return target / SETTINGS


def _copies(
    runs: Sequence[FilePath], qrels: Sequence[FilePath], topics: FilePath | None
) -> dict[str, Content]:
    """Return the campaign's files by name, with the parsed content of other programs' files."""
    copies: dict[str, Content] = {}
    own_topics = () if topics is None else read_topics(topics)
    texts = Texts.of(own_topics, ())
    labels: dict[str, Judgments] = {}
    sources: dict[str, FilePath] = {}
    words: dict[str, str] = {}
    for file in runs:
        for name, content in _runs(file):
            _add(copies, f"runs/{name}", content)
    for file in qrels:
        if labels_form(file) != "qrels":
            labels[stem(file)] = read_as(file, "judgments", texts=texts)
            sources[stem(file)] = file
        elif recognise(file, "qrels") is None:
            _add(copies, f"qrels/{Path(file).name}", Path(file))
        else:
            _add(copies, f"qrels/{stem(file)}.qrels", read_as(file, "qrels", texts=texts))
    if labels:
        copies["judgments.csv"] = join_labels(labels, sources)
    for name, content in copies.items():
        if isinstance(content, Qrels | Judgments) and (ids := without_blanks(content.topics)):
            words |= dict(zip(ids, content.topics, strict=True))
            copies[name] = replace(content, topics=tuple(ids))
    if topics is not None and _is_plain(topics):
        copies[f"topics{''.join(Path(topics).suffixes) or '.txt'}"] = Path(topics)
    elif topics is not None or words:
        copies["topics.jsonl"] = own_topics or tuple(
            Topic(name, title=title) for name, title in sorted(words.items())
        )
    return copies


def _add(copies: dict[str, Content], place: str, content: Content) -> None:
    if place in copies:
        raise UsageError(f"two files have the name {quoted(place)}; expected different names")
    copies[place] = content


def _runs(file: FilePath) -> Iterator[tuple[str, Path | Run]]:
    """Yield the name and path of a TREC run, or the names and runs in another program's file."""
    if recognise(file, "runs") is None:
        yield Path(file).name, Path(file)
        return
    for run in read_as(file, "runs"):
        yield f"{stem(run.name)}.run", run


def _is_plain(topics: FilePath) -> bool:
    """Return whether topics have a format that all versions read: markup, or no header."""
    line = first_line(topics)
    return line[:1] == b"<" or (b"\t" in line and not is_topic_header(split_header(line.decode())))


def _is_by_models(labels: FilePath) -> bool:
    """Return whether the assessor column of a file of labels has a typical name of models."""
    table = recognise(labels, "judgments")
    return table is not None and plain(table.taken.get("assessor", "")) in MODEL_NAMES


def _set_by_people(groups: Mapping[str, int], names: Sequence[str]) -> str | None:
    """Return the only label set with a typical name of human labels, or with several assessors."""
    named = [name for name in names if is_named_for_people(name)]
    several = named or [name for name, assessors in groups.items() if assessors > 1]
    return several[0] if len(several) == 1 and len(names) > 1 else None


def _settings(title: str, copies: Mapping[str, Content], by_models: Collection[str]) -> str:
    """Return campaign.toml with the known settings, and guesses in comments."""
    label_sets = {
        name.removeprefix("qrels/"): source if isinstance(source, Qrels) else read_qrels(source)
        for name, source in copies.items()
        if name.startswith("qrels/")
    }
    names = [
        source.name if isinstance(source, Run) else read_run(source, depth=1).name
        for name, source in copies.items()
        if name.startswith("runs/") and not isinstance(source, Qrels)
    ]
    judged = copies.get("judgments.csv")
    graded = {**label_sets, **({} if judged is None else {"judgments.csv": judged})}
    tops = {name: levels_seen(labels.grade)[-1] for name, labels in graded.items()}
    whole = [top for top in tops.values() if top == int(top)]
    files = {stem(name): name for name in label_sets}
    rows = [] if judged is None else zip(judged.group or (), judged.assessor, strict=True)
    assessors = Counter(group for group, _ in set(rows) if group not in by_models)
    groups = [] if judged is None else sorted(set(judged.group or ()))
    seen = "; ".join(f"{name}: up to {top:g}" for name, top in tops.items())
    is_served = "documents.jsonl" in copies  # the app needs levels or number input
    scale = f'range = "0..{int(max(whole, default=1))}"'
    scale_lines = [f"# Grades seen: {seen}", "# [scale]", f"# {scale}"]
    if is_served and tops and len(whole) == len(tops) and max(whole) < _MOST_BUTTONS:
        scale_lines = [f"# Grades seen: {seen}", "[scale]", scale]
    elif is_served and graded:
        scale_lines += ["", "[judging]", 'control = "number"']
    if graded:
        people = _set_by_people(assessors, [*groups, *files])
        reference = people or guessed_reference(groups or files, {})
        mark = "# " if people is None else ""
        whose = [
            "# The reference for comparisons: human labels.",
            f"{mark}[groups.{toml_key(reference) if reference in groups else 'gold'}]",
            f'{mark}role = "gold"',
        ]
        if reference not in groups:
            whose += ["", f"{mark}[qrels.{toml_key(files[reference])}]", f'{mark}group = "gold"']
    else:
        scale_lines = ["[scale]", 'range = "0..3"']
        whose = ["# The assessors.", "# [groups.assessors]", '# assessors = ["a1", "a2", "a3"]']
    lines = [
        "format = 1",
        f"title = {toml_text(title)}",
        "",
        "# These settings are guessed from the files. Correct wrong lines, and remove the # before",
        "# lines to use.",
        "",
        *scale_lines,
        "",
        *whose,
    ]
    if names:
        lines += ["", "# The teams of the runs, from the beginning of their names.", "# [teams]"]
        lines += [f"# {toml_key(name)} = {toml_text(team_in_name(name))}" for name in sorted(names)]
    return "\n".join(lines) + "\n"
