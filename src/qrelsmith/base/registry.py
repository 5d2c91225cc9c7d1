"""A registry of named functions, and the grammar of their names.

Names have the syntax of ir_measures: `nDCG(dcg='exp-log2')@10` is the entry `nDCG` with the
parameter `dcg` and the cutoff 10. Values are parsed as Python literals (`ast.literal_eval`) and
checked against the defaults in the function's signature; code is never evaluated.

A registry loads the plug-ins (`plugins`) on its first use, so that it includes the plug-ins'
entries.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Generic

from qrelsmith.base.errors import UnknownNameError, UsageError, nearest, quoted
from qrelsmith.base.plugins import PLUGINS
from qrelsmith.base.registration import REQUIRED, Parameter, document, facts_of, keywords_of
from qrelsmith.base.registry_entries import Entry, F, Named, whole_where_it_is

__all__ = ["REQUIRED", "Entry", "Named", "Parameter", "Registry"]


_NAME = re.compile(r"\s*([A-Za-z][\w+-]*)\s*(?:\((.*)\))?\s*(?:@\s*([0-9.eE+-]+))?\s*", re.DOTALL)
# A name with an arbitrary cutoff.
_CUTOFF = re.compile(r"\s*[A-Za-z][\w+-]*\s*(?:\(.*\))?\s*@\s*(\d.*)", re.DOTALL)
# Other programs' spelling of a name, optionally with a cutoff: ndcg_cut_10, ndcg_cut.10, nDCG10.
_LOOSE = re.compile(
    r"\s*([A-Za-z][\w+-]*?)(?:[_.:]?([0-9]+(?:\.[0-9]+)?)|((?:\(.*\))?(?:@.*)?))\s*"
)

# The largest number in a name: all integers up to it are exact 64-bit floats.
_MOST = 2**53

# Attributes of entries that the grammar of names uses.
# `placed`: the required first parameter, which is written without its name.
_GRAMMAR = {"needs_cutoff": False, "cutoff_is_recall": False, "placed": ""}


class Registry(Generic[F]):
    """Named functions of one kind.

    Parameters
    ----------
    kind : str
        The kind of entries, in the singular, for errors: `measure`.
    arguments : iterable of str
        The positional arguments of every function.
    context : iterable of str
        Keywords that the caller supplies and that a name may not set.
    facts : mapping
        Additional attributes of entries with their defaults; `REQUIRED`: no default.
    elsewhere : str
        The attribute with other programs' names of an entry, for hints in errors.
    finish : callable, optional
        Checks the result of a plug-in's function: label, result, arguments → result.
    contract : callable, optional
        A function whose docstring has the common parameters and errors of all functions.
    """

    def __init__(
        self,
        kind: str,
        *,
        arguments: Iterable[str] = (),
        context: Iterable[str] = (),
        facts: Mapping[str, object] = MappingProxyType({}),
        elsewhere: str = "",
        finish: Callable[..., Any] | None = None,
        contract: Callable[..., Any] | None = None,
    ) -> None:
        self.kind = kind
        self._contract = contract
        self._arguments = tuple(arguments)
        self._context = frozenset(context) | {"cutoff"}
        self._facts = {**_GRAMMAR, **facts}
        self._elsewhere = elsewhere
        self._finish = finish
        self._entries: dict[str, Entry[F]] = {}
        self._aliases: dict[str, str] = {}

    def add(
        self,
        name: str,
        *,
        formula: str = "",
        source: str = "",
        always: Iterable[str] = (),
        aliases: Iterable[str] = (),
        **about: Any,
    ) -> Callable[[F], F]:
        """Return a decorator that registers a function under `name`.

        Raises
        ------
        UsageError
            If the name exists, the function has a wrong signature, or an attribute is missing or
            unknown.
        """

        def register(function: F) -> F:
            if _is_again(self._entries.get(name), function):
                self._aliases = {key: own for key, own in self._aliases.items() if own != name}
            for word in (name, *aliases):
                if word.lower() in self._aliases:
                    raise UsageError(
                        f"the {self.kind} {word} is registered twice; expected different names"
                    )
            options = keywords_of(
                function, self._arguments, self._context, what=f"{self.kind} {name}"
            )
            self._entries[name] = Entry(
                name=name,
                function=function,
                parameters=MappingProxyType(
                    {key: value for key, value in options.items() if key not in self._context}
                ),
                takes=frozenset(options),
                cutoff="cutoff" in options,
                formula=formula,
                source=source,
                always=frozenset(always),
                about=facts_of(about, self._facts, what=f"{self.kind} {name}"),
                finish=self._finish,
            )
            for alias in (name, *aliases):
                self._aliases[alias.lower()] = name
            if self._contract is not None:
                document(function, self._contract)
            return function

        return register

    def __repr__(self) -> str:
        return f"<Registry ({self.kind}): {', '.join(self._entries)}>"

    def names(self) -> tuple[str, ...]:
        """Return the names, in the order of registration."""
        PLUGINS.load()
        return tuple(self._entries)

    def entries(self) -> tuple[Entry[F], ...]:
        """Return the entries, in the order of registration."""
        PLUGINS.load()
        return tuple(self._entries.values())

    def get(self, text: str) -> Named[F]:
        """Return the entry of a name, with the parameters and the cutoff in the name.

        Raises
        ------
        UnknownNameError
            If there is no such entry.
        UsageError
            If the name cannot be parsed, or a parameter or the cutoff is wrong.
        """
        PLUGINS.load()
        match = _NAME.fullmatch(text)
        if match is None:
            cutoff = _CUTOFF.fullmatch(text)
            if cutoff is not None:
                raise UsageError(
                    f"{quoted(text)}: the cutoff is {quoted(cutoff[1])}; expected a number, as in"
                    f" {text.partition('@')[0]}@10"
                )
            meant = self._nearest(text)
            raise UsageError(
                f"{quoted(text)} is not a valid {self.kind}; expected Name, Name@k, "
                "Name(parameter=value) or Name(parameter=value)@k"
                + (f"; did you mean {meant}?" if meant else "")
            )
        word, inside, after = match.groups()
        name = self._aliases.get(word.lower())
        if name is None:
            raise UnknownNameError(self.kind, word, self._entries, meant=self._nearest(text))
        entry = self._entries[name]
        given = self._parse_parameters(entry, inside or "")
        if (placed := entry.about["placed"]) and not given.get(placed):
            raise UsageError(f"the {self.kind} {name} needs a {placed}: {name}('{placed}')")
        return Named(
            entry=entry,
            parameters=MappingProxyType({**entry.parameters, **given}),
            cutoff=self._parse_cutoff(entry, after),
        )

    def label(self, text: str) -> str:
        """Return the full name, as printed with a result."""
        return self.get(text).label

    def _nearest(self, text: str) -> str | None:
        """Return the registered name that a typo or another program's spelling probably means."""
        match = _LOOSE.fullmatch(text)
        if match is None:
            return None
        word, cutoff, rest = match.groups()
        words = dict(self._aliases)
        if self._elsewhere:
            for entry in self._entries.values():
                words |= {name.lower(): entry.name for name in entry.about[self._elsewhere]}
        near = nearest(word, words)
        if cutoff and not (near and self._entries[words[near]].cutoff):
            near, cutoff = nearest(word + cutoff, words), None
        if near is None:
            return None
        suggestion = words[near] + (f"@{float(cutoff):g}" if cutoff else rest or "")
        if _NAME.fullmatch(suggestion) is None:
            return words[near]
        try:
            self.get(suggestion)
        except UsageError:
            return words[near]
        return suggestion

    def _parse_parameters(self, entry: Entry[F], inside: str) -> dict[str, Parameter]:
        try:
            call = ast.parse(f"f({inside})", mode="eval").body
            placed = entry.about["placed"]
            if not isinstance(call, ast.Call) or len(call.args) > bool(placed):
                raise ValueError
            if not isinstance(call.func, ast.Name):
                raise ValueError
            pairs = [(placed, ast.literal_eval(value)) for value in call.args]
            pairs += [(keyword.arg, ast.literal_eval(keyword.value)) for keyword in call.keywords]
            names = [key for key, _ in pairs]
            if None in names or len(set(names)) < len(names):
                raise ValueError
        except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
            raise UsageError(
                f"the parameters {quoted(inside)} of the {self.kind} {entry.name} "
                "cannot be read; expected parameter=value, each parameter once, and text in quotes"
            ) from None
        return {
            key: self._check_parameter(entry, key, value) for key, value in pairs if key is not None
        }

    def _check_parameter(self, entry: Entry[F], key: str, value: object) -> Parameter:
        if key not in entry.parameters:
            choices = ", ".join(sorted(entry.parameters)) or "none"
            raise UsageError(
                f"the {self.kind} {entry.name} has no parameter {quoted(key)} (choices: {choices})"
            )
        default = entry.parameters[key]
        if isinstance(default, bool):
            if isinstance(value, int) and value in (0, 1):
                return value
            raise UsageError(f"{entry.name}({key}={value!r}); expected True or False for {key}")
        number = (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and -_MOST <= value <= _MOST
        )
        if number and key in entry.whole and value != int(value):  # type: ignore[call-overload]
            raise UsageError(f"{entry.name}({key}={value!r}); expected a whole number for {key}")
        if number and (default is None or isinstance(default, int | float)):
            return whole_where_it_is(value)  # type: ignore[arg-type]
        if isinstance(value, str) and isinstance(default, str):
            return value
        expected = "a quoted string" if isinstance(default, str) else "a number"
        raise UsageError(f"{entry.name}({key}={value!r}); expected {expected} for {key}")

    def _parse_cutoff(self, entry: Entry[F], after: str | None) -> float | int | None:
        if after is None:
            if entry.about["needs_cutoff"]:
                raise UsageError(f"the {self.kind} {entry.name} needs a cutoff: {entry.name}@10")
            return None
        if not entry.cutoff:
            raise UsageError(f"the {self.kind} {entry.name} takes no cutoff; found @{after}")
        recall = entry.about["cutoff_is_recall"]
        try:
            value: float | int = float(after) if recall else int(after)
        except ValueError:
            value = -1
        if recall and not 0 <= value <= 1:
            raise UsageError(f"{entry.name}@{after}; expected a recall level from 0 to 1")
        if not recall and not 1 <= value <= _MOST:
            raise UsageError(
                f"{entry.name}@{after}; expected a whole number of ranks, 1 or more, up to 2^53"
            )
        return whole_where_it_is(value)


def _is_again(entry: Entry[F] | None, function: Callable[..., Any]) -> bool:
    """Return whether a plug-in's function is redefined, as when a notebook cell is run again."""
    if entry is None or entry.is_ours or "<" in function.__qualname__:
        return False
    old = entry.function
    return (old.__module__, old.__qualname__) == (function.__module__, function.__qualname__)


def split_names(texts: Iterable[str]) -> list[str]:
    """Split texts into names at blanks outside of parentheses.

    >>> split_names(["nDCG@10 AP", "RBP(p=0.8, rel=1)"])
    ['nDCG@10', 'AP', 'RBP(p=0.8, rel=1)']
    """
    names: list[str] = []
    for text in texts:
        depth, name = 0, ""
        for letter in text + " ":
            depth += (letter == "(") - (letter == ")")
            if letter.isspace() and depth <= 0:
                names += [name] if name else []
                name = ""
            else:
                name += letter
        names += [name.strip()] if name.strip() else []
    return names
