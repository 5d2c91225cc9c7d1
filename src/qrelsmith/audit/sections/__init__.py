"""The sections of the audit: one file each, with one function decorated by `@SECTIONS.add(…)`."""

from qrelsmith.base.registration import load_modules

load_modules(__name__, __path__, "@SECTIONS.add(")
