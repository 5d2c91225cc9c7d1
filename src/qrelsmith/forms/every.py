"""All formats that readers recognise; importing this module fills the registry."""

from qrelsmith import forms
from qrelsmith.base.registration import load_modules
from qrelsmith.forms.registry import FORMS

__all__ = ["FORMS"]

load_modules(forms.__name__, forms.__path__, "@FORMS.add(")
