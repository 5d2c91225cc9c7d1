"""The checks of `qrelsmith app verify`."""

from __future__ import annotations

from dataclasses import dataclass, field

# The number of faults shown; further faults are only counted.
_SHOWN = 20


@dataclass(slots=True)
class Check:
    """A condition that must hold, with the result of its check.

    Attributes
    ----------
    name : str
        The condition.
    rows : int
        Number of rows checked.
    wrong : int
        Number of rows that violate it.
    examples : list of str
        The first violations, one sentence each.
    """

    name: str
    rows: int = 0
    wrong: int = 0
    examples: list[str] = field(default_factory=list)

    def fault(self, sentence: str) -> None:
        """Record a row that violates the condition."""
        self.wrong += 1
        if len(self.examples) < _SHOWN:
            self.examples.append(sentence)
