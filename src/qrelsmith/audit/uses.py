"""The use of each label set, in a line; and which of them are passes of one model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from qrelsmith.audit.verdicts.registry import VERDICTS
from qrelsmith.audit.wording import name_list
from qrelsmith.base.content import ScorecardCell

_PASS = re.compile(r"[._ -]*(?:run|pass|repeat|seed|try|trial|round)[._ -]?\d+$", re.IGNORECASE)


def use_of(
    label_set: str, reference: str, cells: Sequence[ScorecardCell], *, is_alone: bool = False
) -> str:
    """The purposes for which a label set may stand in for the reference; empty: nothing is known.

    Parameters
    ----------
    label_set, reference : str
        The label set, and what it is compared with; empty where nobody chose it.
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
        compared = [] if is_alone else ["The others are compared with it"]
        return f"{'; '.join([*compared, *warnings]).capitalize()}." if compared or warnings else ""
    by_verdict: dict[str, list[str]] = {}
    for entry in entries:
        if purpose := entry.about["purpose"]:
            by_verdict.setdefault(verdicts.get(entry.name, "none"), []).append(purpose)
    good, doubtful, bad, undecided = (
        name_list(by_verdict.get(verdict, []))
        for verdict in ("good", "doubtful", "bad", "undecided")
    )
    parts = [f"May stand in for {reference} to {good}"] if good else []
    if doubtful:
        parts.append(f"{'only with care' if good else 'Only with care'} to {doubtful}")
    if undecided:
        parts.append(f"{'not' if parts else 'Not'} shown to {undecided}")
    if bad:
        parts.append(f"{'not' if parts else 'Not'} fit to {bad}")
    parts += warnings if parts else [each.capitalize() for each in warnings]
    return f"{'; '.join(parts)}." if parts else ""


def families_of(label_sets: Sequence[str], declared: Mapping[str, str]) -> Mapping[str, str]:
    """The model of each label set of which there are several passes.

    Parameters
    ----------
    label_sets : sequence of str
        The label sets; what ends in `run1`, `pass2` and the like is taken for a pass.
    declared : mapping of str to str
        The families that the campaign declares.

    Returns
    -------
    mapping of str to str
        Families of at least two label sets only.
    """
    found = {name: declared.get(name) or _PASS.sub("", name) for name in label_sets}
    often = Counter(found.values())
    return {name: family for name, family in found.items() if family and often[family] > 1}
