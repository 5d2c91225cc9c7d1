"""`qrelsmith transform`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import click

from qrelsmith.analyses.cut_tables import CutTable, cut_labels, read_cut_table
from qrelsmith.analyses.label_transforms import (
    Operation,
    aggregate_notes,
    aggregated,
    assumed_scale,
    check_whole,
    completed,
    log_summed,
    transformed,
)
from qrelsmith.cli.aggregate import labels_of
from qrelsmith.cli.label_output import emit_judgments, emit_qrels
from qrelsmith.cli.options import (
    Common,
    common_options,
    parse_scale,
    scale_options,
    topic_set_option,
)
from qrelsmith.data.judgments import Judgments, labels_form
from qrelsmith.data.qrels import Qrels, read_qrels
from qrelsmith.data.topic_set import read_topic_set, restricted
from qrelsmith.errors import InputError, UsageError
from qrelsmith.scale_operations import Cuts, Extension, Reduction, Relabelling, log_sum_scale
from qrelsmith.scales import Scale, assumed_note, grade_text, levels_seen, shown_scale

_NAMED = 12  # grades that an error lists
_NO_GRADE = "there is no grade, only codes below 0"
_ANY = Scale((0.0, 1.0))  # a scale that every well-formed operation can be read for


@dataclass(frozen=True, slots=True)
class Asked:
    """The operation that was asked for, as it was written; one field is not None."""

    reduce: str | None
    extend: str | None
    w: str | None
    cuts: str | None
    relabel: str | None
    logsum: bool

    def __post_init__(self) -> None:
        given = [
            name
            for name in ("reduce", "extend", "cuts", "relabel", "logsum")
            if getattr(self, name) not in (None, False)
        ]
        if len(given) != 1:
            got = " and ".join(f"--{name}" for name in given) or "none"
            raise click.UsageError(
                "expected one of --reduce, --extend, --cuts, --relabel and --logsum; got " + got
            )
        if self.extend is not None and self.w is None:
            raise click.UsageError("--extend needs --w: how certain the draw is")
        if self.w is not None and self.extend is None:
            raise click.UsageError("--w goes with --extend")

    def operation(self, source: Scale | None) -> Operation:
        """The operation, where it is not the log-sum; cuts by name depend on the source scale."""
        if self.reduce is not None:
            return Reduction.parse(self.reduce)
        if self.extend is not None:
            return Extension.parse(self.extend, self.w or "")
        if self.cuts is not None:
            return Cuts.parse(self.cuts, source=source)
        return completed(Relabelling.parse(self.relabel or ""), source)

    def cut_table(self) -> CutTable | None:
        """The cuts of a file that is named in their place; None where no file is."""
        if self.cuts is None:
            return None
        try:
            Cuts.parse(self.cuts, source=_ANY)
        except UsageError as error:
            if not Path(self.cuts).exists():
                raise UsageError(f"{error}, or a file that cut wrote") from None
            return read_cut_table(self.cuts)
        return None

    @property
    def relabelled(self) -> Scale | None:
        """The grades that a relabelling names, which are then all that there may be."""
        if self.relabel is None:
            return None
        named = sorted(old for old, _ in Relabelling.parse(self.relabel).pairs if old >= 0)
        return Scale(tuple(named)) if named else None


@click.command(
    name="transform",
    epilog='Example: qrelsmith transform nist.qrels --reduce ">=2" --scale 0..3 -o binary.qrels',
)
@click.argument("files", type=click.Path(), nargs=-1, required=True, metavar="FILE...")
@click.option("--reduce", metavar='">=M"', help="Grades from M on become 1, all others 0.")
@click.option(
    "--extend", metavar="LEVELS", help="Draw levels of a finer scale, 0 to LEVELS-1; needs --w."
)
@click.option(
    "--w", metavar="W", help="How certain the draw is: 0 (any level) to inf (the nearest one)."
)
@click.option(
    "--cuts", metavar="C1:C2:…",
    help="How many cuts a grade is above; or relaxed, middle, rigid: one cut by its name; or a file"
    " that cut wrote: the cuts of each topic.",
)  # fmt: skip
@click.option("--relabel", metavar="OLD=NEW,…", help="New grades for old ones, codes below 0 too.")
@click.option("--logsum", is_flag=True, help="The integer part of log2(sum of the grades + 1).")
@topic_set_option
@scale_options
@common_options
def command(
    common: Common,
    files: tuple[str, ...],
    reduce: str | None,
    extend: str | None,
    w: str | None,
    cuts: str | None,
    relabel: str | None,
    logsum: bool,
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Move the labels of FILE, qrels or judgments, to another scale: exactly one operation.

    The output has the form of the input (--format names another) and all its columns; a note says
    which scale it is on. Codes below 0 stay as they are, unless --relabel names them; a relabelling
    that names a grade must name all there are. The draws of --extend belong to --seed, topic, doc
    and assessor (of qrels, the name of the file). --logsum adds the grades of a doc's assessors,
    takes several qrels too, one FILE per assessor, and its result is qrels.
    """
    asked = Asked(reduce, extend, w, cuts, relabel, logsum)
    table = asked.cut_table()
    if len(files) > 1 and not logsum:
        raise click.UsageError(f"got {len(files)} files; expected one (--logsum takes several)")
    given = parse_scale(scale, off_scale)
    if not logsum and table is None:
        asked.operation(_ANY)  # what cannot be read is told before a long file is
    labels, form = _read(files, given, off_scale, topic_set)
    if given is None and asked.relabelled is not None:
        _check_named(labels, asked.relabelled, asked.relabel, path=files[0])
    source = given or assumed_scale(labels)
    guessed = given is None and asked.relabelled is None
    try:
        if logsum:
            qrels, notes = _log_sums(labels, source)
            emit: Callable[[Common], None] = partial(emit_qrels, qrels)
        elif table is not None:
            emit, notes = _cut_by_topic(labels, form, table, source)
        else:
            emit, notes = _transformed(labels, form, asked, source, given, common.seed)
    except UsageError as error:
        hint = "; --scale names the levels, which were guessed" if guessed else ""
        raise InputError(f"{error}{hint}", path=files[0]) from None
    if guessed and source is not None:
        common.say([assumed_note(source)])
    common.say(notes)
    emit(common)


