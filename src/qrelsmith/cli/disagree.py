"""`qrelsmith disagree`."""

from __future__ import annotations

from typing import Any, Literal

import click

from qrelsmith.agreement.disagreement.disagree import SHOWS, Disagreements, disagree
from qrelsmith.agreement.disagreement.rules import SERIOUS
from qrelsmith.cli.options import (
    Common,
    Finite,
    common_options,
    parse_scale,
    scale_options,
    topic_set_option,
)
from qrelsmith.cli.run_files import campaign_folder


@click.command(
    name="disagree",
    epilog="Example: qrelsmith disagree judgments.csv --gold gold --ordering prioritised"
    " --write-round round-2.pool --depth 30",
)
@click.argument("files", type=click.Path(), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--gold", metavar="NAME",
    help="The group (or assessor in none) that is Gold; of a campaign its reference.",
)  # fmt: skip
@click.option(
    "--bronze", multiple=True, metavar="NAME",
    help="A group (or assessor in none) that is Bronze; repeat. Default: all others.",
)  # fmt: skip
@click.option("--reference", metavar="NAME", help="The same as --gold.")
@click.option(
    "--ordering", "orderings", multiple=True, metavar="NAME",
    help="Only docs that Gold was shown in this ordering; repeat.",
)  # fmt: skip
@click.option(
    "--show", type=click.Choice(SHOWS), default=SHOWS[0], show_default=True,
    help="What is printed.",
)  # fmt: skip
@click.option(
    "--rule", "rules", multiple=True, default=(SERIOUS,), show_default=True, metavar="RULE",
    help="Which disagreements are serious; repeat for more.",
)  # fmt: skip
@click.option(
    "--write-round", "round_file", type=click.Path(), metavar="POOL",
    help="Write the serious ones as a new round, in the order in which Gold saw them.",
)  # fmt: skip
@click.option(
    "--depth", type=click.IntRange(min=1), help="The depth of the pools, for --write-round."
)
@click.option(
    "--rejudged", type=click.Path(), metavar="JUDGMENTS",
    help="The judgments of the new round, for --show rejudged.",
)  # fmt: skip
@click.option(
    "--relevant", type=Finite(), default=1.0, show_default=True, help="The lowest relevant grade."
)
@click.option(
    "--high", type=Finite(), help="The lowest highly relevant grade; default: the scale's top."
)
@click.option(
    "--errors", type=click.Choice(["missing", "nonrelevant"]), default="missing",
    show_default=True, help="What the code -2 (could not be displayed) is.",
)  # fmt: skip
@topic_set_option
@scale_options
@common_options
def command(
    common: Common,
    files: tuple[str, ...],
    round_file: str | None,
    depth: int | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
    **options: Any,
) -> None:
    """Disagreements of Gold and Bronze, and a new round of judging.

    Of a judgments FILE, a campaign, or qrels, one FILE per assessor.

    A group says the lower median of its assessors' grades. Docs that Gold and every Bronze voice
    judged are counted. --show disagreements: gold_says, ordering, gold, bronze, docs, of (docs that
    Gold calls so); Gold says relevant and some voice does not, or Gold says not relevant and every
    voice does. grades: every combination of grades. tests: equal shares under every two orderings.
    serious: the docs to which a --rule applies. rejudged: what the second round says of them.

    A rule is conditions joined by `and` and `or`: gold, all or any (of the Bronze grades), one of
    < <= > >= == !=, and a grade, relevant or high. No file of an earlier round is ever overwritten.
    """
    from qrelsmith.judgments.campaign_sources import campaign_of

    levels = parse_scale(scale, "error" if campaign_folder(files) else off_scale)
    if (options["show"] == "rejudged") != (options["rejudged"] is not None):
        raise click.UsageError("--show rejudged and --rejudged JUDGMENTS go together")
    if round_file is not None and depth is None:
        raise click.UsageError("--write-round needs --depth, which the header of a pool file says")
    source = files[0] if len(files) == 1 else files
    unnamed = options["gold"] is None and options["reference"] is None
    if unnamed and campaign_of(source) is None:
        raise click.MissingParameter(param_hint="'--gold'", param_type="option")
    result = disagree(source, scale=levels, off_scale=off_scale, **options)
    common.say(result.notes)
    if round_file is not None and depth is not None:
        _write_round(result, round_file, depth, common)
    common.emit(result.table())


def _write_round(result: Disagreements, path: str, depth: int, common: Common) -> None:
    from qrelsmith.agreement.disagreement.judging_rounds import write_round
    from qrelsmith.agreement.disagreement.rejudging import round_docs
    from qrelsmith.collection.pools.pool_files import Pools

    listed = result.serious
    ordering, docs = round_docs(listed)
    # The order is the recorded one, in which each topic had the seed of its own assignment.
    write_round(Pools(ordering, depth, None, docs), path)
    count = sum(map(len, docs.values()))
    common.say([f"docs to be judged again: {count}, in {path} (topics: {len(docs)})"])
    if ordering != listed.orderings[0]:
        common.say(
            [f"{listed.gold_name}'s judgments do not say the order: {path} is in docno order"]
        )
