"""Sections of a large audit that a second process computes in parallel.

An audit consists mostly of small steps, in which threads wait for each other. Two processes are
nearly twice as fast as one. The second process reads the campaign itself and computes the sections
that are registered with `apart`. Sections with `apart` take a long time and share little with the
other sections. The result does not depend on the process that computes it. If the second process
fails, the first process also computes the sections with `apart`. Only data between the two
processes of this program is pickled, never a file.
"""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
from contextlib import suppress
from types import MappingProxyType, TracebackType
from typing import IO, Any, cast

from qrelsmith.audit.inputs import AskedQuestions, AuditInputs
from qrelsmith.audit.registry import SECTIONS, section_names
from qrelsmith.base.content import Section
from qrelsmith.base.plugins import PLUGINS
from qrelsmith.io import sizes

_PROGRAM = "import sys; sys.path[:] = {path!r}; from {module} import answer; answer()"
# Errors that show that the process failed or sent an invalid answer.
_GONE = (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError, ImportError)

Made = tuple[Section, AskedQuestions]
"""A section, and the questions that it was the first to ask"""


def make_section(inputs: AuditInputs, name: str) -> Made:
    """Return a section, and the questions that no earlier section asked."""
    before = frozenset(inputs.asked)
    section = SECTIONS.get(name)(inputs)
    return section, {key: of for key, of in inputs.asked.items() if key not in before}


class SecondProcess:
    """A second process that computes sections, unless the campaign is small or in memory.

    Parameters
    ----------
    inputs : AuditInputs
        The campaign.

    Attributes
    ----------
    names : tuple of str
        The sections that the process computes.
    """

    def __init__(self, inputs: AuditInputs) -> None:
        self._inputs = inputs
        self._process: subprocess.Popen[bytes] | None = None
        labels = sum(map(len, inputs.label_sets.values()))
        jobs = inputs.options["jobs"] or os.cpu_count() or 1
        # A campaign in memory has no files that the process could read.
        apart = (
            type(inputs) is AuditInputs and cast("int", jobs) > 1 and labels >= sizes.AUDIT_LABELS
        )
        self.names = _section_names_apart(inputs) if apart and sys.executable else ()

    def __enter__(self) -> SecondProcess:
        if not self.names:
            return self
        with suppress(*_GONE):
            program = _PROGRAM.format(path=sys.path, module=__name__)
            process = subprocess.Popen(  # noqa: S603 - this program itself
                [sys.executable, "-c", program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            self._process = process
            campaign, options = self._inputs.campaign, self._inputs.options
            _send(cast("IO[bytes]", process.stdin), (PLUGINS.files, campaign, options), None)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def sections(self) -> dict[str, Made]:
        """Return the sections, by name."""
        if self._process is not None:
            with suppress(*_GONE, pickle.UnpicklingError):
                there = cast("IO[bytes]", self._process.stdout)
                return cast("dict[str, Made]", _Reader(there, self._inputs).load())
        return {name: make_section(self._inputs, name) for name in self.names}


def answer() -> None:
    """Compute sections of the campaign that the parent process sends."""
    there, back = sys.stdin.buffer, sys.stdout.buffer
    plugins, campaign, options = pickle.load(there)  # noqa: S301 - of this program itself
    PLUGINS.add_files(plugins)
    import qrelsmith.audit.sections  # noqa: F401 - fills the registry

    inputs = AuditInputs(campaign, **options)
    _send(back, {name: make_section(inputs, name) for name in _section_names_apart(inputs)}, inputs)


def _section_names_apart(inputs: AuditInputs) -> tuple[str, ...]:
    names = section_names(inputs.about)
    return tuple(name for name in names if SECTIONS.get(name).entry.about["apart"])


def _send(pipe: IO[bytes], content: object, inputs: AuditInputs | None) -> None:
    """Write an object without its campaign, which the reading process already has."""
    memory = io.BytesIO()
    _Writer(memory, inputs).dump(content)
    pipe.write(memory.getbuffer())
    pipe.flush()


class _Writer(pickle.Pickler):
    def __init__(self, file: IO[bytes], inputs: AuditInputs | None) -> None:
        super().__init__(file, protocol=pickle.HIGHEST_PROTOCOL)
        self._inputs = inputs

    def persistent_id(self, content: object) -> str | None:
        return "inputs" if content is not None and content is self._inputs else None

    def reducer_override(self, content: object) -> Any:
        if isinstance(content, MappingProxyType):
            return _frozen, (dict(content),)
        return NotImplemented


class _Reader(pickle.Unpickler):
    def __init__(self, file: IO[bytes], inputs: AuditInputs) -> None:
        super().__init__(file)
        self._inputs = inputs

    def persistent_load(self, _name: str) -> AuditInputs:
        return self._inputs


def _frozen(content: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(content)
