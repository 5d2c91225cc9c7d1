"""The registry of damages: one function for each kind, and what others must know of it."""

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
            All label sets, with what assessors did.
        examined, other : int
            The set that is examined, and the one that it is compared with.
        """
        ...


DAMAGES: Registry[DamageTest] = Registry(
    "damage",
    arguments=("labels", "examined", "other"),
    contract=DamageTest.__call__,
    facts={
        # What its culprits are: one of `CulpritKind`.
        "culprit": REQUIRED,
        # What is said of a culprit that was found; `{names}`, `{value}`, `{detail}` are filled in.
        "sentence": REQUIRED,
        # Whether it is seen only against another label set, which may be the damaged one.
        "against": True,
        # Whether finding it makes the labels damaged, or is a fact about them.
        "counts": True,
        # Whether chance can make it: such kinds share the chance of a false alarm.
        "by_chance": True,
        # Whether the reference can show it too.
        "of_reference": True,
        # Which labels are useless for other tests where it is found: a function of the labels, the
        # set, the culprit and the detail that gives [topic, doc].
        "spoils": None,
        # Whether it says only that something is wrong: a kind that explains it is named instead.
        "open_ended": False,
        # What else could cause the same, and what to do.
        "otherwise": "",
        "action": "",
        # The damage that results and `--damage` call it, where several tests look for one.
        "reported_as": "",
        # Whether the test says of two label sets the same either way round, so that either may be
        # at fault: empty, "same", or what changes its sign, "value" or "detail".
        "mirrored": "",
    },
)


def tests_for(kinds: Iterable[str]) -> list[Entry[DamageTest]]:
    """Return the tests that look for kinds of damage; without kinds, all tests."""
    wanted = {DAMAGES.get(kind).entry.name for kind in kinds}
    return [
        entry
        for entry in DAMAGES.entries()
        if not wanted or entry.name in wanted or entry.about["reported_as"] in wanted
    ]
