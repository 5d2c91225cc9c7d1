"""The parameters of a question from its signature, and the section Parameters of docstrings."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Unpack, get_args, get_origin, get_type_hints

from qrelsmith.base.keyword_words import keyword_words
from qrelsmith.base.options import Option, PythonOnly, Source
from qrelsmith.base.question_options import alternatives, evaluate_annotation
from qrelsmith.base.renamed import Renamed

Declared = Option | Source | PythonOnly


@dataclass(frozen=True, slots=True)
class QuestionParameter:
    """A parameter of a question.

    Attributes
    ----------
    name : str
        The keyword.
    kind : object
        The type; `Any` if it is unknown at run time.
    default : object
        The default, or `inspect.Parameter.empty`.
    is_shared : bool
        Whether the parameter is a member of a typed dictionary.
    """

    name: str
    kind: Any
    declared: Declared | None
    default: Any
    is_shared: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        """The names of the parameter's option on the command line."""
        said = self.declared.flags if isinstance(self.declared, Option) else ()
        if said and "/" in said[0]:
            return tuple(said[0].split("/")[:1])
        return said or ("--" + self.name.replace("_", "-"),)


def old_keywords(parameters: tuple[QuestionParameter, ...]) -> dict[str, Renamed]:
    """Return the new names of renamed keywords, except old names that got another meaning."""
    changed = changed_keywords(parameters)
    return {old: now for old, now in _before(parameters).items() if old not in changed}


def _before(parameters: tuple[QuestionParameter, ...]) -> dict[str, Renamed]:
    return {
        before: Renamed(parameter.name, values)
        for parameter in parameters
        if isinstance(parameter.declared, Option)
        for before, values in parameter.declared.was.items()
    }


def changed_keywords(parameters: tuple[QuestionParameter, ...]) -> dict[str, str]:
    """Return the new names of keywords whose old names are now used with another meaning."""
    names = {parameter.name for parameter in parameters}
    before = {old: now.name for old, now in _before(parameters).items()}
    return {old: now for old, now in before.items() if old in names and old != now}


def old_flags(parameters: tuple[QuestionParameter, ...]) -> dict[str, Renamed]:
    """Return the current names of renamed options, by old name."""
    flags = {parameter.name: parameter.flags[-1] for parameter in parameters}
    return {
        flags.get(before, "--" + before.replace("_", "-")): Renamed(flags[now.name], now.values)
        for before, now in old_keywords(parameters).items()
    }


def parameters_of(function: Callable[..., Any]) -> tuple[QuestionParameter, ...]:
    """Return the parameters of a function, with members of typed dictionaries in place of `**`."""
    return tuple(_parameters(function))


def _parameters(function: Callable[..., Any]) -> Iterator[QuestionParameter]:
    names = function.__globals__
    for parameter in inspect.signature(function).parameters.values():
        kind = evaluate_annotation(parameter.annotation, names)
        if parameter.kind is inspect.Parameter.VAR_KEYWORD and get_origin(kind) is Unpack:
            (group,) = get_args(kind)
            for name, annotation in get_type_hints(group, include_extras=True).items():
                inner, declared = _split_annotation(annotation)
                default = declared.default if isinstance(declared, Option) else None
                yield QuestionParameter(name, inner, declared, default, is_shared=True)
        else:
            inner, declared = _split_annotation(kind)
            yield QuestionParameter(parameter.name, inner, declared, parameter.default)


def _split_annotation(kind: Any) -> tuple[Any, Declared | None]:
    """Split an annotation into the type and the declaration of the parameter."""
    notes = getattr(kind, "__metadata__", ())
    declared = [note for note in notes if isinstance(note, Declared)]
    return (kind.__origin__ if notes else kind), (declared[-1] if declared else None)


def open_signature(function: Callable[..., Any], parameters: tuple[QuestionParameter, ...]) -> Any:
    """Return the signature with a keyword for each member of a typed dictionary."""
    signature = inspect.signature(function)
    kinds = {parameter.name: parameter.kind for parameter in parameters}
    plain = [
        parameter.replace(annotation=kinds[parameter.name])
        for parameter in signature.parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    shared = [
        inspect.Parameter(
            parameter.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=parameter.default,
            annotation=parameter.kind,
        )
        for parameter in parameters
        if parameter.is_shared
    ]
    return signature.replace(parameters=[*plain, *shared])


def add_parameters(doc: str | None, parameters: tuple[QuestionParameter, ...]) -> str | None:
    """Add the section Parameters to a docstring, from the declarations."""
    told = [parameter for parameter in parameters if parameter.declared is not None]
    if not doc or not told or "\nParameters\n" in inspect.cleandoc(doc):
        return doc
    lines = ["Parameters", "----------"]
    keywords = {flag: parameter.name for parameter in parameters for flag in parameter.flags}
    for parameter in told:
        words = keyword_words(parameter.declared.help if parameter.declared else "", keywords)
        lines += [f"{parameter.name} : {_kind_words(parameter)}"]
        lines += textwrap.wrap(
            words, 96, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
        )
    text = inspect.cleandoc(doc)
    section = "\n".join(lines)
    for heading in ("Returns", "Raises", "Examples"):
        before, found, after = text.partition(f"\n{heading}\n---")
        if found:
            return f"{before}\n{section}\n\n{heading}\n---{after}"
    return f"{text}\n\n{section}\n"


def _kind_words(parameter: QuestionParameter) -> str:
    """Return the type of a parameter for a docstring."""
    option = parameter.declared
    choices = option.chosen_from if isinstance(option, Option) else ()
    kinds = [kind for kind in alternatives(parameter.kind) if kind is not type(None)]
    words = []
    for kind in kinds:
        if choices and kind is str:
            words.append("{" + ", ".join(map(repr, choices)) + "}")
        elif get_origin(kind) is Literal:
            words.append("{" + ", ".join(map(repr, get_args(kind))) + "}")
        else:
            words.append(_name(kind))
    is_optional = len(kinds) < len(alternatives(parameter.kind)) or parameter.default is None
    return " or ".join(dict.fromkeys(words)) + (", optional" if is_optional else "")


def _name(kind: Any) -> str:
    """Describe a type in words."""
    origin = get_origin(kind)
    if origin is None:
        return {"Any": "object"}.get(
            getattr(kind, "__name__", ""), getattr(kind, "__name__", "object")
        )
    name = getattr(origin, "__name__", str(origin)).lower()
    inner = [member for member in get_args(kind) if member is not Ellipsis]
    if name == "pathlike":
        return "path"
    if name == "mapping":
        return "mapping"
    members = " or ".join(_name(member) for first in inner[:1] for member in alternatives(first))
    return f"{name} of {members}" if members else name


def fill_defaults(
    parameters: tuple[QuestionParameter, ...], keywords: Mapping[str, Any]
) -> dict[str, Any]:
    """Add the defaults of shared parameters to the keywords of a call."""
    rest = {parameter.name: parameter.default for parameter in parameters if parameter.is_shared}
    return {**rest, **keywords}
