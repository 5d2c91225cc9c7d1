"""`{% judges_preferences as name %}`, `{% judges_sample as name %}`: whether these pages exist."""

from __future__ import annotations

from django import template

from qrelsmith.web.organiser.contests import has_preferences
from qrelsmith.web.sampling.state import has_sample

register = template.Library()
register.simple_tag(has_preferences, name="judges_preferences")
register.simple_tag(has_sample, name="judges_sample")
