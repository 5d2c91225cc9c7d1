"""The filter `remark`: what was written elsewhere in English, in the language of the page."""

from __future__ import annotations

from django import template

from qrelsmith.web.site.remarks import remark

register = template.Library()
register.filter(remark)
