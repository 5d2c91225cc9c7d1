"""Declarations of a question's parameters for the command line, Python and the docs.

A parameter is an annotated type: `Annotated[int, Option("Random seed.")]`. The declaration provides
the command's option with its help, the reference page, the docstring's Parameters and the check of
the value. Parameters shared by questions are typed dictionaries, passed as a whole (PEP 692).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Annotated, Any, Literal, TypedDict

from qrelsmith.base.errors import UsageError
from qrelsmith.base.scales import Scale


@dataclass(frozen=True)
class Option:
    """A parameter that is an option of the command.

    Attributes
    ----------
    help : str
        One sentence; in Python, the names of options in the sentence are replaced by keywords.
    flags : tuple of str
        The names of the option, if they differ from the keyword.
    default : object
        The default value, for members of typed dictionaries, and for help if the keyword's default
        is None.
    choices : collection of str, or function
        The possible values. A function is called when the command is built, because plug-ins may
        have added values.
    least, most, above, below : float or None
        Bounds of a number; the last two are exclusive.
    metavar : str
        Placeholder of the value in help.
    read : callable or None
        Parses text as a value, on the command line and in Python.
    gather : callable or None
        Combines all texts of a repeated option in one value.
    many : bool or None
        Whether the option can be repeated; by default derived from its type.
    split : bool
        Whether one text may contain several values, separated by blanks.
    joined : bool
        Whether several values are one argument of the command: `0:58:99`.
    words : tuple of str
        Names of the option's arguments, if it has several.
    file : bool
        Whether the value is a path.
    was : mapping of str to mapping
        For each former keyword, the new values by old value. The key is the current keyword if only
        values have new names.
    """

    help: str
    flags: tuple[str, ...] = ()
    _: KW_ONLY
    default: Any = None
    choices: Collection[str] | Callable[[], Collection[str]] = ()
    least: int | None = None
    most: int | None = None
    above: float | None = None
    below: float | None = None
    metavar: str = ""
    read: Callable[[str], Any] | None = None
    gather: Callable[[Sequence[str]], Any] | None = None
    many: bool | None = None
    split: bool = False
    joined: bool = False
    words: tuple[str, ...] = ()
    file: bool = False
    was: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def chosen_from(self) -> tuple[str, ...]:
        """The values from which the parameter is chosen; empty if any value is allowed."""
        return tuple(self.choices() if callable(self.choices) else self.choices)


@dataclass(frozen=True)
class Source:
    """A parameter that is an argument of the command: the input of the question.

    Attributes
    ----------
    help : str
        The possible inputs, for the docs.
    metavar : str
        Placeholder of the input in help.
    take : callable or None
        Takes the arguments and the options of the command, and returns keywords of the question:
        this one, and others that the arguments determine, such as runs.
    many, required : bool
        Whether several arguments are possible, and whether one is required.
    beside : mapping of str to Option
        Options that are not parameters of the question; `take` gets them with the other options.
    choices : collection of str
        The values from which the parameter is chosen; empty if any value is allowed.
    """

    help: str
    metavar: str
    take: Callable[[Sequence[str], dict[str, Any]], Mapping[str, Any]] | None = None
    _: KW_ONLY
    many: bool = True
    required: bool = False
    beside: Mapping[str, Option] = field(default_factory=dict)
    choices: Collection[str] = ()


@dataclass(frozen=True)
class PythonOnly:
    """A parameter only for Python, or a parameter set by a `Source`.

    Attributes
    ----------
    help : str
        One sentence.
    keeps : bool
        For questions that are computed in cells: whether the command can store cells (`--cells`).
    """

    help: str
    keeps: bool = False


@dataclass(frozen=True)
class OutputFile:
    """A file of the result that the command can write.

    Attributes
    ----------
    help : str
        One sentence.
    write : callable
        Writes the result to a path, given the command's inputs; returns notes or None.
    check : callable or None
        Rejects an invalid path before the computation.
    metavar : str
        Placeholder of the path in help.
    was : str
        The former keyword.
    """

    help: str
    write: Callable[[Any, str, Sequence[str]], Sequence[str] | None]
    _: KW_ONLY
    check: Callable[[str], None] | None = None
    metavar: str = ""
    was: str = ""


@dataclass(frozen=True)
class ReportFolder:
    """A folder for a report of the result.

    Attributes
    ----------
    help : str
        One sentence.
    report : callable
        Creates the report from the result and the command's inputs.
    page : str
        The report's file in the folder.
    said : str
        The note with the report's path; `{folder}` and `{page}` are replaced.
    metavar : str
        Placeholder of the folder in help.
    was : str
        The former keyword.
    """

    help: str
    report: Callable[[Any, Sequence[str]], Any]
    page: str
    said: str = "the report is in {folder}/{page}"
    _: KW_ONLY
    metavar: str = ""
    was: str = ""


@dataclass(frozen=True)
class FigureFile:
    """A file for the figure of the result: SVG or PDF.

    Attributes
    ----------
    help : str
        One sentence.
    notice : str
        The notice below the figure.
    """

    help: str
    notice: str
    _: KW_ONLY
    metavar: str = ""


Advance = Annotated[Any, PythonOnly("Called after each part, to show progress.")]
Seed = Annotated[int, Option("Random seed.", default=0)]
Jobs = Annotated[
    int | None,
    Option("Number of parallel jobs; default: one per processor. The results are the same for any"
        " number.",
           least=1),
]  # fmt: skip


SWEEP_WORDS = (
    "Function that computes the cells in place of jobs, such as on a cluster's workers; takes"
    " cells and returns their tables."
)
Sweeping = Annotated[Any, PythonOnly(SWEEP_WORDS)]
KeptSweeping = Annotated[Any, PythonOnly(SWEEP_WORDS, keeps=True)]


class Drawing(TypedDict, total=False):
    """The random seed of a question."""

    seed: Seed


class Working(TypedDict, total=False):
    """The number of parallel processes of a question, and a function that shows progress."""

    jobs: Jobs
    advance: Advance


ScaleOption = Annotated[
    Scale | None,
    Option("Levels of the scale, such as 0..3 or 0,1,2,3; default: the campaign's scale, or 0 to"
        " the highest grade.", metavar="LEVELS", read=Scale.parse),
]  # fmt: skip


class OnScale(TypedDict, total=False):
    """The scale of labels."""

    scale: ScaleOption
    off_scale: Annotated[
        Literal["error", "missing"],
        Option("Treatment of a grade outside the scale.", default="error"),
    ]


def check_scale(options: Mapping[str, Any]) -> None:
    """Raise an error if grades outside the scale are treated as missing, but no scale is given.

    Raises
    ------
    UsageError
        If there is no scale.
    """
    if options.get("off_scale") == "missing" and options.get("scale") is None:
        raise UsageError("--off-scale missing needs --scale")
