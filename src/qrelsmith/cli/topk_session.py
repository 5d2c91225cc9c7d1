"""`qrelsmith topk pool|pairs|answer|result`: a session, from grades to qrels."""

from __future__ import annotations

import click

from qrelsmith.analyses.topk_answers import placed_answers
from qrelsmith.analyses.topk_fit import misfit
from qrelsmith.analyses.topk_results import (
    best_qrels,
    combined_qrels,
    top_qrels,
    topk_results,
)
from qrelsmith.analyses.topk_sessions import (
    TopkSetting,
    pairs_table,
    pool_table,
    progress_notes,
    states,
    topic_pools,
)
from qrelsmith.cli.options import Common, common_options, topic_set_option
from qrelsmith.cli.topk_options import (
    Way,
    k_option,
    read_graded,
    read_log,
    read_pools,
    setting_options,
    warn_of_misfit,
)
from qrelsmith.data.preference_events import (
    PreferenceEvent,
    add_preference_events,
    preferences_of,
    read_preference_events,
)
from qrelsmith.data.preference_forms import TEXTS, write_preferences_as
from qrelsmith.data.qrels import write_qrels
from qrelsmith.data.table_writing import FORMS
from qrelsmith.data.writing import together
from qrelsmith.errors import InputError, UsageError, quoted

_WORDS = {"left": -1, "tie": 0, "right": 1, "undo": None}
way_option = click.option(
    "--outcomes", "way", type=click.Choice(["numbers", "sides", "winner"]),
    help="How outcomes are written, where more than one way fits.",
)  # fmt: skip


@click.command(
    name="pool",
    short_help="Count the candidates of each topic.",
    epilog="Example: qrelsmith topk pool graded.qrels --k 5",
)
@click.argument("qrels", type=click.Path())
@k_option
@topic_set_option
@common_options
def pool(common: Common, qrels: str, k: int, topic_set: str | None) -> None:
    """Thin the herd: whole grades from the top until a topic has k candidates or more.

    Columns: topic, candidates, lowest_grade. Docs without a grade above 0 are no candidates; a
    topic that has none has 0 candidates and nan.
    """
    pools = read_pools(qrels, topic_set, k)
    sizes = {one.topic: len(one.candidates) for one in pools}
    largest = max(sizes, key=sizes.__getitem__)
    few = sum(size < k for size in sizes.values())
    total, most = sum(sizes.values()), f"{sizes[largest]} (topic {largest})"
    common.say([f"candidates: {total} of {len(sizes)} topics; most: {most}"])
    common.say([f"topics with fewer than {k} candidates: {few}"] if few else [])
    common.emit(pool_table(pools))


@click.command(
    name="pairs",
    short_help="List the pairs that can be judged now.",
    epilog="Example: qrelsmith topk pairs graded.qrels answers.csv --method tournament --each 1",
)
@click.argument("qrels", type=click.Path())
@click.argument("answers", type=click.Path(), required=False)
@click.option("--each", type=click.IntRange(min=1), help="Pairs of each topic; default: all.")
@way_option
@setting_options
@topic_set_option
@common_options
def pairs(
    common: Common,
    setting: TopkSetting,
    qrels: str,
    answers: str | None,
    each: int | None,
    way: Way | None,
    topic_set: str | None,
) -> None:
    """The pairs that follow from the grades in QRELS and the log ANSWERS, which need not be there.

    Columns: topic, round, left, right, on the sides on which to show them. With a column outcome
    (left, right, tie) the table is what `topk answer --from` takes. The same seed and the same
    answers always give the same pairs, in whatever order the answers came.
    """
    pools, log = read_pools(qrels, topic_set, setting.k), read_log(answers, way)
    warn_of_misfit(pools, log, setting)
    found = states(pools, log, setting)
    common.say(progress_notes(found, log))
    common.emit(pairs_table(found, of_each=each))


