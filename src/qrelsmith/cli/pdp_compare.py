"""`qrelsmith pdp compare`."""

from __future__ import annotations

from typing import Any, Literal

import click

from qrelsmith.cli.options import Common, common_options, topic_set_option
from qrelsmith.cli.pdp_options import flags_in_messages, pdp_options
from qrelsmith.cli.preference_options import label_set_options
from qrelsmith.cli.run_files import check_named_once, label_files
from qrelsmith.io.writing import write_text, write_together


@click.command(
    name="pdp compare",
    epilog="Example: qrelsmith pdp compare four.csv seven.csv --preferences preferences.csv",
)
@click.argument("files", type=click.Path(), nargs=-1, metavar="CAMPAIGN|SETTING...")
@click.option(
    "--preferences", type=click.Path(), multiple=True,
    help="A file of preferences that tell how docs compare; repeat for more.  [default: those of"
    " the campaigns]",
)  # fmt: skip
@label_set_options
@click.option(
    "--per-pair", type=click.IntRange(min=1), default=100, show_default=True,
    help="How many tests each pair of grades should have; what lacks is missing.",
)  # fmt: skip
@click.option(
    "--write-contradicted", type=click.Path(),
    help="Write here the pairs whose assessors contradict each other, for them to discuss.",
)  # fmt: skip
@click.option("--write-missing", type=click.Path(), help="Write here which tests are missing.")
@pdp_options(
    runs="the docs are the first ones of each run that every setting grades. Repeat for more."
    "  [default: those of the first campaign that has runs, else lists of --depth docs drawn at"
    " random]",
    mode="both",
    within="all; of a campaign's runs 10",
    batches="all where batches have too few tests",
)
@click.option(
    "-B", "--resamples", type=click.IntRange(min=0), default=1000, show_default=True,
    help="Bootstrap samples behind intervals and p.",
)  # fmt: skip
@topic_set_option
@click.option(
    "--scale", multiple=True, metavar="SCALE",
    help="Levels such as 0..3: once for all settings, or one for each in their order.  [default: a"
    " campaign's, else 0 to the highest grade of the setting]",
)  # fmt: skip
@click.option(
    "--off-scale", type=click.Choice(["error", "missing"]), default="error", show_default=True,
    help="What a grade off the scale is.",
)  # fmt: skip
@common_options
@write_together()
def command(
    common: Common,
    files: tuple[str, ...],
    label_set: tuple[str, ...],
    preferences: tuple[str, ...],
    runs: tuple[str, ...],
    scale: tuple[str, ...],
    off_scale: Literal["error", "missing"],
    write_missing: str | None,
    write_contradicted: str | None,
    **options: Any,
) -> None:
    """Compare ways of labelling by PDP: which tells docs apart better.

    Each SETTING is a judgments file, qrels, a folder with the qrels of each assessor, or a campaign
    with its judgments; their scales may differ. The first, or --reference, is what the others are
    held against, on the docs that all of them grade. Of one CAMPAIGN the label sets are compared.
    Columns: setting, mode, levels, topics, pdp, low, high, difference, difference_low,
    difference_high, p, p_topics, tests, missing, to_decide, over.

    difference is the setting's PDP less that of the first, in nats: below 0, it tells docs apart
    better. Interval and p are from a paired bootstrap over topics and preferences; p_topics is a
    paired t test over topics alone. tests are those between docs of different grades, missing the
    ones that pairs of grades lack to --per-pair, to_decide about how many more would decide the
    difference (inf: only more topics would).
    """
    from qrelsmith.base.scales import Scale
    from qrelsmith.cli.run_files import is_campaign
    from qrelsmith.discrimination.pdp_compare import pdp_compare

    is_one = len(files) == 1 and is_campaign(files[0])
    labels, names = label_files(files, label_set) if is_one else ([*files, *label_set], [])
    if off_scale == "missing" and not scale:
        raise click.UsageError("--off-scale missing needs --scale")
    scales = [Scale.parse(text) for text in scale]
    check_named_once(runs)
    chosen = {name: value for name, value in options.items() if value is not None}
    with flags_in_messages():
        result = pdp_compare(
            labels[0] if is_one else labels,
            list(preferences) or None,
            list(runs) or None,
            label_set=names,
            scale=scales[0] if len(scales) == 1 else scales or None,
            off_scale=off_scale,
            seed=common.seed,
            jobs=common.jobs,
            **chosen,
        )
    if write_missing is not None:
        write_text(write_missing, result.missing().text("csv"))
    if write_contradicted is not None:
        write_text(write_contradicted, result.contradicted.text("csv"))
    common.say(result.notes)
    common.emit(result.table())
