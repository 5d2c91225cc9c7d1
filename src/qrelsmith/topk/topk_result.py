"""The best docs of each topic by preferences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Unpack

from qrelsmith.base.errors import UndefinedError
from qrelsmith.base.options import Option, OutputFile, PythonOnly
from qrelsmith.base.questions import question
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.io.table_writing import FORMS
from qrelsmith.judgments.campaign_sources import resolve_source
from qrelsmith.judgments.preference_sources import PreferencesLike
from qrelsmith.pairs.outcomes import Way
from qrelsmith.pairs.preference_files import TEXTS, write_preferences
from qrelsmith.pairs.preferences import Preferences
from qrelsmith.topk.topk_options import GradesAndPreferences, SearchOptions
from qrelsmith.topk.topk_results import TopkResults, topk_results
from qrelsmith.topk.topk_sources import candidates_of, log_of, misfit_notes, setting_by


def _write(kind: str) -> Callable[[TopkResults, str, Sequence[str]], None]:
    def write(result: TopkResults, path: str, _: Sequence[str]) -> None:
        held = getattr(result, kind)
        write_qrels(held if isinstance(held, Qrels) else held(), path)

    return write


def _write_preferences(result: TopkResults, path: str, _: Sequence[str]) -> None:
    log = result.log or Preferences.from_rows([])
    write_preferences(log, path, form=result.preferences_form, way=result.write_outcomes)


@question(
    command="topk result",
    audit=("compatibility",),
    example="qrelsmith topk result graded.qrels crowd.pref --write-combined combined.qrels",
    short="Rank the best docs of each topic.",
    writes={
        "write_graded": OutputFile("Write qrels with the grades only.", _write("graded")),
        "write_top": OutputFile("Write qrels with the best docs only.", _write("top")),
        "write_combined": OutputFile(
            "Write qrels in which the best docs have grades above those of all other docs.",
            _write("combined"),
        ),
        "write_best": OutputFile(
            "Write qrels with only the docs that are ranked first.", _write("best")
        ),
        "write_preferences": OutputFile("Write the current answers.", _write_preferences),
    },
)
def topk_result(
    labels: GradesAndPreferences,
    preferences: Annotated[PreferencesLike, PythonOnly(
        "A log, or preferences in any format; only current answers count. Default: the campaign's"
        " preferences.")] = None,
    *,
    preferences_form: Annotated[str, Option(
        "Format of the --write-preferences file.", ("--form",),
        choices=lambda: [*FORMS, *TEXTS.names()])] = "csv",
    write_outcomes: Annotated[Way, Option(
        "Notation of the outcomes in the --write-preferences file.")] = "numbers",
    **options: Unpack[SearchOptions],
) -> TopkResults:  # fmt: skip
    """Rank the best docs by the grades in QRELS and the answers in PREFERENCES.

    Columns: topic, doc, rank, wins. Tied docs share a rank, and ties at rank k are kept. A log with
    rounds is replayed. In a log without rounds, such as published preferences, the final round is
    inferred from the number of judgments of each doc. In a tournament log without rounds, docs are
    ranked from the top as far as the answers determine their order. The number of topics without a
    result is printed to stderr. For a CAMPAIGN, the campaign's preferences are used by default.

    Returns
    -------
    TopkResults
        The results; `top`, `best` and `combined` derive qrels from them.

    Raises
    ------
    InputError
        If a file is malformed.
    UsageError
        If the setting is invalid.
    UndefinedError
        If no doc has a grade above 0, or there are no preferences.

    References
    ----------
    Clarke, Vtyurina and Smucker (2021), section 4.

    Examples
    --------
    >>> grades = {"t1": {"d1": 2, "d2": 2, "d3": 2, "d4": 0}}
    >>> answers = {"t1": [("d2", "d1"), ("d2", "d3"), ("d3", "d1")]}
    >>> print(topk_result(grades, answers, k=2))
    topic  doc  rank  wins
    ─────  ───  ────  ────
    t1     d2      1     2
    t1     d3      2     1
    """
    setting = setting_by(options, None)
    labels = resolve_source(labels)
    graded, pools = candidates_of(labels, setting, options)
    log = log_of(preferences, labels, options)
    if not len(log):
        raise UndefinedError("no preferences found; expected at least one")
    results = topk_results(pools, log, setting, graded=graded)
    notes = misfit_notes(pools, log, setting) if log.round.any() else []
    return replace(
        results,
        log=log,
        preferences_form=preferences_form,
        write_outcomes=write_outcomes,
        notes=(*notes, *results.notes),
    )
