"""The parameters of a question, read from its signature, and the docstring made of them."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Unpack, get_args, get_origin, get_type_hints

from qrelsmith.base.keyword_words import keyword_words
from qrelsmith.base.options import Option, Source, Words
from qrelsmith.base.question_options import alternatives, evaluated

Declared = Option | Source | Words


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a question.

    Attributes
    ----------
    name : str
        Its keyword.
    kind : object
        Its type, `Any` where it cannot be told at run time.
    declared : Option, Source, Words, or None
        How it was declared.
    default : object
        Its default; `inspect.Parameter.empty` where there is none.
    is_shared : bool
        Whether it is a member of a typed dictionary.
    """

    name: str
    kind: Any
    declared: Declared | None
    default: Any
    is_shared: bool = False

    @property
    def flags(self) -> tuple[str, ...]:
        """The spellings of its option."""
        said = self.declared.flags if isinstance(self.declared, Option) else ()
        return said or ("--" + self.name.replace("_", "-"),)


def parameters_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """The parameters of a function; those of typed dictionaries stand where `**` does."""
    return tuple(_parameters(function))


def _parameters(function: Callable[..., Any]) -> Iterator[Parameter]:
    names = function.__globals__
    for parameter in inspect.signature(function).parameters.values():
        kind = evaluated(parameter.annotation, names)
        if parameter.kind is inspect.Parameter.VAR_KEYWORD and get_origin(kind) is Unpack:
            (group,) = get_args(kind)
            for name, each in get_type_hints(group, include_extras=True).items():
                inner, declared = _declared(each)
                default = declared.default if isinstance(declared, Option) else None
                yield Parameter(name, inner, declared, default, is_shared=True)
        else:
            inner, declared = _declared(kind)
            yield Parameter(parameter.name, inner, declared, parameter.default)


def _declared(kind: Any) -> tuple[Any, Declared | None]:
    """The type without what is noted on it, and the note that declares the parameter."""
    notes = getattr(kind, "__metadata__", ())
    declared = [note for note in notes if isinstance(note, Declared)]
    return (kind.__origin__ if notes else kind), (declared[-1] if declared else None)


def open_signature(function: Callable[..., Any], parameters: tuple[Parameter, ...]) -> Any:
    """The signature with a keyword for each member of a typed dictionary."""
    signature = inspect.signature(function)
    kinds = {one.name: one.kind for one in parameters}
    plain = [
        one.replace(annotation=kinds[one.name])
        for one in signature.parameters.values()
        if one.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    shared = [
        inspect.Parameter(
            one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=one.kind
        )
        for one in parameters
        if one.is_shared
    ]
    return signature.replace(parameters=[*plain, *shared])


def described(doc: str | None, parameters: tuple[Parameter, ...]) -> str | None:
    """A docstring with the section Parameters made of what they declare."""
    told = [one for one in parameters if one.declared is not None]
    if not doc or not told or "\nParameters\n" in inspect.cleandoc(doc):
        return doc
    lines = ["Parameters", "----------"]
    keywords = {flag: one.name for one in parameters for flag in one.flags}
    for one in told:
        words = keyword_words(one.declared.help if one.declared else "", keywords)
        lines += [f"{one.name} : {_kind_words(one)}"]
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


def _kind_words(one: Parameter) -> str:
    """The type of a parameter as a docstring has it."""
    option = one.declared
    choices = option.chosen_from if isinstance(option, Option) else ()
    kinds = [kind for kind in alternatives(one.kind) if kind is not type(None)]
    words = []
    for kind in kinds:
        if choices and kind is str:
            words.append("{" + ", ".join(map(repr, choices)) + "}")
        elif get_origin(kind) is Literal:
            words.append("{" + ", ".join(map(repr, get_args(kind))) + "}")
        else:
            words.append(_name(kind))
    is_optional = len(kinds) < len(alternatives(one.kind)) or one.default is None
    return " or ".join(dict.fromkeys(words)) + (", optional" if is_optional else "")


def _name(kind: Any) -> str:
    """A type in words."""
    origin = get_origin(kind)
    if origin is None:
        return {"Any": "object"}.get(
            getattr(kind, "__name__", ""), getattr(kind, "__name__", "object")
        )
    name = getattr(origin, "__name__", str(origin)).lower()
    inner = [each for each in get_args(kind) if each is not Ellipsis]
    if name == "pathlike":
        return "path"
    if name == "mapping":
        return "mapping"
    of = " or ".join(_name(each) for kind_ in inner[:1] for each in alternatives(kind_))
    return f"{name} of {of}" if of else name


def filled(parameters: tuple[Parameter, ...], given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, and the defaults of shared parameters that were not."""
    rest = {one.name: one.default for one in parameters if one.is_shared}
    return {**rest, **given}
