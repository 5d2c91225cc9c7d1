"""The sections of the audit: one file each, with one function decorated by `@SECTIONS.add(…)`."""

from importlib import import_module
from pkgutil import iter_modules

for _found in iter_modules(__path__):
    import_module(f"{__name__}.{_found.name}")
