"""The filter `remark`: an English remark from another module, in the language of the page."""

from __future__ import annotations

from django import template

from qrelsmith.web.site.remarks import remark

register = template.Library()
register.filter(remark)
