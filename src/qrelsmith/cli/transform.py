"""`qrelsmith transform`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

import click

from qrelsmith.base.errors import UsageError
from qrelsmith.cli.label_output import emit_judgments, emit_qrels
from qrelsmith.cli.options import (
    Common,
    common_options,
    label_set_option,
    parse_scale,
    scale_options,
    topic_set_option,
)
from qrelsmith.cli.run_files import label_files

if TYPE_CHECKING:
    from qrelsmith.collection.qrels import QrelsForm
    from qrelsmith.judgments.scale_operations import Cuts


@click.command(
    name="transform",
    epilog='Example: qrelsmith transform nist.qrels --reduce ">=2" --scale 0..3 -o binary.qrels',
)
@click.argument("files", type=click.Path(), nargs=-1, metavar="CAMPAIGN|FILE...")
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
    " that cut wrote: the cuts of each topic or assessor.",
)  # fmt: skip
@click.option("--relabel", metavar="OLD=NEW,…", help="New grades for old ones, codes below 0 too.")
@click.option("--logsum", is_flag=True, help="The integer part of log2(sum of the grades + 1).")
@label_set_option
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
    label_set: str | None,
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Transform labels to another scale.

    Labels, qrels or judgments, by exactly one operation.

    The output has the form of the input (--format names another) and all its columns; a note says
    which scale it is on. Codes below 0 stay as they are, unless --relabel names them; a relabelling
    that names a grade must name all there are. The draws of --extend belong to --seed, topic, doc
    and assessor (of qrels, the name of the file). --logsum adds the grades of a doc's assessors,
    takes several qrels too, one FILE per assessor, and its result is qrels. Of a CAMPAIGN its
    judgments are moved or, without any, its reference.
    """
    from qrelsmith.cuts.transform import transform
    from qrelsmith.judgments.judgment_files import Judgments
    from qrelsmith.judgments.scale_operations import Extension, Reduction, Relabelling

    labels, names = label_files(files, [] if label_set is None else [label_set])
    if len(labels) > 1 and not logsum:
        raise click.UsageError(f"got {len(labels)} files; expected one (--logsum takes several)")
    result = transform(
        labels[0] if len(labels) == 1 else labels,
        reduce=None if reduce is None else Reduction.parse(reduce),
        extend=None if extend is None else Extension.parse(extend, "0").levels,
        w=None if w is None else Extension.parse("1", w).w,
        cuts=None if cuts is None else _cuts(cuts),
        relabel=None if relabel is None else Relabelling.parse(relabel),
        logsum=logsum,
        label_set=names[0] if names else None,
        topic_set=topic_set,
        scale=parse_scale(scale, off_scale),
        off_scale=off_scale,
        seed=common.seed,
    )
    common.say(result.notes)
    if isinstance(result.labels, Judgments):
        emit_judgments(result.labels, common, form=result.form)
    else:
        emit_qrels(result.labels, common, form=cast("QrelsForm", result.form))


def _cuts(text: str) -> Cuts | str:
    """Cuts as they are written; else a cut's name, or a file of cuts."""
    from qrelsmith.judgments.scale_operations import Cuts

    try:
        return Cuts.parse(text)
    except UsageError:
        return text
