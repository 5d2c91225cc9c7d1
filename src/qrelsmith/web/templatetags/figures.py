"""Formatting of numbers on the organisers' pages, and small charts of them.

Charts are SVG. The charts repeat the numbers beside them, and are hidden from screen readers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

register = template.Library()

NONE = "–"
_MINUTES_BELOW = 1.0
_DECIMALS_BELOW = 10.0
# Lower coefficients are rare, and mean agreement below chance.
_LEAST = -0.2


@register.filter
def whole(value: float) -> str:
    """Return a count: 12,345."""
    return f"{int(value):,}"


@register.filter
def seconds(value: float) -> str:
    """Return a number of seconds: 9.4, 128; a dash if there is none."""
    return _short(value)


@register.filter
def hours(value: float) -> str:
    """Return a number of hours with its unit: 40 min, 3.4 h, 128 h; a dash if there is none."""
    if math.isnan(value):
        return NONE
    if value < _MINUTES_BELOW:
        return gettext("%(minutes)s min") % {"minutes": round(60 * value)}
    return gettext("%(hours)s h") % {"hours": _short(value)}


@register.filter
def percent(value: float) -> str:
    """Return a share in percent: 41%, 0.4%; a dash if there is none."""
    if math.isnan(value):
        return NONE
    return f"{_short(100 * value) if value else 0}%"


@register.filter
def coefficient(value: float) -> str:
    """Return a coefficient: .745, -.020, 1.000; a dash if there is none."""
    if math.isnan(value):
        return NONE
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"


@register.filter
def p_value(value: float) -> str:
    """Return a p-value: .034, < .001; a dash if there is none."""
    if value < 0.001:
        return "< .001"
    return coefficient(value)


@register.simple_tag
def bar(value: float, most: float) -> SafeString:
    """Return a bar for `value`, relative to `most`."""
    share = 0.0 if not most or math.isnan(value) else min(max(value / most, 0.0), 1.0)
    return format_html(
        '<svg class="bar-of" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="of" width="100" height="8"/><rect width="{}" height="8"/></svg>',
        f"{100 * share:.1f}",
    )


@register.simple_tag
def mix(shares: Sequence[float]) -> SafeString:
    """Return a stacked bar of shares that add up to 1; the first share is the palest."""
    parts, left = [], 0.0
    for place, share in enumerate(shares):
        shade = round(9 * place / max(len(shares) - 1, 1))
        parts.append((shade, f"{left:.2f}", f"{100 * share:.2f}"))
        left += 100 * share
    return format_html(
        '<svg class="mix-of" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        "{}</svg>",
        format_html_join("", '<rect class="shade-{}" x="{}" width="{}" height="10"/>', parts),
    )


@register.simple_tag
def interval(value: float, low: float, high: float) -> SafeString:
    """Return a coefficient and its interval on a line from `_LEAST` to 1, with a mark at 0."""
    if math.isnan(value):
        return SafeString("")
    ends = (value, value) if math.isnan(low) else (low, high)
    return format_html(
        '<svg class="interval-of" viewBox="0 0 100 12" aria-hidden="true">'
        '<line class="axis" x1="2" x2="98" y1="6" y2="6"/>'
        '<line class="axis" x1="{}" x2="{}" y1="2" y2="10"/>'
        '<line class="range" x1="{}" x2="{}" y1="6" y2="6"/><circle cx="{}" cy="6" r="3"/></svg>',
        *map(_place, (0.0, 0.0, *ends, value)),
    )


def _place(value: float) -> str:
    """Return the position of a coefficient on the line, limited to its ends."""
    return f"{2 + 96 * (min(max(value, _LEAST), 1.0) - _LEAST) / (1.0 - _LEAST):.1f}"


def _short(value: float) -> str:
    if math.isnan(value):
        return NONE
    return f"{value:.1f}" if abs(value) < _DECIMALS_BELOW else f"{value:,.0f}"
