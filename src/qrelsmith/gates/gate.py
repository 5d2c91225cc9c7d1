"""The command `gate`: whether a new judge can replace the current judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal, Unpack

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option, OutputFile, Seed, Source, Working
from qrelsmith.base.questions import question
from qrelsmith.base.registration import load_modules
from qrelsmith.damages.property_options import PropertyOptions
from qrelsmith.evaluation.answer_options import AnswerFiles
from qrelsmith.gates.figures import FIGURES
from qrelsmith.gates.gate_options import check_figures, gate_words, name_list, numbers_by_name
from qrelsmith.gates.gate_result import Gate, write_junit
from qrelsmith.gates.gate_rows import GateRow, bound_row, margin_row
from qrelsmith.gates.judge_sources import JudgeSources
from qrelsmith.gates.lean_figures import LEAN_MARGIN, lean_figures
from qrelsmith.gates.paired_judges import PairedJudges
from qrelsmith.io.writing import replacing
from qrelsmith.judgments.label_options import OnlyTopics
from qrelsmith.judgments.run_options import Measures, Runs, ScoringOptions

# Figures of the gate, each in some file beside this one.
load_modules("qrelsmith.gates", (str(Path(__file__).parent),), "@FIGURES.add(")


class GateScope(ScoringOptions, Working, PropertyOptions, AnswerFiles, total=False):
    """Scoring options, topics and doc properties."""

    topic_set: OnlyTopics


_Numbers = Mapping[str, float] | None


@question(
    command="gate",
    heading="trust",
    everyday=True,
    no_audit="it compares two judges that follow each other; an audit shows those in use",
    example="qrelsmith gate new.qrels --baseline baseline.qrels --reference people.qrels runs/*.run"
    " -m nDCG@10 --junit gate.xml",
    writes={"junit": OutputFile("Write the result as JUnit XML.", write_junit, metavar="FILE")},
    doing="evaluating",
)
def gate(
    labels: Annotated[Any, Source(
        "The labels of the new judge, or a campaign that holds them.", "NEW|CAMPAIGN [RUN...]",
        gate_words)],
    runs: Runs = None,
    measures: Measures = None,
    *,
    baseline: Annotated[Any, Option(
        "Labels of the current judge: a stored file, or a label set of the campaign.",
        metavar="FILE|NAME", file=True)],
    reference: Annotated[Any, Option(
        "Human labels: a file, or a label set of the campaign (default: its reference).",
        metavar="FILE|NAME", file=True)] = None,
    label_set: Annotated[str | None, Option(
        "The new judge's label set in the campaign.", metavar="NAME")] = None,
    margins: Annotated[_Numbers, Option(
        "Margin of a figure (how much worse the new judge may be); repeatable. Default: alpha=.05,"
        " agreement=.03,"
        " bias=.1, coverage=.05, tau=.03, top=.05, loss=.01.", ("--margin",), metavar="FIGURE=X",
        many=True, gather=numbers_by_name)] = None,
    at_least: Annotated[_Numbers, Option(
        "Minimum for one of the new judge's values (alpha, agreement, coverage, tau or top);"
        " repeatable.",
        metavar="FIGURE=X", many=True, gather=numbers_by_name)] = None,
    lean: Annotated[_Numbers, Option(
        "Largest allowed increase in the dependence of errors on a doc property (length, overlap,"
        " language, a field), in grades per standard deviation; default with --property: .1;"
        " repeatable.",
        metavar="NAME=X", many=True, gather=numbers_by_name)] = None,
    open_verdict: Annotated[Literal["pass", "fail"], Option(
        "Whether an open verdict passes or fails.", ("--open",))] = "pass",
    accept: Annotated[bool, Option(
        "If the new judge passes, copy its labels over the baseline's file.")] = False,
    seed: Seed = 0,
    **scope: Unpack[GateScope],
) -> Gate:  # fmt: skip
    """Check whether a new model judge is as good as the current judge.

    Columns: figure, baseline, new, difference, low, high, margin, verdict. Both judges are compared
    with the same human labels. The figure `alpha` is Krippendorff's ordinal alpha, and `agreement`
    is the share of docs with the same grade. `bias` is the mean grade minus the human mean.
    `coverage` is the exact share of the docs with human labels that the judge graded. With runs,
    there are also `tau` (Kendall's tau-b of the systems), `top` (order of the best systems) and
    `loss`. `loss` is the score under human labels that is lost if the judge's labels are used to
    choose a system. The difference is positive if the new judge is better. `low` and `high` are the
    limits of the difference's 95% interval, paired over topics, or over docs if there are fewer
    than 8 topics. A figure passes if `low` is at least -margin, fails if `high` is below -margin,
    and is open otherwise. For open figures, a note estimates how many human labels would settle the
    verdict. With --at-least, there is a row such as `alpha>=`, with the interval of the new judge's
    value, and the bound in the column `margin`. With --lean and --property, there are rows such as
    `leans-on:length`. Such rows show how much a judge's errors, for a given topic and human grade,
    depend on a property of the docs.

    The exit status is 1 if a row fails, and 0 otherwise. With --open fail, the status is also 1 if
    a row is open. Use --format markdown to write a summary for a CI step.

    Returns
    -------
    Gate
        The `rows`, each with a verdict, and the overall `verdict`.

    Raises
    ------
    UnknownNameError
        If a figure or label set is unknown.
    UsageError
        If a margin is negative, or there are several measures.
    InputError
        If a file is malformed, or no doc has grades by both judges and in the human labels.

    Examples
    --------
    >>> from qrelsmith import gate
    >>> people = {f"t{t}": {f"d{d}": (t * d) % 3 for d in range(20)} for t in range(9)}
    >>> good = {t: {d: min(g + (d == "d7"), 2) for d, g in of.items()} for t, of in people.items()}
    >>> poor = {t: {d: int(d[1:]) % 3 for d in of} for t, of in people.items()}
    >>> print(gate(good, baseline=good, reference=people).verdict)
    pass
    >>> print(gate(poor, baseline=good, reference=people).verdict)
    fail
    """
    margins, at_least = dict(margins or {}), dict(at_least or {})
    check_figures(margins, at_least, lean or {})
    sources = JudgeSources.of(labels, reference, scope)
    if sources.campaign is not None and label_set is None:
        raise UsageError("a campaign needs --label-set with the name of the new judge's label set")
    path = sources.path_of(labels, label_set)
    if accept:
        check_files(path, baseline)
    people, old = sources.people(reference), sources.read(baseline)
    new = sources.read(labels if sources.campaign is None else label_set)
    judges, notes = sources.pair(
        people, old, new, means=sources.means_of_people(reference),
        runs=runs, measures=measures, seed=seed,
    )  # fmt: skip
    leans = dict.fromkeys(name_list(scope["properties"]), LEAN_MARGIN) | dict(lean or {})
    leanings = lean_figures(judges, leans, *sources.docs_and_topics())
    rows = gate_rows(judges, margins, at_least)
    rows += tuple(
        margin_row(name, leanings[name], margin, is_same=judges.is_same(of_runs=False),
                   labels=len(judges.docs))
        for name, margin in zip(leanings, leans.values(), strict=True)
    )  # fmt: skip
    found = Gate(rows=rows, fail_open=open_verdict == "fail")
    notes += [row.sentence() for row in rows if row.verdict == "open"]
    if accept:
        notes.append(accept_labels(found, path, baseline))
    return replace(found, notes=tuple(notes))


def gate_rows(
    judges: PairedJudges, margins: Mapping[str, float], at_least: Mapping[str, float]
) -> tuple[GateRow, ...]:
    """Return one row per available figure, then one row per bound.

    Parameters
    ----------
    margins : mapping of str to float
        Allowed deterioration by figure, if not the default.
    at_least : mapping of str to float
        The bounds.

    Raises
    ------
    UsageError
        If a requested figure needs runs and there are none.
    """
    rows, bounds = [], []
    for entry in sorted(FIGURES.entries(), key=lambda entry: entry.about["place"]):
        name = entry.name
        if entry.about["of_runs"] and judges.scores is None:
            if name in margins or name in at_least:
                raise UsageError(f"{name} needs runs; expected RUN... after the labels")
            continue
        figure = entry.function(judges)
        is_same = judges.is_same(of_runs=entry.about["of_runs"])
        margin = margins.get(name, entry.about["margin"])
        labels = len(judges.docs)
        rows.append(margin_row(name, figure, margin, is_same=is_same, labels=labels))
        if name in at_least:
            bounds.append(bound_row(name, figure, at_least[name], labels=labels))
    return (*rows, *bounds)


def check_files(new: Any, baseline: Any) -> None:
    """Check that the new labels and the baseline are both files.

    Raises
    ------
    UsageError
        If the labels or the baseline are not a file.
    """
    if not (isinstance(new, str | PathLike) and Path(new).is_file()):
        raise UsageError(
            "NEW is not a file; expected a file, because --accept copies the new labels"
        )
    if not (isinstance(baseline, str | PathLike) and Path(baseline).is_file()):
        raise UsageError(
            "--baseline is not a file; expected a file, because --accept overwrites the baseline"
        )


def accept_labels(gate: Gate, new: Any, baseline: Any) -> str:
    """Copy the new labels over the baseline's file if every row passes, and return a note.

    Parameters
    ----------
    new, baseline : path
        The files.
    """
    if gate.verdict != "pass":
        return (
            f"the labels were not accepted, because the gate is {gate.verdict}; {baseline} is"
            " unchanged"
        )
    content = Path(new).read_bytes()  # readers know a compressed file by its content
    with replacing(baseline) as out:
        out.write(content)
    return f"the labels were accepted: {new} was copied to {baseline}"
