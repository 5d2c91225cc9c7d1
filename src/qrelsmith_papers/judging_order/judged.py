"""The labels from which the tables are computed: WWW-4 if available, else simulated labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from qrelsmith.base.content import NamedTable
from qrelsmith.studies.claims import ClaimKind, Held
from qrelsmith.studies.registry import Made, StudyInputs
from qrelsmith_papers.artefacts import ORDERING
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.dl2021 import LLMS, dl2021, note_of
from qrelsmith_papers.judging_order.simulated import simulated_campaign
from qrelsmith_papers.judging_order.www4 import labels_read, www4

E = TypeVar("E")


def _files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """Return the files of WWW-4 and of TREC DL 2021, for the manifest of the report."""
    return (*labels_read(inputs), *LLMS.read(inputs))


def judged_collection(inputs: StudyInputs, *, log: bool = False) -> JudgedCollection:
    """Return the labels of Gold and both Bronze groups, with times if `log` is true."""
    real = www4(inputs)
    if real is not None and (real.has_log if log else real.is_whole):
        return real.collection
    return simulated_campaign(inputs).collection


def gold_collection(inputs: StudyInputs) -> JudgedCollection:
    """Return the labels of Gold; the labels of the other groups may be missing."""
    real = www4(inputs)
    return simulated_campaign(inputs).collection if real is None else real.collection


def collections(inputs: StudyInputs) -> list[JudgedCollection]:
    """Return the labels of all three groups, and the labels of TREC DL 2021 if available."""
    llms = dl2021(inputs)
    return [judged_collection(inputs), *([llms.collection] if llms is not None else [])]


def _kind_of_gold(inputs: StudyInputs) -> ClaimKind:
    return gold_collection(inputs).kind


def _kind_of_labels(inputs: StudyInputs) -> ClaimKind:
    return judged_collection(inputs).kind


def _kind_of_log(inputs: StudyInputs) -> ClaimKind:
    return judged_collection(inputs, log=True).kind


of_gold = partial(ORDERING.add, kind=_kind_of_gold, reads=labels_read)
"""Registers an artefact computed from Gold's labels"""
of_labels = partial(ORDERING.add, kind=_kind_of_labels, reads=labels_read)
"""Registers an artefact computed from the labels of all groups"""
of_label_sets = partial(ORDERING.add, kind=_kind_of_labels, reads=_files_read)
"""Registers an artefact computed from the labels of all groups and from TREC DL 2021"""
of_log = partial(ORDERING.add, kind=_kind_of_log, reads=labels_read)
"""Registers an artefact computed from times and positions"""


def on_every_set(
    inputs: StudyInputs,
    key: str,
    compute: Callable[[JudgedCollection, str], tuple[Mapping[str, E], Sequence[NamedTable]]],
    *,
    printed: Sequence[Held[E]],
    first: Sequence[NamedTable] = (),
    words: Sequence[str] = (),
) -> Made:
    """Return an artefact computed from the labels of all groups and from TREC DL 2021.

    Parameters
    ----------
    inputs : StudyInputs
        The inputs.
    key : str
        The key of its first table.
    compute : callable
        Function of a collection and a key for tables. It returns the evidence by name of its
        claims, and the tables.
    printed : sequence of Held
        The paper's own numbers.
    first : sequence of NamedTable
        The tables before those on the collections.
    words : sequence of str
        The paragraphs before the one on TREC DL 2021.
    """
    held, tables = list(printed), list(first)
    for place, item in enumerate(collections(inputs)):
        found, made = compute(item, f"{key}-{item.key}" if place else key)
        held += [item.hold(evidence, of) for of, evidence in found.items()]
        tables += made
    return Made(held=held, paragraphs=[*words, note_of(inputs)], tables=tables)
