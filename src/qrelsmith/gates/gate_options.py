"""Options of a gate: margins and bounds of the figures, and inputs."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from qrelsmith.base.errors import UnknownNameError, UsageError, quoted
from qrelsmith.gates.figures import FIGURES
from qrelsmith.judgments.label_options import is_campaign
from qrelsmith.judgments.run_options import run_words


def gate_words(words: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """Parse the arguments NEW RUN... or CAMPAIGN RUN....

    Raises
    ------
    UsageError
        If there are no arguments, or a label set is named together with a file.
    """
    if not words:
        raise UsageError("Missing argument 'NEW|CAMPAIGN'.")
    if options.get("label_set") is not None and not is_campaign(words[0]):
        raise UsageError("--label-set needs a campaign, but NEW is a file")
    return {"labels": words[0], "runs": run_words(words[1:]) or None}


def numbers_by_name(texts: Sequence[str]) -> dict[str, float]:
    """Return numbers by name, parsed from texts such as `alpha=.1` or `alpha=.1,tau=.05`.

    Raises
    ------
    UsageError
        If a text has another form, or a name occurs twice.

    >>> numbers_by_name(["alpha=.1,tau=0.05", "bias=1"])
    {'alpha': 0.1, 'tau': 0.05, 'bias': 1.0}
    """
    numbers: dict[str, float] = {}
    for text in (part for each in texts for part in each.split(",")):
        name, equals, number = text.partition("=")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not (name and equals and math.isfinite(value)):
            raise UsageError(f"{quoted(text)}; expected NAME=NUMBER, such as alpha=.05")
        if name in numbers:
            raise UsageError(f"{quoted(name)} is given twice; expected one number")
        numbers[name] = value
    return numbers


def name_list(names: str | Sequence[str] | None) -> list[str]:
    """Return one or several names as a list."""
    return [names] if isinstance(names, str) else list(names or ())


def check_figures(
    margins: Mapping[str, float], at_least: Mapping[str, float], lean: Mapping[str, float]
) -> None:
    """Check for unknown figures and invalid margins.

    Raises
    ------
    UnknownNameError
        If a figure is unknown or has no lower bound.
    UsageError
        If a margin is negative.
    """
    entries = FIGURES.entries()
    bounded = [entry.name for entry in entries if entry.about["more_is_better"]]
    _check_names(margins, FIGURES.names())
    _check_names(at_least, bounded)
    for name, margin in (*margins.items(), *lean.items()):
        if not margin >= 0:
            raise UsageError(f"the margin of {name} is {margin:g}; expected 0 or more")


def _check_names(numbers: Mapping[str, float], names: Collection[str]) -> None:
    for name in numbers:
        if name not in names:
            raise UnknownNameError("figure of a gate", name, names)
