"""Plug-ins: third-party packages and files that add measures, coefficients, schedulers, ….

A plug-in is a module that registers its entries on import. An installed package names its module
under the entry point group `qrelsmith.plugins`; a file is named on the command line with `--plugin
FILE.py`. Plug-ins are imported when a registry is first used, so that other commands need no
plug-ins.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import RLock

from qrelsmith.base.errors import InputError, QrelsmithError, UsageError

GROUP = "qrelsmith.plugins"


@dataclass(frozen=True, slots=True)
class Installed:
    """A plug-in of an installed package.

    Attributes
    ----------
    name, value : str
        The plug-in's name, and its module, optionally with `:` and a name in the module.
    package : str
        The name and version of the package.
    """

    name: str
    value: str
    package: str

    def load(self) -> None:
        """Import the plug-in."""
        module, _, names = self.value.partition(":")
        found: object = import_module(module.strip())
        for name in filter(None, names.partition("[")[0].strip().split(".")):
            found = getattr(found, name)


class Plugins:
    """The plug-ins of this process: installed plug-ins, and files named by the user.

    A plug-in is imported once. If a plug-in cannot be imported, every use of a registry is an
    error, because entries are missing.
    """

    def __init__(self) -> None:
        self._files: list[str] = []
        self._todo: list[Installed | str] = []
        self._looked = self._is_loading = self._is_ready = False
        self._failed: QrelsmithError | None = None
        self._lock = RLock()

    @property
    def files(self) -> tuple[str, ...]:
        """The absolute paths of the files, in the given order."""
        return tuple(self._files)

    def add_files(self, files: Iterable[str]) -> None:
        """Add files to load when a registry is next used; earlier files are kept."""
        with self._lock:
            for file in files:
                path = str(Path(file).resolve())
                if path not in self._files:
                    self._files.append(path)
                    self._todo.append(path)
                    self._is_ready = False

    def load(self) -> None:
        """Import all plug-ins that have not been imported yet.

        Raises
        ------
        InputError
            If a file cannot be imported.
        UsageError
            If the module of an installed package cannot be imported.
        """
        if self._is_ready:
            return
        with self._lock:
            # A plug-in may use a registry during its import.
            if self._is_loading:
                return
            if self._failed is not None:
                raise self._failed
            self._is_loading = True
            try:
                if not self._looked:
                    installed = {(each.name, each.value): each for each in installed_plugins()}
                    self._todo[:0] = [installed[key] for key in sorted(installed)]
                    self._looked = True
                while self._todo:
                    _load(self._todo.pop(0))
                self._is_ready = True
            except QrelsmithError as error:
                self._failed = error
                raise
            finally:
                self._is_loading = False


PLUGINS = Plugins()


def _load(plugin: Installed | str) -> None:
    """Import a plug-in, adding its name to any error."""
    try:
        if isinstance(plugin, str):
            _load_file(plugin)
        else:
            plugin.load()
    except Exception as error:
        problem = f"the plug-in cannot be loaded: {_error_text(error)}"
        if isinstance(plugin, str):
            raise InputError(problem, path=plugin, line=_line(error, plugin)) from error
        whose = f"{plugin.name} ({plugin.value}) of {plugin.package}"
        raise UsageError(f"{whose}: {problem}") from error


def installed_plugins() -> tuple[Installed, ...]:
    """Return the plug-ins of installed packages.

    The function reads the same files as `importlib.metadata`, but importing that module would take
    longer.
    """
    return _installed_in(tuple(dict.fromkeys(sys.path)))


@cache
def _installed_in(folders: tuple[str, ...]) -> tuple[Installed, ...]:
    plugins: list[Installed] = []
    for folder in folders:
        with suppress(OSError):
            for entry in os.scandir(folder or os.curdir):
                if entry.name.endswith((".dist-info", ".egg-info")) and entry.is_dir():
                    plugins += _entry_points(Path(entry.path))
    return tuple(plugins)


def _entry_points(folder: Path) -> Iterator[Installed]:
    with suppress(OSError, UnicodeDecodeError):
        section = ""
        for line in (folder / "entry_points.txt").read_text(encoding="utf-8").splitlines():
            text = line.strip()
            if text.startswith("["):
                section = text.strip("[]").strip()
            elif section == GROUP and "=" in text and text[0] not in "#;":
                name, _, value = text.partition("=")
                package = folder.stem.replace("-", " ", 1)
                yield Installed(name.strip(), value.strip(), package)


def _load_file(path: str) -> None:
    name = f"{Path(path).stem}_{sha256(path.encode()).hexdigest()[:8]}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("expected a Python file, FILE.py")
    module = module_from_spec(spec)
    # A dataclass looks up its own module.
    sys.modules[name] = module
    spec.loader.exec_module(module)


def _error_text(error: Exception) -> str:
    if isinstance(error, QrelsmithError):
        return str(error)
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return " ".join(f"{type(error).__name__}: {error}".splitlines())


def _line(error: Exception, path: str) -> int | None:
    """Return the line of the file at which the import failed."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return error.lineno
    frames = traceback.extract_tb(error.__traceback__)
    return next((frame.lineno for frame in reversed(frames) if frame.filename == path), None)
