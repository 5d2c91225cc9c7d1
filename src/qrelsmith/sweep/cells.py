"""A cell: one independent part of a sweep, which any process can compute."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.rng import digest_key
from qrelsmith.base.tables import Table

Parameter = str | int | float | bool | None | tuple[str | int | float, ...]
Work = Callable[..., Table]


@dataclass(frozen=True, slots=True)
class Cell:
    """One part of a sweep.

    Attributes
    ----------
    work : str
        The function that computes it, as `package.module:function`. It takes the parameters and the
        seed as keywords, draws every random number from `rng_for(seed, …)`, and returns a `Table`.
        The rows therefore depend only on this cell.
    parameters : mapping
        Arguments of the function: text, numbers, booleans, None, and tuples of these types.
    seed : int
        The seed of the whole sweep; cells with the same seed share their random numbers.
    """

    work: str
    parameters: Mapping[str, Parameter] = field(hash=False)
    seed: int

    @property
    def key(self) -> str:
        """A name determined by work, parameters and seed, stable across versions."""
        return digest_key(self.seed, self.work, _text(self.parameters)).hex()[:32]

    def compute(self) -> Table:
        """Compute the rows.

        Raises
        ------
        UsageError
            If the function does not exist, or does not return a table.
        """
        module, _, name = self.work.partition(":")
        try:
            function: Work = getattr(import_module(module), name)
        except (ImportError, AttributeError, ValueError):
            raise UsageError(
                f"the function {quoted(self.work)} of a cell cannot be imported; expected "
                "“module:function”"
            ) from None
        table = function(**self.parameters, seed=self.seed)
        if not isinstance(table, Table):
            raise UsageError(
                f"{self.work} returned a {type(table).__name__}; expected a Table of rows"
            )
        return table


def _text(parameters: Mapping[str, Parameter]) -> str:
    """Return the parameters as text that is the same on all systems."""
    for name, value in parameters.items():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, float) and not math.isfinite(part):
                raise UsageError(f"{name}={part!r}; expected a finite number in a cell")
            if part is not None and not isinstance(part, str | int | float):
                raise UsageError(
                    f"{name}={quoted(part)}; expected text, a number, a boolean or None in a cell"
                )
    return json.dumps(dict(sorted(parameters.items())), sort_keys=True)
