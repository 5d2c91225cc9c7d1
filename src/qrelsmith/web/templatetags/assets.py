"""`{% asset "judge.js" %}`: the address of a static file."""

from __future__ import annotations

from django import template

from qrelsmith.web.site.assets import address

register = template.Library()
register.simple_tag(address, name="asset")
