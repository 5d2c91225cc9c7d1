"""Formatting of model prompts and parameters on pages."""

from __future__ import annotations

import json

from django import template

register = template.Library()


@register.filter
def messages(prompt: str) -> list[str]:
    """Return the messages of a prompt; a prompt in another format is one message."""
    content = _object(prompt)
    parts = [content.get("system"), content.get("user")]
    return [str(part) for part in parts if part] or [prompt]


@register.filter
def pairs(parameters: str) -> list[tuple[str, str]]:
    """Return names and values of parameters."""
    return [(name, str(value)) for name, value in _object(parameters).items()]


def _object(text: str) -> dict[str, object]:
    """Return a JSON object; empty if the text is not a JSON object."""
    try:
        content = json.loads(text)
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}
