"""A campaign's folder made of files that lie about; what had to be guessed stands in comments.

Files of other programs are written anew in TREC's form.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.scales import levels_seen
from qrelsmith.campaign.campaign_folder import SETTINGS
from qrelsmith.collection.qrels import Qrels, stem, write_qrels
from qrelsmith.collection.runs import Run, read_run, write_run
from qrelsmith.collection.team_names import team_in_name
from qrelsmith.collection.topics import read_topics
from qrelsmith.formats.convert import read_as
from qrelsmith.formats.registry import Texts
from qrelsmith.forms.recognising import recognise
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.text import FilePath
from qrelsmith.io.toml_settings import toml_key, toml_text
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.references import guessed_reference


def init_campaign(
    folder: FilePath,
    *,
    runs: Sequence[FilePath],
    qrels: Sequence[FilePath],
    topics: FilePath | None = None,
) -> Path:
    """Make a campaign of copies of files: runs/, qrels/, topics.* and campaign.toml.

    Every file is read first, so that a campaign is made whole or not at all.

    Parameters
    ----------
    folder : path
        The campaign; it must not be there, or be empty.
    runs, qrels : sequence of path
        The files; they keep their names. One of another program becomes TREC's, its suffix too.
    topics : path, optional
        The topics.

    Returns
    -------
    path
        Its campaign.toml.

    Raises
    ------
    UsageError
        If there are no qrels, two files have one name, or the folder is not empty.
    InputError
        If a file is not as it should be, or the folder cannot be written.
    """
    target = Path(folder)
    if not qrels:
        raise UsageError("there are no qrels; expected one label set or more")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{quoted(folder)} is there already; expected a new or an empty folder")
    copies = _copies(runs, qrels, topics)
    text = _settings(target.resolve().name, copies)
    if topics is not None:
        read_topics(topics)
    part = target.resolve().with_name(f".{target.resolve().name}.{secrets.token_hex(4)}.part")
    try:
        for name, source in copies.items():
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(source, Qrels):
                write_qrels(source, part / name)
            elif isinstance(source, Run):
                write_run(source, part / name)
            else:
                shutil.copyfile(source, part / name)
        (part / SETTINGS).write_text(text, encoding="utf-8", newline="\n")
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
) -> dict[str, Path | Qrels | Run]:
    """Every file by its name in the campaign; those of other programs as what they hold."""
    copies: dict[str, Path | Qrels | Run] = {}
    kinds: tuple[tuple[Kind, Sequence[FilePath]], ...] = (("runs", runs), ("qrels", qrels))
    texts = Texts.of(() if topics is None else read_topics(topics), ())
    for kind, files in kinds:
        for file in files:
            for name, content in _contents(file, kind, texts):
                place = f"{kind}/{name}"
                if place in copies:
                    raise UsageError(
                        f"two files are called {quoted(place)}; expected a name for each"
                    )
                copies[place] = content
    if topics is not None:
        copies[f"topics{''.join(Path(topics).suffixes) or '.txt'}"] = Path(topics)
    return copies


def _contents(file: FilePath, kind: Kind, texts: Texts) -> Iterator[tuple[str, Path | Qrels | Run]]:
    """A file of TREC's under its name, or what a file of another program holds."""
    if recognise(file, kind) is None:
        yield Path(file).name, Path(file)
    elif kind == "qrels":
        yield f"{stem(file)}.qrels", read_as(file, kind, texts=texts)
    else:
        for run in read_as(file, kind):
            yield f"{stem(run.name)}.run", run


def _settings(title: str, copies: Mapping[str, Path | Qrels | Run]) -> str:
    """campaign.toml: what is known, and in comments what is a guess."""
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
    tops = {name: levels_seen(labels.grade)[-1] for name, labels in label_sets.items()}
    whole = [top for top in tops.values() if top == int(top)]
    files = {stem(name): name for name in label_sets}
    reference = files[guessed_reference(files, {})]
    seen = "; ".join(f"{name}: up to {top:g}" for name, top in tops.items())
    lines = [
        "format = 1",
        f"title = {toml_text(title)}",
        "",
        "# What follows is guessed from the files. Take the # away where it is right.",
        "",
        f"# Grades seen: {seen}",
        "# [scale]",
        f'# range = "0..{int(max(whole, default=1))}"',
        "",
        "# With whom the others are compared: labels by people.",
        "# [groups.gold]",
        '# role = "gold"',
        "",
        f"# [qrels.{toml_key(reference)}]",
        '# group = "gold"',
    ]
    if names:
        lines += ["", "# The teams of the runs, from what the names begin with.", "# [teams]"]
        lines += [f"# {toml_key(name)} = {toml_text(team_in_name(name))}" for name in sorted(names)]
    return "\n".join(lines) + "\n"
