"""How a parameter of a question is declared, once: for the command line, Python and the docs.

A parameter is an annotated type: `Annotated[int, Option("Random seed.")]`. From it come the option
of the command with its help, the reference page, the docstring's Parameters and the check of the
value. Parameters that questions share are typed dictionaries, handed on whole (PEP 692).
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
        One sentence; in Python its options are named as keywords.
    flags : tuple of str
        The option's spellings, where it is not the keyword's own.
    default : object
        The value that is taken where none is given; for members of typed dictionaries, and for
        help where the keyword's default is None.
    choices : collection of str, or function
        The values that there are; a function is asked when the command is built, since plug-ins
        may have added some.
    least, most, above, below : float or None
        Bounds of a number; the last two are left out themselves.
    metavar : str
        What stands for the value in help.
    read : callable or None
        Makes a value of text, on the command line and in Python.
    gather : callable or None
        Makes one value of all texts of an option that is repeated.
    many : bool or None
        Whether the option can be repeated; by default as its type says.
    split : bool
        Whether one text may hold several values, separated by blanks.
    joined : bool
        Whether several values are one word of the command: `0:58:99`.
    words : tuple of str
        How many words the option takes, by their names.
    file : bool
        Whether the value is a path.
    was : mapping of str to mapping
        New values by the old ones, under the keyword that the parameter had before; the keyword
        itself where only values have new names.
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
        """The values that there are; empty: any."""
        return tuple(self.choices() if callable(self.choices) else self.choices)


@dataclass(frozen=True)
class Source:
    """A parameter that is an argument of the command: what the question is asked of.

    Attributes
    ----------
    help : str
        What it can be, for the docs.
    metavar : str
        What stands for it in help.
    take : callable or None
        Takes the words of the command and what was given as options, and returns keywords of the
        question: this one, and those that the words decide too, such as runs.
    many, required : bool
        Whether there can be several words, and must be one.
    beside : mapping of str to Option
        Options that are no parameters of the question: `take` finds them among what was given.
    choices : collection of str
        The values that there are; empty: any.
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
    """A parameter for Python alone, or one that a `Source` fills.

    Attributes
    ----------
    help : str
        One sentence.
    keeps : bool
        Of cells of work: whether the command can keep what is computed (`--cells`).
    """

    help: str
    keeps: bool = False


@dataclass(frozen=True)
class OutputFile:
    """A file that the command can write of the result.

    Attributes
    ----------
    help : str
        One sentence.
    write : callable
        Writes the result to a path, told what the command read; returns notes, or nothing.
    check : callable or None
        Refuses a path before any work is done.
    metavar : str
        What stands for the path in help.
    was : str
        The keyword that it had before.
    """

    help: str
    write: Callable[[Any, str, Sequence[str]], Sequence[str] | None]
    _: KW_ONLY
    check: Callable[[str], None] | None = None
    metavar: str = ""
    was: str = ""


@dataclass(frozen=True)
class ReportFolder:
    """A folder that the command can write a report of the result into.

    Attributes
    ----------
    help : str
        One sentence.
    report : callable
        Makes the report of the result and of what the command read.
    page : str
        The file of the report in the folder.
    said : str
        The note that says where it is; `{folder}` and `{page}` stand for the two.
    metavar : str
        What stands for the folder in help.
    was : str
        The keyword that it had before.
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
    """A file that the command can draw the figure of the result into: SVG or PDF.

    Attributes
    ----------
    help : str
        One sentence.
    notice : str
        What stands below the figure.
    """

    help: str
    notice: str
    _: KW_ONLY
    metavar: str = ""


Advance = Annotated[Any, PythonOnly("Called after each part, to show progress.")]
Seed = Annotated[int, Option("Random seed.", default=0)]
Jobs = Annotated[
    int | None,
    Option("Number of parallel jobs; default: one per processor. Results do not depend on it.",
           least=1),
]  # fmt: skip


SWEEP_WORDS = (
    "Computes the cells in place of jobs, as the workers of a cluster do: takes cells and returns"
    " their tables."
)
Sweeping = Annotated[Any, PythonOnly(SWEEP_WORDS)]
KeptSweeping = Annotated[Any, PythonOnly(SWEEP_WORDS, keeps=True)]


class Drawing(TypedDict, total=False):
    """The seed of a question that draws at random."""

    seed: Seed


class Working(TypedDict, total=False):
    """How the work of a question is shared, and its progress."""

    jobs: Jobs
    advance: Advance


ScaleOption = Annotated[
    Scale | None,
    Option("Levels of the scale: 0..3 or 0,1,2,3; default: those of the campaign, else 0 to the"
           " highest grade.", metavar="LEVELS", read=Scale.parse),
]  # fmt: skip


class OnScale(TypedDict, total=False):
    """The scale of labels."""

    scale: ScaleOption
    off_scale: Annotated[
        Literal["error", "missing"],
        Option("Treatment of a grade outside the scale.", default="error"),
    ]


def check_scale(options: Mapping[str, Any]) -> None:
    """Refuse grades off the scale as missing where nobody says which scale.

    Raises
    ------
    UsageError
        If there is no scale.
    """
    if options.get("off_scale") == "missing" and options.get("scale") is None:
        raise UsageError("--off-scale missing needs --scale")
