"""The options for estimating preference matrices, with the permitted values of each option."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from qrelsmith.base.errors import UnknownNameError

Mode: TypeAlias = Literal["individual", "aggregate"]
Smoothing: TypeAlias = Literal["jeffreys", "none", "paper"]
Untested: TypeAlias = Literal["error", "half", "interpolate"]
Strength: TypeAlias = Literal["sign", "share"]
Weighting: TypeAlias = Literal["none", "kinds"]

_CHOICES: dict[str, tuple[str, ...]] = {
    "mode": get_args(Mode),
    "smoothing": get_args(Smoothing),
    "untested": get_args(Untested),
    "strength": get_args(Strength),
}


def check_options(**chosen: str) -> None:
    """Raise `UnknownNameError` unless every option has a permitted value."""
    for option, value in chosen.items():
        if value not in _CHOICES[option]:
            raise UnknownNameError(option, str(value), _CHOICES[option])
