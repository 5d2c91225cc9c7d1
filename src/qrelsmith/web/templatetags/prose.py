"""`{{ text|prose }}`: Markdown text by an organiser, as HTML."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString, mark_safe

from qrelsmith.collection.pages.markup import render_prose
from qrelsmith.collection.pages.sanitise import sanitise_prose

register = template.Library()


@register.filter
def prose(text: str) -> SafeString:
    """Return Markdown as safe HTML: paragraphs, lists, tables, links; HTML becomes text."""
    return mark_safe(sanitise_prose(render_prose(text)))  # noqa: S308 - sanitised
