"""The use of each label set in one line, and the label sets by several passes of one model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import name_list
from qrelsmith.base.content import ScorecardCell

_PASS = re.compile(r"[._ -]*(?:run|pass|repeat|seed|try|trial|round)[._ -]?\d+$", re.IGNORECASE)

# The beginning of the line, the same after another purpose, and the verdicts.
_USES = (
    ("Can replace {reference} for", "", ("good",)),
    ("Can probably replace {reference} for", "probably for", ("probably good",)),
    (
        "Can replace {reference} with some loss for",
        "with some loss for",
        ("fair or better", "fair"),
    ),
    ("Unclear for", "unclear for", ("unclear", "fair or worse")),
    ("Cannot replace {reference} for", "not for", ("probably bad", "bad")),
)


def use_of(
    label_set: str, reference: str, cells: Sequence[ScorecardCell], *, is_alone: bool = False
) -> str:
    """Return the purposes for which a label set can replace the reference; empty if unknown.

    Parameters
    ----------
    label_set, reference : str
        The label set and its reference; the reference is empty if none was chosen.
    cells : sequence of ScorecardCell
        Its verdicts.
    is_alone : bool
        Whether there is no other label set.
    """
    if not reference:
        return ""
    entries = sorted(VERDICTS.entries(), key=lambda entry: entry.about["place"])
    verdicts = {cell.question: cell.verdict for cell in cells}
    warnings = [
        entry.about["warning"]
        for entry in entries
        if entry.about["warning"] and verdicts.get(entry.name) == "bad"
    ]
    if label_set == reference:
        compared = [] if is_alone else ["Reference for the other label sets"]
        return _sentences("; ".join(compared), warnings)
    word_for = {
        entry.about["purpose"]: word
        for entry in entries
        if entry.about["purpose"] and (word := verdicts.get(entry.name, "none")) != "none"
    }
    parts = []
    if word_for and set(word_for.values()) <= {"bad", "probably bad"}:
        worse = name_list([purpose for purpose, word in word_for.items() if word == "bad"])
        parts = [f"Cannot replace {reference} for any purpose"]
        parts += [f"clearly worse for {worse}"] if worse else []
        return _sentences("; ".join(parts), warnings)
    for first, later, words in _USES:
        if purposes := [purpose for purpose, word in word_for.items() if word in words]:
            how = later if parts else first.format(reference=reference)
            parts.append(f"{how}: {', '.join(purposes)}")
    return _sentences("; ".join(parts), warnings)


def _sentences(uses: str, warnings: Sequence[str]) -> str:
    return " ".join(f"{text[0].upper()}{text[1:]}." for text in (uses, *warnings) if text)


def families_of(label_sets: Sequence[str], declared: Mapping[str, str]) -> Mapping[str, str]:
    """Return the model of each label set that is one of several passes.

    Parameters
    ----------
    label_sets : sequence of str
        The label sets. A name that ends in `run1`, `pass2` or similar is treated as a pass.
    declared : mapping of str to str
        The families declared by the campaign.

    Returns
    -------
    mapping of str to str
        Only families of at least two label sets.
    """
    found = {name: declared.get(name) or _PASS.sub("", name) for name in label_sets}
    often = Counter(found.values())
    return {name: family for name, family in found.items() if family and often[family] > 1}
