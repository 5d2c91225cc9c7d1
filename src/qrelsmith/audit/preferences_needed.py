"""The preference tests that PDP needs and a campaign lacks, and how to draw them."""

from __future__ import annotations

from pathlib import Path
from shlex import quote

from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.base.scales import levels_seen
from qrelsmith.collection.qrels import stem
from qrelsmith.discrimination.preferences.needed import needed_tests


def advice_without_preferences(inputs: AuditInputs) -> str:
    """Return advice for a campaign without preferences: how many tests, and how to draw them."""
    return f"preferences between docs in a file named preferences.*{_how_many(inputs)}"


def advice_on_other_preferences(inputs: AuditInputs, why: str) -> str:
    """Return advice for preferences that compare no docs of the label sets."""
    return f"different preferences ({why}){_how_many(inputs)}"


def _how_many(inputs: AuditInputs) -> str:
    """Return the end of a sentence: how many tests PDP needs, and the command that draws them."""
    needed = needed_tests()
    whole = [name for name in inputs.label_sets if inputs.scale_text(name) != "real"]
    if not whole:
        return ", and binned grades, because all label sets have a continuous scale"
    name = inputs.reference if inputs.reference in whole else whole[0]
    levels = [level for level in levels_seen(inputs.label_sets[name].grade) if level >= 0]
    pairs = len(levels) * (len(levels) - 1) // 2
    labels = _labels(inputs, name)
    return (
        f". About {needed.tests} preference tests for each pair of grades estimate how often the"
        f" higher grade wins, to within ±.05 (exact calculation: {needed.exact}). The {pairs} pairs"
        f" of grades of {name} need {needed.tests * pairs:,} tests, usable for all label sets."
        f" To draw the tests, run this command in the campaign's folder: qrelsmith plan preferences"
        f" {labels} --per-pair {needed.tests} -o tests.csv. Add a column “outcome” with the answers"
        " to tests.csv, and save the file as preferences.csv"
    )


def _labels(inputs: AuditInputs, name: str) -> str:
    """Return the command argument that reads a label set in the campaign's folder."""
    campaign = inputs.campaign
    file = next((path for path in campaign.qrels if stem(path) == name), campaign.judgments)
    if file is None:
        return quote(name)
    shown = quote(_path_in_folder(file, campaign.folder))
    groups = inputs.judgments.group if inputs.judgments is not None else None
    of_group = file == campaign.judgments and name in (groups or ())
    return f"{shown} --group {quote(name)}" if of_group else shown


def _path_in_folder(file: Path, folder: Path) -> str:
    """Return the path of a file relative to a folder, or unchanged if it is outside the folder."""
    return (file.relative_to(folder) if file.is_relative_to(folder) else file).as_posix()
