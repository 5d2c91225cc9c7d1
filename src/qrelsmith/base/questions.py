"""The registry of questions, with their commands and the places that show their answers.

A question is one function. The input is label sets, judgments, runs, preferences, or a campaign
with these. The options are keywords, and the function returns one frozen `Result`. The command of
the same name prints the result; the audit's sections, the app's pages and notebooks show it.
"""

from __future__ import annotations

import inspect
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from functools import cache, cached_property, wraps
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

from qrelsmith.base.command_headings import HEADINGS
from qrelsmith.base.command_words import command_words
from qrelsmith.base.errors import QrelsmithError, UnknownNameError, UsageError
from qrelsmith.base.input_digests import input_digests
from qrelsmith.base.keyword_words import is_command_line, keyword_words
from qrelsmith.base.named_rows import columns_of_rows
from qrelsmith.base.options import FigureFile, Option, OutputFile, ReportFolder
from qrelsmith.base.parameters import (
    QuestionParameter,
    add_parameters,
    changed_keywords,
    fill_defaults,
    old_keywords,
    open_signature,
    parameters_of,
)
from qrelsmith.base.question_options import checked_argument
from qrelsmith.base.renamed import changed_meaning, renamed_keywords

P = ParamSpec("P")
R = TypeVar("R")

# Options that change the computation but never the answer.
_HOW = ("jobs", "advance", "cluster", "sweep")


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its function and the attributes given in its definition.

    Attributes
    ----------
    name : str
        The public name of its function, such as `plan_topics`.
    command : str
        The name of its command, such as `plan topics`.
    audit : tuple of str
        The sections of the audit that show its result.
    no_audit : str
        Why no section shows the result; empty if a section does.
    flags : mapping of str to str
        The options of the command by keyword, if the names differ.
    joined : tuple of str
        The keywords whose values are joined in one argument of the command: `0:58:99`.
    parameters : tuple of QuestionParameter
        The parameters, in order.
    example : str
        An example of the command.
    writes : mapping of str to OutputFile, ReportFolder or FigureFile
        The files that the command can write, by keyword.
    doing : str
        The label of its progress display.
    short : str
        The summary in lists of commands, if it is not the first line of the help.
    heading : str
        A key of `HEADINGS`; "" in a group of commands, which has a heading, and in a plug-in.
    everyday : bool
        Whether the first page of help lists it.
    """

    name: str
    function: Callable[..., Any]
    command: str
    audit: tuple[str, ...] = ()
    no_audit: str = ""
    flags: Mapping[str, str] = field(default_factory=dict)
    joined: tuple[str, ...] = ()
    parameters: tuple[QuestionParameter, ...] = ()
    example: str = ""
    writes: Mapping[str, OutputFile | ReportFolder | FigureFile] = field(default_factory=dict)
    doing: str = ""
    short: str | None = None
    heading: str = ""
    everyday: bool = False

    @property
    def summary(self) -> str:
        """The summary in lists of commands."""
        return self.short or (self.function.__doc__ or "").strip().partition("\n")[0]

    def flag(self, keyword: str) -> str:
        """Return the option of the command that sets a keyword."""
        return self.flags.get(keyword, "--" + keyword.replace("_", "-"))

    @property
    def options(self) -> Mapping[str, Any]:
        """The keywords of the function that change its answer, with their defaults."""
        parameters = inspect.signature(self.function).parameters.values()
        return {
            parameter.name: parameter.default
            for parameter in parameters
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY and parameter.name not in _HOW
        }


QUESTIONS: dict[str, Question] = {}
"""The questions by name, complete after the modules of the public names are imported."""


@dataclass(frozen=True)
class Asked:
    """A question with its inputs and options.

    Attributes
    ----------
    question : str
        The name of the question.
    options : mapping
        The options that differ from their defaults.
    sources : mapping
        The inputs, by parameter: objects, or paths as given.
    """

    question: str
    options: Mapping[str, Any]
    sources: Mapping[str, Any] = field(repr=False)

    @cached_property
    def inputs(self) -> Mapping[str, str]:
        """The SHA-256 of every input, by parameter or path.

        The files are read again on first use, to compute the digests.
        """
        digests: dict[str, str] = {}
        for name, source in self.sources.items():
            digests.update(input_digests(name, source))
        return MappingProxyType(digests)

    def command(self, *sources: str) -> str:
        """Return the command that prints the same result for a campaign's folder or files.

        Inputs that are options of the command, such as measures, are included. An input that was
        not a file, such as a DataFrame, is replaced by its keyword in capitals.

        >>> from qrelsmith import agree
        >>> labels = {"ann": {"t1": {"d1": 1}}, "ben": {"t1": {"d1": 0}}}
        >>> agree(labels, by="pair", resamples=0, seed=3).asked.command("www4")
        'qrelsmith agree www4 --by pair -B 0 --seed 3'
        """
        question = QUESTIONS[self.question]
        words = ["qrelsmith", *question.command.split(), *sources]
        for keyword, value in self.options.items():
            joined = keyword in question.joined
            words += command_words(keyword, question.flag(keyword), value, joined=joined)
        return shlex.join(words)


def question(
    command: str,
    *,
    heading: str = "",
    everyday: bool = False,
    audit: Sequence[str] = (),
    no_audit: str = "",
    flags: Mapping[str, str] = MappingProxyType({}),
    example: str = "",
    writes: Mapping[str, OutputFile | ReportFolder | FigureFile] = MappingProxyType({}),
    doing: str = "",
    short: str | None = None,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that registers a question and adds the question to each result.

    Parameters
    ----------
    command : str
        The name of its command: `agree`, `plan topics`.
    heading : str
        The key of the heading in help (see `HEADINGS`); omitted in a group of commands.
    everyday : bool
        Whether the first page of help lists it.
    audit : sequence of str
        The sections of the audit that show its result.
    no_audit : str
        Why no section shows the result. Either `audit` or `no_audit` is required.
    flags : mapping of str to str
        Options of the command with names that differ from the keyword: `{"measures": "-m"}`.
    example : str
        An example of the command; if given, the command is generated from the question alone.
    writes : mapping of str to OutputFile, ReportFolder or FigureFile
        The files that the command can write, by keyword.
    doing : str
        The label of its progress display.
    short : str, optional
        The summary in lists of commands, if it is not the first line of the help.

    Raises
    ------
    UsageError
        If a question of this name exists, its heading is unknown, or neither `audit` nor `no_audit`
        is given.
    """

    def register(function: Callable[P, R]) -> Callable[P, R]:
        name = function.__name__
        if name in QUESTIONS:
            raise UsageError(f"the question {name} is registered twice; expected different names")
        if heading and heading not in HEADINGS:
            raise UnknownNameError(f"heading of {name}", heading, HEADINGS)
        if bool(audit) == bool(no_audit):
            raise UsageError(f"{name}: expected either audit, or no_audit with the reason")
        parameters = parameters_of(function)
        signature = open_signature(function, parameters)
        options = {
            parameter.name: parameter.declared if isinstance(parameter.declared, Option) else None
            for parameter in parameters
        }

        @cache
        def kinds() -> Mapping[str, Any]:
            # Evaluated on first use, because some names belong to modules that load later.
            return {parameter.name: parameter.kind for parameter in parameters_of(function)}

        @cache
        def keywords() -> Mapping[str, str]:
            spelled = {flag: parameter.name for parameter in parameters for flag in parameter.flags}
            return spelled | {asked.flag(keyword): keyword for keyword in signature.parameters}

        before, changed = old_keywords(parameters), changed_keywords(parameters)

        @wraps(function)
        def asking(*args: P.args, **kwargs: P.kwargs) -> R:
            bound = signature.bind(*args, **renamed_keywords(name, kwargs, before))
            for keyword, value in bound.arguments.items():
                try:
                    bound.arguments[keyword] = checked_argument(
                        keyword, columns_of_rows(value), kinds()[keyword], options[keyword]
                    )
                except UsageError as error:
                    if keyword not in changed:
                        raise
                    raise UsageError(changed_meaning(error, keyword, changed[keyword])) from None
            try:
                result = function(*bound.args, **fill_defaults(parameters, bound.kwargs))
            except QrelsmithError as error:
                if not is_command_line():
                    error.args = tuple(keyword_words(str(part), keywords()) for part in error.args)
                raise
            if not is_dataclass(result) or isinstance(result, type):
                raise TypeError(f"{name} returned {type(result).__name__}, which is not a Result")
            notes: tuple[str, ...] = getattr(result, "notes", ())
            if not is_command_line():
                notes = tuple(keyword_words(note, keywords()) for note in notes)
            return replace(result, asked=_question_asked(asked, bound), notes=notes)

        spelled = {
            parameter.name: parameter.flags[0] for parameter in parameters if is_option(parameter)
        }
        asked = Question(
            name, asking, command, tuple(audit), no_audit, spelled | dict(flags),
            tuple(name for name, option in options.items() if option and option.joined),
            parameters, example, dict(writes), doing, short, heading, everyday,
        )  # fmt: skip
        asking.__doc__ = add_parameters(function.__doc__, parameters)
        asking.__signature__ = signature  # type: ignore[attr-defined]
        QUESTIONS[name] = asked
        return asking

    return register


def is_option(parameter: QuestionParameter) -> bool:
    """Return whether a parameter is declared as an option of the command."""
    return isinstance(parameter.declared, Option)


def _question_asked(asked: Question, bound: inspect.BoundArguments) -> Asked:
    options: dict[str, Any] = {}
    sources: dict[str, Any] = {}
    for keyword, value in bound.arguments.items():
        parameter = bound.signature.parameters[keyword]
        # A parameter with its own option, such as measures, is never a source, even by position.
        if parameter.kind is not inspect.Parameter.KEYWORD_ONLY and keyword not in asked.flags:
            sources[keyword] = value
        elif keyword not in _HOW and not _same(value, parameter.default):
            options[keyword] = value
    return Asked(asked.name, MappingProxyType(options), MappingProxyType(sources))


def _same(value: Any, default: Any) -> bool:
    return value is default or (type(value) is type(default) and bool(value == default))
