"""The kinds of drawings. A new kind is one file here, with one function under `@kind(…)`."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from typing import Any, TypeVar

from qrelsmith.base.errors import ShapeError
from qrelsmith.report.canvas import Canvas

Drawer = Callable[[Any], Canvas | None]
D = TypeVar("D", bound=Drawer)

# What draws each kind; a drawer returns None where there is nothing to draw.
DRAWERS: dict[type, Drawer] = {}


def kind(drawn: type) -> Callable[[D], D]:
    """Return a decorator: the function draws drawings of this type."""

    def register(function: D) -> D:
        DRAWERS[drawn] = function
        return function

    return register


def check_lengths(drawing: object, names: Sized, *values: Sequence[object]) -> None:
    """Refuse values that are not one for each name.

    Raises
    ------
    ShapeError
        If there are more or fewer values than names.
    """
    for row in values:
        if len(row) != len(names):
            raise ShapeError(
                f"a {type(drawing).__name__} has {len(row)} values for {len(names)} names; "
                "expected one for each"
            )
