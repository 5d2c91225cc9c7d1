"""The checks of `qrelsmith app verify`."""

from __future__ import annotations

from dataclasses import dataclass, field

# Faults beyond these are counted, not told.
_SHOWN = 20


@dataclass(slots=True)
class Check:
    """One thing that must hold.

    Attributes
    ----------
    name : str
        What it is.
    rows : int
        On how many rows it was looked at.
    wrong : int
        On how many it does not hold.
    examples : list of str
        The first of them, each in a sentence.
    """

    name: str
    rows: int = 0
    wrong: int = 0
    examples: list[str] = field(default_factory=list)

    def fault(self, sentence: str) -> None:
        """Note a row on which it does not hold."""
        self.wrong += 1
        if len(self.examples) < _SHOWN:
            self.examples.append(sentence)
