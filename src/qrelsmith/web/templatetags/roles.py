"""`{{ account.role|role_name }}`: the name of a role."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext_lazy

from qrelsmith.web.models import Role

register = template.Library()
_NAMES = {
    Role.ADMIN: gettext_lazy("admin"),
    Role.ORGANISER: gettext_lazy("organiser"),
    Role.ASSESSOR: gettext_lazy("assessor"),
    Role.VIEWER: gettext_lazy("viewer"),
}


@register.filter
def role_name(role: str) -> str:
    """Return the name of a role in the language of the page."""
    return str(_NAMES[Role(role)])
