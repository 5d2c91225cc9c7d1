"""The kinds of drawings: one file each, with one function decorated by `@kind(…)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from typing import Any, TypeVar

from qrelsmith.base.errors import ShapeError
from qrelsmith.report.canvas import Canvas

Drawer = Callable[[Any], Canvas | None]
D = TypeVar("D", bound=Drawer)

# The function that draws each kind; it returns None if there is nothing to draw.
DRAWERS: dict[type, Drawer] = {}


def kind(drawn: type) -> Callable[[D], D]:
    """Return a decorator that registers the drawing function of a type."""

    def register(function: D) -> D:
        DRAWERS[drawn] = function
        return function

    return register


def check_lengths(drawing: object, names: Sized, *values: Sequence[object]) -> None:
    """Check that there is one value per name.

    Raises
    ------
    ShapeError
        If there are more or fewer values than names.
    """
    for row in values:
        if len(row) != len(names):
            raise ShapeError(
                f"a {type(drawing).__name__} has {len(row)} values for {len(names)} names; "
                "expected one value per name"
            )
