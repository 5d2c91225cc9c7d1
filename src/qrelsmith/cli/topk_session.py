"""`qrelsmith topk pool|pairs|answer|result`: a session, from grades to qrels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.topk_options import graded_options, k_option, log_file, setting_options
from qrelsmith.io.table_writing import FORMS
from qrelsmith.io.writing import write_together
from qrelsmith.pairs.outcomes import UNDO, Way
from qrelsmith.pairs.preference_files import TEXTS, add_to_log, read_preferences, write_preferences

if TYPE_CHECKING:
    from qrelsmith.pairs.preferences import Preferences

_pairs_option = click.option(
    "--pairs", "drawn", type=click.Path(),
    help="The list whose pairs --method drawn asks: topic, left, right, as `plan preferences` draws"
    " them. QRELS may then be left out.",
)  # fmt: skip
_WORDS = {"left": -1, "tie": 0, "right": 1, UNDO: None}


@click.command(
    name="pool",
    short_help="Count the candidates of each topic.",
    epilog="Example: qrelsmith topk pool graded.qrels --k 5",
)
@click.argument("qrels", type=click.Path(), required=False)
@k_option
@graded_options
@common_options
def pool(common: Common, graded: Mapping[str, Any], qrels: str, k: int) -> None:
    """Thin the herd: whole grades from the top until a topic has k candidates or more.

    QRELS is a file or a CAMPAIGN, as for all of these commands. Columns: topic, candidates,
    lowest_grade. Docs without a grade above 0 are no candidates; a topic that has none has 0
    candidates and nan.
    """
    from qrelsmith.topk.topk_pool import topk_pool

    result = topk_pool(qrels, k=k, **graded)
    common.say(result.notes)
    common.emit(result.table())


@click.command(
    name="pairs",
    short_help="List the pairs that can be judged now.",
    epilog="Example: qrelsmith topk pairs graded.qrels answers.csv --method tournament --each 1",
)
@click.argument("qrels", type=click.Path(), required=False)
@click.argument("answers", type=click.Path(), required=False)
@_pairs_option
@click.option("--each", type=click.IntRange(min=1), help="Pairs of each topic; default: all.")
@setting_options
@graded_options
@common_options
def pairs(
    common: Common,
    setting: Mapping[str, Any],
    graded: Mapping[str, Any],
    qrels: str,
    answers: str | None,
    drawn: str | None,
    each: int | None,
) -> None:
    """The pairs that follow from the grades in QRELS and the log ANSWERS, which need not be there.

    Columns: topic, round, left, right, on the sides on which to show them. With a column outcome
    (left, right, tie) the table is what `topk answer --from` takes. The same seed and the same
    answers always give the same pairs, in whatever order the answers came.
    """
    from qrelsmith.topk.topk_pairs import topk_pairs

    result = topk_pairs(qrels, log_file(answers), each=each, pairs=drawn, **setting, **graded)
    common.say(result.notes)
    common.emit(result.table())


@click.command(
    name="answer",
    short_help="Add answers to the log of a session.",
    epilog="Example: qrelsmith topk answer graded.qrels answers.csv 31_1 D17 D4 left",
)
@click.argument("qrels", type=click.Path(), required=False)
@click.argument("answers", type=click.Path(), required=False)
@click.argument("given", nargs=-1, metavar="[TOPIC LEFT RIGHT OUTCOME]")
@_pairs_option
@click.option("--from", "source", type=click.Path(), help="Take the answers from this file.")
@click.option("--assessor", default="", help="Who answers, where the file does not say.")
@setting_options
@graded_options
@common_options
def answer(
    common: Common,
    setting: Mapping[str, Any],
    graded: Mapping[str, Any],
    qrels: str,
    answers: str | None,
    given: tuple[str, ...],
    drawn: str | None,
    source: str | None,
    assessor: str,
) -> None:
    """Add one answer, or those of a file, to the log ANSWERS, which is made if it is not there.

    OUTCOME is left, right, tie, the id of the better doc, -2 … 2 (after --; negative: left is
    better), or undo, which withdraws what the assessor said of the pair. An answer that is there
    already is changed by a second one. Answers to pairs that these options never asked are refused,
    those in the log too: the options are those of the whole session. Printed are the pairs of the
    topics answered that can be judged now, as by `topk pairs`.
    """
    from qrelsmith.topk.topk_answer import topk_answer

    if answers is None:
        raise click.MissingParameter(param_hint="'ANSWERS'", param_type="argument")
    if (len(given) == 4) == (source is not None) or len(given) not in (0, 4):
        raise click.UsageError("expected TOPIC LEFT RIGHT OUTCOME, or --from FILE")
    if source is None:
        topic, left, right, word = given
        new = _answer_text(topic, left, right, word, assessor)
    else:
        new = read_preferences(
            source, way=setting["outcomes"], sign=setting["sign"], assessor=assessor
        )
    try:
        result = topk_answer(qrels, log_file(answers), new, pairs=drawn, **setting, **graded)
    except UsageError as error:
        raise UsageError(f"{answers}: {error}") from None
    add_to_log(answers, result.added)
    common.say(result.notes)
    common.emit(result.table())


@click.command(
    name="result",
    short_help="Rank the best docs of each topic.",
    epilog="Example: qrelsmith topk result graded.qrels crowd.pref --write-combined combined.qrels",
)
@click.argument("qrels", type=click.Path(), required=False)
@click.argument("preferences", type=click.Path(), nargs=-1)
@click.option("--write-graded", type=click.Path(), help="Qrels of the grades alone.")
@click.option("--write-top", type=click.Path(), help="Qrels of the best docs alone.")
@click.option("--write-combined", type=click.Path(), help="Qrels: best docs above all grades.")
@click.option("--write-best", type=click.Path(), help="Qrels of the docs ranked first alone.")
@click.option(
    "--write-preferences", "write_preferences_to", type=click.Path(), help="The answers that stand."
)
@click.option(
    "--form", "preferences_form", type=click.Choice([*FORMS, *TEXTS.names()]), default="csv",
    show_default=True, help="Form of --write-preferences.",
)  # fmt: skip
@click.option(
    "--write-outcomes", type=click.Choice(["numbers", "sides", "winner"]), default="numbers",
    show_default=True, help="How --write-preferences writes outcomes in a table.",
)  # fmt: skip
@setting_options
@graded_options
@common_options
@write_together()
def result(
    common: Common,
    setting: Mapping[str, Any],
    graded: Mapping[str, Any],
    qrels: str,
    preferences: tuple[str, ...],
    write_graded: str | None,
    write_top: str | None,
    write_combined: str | None,
    write_best: str | None,
    write_preferences_to: str | None,
    preferences_form: str,
    write_outcomes: Way,
) -> None:
    """The best docs by the grades in QRELS and the answers in PREFERENCES (a log, or any form).

    Columns: topic, doc, rank, wins. Ties share a rank, and those at rank k are kept. A log that
    names rounds is replayed. Preferences that name none, such as released ones, are taken for what
    they settle: of rounds the final is told by how often each doc was judged; of a tournament
    whatever order the answers fix from the top. Topics without a result are counted on stderr. Of
    a CAMPAIGN, its preferences are read where none are named.
    """
    from qrelsmith.collection.qrels import write_qrels
    from qrelsmith.topk.topk_result import topk_result
    from qrelsmith.topk.topk_sources import log_of

    log = log_of(
        list(preferences) or None, qrels, sign=setting["sign"], outcomes=setting["outcomes"]
    )
    answer = topk_result(qrels, log, **setting, **graded)
    common.say(answer.notes)
    made = (
        (write_graded, answer.graded),
        (write_top, answer.top()),
        (write_combined, answer.combined()),
        (write_best, answer.best()),
    )
    for path, content in made:
        if path is not None:
            write_qrels(content, path)
    if write_preferences_to is not None:
        write_preferences(log, write_preferences_to, form=preferences_form, way=write_outcomes)
    common.emit(answer.table())


def _answer_text(topic: str, left: str, right: str, word: str, assessor: str) -> Preferences:
    """An answer as it is typed."""
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
            f"the outcome is {quoted(word)}; expected left, right, tie, undo, -2 to 2, or one of"
            " the two docs"
        )
    return Preferences.from_rows([(topic, left, right, outcome, assessor)])