def _read(
    files: tuple[str, ...],
    scale: Scale | None,
    off_scale: Literal["error", "missing"],
    topic_set: str | None,
) -> tuple[Qrels | Judgments, str]:
    """The labels, and the form of their file."""
    form = labels_form(files[0])
    if len(files) == 1 and form == "qrels":
        qrels = read_qrels(files[0], scale=scale, off_scale=off_scale)
        if topic_set is not None:
            qrels = restricted(qrels, read_topic_set(topic_set), path=topic_set)
        return qrels, form
    return labels_of(files, scale, off_scale, topic_set), form


def _check_named(
    labels: Qrels | Judgments, named: Scale, relabelling: str | None, *, path: str
) -> None:
    """Raise `InputError` unless a relabelling that names grades names all there are."""
    lacking = [
        grade_text(level) for level in levels_seen(labels.grade) if level not in named.levels
    ]
    if lacking:
        raise InputError(
            f"the relabelling {relabelling} does not name {', '.join(lacking[:_NAMED])}", path=path
        )


def _log_sums(labels: Qrels | Judgments, source: Scale | None) -> tuple[Qrels, list[str]]:
    """Log-sums of each doc's grades, and what is to be said of them."""
    if isinstance(labels, Qrels):
        qrels, most, notes = log_summed(labels), 1, []
    else:
        result = aggregated(labels, "logsum")
        qrels, most, notes = result.qrels, result.most, aggregate_notes(result)
    if source is None:
        return qrels, [_NO_GRADE]
    target = log_sum_scale(source, most)
    label = f"{len(source.levels)}to{len(target.levels)}(logsum)"
    return qrels, [*notes, _moved(label, target)]


def _transformed(
    labels: Qrels | Judgments,
    form: str,
    asked: Asked,
    source: Scale | None,
    given: Scale | None,
    seed: int,
) -> tuple[Callable[[Common], None], list[str]]:
    """What writes the transformed labels, and what is to be said of them."""
    operation = asked.operation(source)
    if given is None and isinstance(operation, Extension):
        check_whole(labels)
    notes = [_NO_GRADE]
    if isinstance(operation, Relabelling):
        notes = [_moved(f"relabelled {asked.relabel}", operation.target)]
    elif source is not None:
        notes = [_moved(operation.label(source), operation.target)]
    if isinstance(labels, Qrels):
        qrels = transformed(labels, operation, source=source, seed=seed)
        return partial(emit_qrels, qrels), notes
    told = [name for name in ("label", "scale") if getattr(labels, name) is not None]
    if told:
        notes.append(f"not changed, and still about the old grades: {', '.join(told)}")
    judgments = transformed(labels, operation, source=source, seed=seed)
    return partial(emit_judgments, judgments, form=form), notes


def _cut_by_topic(
    labels: Qrels | Judgments, form: str, table: CutTable, source: Scale | None
) -> tuple[Callable[[Common], None], list[str]]:
    """What writes labels under the cuts of their topics, and what is to be said of them."""
    if isinstance(labels, Qrels):
        qrels, without = cut_labels(labels, table, source=source)
        emit: Callable[[Common], None] = partial(emit_qrels, qrels)
    else:
        judgments, without = cut_labels(labels, table, source=source)
        emit = partial(emit_judgments, judgments, form=form)
    count = "?" if source is None else str(len(source.levels))
    target = Scale(tuple(float(level) for level in range(table.levels)))
    notes = [_moved(f"{count}to{table.levels}(cuts of each topic)", target)]
    if without:
        notes.append(f"topics without cuts, which are left out: {', '.join(without)}")
    return emit, notes


def _moved(label: str, target: Scale) -> str:
    return f"{label}: the grades are now on the scale {shown_scale(target)}"