@click.command(
    name="answer",
    short_help="Add answers to the log of a session.",
    epilog="Example: qrelsmith topk answer graded.qrels answers.csv 31_1 D17 D4 left",
)
@click.argument("qrels", type=click.Path())
@click.argument("answers", type=click.Path())
@click.argument("given", nargs=-1, metavar="[TOPIC LEFT RIGHT OUTCOME]")
@click.option("--from", "source", type=click.Path(), help="Take the answers from this file.")
@click.option("--assessor", default="", help="Who answers, where the file does not say.")
@way_option
@setting_options
@topic_set_option
@common_options
def answer(
    common: Common,
    setting: TopkSetting,
    qrels: str,
    answers: str,
    given: tuple[str, ...],
    source: str | None,
    assessor: str,
    way: Way | None,
    topic_set: str | None,
) -> None:
    """Add one answer, or those of a file, to the log ANSWERS, which is made if it is not there.

    OUTCOME is left, right, tie, the id of the better doc, -2 … 2 (after --; negative: left is
    better), or undo, which withdraws what the assessor said of the pair. An answer that is there
    already is changed by a second one. Answers to pairs that these options never asked are refused,
    those in the log too: the options are those of the whole session. Printed are the pairs of the
    topics answered that can be judged now, as by `topk pairs`.
    """
    if (len(given) == 4) == (source is not None) or len(given) not in (0, 4):
        raise click.UsageError("expected TOPIC LEFT RIGHT OUTCOME, or --from FILE")
    new = [_event(*given)] if source is None else read_preference_events(source, way=way)
    new = [event._replace(assessor=event.assessor or assessor) for event in new]
    pools, log = read_pools(qrels, topic_set, setting.k), read_log(answers)
    placed, notes = placed_answers(new, pools, states(pools, log, setting), log)
    problem = None if setting.forced else misfit(pools, [*log, *placed], setting)
    if problem is not None:
        raise InputError(f"{problem} (--force adds the answers all the same)", path=answers)
    add_preference_events(answers, placed)
    found = states(pools, [*log, *placed], setting)
    common.say([*notes, *progress_notes(found, log)])
    answered = {event.topic for event in placed}
    common.emit(pairs_table({topic: found[topic] for topic in found if topic in answered}))


@click.command(
    name="result",
    short_help="Rank the best docs of each topic.",
    epilog="Example: qrelsmith topk result graded.qrels crowd.pref --write-combined combined.qrels",
)
@click.argument("qrels", type=click.Path())
@click.argument("preferences", type=click.Path(), nargs=-1, required=True)
@click.option("--write-graded", type=click.Path(), help="Qrels of the grades alone.")
@click.option("--write-top", type=click.Path(), help="Qrels of the best docs alone.")
@click.option("--write-combined", type=click.Path(), help="Qrels: best docs above all grades.")
@click.option("--write-best", type=click.Path(), help="Qrels of the docs ranked first alone.")
@click.option("--write-preferences", type=click.Path(), help="The answers that stand.")
@click.option(
    "--form", "preferences_form", type=click.Choice([*FORMS, *TEXTS.names()]), default="csv",
    show_default=True, help="Form of --write-preferences.",
)  # fmt: skip
@click.option(
    "--write-outcomes", type=click.Choice(["numbers", "sides", "winner"]), default="numbers",
    show_default=True, help="How --write-preferences writes outcomes in a table.",
)  # fmt: skip
@way_option
@setting_options
@topic_set_option
@common_options
@together()
def result(
    common: Common,
    setting: TopkSetting,
    qrels: str,
    preferences: tuple[str, ...],
    write_graded: str | None,
    write_top: str | None,
    write_combined: str | None,
    write_best: str | None,
    write_preferences: str | None,
    preferences_form: str,
    write_outcomes: Way,
    way: Way | None,
    topic_set: str | None,
) -> None:
    """The best docs by the grades in QRELS and the answers in PREFERENCES (a log, or any form).

    Columns: topic, doc, rank, wins. Ties share a rank, and those at rank k are kept. A log that
    names rounds is replayed. Preferences that name none, such as released ones, are taken for what
    they settle: of rounds the final is told by how often each doc was judged; of a tournament
    whatever order the answers fix from the top. Topics without a result are counted on stderr.
    """
    graded = read_graded(qrels, topic_set)
    events = [event for path in preferences for event in read_preference_events(path, way=way)]
    pools = topic_pools(graded, k=setting.k)
    if any(event.round for event in events):
        warn_of_misfit(pools, events, setting)
    results = topk_results(pools, events, setting)
    common.say(results.notes)
    made = (
        (write_graded, graded),
        (write_top, top_qrels(results, k=setting.k)),
        (write_combined, combined_qrels(graded, results, k=setting.k)),
        (write_best, best_qrels(results)),
    )
    for path, content in made:
        if path is not None:
            write_qrels(content, path)
    if write_preferences is not None:
        write_preferences_as(
            preferences_of(events), write_preferences, form=preferences_form, way=write_outcomes
        )
    common.emit(results.table())


def _event(topic: str, left: str, right: str, word: str) -> PreferenceEvent:
    """An answer as it is typed."""
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
    return PreferenceEvent(topic, left, right, outcome)
