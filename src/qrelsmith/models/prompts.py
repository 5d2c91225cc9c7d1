"""Prompts: files with a name, a version and a digest, checked before use.

A prompt is a TOML file with `name`, `version`, `kind` (`grade`, `pair` or `aspects`), `system`,
`user` and, if the model should give a reason, `reason = true`. Fields in braces are replaced; see
`FIELDS`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from qrelsmith.base.errors import InputError, UnknownNameError, quoted
from qrelsmith.io.table_reading import decoded_text
from qrelsmith.io.text import FilePath, read_bytes
from qrelsmith.io.toml_settings import Settings, parse_toml

KINDS = ("grade", "pair", "aspects")
# The fields, and their values.
FIELDS = {
    "topic": "the non-empty fields of the topic, one per line",
    "title": "the topic's title",
    "description": "the topic's description",
    "narrative": "its narrative",
    "levels": "the levels of the scale from the highest, with their names and texts",
    "grades": "the grades of the scale",
    "doc": "the doc or answer between two marks; for the kinds grade and aspects",
    "aspects": "the aspects of the answer, one numbered line each; for the kind aspects",
    "doc_a": "the doc on side A between two marks; for the kind pair",
    "doc_b": "the doc on side B between two marks; for the kind pair",
}
_DOCS = {"grade": ("doc",), "pair": ("doc_a", "doc_b"), "aspects": ("doc", "aspects")}
ASPECTS = ("nugget", "rubric", "citation", "criterion")
_KEYS = ("name", "version", "kind", "system", "user", "reason", "aspects")
_FIELD = re.compile(r"\{([a-z_]+)\}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt.

    Attributes
    ----------
    name : str
        The name.
    version : int
        The version, from 1; it changes with the text.
    kind : {'grade', 'pair', 'aspects'}
        Kind of the requested labels.
    system, user : str
        The two messages, with fields in braces.
    has_reason : bool
        Whether the model gives a reason.
    aspects : str
        For the kind `aspects`, the kind of the judged aspects.
    source : str
        The exact text of its file.
    """

    name: str
    version: int
    kind: str
    system: str
    user: str
    has_reason: bool = False
    aspects: str = ""
    source: str = field(default="", repr=False, compare=False)

    @property
    def text(self) -> str:
        """The whole prompt, for records."""
        parts: dict[str, object] = {"kind": self.kind, "reason": self.has_reason}
        parts |= {"aspects": self.aspects} if self.aspects else {}
        return json.dumps(
            parts | {"system": self.system, "user": self.user}, ensure_ascii=False, sort_keys=True
        )

    @property
    def sha256(self) -> str:
        """The digest of the content, without name and version."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()

    def fill_in(self, values: Mapping[str, str]) -> tuple[str, str]:
        """Return the system and the user message with their fields replaced by values.

        All values are inserted in one step, so that braces in a doc are unchanged.
        """
        system, user = (
            _FIELD.sub(lambda match: values[match[1]], text) for text in (self.system, self.user)
        )
        return system, user


def library() -> tuple[Prompt, ...]:
    """Return the prompts included in the program, sorted by name."""
    folder = files("qrelsmith.models") / "prompt_files"
    found = [
        _prompt(file.read_text(encoding="utf-8"), file.name)
        for file in folder.iterdir()
        if file.name.endswith(".toml")
    ]
    return tuple(sorted(found, key=lambda prompt: prompt.name))


def read_prompt(name: str | FilePath) -> Prompt:
    """Read a prompt of the library by name, or from a .toml file.

    Raises
    ------
    InputError
        If the file is malformed.
    UnknownNameError
        If the library has no prompt of that name.
    """
    if Path(name).suffix == ".toml":
        return checked_prompt(name)
    by_name = {prompt.name: prompt for prompt in library()}
    if str(name) not in by_name:
        raise UnknownNameError("prompt", str(name), [*by_name, "FILE.toml"])
    return by_name[str(name)]


def checked_prompt(path: FilePath) -> Prompt:
    """Read and check the prompt of a file.

    Raises
    ------
    InputError
        If the prompt is malformed.
    """
    return _prompt(decoded_text(read_bytes(path), path=path), path)


def _prompt(text: str, path: FilePath) -> Prompt:
    settings = parse_toml(text, path=path)
    settings.check_keys(_KEYS)
    name, kind = settings.text("name"), settings.text("kind")
    if not _NAME.fullmatch(name):
        raise settings.fault(
            "the name is missing or invalid; expected letters, digits, '.', '_' and '-'", "name"
        )
    version = settings.get("version", int, "a whole number, 1 or more")
    if version is None or version < 1:
        raise settings.fault(
            f"the version is {version}; expected a whole number, 1 or more", "version"
        )
    if kind not in KINDS:
        raise settings.fault(str(UnknownNameError("kind", kind, KINDS)), "kind")
    messages = {key: settings.text(key).strip() for key in ("system", "user")}
    for key, message in messages.items():
        if not message:
            raise settings.fault(f"the {key} message is missing or empty", key)
        for word in _FIELD.findall(message):
            if word not in FIELDS:
                unknown = UnknownNameError("field", word, FIELDS)
                raise settings.fault(
                    f"{unknown}. If words in braces are not a field, put them in quotes", key
                )
    _check_fields(settings, kind, messages)
    has_reason = settings.truth("reason") or False
    aspects = settings.text("aspects")
    if aspects not in (ASPECTS if kind == "aspects" else ("",)):
        expected = ", ".join(ASPECTS) if kind == "aspects" else f"none in a prompt of kind {kind}"
        raise settings.fault(f"the aspects are {quoted(aspects)}; expected {expected}", "aspects")
    if kind == "aspects" and has_reason:
        raise settings.fault("a prompt of kind 'aspects' cannot ask for a reason", "reason")
    return Prompt(
        name, version, kind, **messages, has_reason=has_reason, aspects=aspects, source=text
    )


def _check_fields(settings: Settings, kind: str, messages: Mapping[str, str]) -> None:
    """Check that only the user message has the docs, once each, and that topic and scale appear."""
    system, user = (_FIELD.findall(messages[key]) for key in ("system", "user"))
    for doc in ("doc", "doc_a", "doc_b", "aspects"):
        wanted = int(doc in _DOCS[kind])
        if doc in system:
            raise settings.fault(
                f"{{{doc}}} is in the system message; expected it in the user message", "system"
            )
        if user.count(doc) != wanted:
            raise settings.fault(
                f"{{{doc}}} appears {user.count(doc)} times in the user message; "
                f"expected {wanted} in a prompt of kind {kind}",
                "user",
            )
    used = {*system, *user}
    needed: list[tuple[str, ...]] = [("topic", "title", "description", "narrative")]
    needed += [("levels", "grades")] if kind != "pair" else []
    for choice in needed:
        if not used.intersection(choice):
            fields = " or ".join(f"{{{word}}}" for word in choice)
            raise _missing(settings, fields)


def _missing(settings: Settings, fields: str) -> InputError:
    return settings.fault(f"no message contains {fields}; expected one of these fields", "user")
