"""The labels that the tables are made from: WWW-4 itself where it is there, else simulated."""

from __future__ import annotations

from pathlib import Path

from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.dl2021 import dl2021
from qrelsmith_papers.judging_order.dl2021 import files_read as llm_files
from qrelsmith_papers.judging_order.simulated import simulated_campaign
from qrelsmith_papers.judging_order.www4 import labels_read, www4


def files_read(inputs: StudyInputs) -> tuple[Path, ...]:
    """Return the files of WWW-4 and of TREC DL 2021, for the manifest of the report."""
    return (*labels_read(inputs), *llm_files(inputs))


def judged_collection(inputs: StudyInputs, *, log: bool = False) -> JudgedCollection:
    """Return the labels of Gold and both groups of Bronze; `log`: with the time of each."""
    real = www4(inputs)
    if real is not None and (real.has_log if log else real.is_whole):
        return real.collection
    return simulated_campaign(inputs).collection


def gold_collection(inputs: StudyInputs) -> JudgedCollection:
    """Return the labels of Gold, whatever else is there."""
    real = www4(inputs)
    return simulated_campaign(inputs).collection if real is None else real.collection


def collections(inputs: StudyInputs) -> list[JudgedCollection]:
    """Return the labels of all three groups, and those of TREC DL 2021 where they are there."""
    llms = dl2021(inputs)
    return [judged_collection(inputs), *([llms.collection] if llms is not None else [])]


def kind_of_gold(inputs: StudyInputs) -> ClaimKind:
    """Return the kind of what is computed from Gold's labels."""
    return gold_collection(inputs).kind


def kind_of_labels(inputs: StudyInputs) -> ClaimKind:
    """Return the kind of what is computed from labels."""
    return judged_collection(inputs).kind


def kind_of_log(inputs: StudyInputs) -> ClaimKind:
    """Return the kind of what is computed from times and positions."""
    return judged_collection(inputs, log=True).kind
