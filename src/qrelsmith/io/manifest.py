"""Manifests: the inputs, program version and parameters of a result.

Manifests have no timestamp unless a timestamp is given, so that the same computation gives the same
bytes.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any, NoReturn

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.io.checkout import COMMIT, checkout_commit, running_version
from qrelsmith.io.table_reading import decoded_text
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.writing import write_text

FORMAT = 1
_KEYS = ("format", "version", "commit", "command", "parameters", "seed", "inputs", "created")
_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True, order=True)
class InputFile:
    """An input file of a result.

    Attributes
    ----------
    path : str
        Relative to the working folder if the file is inside it, otherwise as given; with `/`.
    sha256 : str or None
        SHA-256 of the stored bytes; None for a pipe, which can be read only once.
    size : int or None
        Size in bytes.
    """

    path: str
    sha256: str | None
    size: int | None


@dataclass(frozen=True)
class Manifest:
    """The manifest of a result.

    Attributes
    ----------
    version : str
        The version of qrelsmith.
    commit : str or None
        The commit of qrelsmith's checkout. It does not reveal uncommitted changes.
    command : tuple of str
        The command line.
    parameters : mapping
        Names and JSON values.
    seed : int or None
        The seed, if one was used.
    inputs : tuple of InputFile
        Sorted by path.
    created : str or None
        The timestamp, if it was requested.
    """

    version: str
    commit: str | None
    command: tuple[str, ...]
    parameters: Mapping[str, Any] = field(hash=False)
    seed: int | None
    inputs: tuple[InputFile, ...]
    created: str | None = None


def manifest_for(
    command: Sequence[str],
    *,
    parameters: Mapping[str, Any] | None = None,
    seed: int | None = None,
    inputs: Iterable[FilePath] = (),
    folder: FilePath | None = None,
    created: str | None = None,
) -> Manifest:
    """Build the manifest of a result of the running program.

    Parameters
    ----------
    command : sequence of str
        The command line.
    parameters : mapping, optional
        Text, numbers, Booleans, None, and lists and mappings of these. Infinite numbers and nan
        become text.
    seed : int, optional
        The seed.
    inputs : iterable of path
        The files that were read; repeated names are ignored.
    folder : path, optional
        The folder that paths are relative to; the working folder by default.
    created : str, optional
        The timestamp; none by default.

    Raises
    ------
    InputError
        If an input cannot be read.
    UsageError
        If a parameter cannot be represented in JSON.
    """
    base = Path.cwd() if folder is None else Path(folder)
    files = {file.path: file for file in (_input_file(path, base) for path in inputs)}
    return Manifest(
        version=running_version(),
        commit=checkout_commit(),
        command=tuple(command),
        parameters={name: _plain(value, name) for name, value in (parameters or {}).items()},
        seed=seed,
        inputs=tuple(files[path] for path in sorted(files)),
        created=created,
    )


def manifest_text(manifest: Manifest) -> str:
    """Return the manifest as JSON; the same manifest always gives the same text."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "version": manifest.version,
        "commit": manifest.commit,
        "command": list(manifest.command),
        "parameters": dict(sorted(manifest.parameters.items())),
        "seed": manifest.seed,
        "inputs": [
            {"path": file.path, "sha256": file.sha256, "size": file.size}
            for file in manifest.inputs
        ],
    }
    if manifest.created is not None:
        content["created"] = manifest.created
    # Lone surrogates, by which Python represents a file name that is not UTF-8, are escaped.
    text = json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8") + "\n"


def write_manifest(manifest: Manifest, path: FilePath) -> None:
    """Write a manifest atomically."""
    write_text(path, manifest_text(manifest))


def read_manifest(path: FilePath) -> Manifest:
    """Read a manifest.

    Raises
    ------
    InputError
        If the file is not a manifest, or is newer than this program.
    """
    try:
        content = json.loads(decoded_text(read_bytes(path), path=path), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise InputError(f"invalid JSON: {error.msg}", path=path, line=error.lineno) from None
    except (RecursionError, ValueError):
        problem = "this is not a manifest: it is nested too deeply, or has an invalid number"
        raise InputError(problem, path=path) from None
    if not isinstance(content, dict) or not _is_whole(content.get("format")):
        raise InputError(
            f"this is not a manifest; expected an object with format = {FORMAT}", path=path
        )
    if content["format"] != FORMAT:
        raise InputError(
            f"found format {content['format']}; expected {FORMAT}. A newer qrelsmith may read it",
            path=path,
        )
    unknown = sorted(content.keys() - set(_KEYS))
    missing = [key for key in _KEYS[:-1] if key not in content]
    if unknown or missing:
        problem = f"unknown key {quoted(unknown[0])}" if unknown else f"missing key {missing[0]}"
        raise InputError(f"{problem}; expected {', '.join(_KEYS)}", path=path)
    return _check(content, path)


def _input_file(path: FilePath, base: Path) -> InputFile:
    whole = Path(path).absolute()
    inside = whole.is_relative_to(base.absolute())
    name = (whole.relative_to(base.absolute()) if inside else PurePath(path)).as_posix()
    if Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir():
        return InputFile(name, None, None)
    try:
        with Path(path).open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            return InputFile(name, digest, stream.tell())
    except IsADirectoryError:
        raise InputError("this is a folder; expected a file", path=path) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", path=path) from None


def _plain(value: Any, name: str) -> Any:
    """Convert a parameter to JSON values."""
    if isinstance(value, float) and not math.isfinite(value):
        return repr(float(value))
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        items = sorted(value.items(), key=lambda item: str(item[0]))
        return {str(key): _plain(inner, name) for key, inner in items}
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, (list, tuple)):
        return [_plain(inner, name) for inner in value]
    raise UsageError(
        f"the parameter {name} is {quoted(value)}, a {type(value).__name__}; expected text, a"
        " number, a boolean, None, or lists and mappings of them"
    )


def _check(content: Mapping[str, Any], path: FilePath) -> Manifest:
    def expect(key: str, what: str, *, holds: bool) -> None:
        if not holds:
            raise InputError(f"{key} is {quoted(content[key])}; expected {what}", path=path)

    command, inputs, created = content["command"], content["inputs"], content.get("created")
    expect("version", "text", holds=isinstance(content["version"], str))
    commit = content["commit"]
    sound = commit is None or (isinstance(commit, str) and COMMIT.fullmatch(commit) is not None)
    expect("commit", "a commit or null", holds=sound)
    sound = isinstance(command, list) and all(isinstance(part, str) for part in command)
    expect("command", "a list of strings", holds=sound)
    expect("parameters", "an object", holds=isinstance(content["parameters"], dict))
    seed = content["seed"]
    expect("seed", "a whole number or null", holds=seed is None or _is_whole(seed))
    sound = isinstance(inputs, list) and all(_is_input(file) for file in inputs)
    expect("inputs", "a list of path, sha256 and size", holds=sound)
    if "created" in content:
        expect("created", "text", holds=isinstance(created, str))
    return Manifest(
        version=content["version"],
        commit=commit,
        command=tuple(command),
        parameters=content["parameters"],
        seed=seed,
        inputs=tuple(sorted(InputFile(**file) for file in inputs)),
        created=created,
    )


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_input(file: object) -> bool:
    if not isinstance(file, dict) or sorted(file) != ["path", "sha256", "size"]:
        return False
    digest, size = file["sha256"], file["size"]
    if not isinstance(file["path"], str) or (digest is None) != (size is None):
        return False
    if digest is None:
        return True
    return isinstance(digest, str) and bool(_SHA256.fullmatch(digest)) and _is_whole(size)
