"""Parameters of commands about the top k docs: grades, answers, setting, cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.options import Option, PythonOnly, Source
from qrelsmith.io.format_marks import first_line
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.label_options import LabelScope, is_campaign
from qrelsmith.judgments.preference_sources import PreferencesLike
from qrelsmith.pairs.outcomes import Sign, Way
from qrelsmith.topk import SCHEDULERS
from qrelsmith.topk.culling import Keep
from qrelsmith.topk.drawn import DrawnPairs
from qrelsmith.topk.topk_reliability import FITTED, Chance
from qrelsmith.topk.topk_sources import Terms

_ANSWER = 4  # words of an answer: topic, left, right, outcome
GRADES = (
    "The grades from which candidates are selected: a campaign (the reference), Qrels, a path,"
    " {topic: {doc: grade}} or a data frame."
)


def graded_words(words: Sequence[str], options: dict[str, Any]) -> tuple[str | None, list[str]]:
    """Return QRELS (or the file given by --label-set) and the other arguments.

    With drawn pairs, the candidates are known. QRELS can then be omitted, and None is returned.

    Raises
    ------
    UsageError
        If grades are missing.
    """
    label_set = options.get("label_set")
    if label_set is not None and not (words and is_campaign(words[0])):
        del options["label_set"]
        return label_set, list(words)
    if "pair_list" in options and _lacks_grades(words):
        return None, list(words)
    if not words:
        raise UsageError("Missing argument 'QRELS'.")
    return words[0], list(words[1:])


def _lacks_grades(words: Sequence[str]) -> bool:
    """Return whether the log of answers is the first argument."""
    if len(words) != 1:
        return len(words) in (0, 1 + _ANSWER)
    (path,) = words
    return not is_campaign(path) and (not Path(path).exists() or b"left" in first_line(path))


def _grades(words: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    labels, rest = graded_words(words, options)
    _refuse(rest, options)
    return {"labels": labels}


def _grades_and_log(words: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """Parse grades and a log of answers; the file of the log may be missing."""
    labels, logs = graded_words(words, options)
    _refuse(logs[1:], options)
    return {"labels": labels, **({"answers": log_file(logs[0])} if logs else {})}


def _grades_and_preferences(words: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    labels, files = graded_words(words, options)
    return {"labels": labels, "preferences": files or None}


def _refuse(rest: Sequence[str], options: dict[str, Any]) -> None:
    if rest:
        hint = "" if "label_set" in options else ": --label-set is the file"
        raise UsageError(f"found the extra argument {rest[0]}{hint}")


def log_file(path: str) -> str | list[Any]:
    """Return the file of a log; a missing file is an empty log."""
    return path if Path(path).exists() else []


def _chance(text: str) -> Chance:
    try:
        return FITTED if text == FITTED else float(text)
    except ValueError:
        raise UsageError(
            f"the reliability is {quoted(text)}; expected 0.5 to 1, or “fitted”"
        ) from None


Grades = Annotated[Any, Source(GRADES, "[QRELS]", _grades)]
GradesAndLog = Annotated[Any, Source(GRADES, "[QRELS] [ANSWERS]", _grades_and_log)]
GradesAndPreferences = Annotated[
    Any, Source(GRADES, "[QRELS] [PREFERENCES]...", _grades_and_preferences)
]
AnswerLog = Annotated[
    PreferencesLike, PythonOnly("The log of answers; default: the campaign's log, or no answers.")
]
Recorded = Annotated[
    PreferencesLike,
    Option("Recorded preferences for these topics, to fit the reliability; default: the"
        " campaign's preferences.", file=True, many=True),
]  # fmt: skip
TERMS = (
    "TOML file with a table [hits], such as campaign.toml: pairs and attention checks per HIT,"
    " reward, fee, worker requirements. Default: as in the campaign, or as in the paper."
)
TermsOption = Annotated[Terms | None, Option(TERMS, file=True)]
PairList = Annotated[
    DrawnPairs | FilePath | None,
    Option("With --scheduler drawn: list of pairs (topic, left, right), as written by `plan"
        " preferences`. QRELS is then optional.", file=True, many=False, was={"pairs": {}}),
]  # fmt: skip
Depth = Annotated[
    int,
    Option("Number of best docs to find per topic.", ("-k", "--k"), default=5,
           least=1),
]  # fmt: skip
ReliabilityOption = Option(
    "Probability of a correct answer (0.5 to 1), or `fitted`; default: fitted with --preferences,"
    " otherwise 1.", metavar="CHANCE", read=_chance,
)  # fmt: skip
Campaigns = Option("Number of simulated campaigns per combination.", least=1)
Failing = Annotated[
    float,
    Option("Share of HITs whose worker fails an attention check; these HITs are paid and repeated.",
           least=0, below=1),
]  # fmt: skip
Seconds = Annotated[
    float,
    Option("Seconds per pair of a dedicated assessor. The paper reports 2,498 pairs in 27 hours.",
           least=0),
]  # fmt: skip
Wage = Annotated[float, Option("Cost of a dedicated assessor's hour.", least=0)]


class GradedScope(LabelScope, total=False):
    """Source of the candidates' grades."""

    label_set: Annotated[
        str | None,
        Option("Label set that provides the grades; default: the campaign's reference. Without a"
            " campaign, a file that replaces QRELS.", metavar="NAME|FILE"),
    ]  # fmt: skip


class OutcomeScope(GradedScope, total=False):
    """The source of the candidates' grades, and the notation of outcomes in files."""

    sign: Annotated[
        Sign, Option("Meaning of negative and positive outcomes.", default="negative-left")
    ]
    outcomes: Annotated[
        Way | None, Option("Notation of the outcomes; needed only if several notations fit.")
    ]


class SearchOptions(OutcomeScope, total=False):
    """Setting of the top-k task."""

    k: Depth
    scheduler: Annotated[
        str,
        Option(f"Method that chooses the pairs: {', '.join(SCHEDULERS.names())}.", default="rounds",
               metavar="NAME", was={"method": {}}),
    ]  # fmt: skip
    finalists: Annotated[
        int,
        Option("Maximum number of finalists, whose pairs are all judged.", ("-F", "--finalists"),
            default=9,
               least=1),
    ]  # fmt: skip
    pairings: Annotated[
        int,
        Option("Number of pairings per candidate in a round.", ("-P", "--pairings"),
               default=7, least=1),
    ]  # fmt: skip
    keep: Annotated[
        Keep,
        Option("Wins that a candidate needs to stay after a round: more than half of its pairings,"
            " or at least half (4 of 8, as in the program of the paper's authors).",
            default="majority"),
    ]  # fmt: skip
    forced: Annotated[
        bool,
        Option("Allow sizes that violate F > P > k, and answers to pairs that are"
               " not open.", ("--force",),
               default=False),
    ]  # fmt: skip
    seed: Annotated[
        int, Option("Random seed for pairings, leaves of the tree and sides.", default=0)
    ]
