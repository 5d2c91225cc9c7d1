"""A next step with its cost, and the wording shared by the steps."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from qrelsmith.audit.wording import name_list
from qrelsmith.base.content import Action

_NAMED = 3


@dataclass(frozen=True, slots=True)
class Step:
    """An action, with the number of docs to judge and the number of verdicts then decided."""

    action: Action
    docs: int = 0
    decides: int = 1

    @property
    def price(self) -> float:
        """The number of docs to judge per decided verdict."""
        return self.docs / max(self.decides, 1)


def first_names(names: Sequence[str]) -> str:
    """Return the first names of a list, and the number of the remaining names."""
    if len(names) <= _NAMED:
        return name_list(names)
    return f"{', '.join(names[:_NAMED])} and {len(names) - _NAMED} more"


def command(*words: str) -> str:
    """Return a qrelsmith command to paste."""
    return shlex.join(("qrelsmith", *words))
