"""`qrelsmith topk`: the best k docs of each topic by preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import click

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.options import Option, Source
from qrelsmith.cli.actions import action
from qrelsmith.cli.commands import question_command, question_of
from qrelsmith.cli.options import Common, common_options
from qrelsmith.pairs.outcomes import UNDO

if TYPE_CHECKING:
    from qrelsmith.pairs.preferences import Preferences

_WORDS = {"left": -1, "tie": 0, "right": 1, UNDO: None}


@action(
    "topk answer",
    short="Add answers to the log of a session.",
    example="qrelsmith topk answer graded.qrels answers.csv 31_1 D17 D4 left",
    renamed={"--from": "--new-answers", "--pairs": "--pair-list"},
)
@common_options("seed")
def answer(
    common: Common,
    words: Annotated[tuple[str, ...], Source(
        "Words.", "[QRELS] ANSWERS [TOPIC LEFT RIGHT OUTCOME]")] = (),
    source: Annotated[str | None, Option(
        "Read the answers from this file.", ("--new-answers",), file=True)] = None,
    assessor: Annotated[str, Option("The assessor, if the file does not name one.")] = "",
    **values: Any,
) -> None:  # fmt: skip
    """Add one answer, or the answers in a file, to the log ANSWERS, which is created if necessary.

    OUTCOME is left, right, tie, the id of the better doc, -2 … 2 (after --; negative: left is
    better), or undo, which withdraws the assessor's answer to the pair. A second answer replaces
    the first. Use the same options for the whole session: answers to pairs that these options never
    select are rejected, even if they are already in the log. The output lists the pairs that can be
    judged next in the answered topics, as in `topk pairs`.
    """
    from qrelsmith.cli.asking import keywords_of
    from qrelsmith.pairs.preference_files import add_to_log, read_preferences
    from qrelsmith.topk.topk_answer import topk_answer
    from qrelsmith.topk.topk_options import graded_words, log_file

    options = keywords_of(question_of("topk answer"), {**values, "seed": common.seed})
    labels, rest = graded_words(words, options)
    if not rest:
        raise click.MissingParameter(param_hint="'ANSWERS'", param_type="argument")
    answers, *given = rest
    if (len(given) == 4) == (source is not None) or len(given) not in (0, 4):
        raise click.UsageError("expected TOPIC LEFT RIGHT OUTCOME, or --new-answers FILE")
    if source is None:
        topic, left, right, word = given
        new = _answer_text(topic, left, right, word, assessor)
    else:
        way, sign = options.get("outcomes"), options.get("sign", "negative-left")
        new = read_preferences(source, way=way, sign=sign, assessor=assessor)
    try:
        result = topk_answer(labels, log_file(answers), new, **options)
    except UsageError as error:
        raise UsageError(f"{answers}: {error}") from None
    add_to_log(answers, result.added)
    common.say(result.notes)
    common.emit(result.table())


answer.params[1:1] = [
    option
    for option in question_command("topk answer").params
    if option.name not in ("seed", "jobs", "form", "output", "quiet")
]


def _answer_text(topic: str, left: str, right: str, word: str, assessor: str) -> Preferences:
    """Parse an answer from the command line."""
    from qrelsmith.pairs.preferences import Preferences

    if left == right:
        raise UsageError(f"the doc {quoted(left)} is compared with itself")
    outcome: int | None
    if word in (left, right):
        outcome = -1 if word == left else 1
    elif word in _WORDS:
        outcome = _WORDS[word]
    elif word in ("-2", "-1", "0", "1", "2"):
        outcome = int(word)
    else:
        raise UsageError(
            f"the outcome is {quoted(word)}; expected 'left', 'right', 'tie', 'undo',"
            " -2 to 2, or one of the two docs"
        )
    return Preferences.from_rows([(topic, left, right, outcome, assessor)])
