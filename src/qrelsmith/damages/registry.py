"""The registry of damages: one function per kind, with its attributes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, Protocol, TypeAlias

from qrelsmith.base.registry import REQUIRED, Registry
from qrelsmith.base.registry_entries import Entry
from qrelsmith.damages.evidence import Evidence
from qrelsmith.damages.label_arrays import LabelArrays

CulpritKind: TypeAlias = Literal["topic", "team", "assessor", "set", "run", "property"]


class DamageTest(Protocol):
    """The contract of a registered damage."""

    def __call__(self, labels: LabelArrays, examined: int, other: int) -> Evidence:
        """Return evidence of this damage in a label set.

        Parameters
        ----------
        labels : LabelArrays
            All label sets, with the work of their assessors.
        examined, other : int
            The set to examine, and the set for comparison.
        """
        ...


DAMAGES: Registry[DamageTest] = Registry(
    "damage",
    arguments=("labels", "examined", "other"),
    contract=DamageTest.__call__,
    facts={
        # The kind of the damage's possible sources: one of `CulpritKind`.
        "culprit": REQUIRED,
        # The sentence about a finding, with the fields `{names}`, `{value}`, `{detail}`.
        "sentence": REQUIRED,
        # Whether it shows only in a comparison with another label set, which may be the damaged
        # one.
        "against": True,
        # Whether a finding means that the labels are damaged; otherwise it is only a fact.
        "counts": True,
        # Whether it can occur by chance; such kinds share the probability of a false alarm.
        "by_chance": True,
        # Whether the reference can also show the damage.
        "of_reference": True,
        # A function that returns the labels that a finding makes useless for other tests: it takes
        # the labels, the set, the source and the detail, and returns [topic, doc].
        "spoils": None,
        # Whether it shows only that something is wrong: a kind that explains it is reported
        # instead.
        "open_ended": False,
        # Other possible causes, and what to do.
        "otherwise": "",
        "action": "",
        # The name of the damage in results and `--damage`, if several tests look for one damage.
        "reported_as": "",
        # Whether the test gives the same result if the two label sets are exchanged, so that either
        # may be at fault: empty, "same", or the number that changes its sign, "value" or "detail".
        "mirrored": "",
    },
)


def tests_for(kinds: Iterable[str]) -> list[Entry[DamageTest]]:
    """Return the tests for some kinds of damage, by default all tests."""
    wanted = {DAMAGES.get(kind).entry.name for kind in kinds}
    return [
        entry
        for entry in DAMAGES.entries()
        if not wanted or entry.name in wanted or entry.about["reported_as"] in wanted
    ]
