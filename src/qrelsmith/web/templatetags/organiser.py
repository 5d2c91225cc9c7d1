"""`{% judges_preferences as name %}`: whether there are pages of preference judging."""

from __future__ import annotations

from django import template

from qrelsmith.web.organising.contests import has_preferences

register = template.Library()
register.simple_tag(has_preferences, name="judges_preferences")
