"""The colours of the report, by role, in a light and a dark scheme.

A drawing uses roles. Image files use the light scheme; the page has both schemes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

# The number of steps of a colour scale: from the colour nearest to the paper to the farthest
# (`seq`), or from one end through the colour of the paper to the other end (`div`).
STEPS = 33
# The step from which text in a cell has the inverse colour. It is the same in both schemes, so that
# `near` (text on colours near the paper) and `far` (text on other colours) fit both.
_TURN = 20
_TURN_FROM_MIDDLE = 12
# The lightness (CIE L*) of a background on which black and white are equally readable.
_EVEN = 49.4

# Each role with its colour in the light and in the dark scheme.
_PAGE = {
    "paper": ("#ffffff", "#14171b"),
    "panel": ("#f5f6f8", "#1b1f25"),
    "faint": ("#eceef1", "#242930"),
    "rule": ("#d3d8de", "#39404a"),
    "edge": ("#818a95", "#76808d"),
    "muted": ("#59626d", "#a6afba"),
    "ink": ("#1b1f24", "#e6e9ed"),
    "accent": ("#0b57a8", "#7fb7f2"),
    "near": ("#010101", "#fcfcfc"),
    "far": ("#fefefe", "#000000"),
}
_VERDICTS = {
    "good": ("#1b6e35", "#69cf8b"),
    "good-back": ("#e7f4ea", "#15301f"),
    "doubtful": ("#855300", "#e6b95a"),
    "doubtful-back": ("#fcf1dc", "#352a12"),
    "bad": ("#b02318", "#ff9a8f"),
    "bad-back": ("#fdebe9", "#3f1b18"),
    "unknown": ("#5a3f9e", "#bfb0f7"),
    "unknown-back": ("#f0ecfa", "#29223f"),
    "fact": ("#3d5368", "#a3b9cf"),
    "fact-back": ("#ecf0f4", "#1e2832"),
}
# After Okabe and Ito, darkened or lightened until each has the contrast required for text.
_GROUPS = (
    ("#0a6aa8", "#5fb8ec"),
    ("#c04c00", "#ff9c5b"),
    ("#007d5b", "#3fcf9f"),
    ("#a8458a", "#e9a3d3"),
    ("#836100", "#e3c244"),
    ("#5a4fc0", "#ada6ff"),
    ("#8c2f2f", "#e88f8f"),
    ("#52606d", "#aab6c3"),
)
GROUPS = len(_GROUPS)


def _hex(lightness: float, chroma: float, hue: float) -> str:
    """Return a colour by lightness (CIE L*, 0 to 100), chroma and hue (Oklch, Ottosson 2020)."""
    luminance = ((lightness + 16) / 116) ** 3
    tone = luminance ** (1 / 3)
    for _ in range(4):  # Oklab's lightness depends slightly on the hue
        red, green, blue = _linear(tone, chroma, hue)
        tone *= (luminance / (0.2126 * red + 0.7152 * green + 0.0722 * blue)) ** (1 / 3)
    encoded = (
        12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
        for part in _linear(tone, chroma, hue)
    )
    return "#" + "".join(f"{round(255 * part):02x}" for part in encoded)


def _linear(tone: float, chroma: float, hue: float) -> tuple[float, float, float]:
    """Convert Oklch to linear sRGB; the chroma is reduced until sRGB contains the colour."""
    while True:
        a, b = (chroma * turn(math.radians(hue)) for turn in (math.cos, math.sin))
        long = (tone + 0.3963377774 * a + 0.2158037573 * b) ** 3
        middle = (tone - 0.1055613458 * a - 0.0638541728 * b) ** 3
        short = (tone - 0.0894841775 * a - 1.2914855480 * b) ** 3
        red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short
        green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short
        blue = -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short
        if chroma <= 0 or (min(red, green, blue) >= 0 and max(red, green, blue) <= 1):
            return tuple(min(max(part, 0.0), 1.0) for part in (red, green, blue))  # type: ignore[return-value]
        chroma -= 0.004


def _lightness(paper: float, distance: float, turn: float) -> float:
    """Interpolate between the lightness of the paper (distance 0) and `_EVEN` (distance `turn`)."""
    return paper + (_EVEN - paper) * distance / turn


def _sequential(step: int) -> tuple[str, str]:
    """Return a colour of the scale from pale yellow to dark blue, for light and dark paper."""
    share = step / (STEPS - 1)
    turn = (_TURN - 0.5) / (STEPS - 1)
    return (
        _hex(_lightness(97, share, turn), 0.035 + 0.09 * math.sin(2.4 * share), 118 + 152 * share),
        _hex(_lightness(15, share, turn), 0.045 + 0.12 * share, 275 - 155 * share),
    )


def _diverging(step: int) -> tuple[str, str]:
    """Return a colour of the scale from orange to blue, for light and dark paper."""
    middle = (STEPS - 1) // 2
    distance = abs(step - middle) / middle
    turn = (_TURN_FROM_MIDDLE - 0.5) / middle
    hue = 48 if step < middle else 250
    chroma = 0.005 + 0.15 * distance
    return (
        _hex(_lightness(96, distance, turn), chroma, hue),
        _hex(_lightness(15, distance, turn), chroma, hue),
    )


def _scheme(side: int) -> Mapping[str, str]:
    """Return the colours of all roles in one scheme."""
    named = {**_PAGE, **_VERDICTS}
    named |= {f"group-{place}": pair for place, pair in enumerate(_GROUPS)}
    named |= {f"seq-{step}": _sequential(step) for step in range(STEPS)}
    named |= {f"div-{step}": _diverging(step) for step in range(STEPS)}
    return MappingProxyType({role: pair[side] for role, pair in named.items()})


LIGHT = _scheme(0)
DARK = _scheme(1)


def step_of(value: float, low: float, high: float) -> str:
    """Return the colour role of a value on a scale from low to high.

    If zero is between the ends, the scale diverges from zero and is symmetric around it.

    >>> step_of(0.0, -0.2, 1.0), step_of(1.0, -0.2, 1.0), step_of(0.0, 0.0, 1.0)
    ('div-16', 'div-32', 'seq-0')
    """
    if low < 0 < high:
        reach = max(-low, high)
        return f"div-{_step((value / reach + 1) / 2)}"
    return f"seq-{_step((value - low) / (high - low) if high > low else 0.5)}"


def step_of_part(place: int, parts: int) -> str:
    """Return the colour role of a part of a whole; the lowest part is the palest.

    >>> step_of_part(0, 2), step_of_part(1, 2)
    ('seq-4', 'seq-25')
    """
    return f"seq-{round(4 + 26 * place / (parts - 1)) if parts > 2 else (4, 25)[place]}"


def writing_on(role: str) -> str:
    """Return the colour role of text that is written on a given colour step."""
    scale, _, step = role.partition("-")
    if scale == "seq":
        return "far" if int(step) >= _TURN else "near"
    return "far" if abs(int(step) - (STEPS - 1) // 2) >= _TURN_FROM_MIDDLE else "near"


def _step(share: float) -> int:
    """Return the number of the colour step at a position from 0 to 1 on the scale."""
    return round(min(max(share, 0.0), 1.0) * (STEPS - 1))


def style_sheet() -> str:
    """Return the roles as CSS custom properties in both schemes, and the classes of drawings.

    Print always uses the light scheme.
    """
    light = _properties(LIGHT)
    dark = _properties(DARK)
    classes = "".join(
        f".f-{role}{{fill:var(--{role})}}"
        + ("" if role.startswith(("seq-", "div-")) else f".s-{role}{{stroke:var(--{role})}}")
        for role in LIGHT
        if role not in _VERDICTS
    ) + "".join(
        f".s{step}{{--back:var(--seq-{step});--on:var(--{writing_on(f'seq-{step}')})}}"
        for step in range(0, STEPS, 4)
    )
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{"
        f":root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
        f"{classes}\n"
    )


def _properties(scheme: Mapping[str, str]) -> str:
    return ";".join(f"--{role}:{colour}" for role, colour in scheme.items())
