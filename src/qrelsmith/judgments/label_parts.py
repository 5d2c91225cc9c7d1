"""Label sets of answers in several files, with one file per kind of label."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from qrelsmith.base.errors import InputError, InputNote, quoted
from qrelsmith.base.items import MARK, item_parts
from qrelsmith.collection.qrels import Qrels, stem
from qrelsmith.judgments.given_labels import read_qrels

_PART = re.compile(r"(.+?)[-._ ](?:nuggets?|citations?|rubrics?|criteri(?:a|on))", re.IGNORECASE)


def read_label_sets(
    paths: Sequence[Path], only: Callable[[Qrels], Qrels]
) -> tuple[dict[str, Path], dict[str, Qrels]]:
    """Read qrels files, and return the first file and the labels of each label set.

    Parameters
    ----------
    paths : sequence of path
        The qrels files.
    only : callable
        Selects the labels to use from those of a file.
    """
    files = files_by_stem(paths)
    by_file = {name: only(read_qrels(path)) for name, path in files.items()}
    parts = parts_of_label_sets(by_file)
    labels = {
        name: joined_labels(name, {part: by_file[part] for part in names})
        for name, names in parts.items()
    }
    return {name: files[names[0]] for name, names in parts.items()}, labels


def files_by_stem(paths: Sequence[Path]) -> dict[str, Path]:
    """Return qrels files by their names without suffixes.

    Raises
    ------
    InputError
        If two files have the same name.
    """
    files: dict[str, Path] = {}
    for path in paths:
        if stem(path) in files:
            raise InputError(
                f"two qrels files have the name {quoted(stem(path))}; expected different names",
                path=path,
            )
        files[stem(path)] = path
    return files


def parts_of_label_sets(by_file: Mapping[str, Qrels]) -> dict[str, tuple[str, ...]]:
    """Return the files of each label set.

    Files with labels of answers can be parts of one label set: for instance, `gpt-nuggets` and
    `gpt-citations` are parts of `gpt`, unless there is a file `gpt`.

    Parameters
    ----------
    by_file : mapping of str to Qrels
        The labels of each file, by its name without suffixes.
    """
    parts: dict[str, list[str]] = {}
    for name, qrels in by_file.items():
        found = _PART.fullmatch(name)
        is_part = found is not None and found[1] not in by_file
        if found is not None and is_part and all(MARK in key for key in qrels.docs):
            parts.setdefault(found[1], []).append(name)
        else:
            parts[name] = [name]
    return {names[0] if len(names) == 1 else name: tuple(names) for name, names in parts.items()}


def joined_labels(name: str, parts: Mapping[str, Qrels]) -> Qrels:
    """Return all labels of a label set; issue a note if the set has several files.

    Raises
    ------
    InputError
        If two files label the same item.
    """
    if len(parts) == 1:
        return next(iter(parts.values()))
    labels: dict[tuple[str, str], float] = {}
    for part, qrels in parts.items():
        for topic, key, grade in qrels.rows():
            if (topic, key) in labels:
                doc, aspect = item_parts(key)
                raise InputError(
                    f"topic {quoted(topic)} doc {quoted(doc)} aspect {quoted(aspect)} has a label "
                    f"in {part} and in another file of label set {quoted(name)}; expected one label"
                )
            labels[topic, key] = grade
    warnings.warn(f"{', '.join(parts)}: read as one label set, {name}", InputNote, stacklevel=2)
    return Qrels.from_rows([(*item, grade) for item, grade in labels.items()], name=name)
