"""`qrelsmith disagree`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

import click

from qrelsmith.analyses.disagreement_rules import SERIOUS, Rule
from qrelsmith.analyses.disagreements import (
    cross_counts,
    disagreement_counts,
    orderings_compared,
)
from qrelsmith.analyses.gold_bronze import GoldBronze, gold_and_bronze
from qrelsmith.analyses.rejudging import Rejudged, rejudged, round_docs, serious
from qrelsmith.cli.judgment_source import read_source
from qrelsmith.cli.options import Common, Finite, common_options, scale_options, topic_set_option
from qrelsmith.data.campaign import Campaign
from qrelsmith.data.judging_rounds import write_round
from qrelsmith.data.judgments import read_judgments
from qrelsmith.data.pools import Pools
from qrelsmith.errors import UsageError
from qrelsmith.scales import grade_text
from qrelsmith.tables import Table

_SHOWS = ("disagreements", "grades", "tests", "serious", "rejudged")


@click.command(
    name="disagree",
    epilog="Example: qrelsmith disagree judgments.csv --gold gold --ordering prioritised"
    " --write-round round-2.pool --depth 30",
)
@click.argument("files", type=click.Path(), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--gold", metavar="NAME",
    help="The group (or assessor in none) that is Gold; of a campaign the one with that role.",
)  # fmt: skip
@click.option(
    "--bronze", multiple=True, metavar="NAME",
    help="A group (or assessor in none) that is Bronze; repeat. Default: all others.",
)  # fmt: skip
@click.option(
    "--ordering", "orderings", multiple=True, metavar="NAME",
    help="Only docs that Gold was shown in this ordering; repeat.",
)  # fmt: skip
@click.option(
    "--show", type=click.Choice(_SHOWS), default=_SHOWS[0], show_default=True,
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
    "--rejudged", "second", type=click.Path(), metavar="JUDGMENTS",
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
    gold: str | None,
    bronze: tuple[str, ...],
    orderings: tuple[str, ...],
    show: str,
    rules: tuple[str, ...],
    round_file: str | None,
    depth: int | None,
    second: str | None,
    relevant: float,
    high: float | None,
    errors: Literal["missing", "nonrelevant"],
    topic_set: str | None,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Where Gold and Bronze disagree: a judgments FILE, a campaign, or qrels, a FILE per assessor.

    A group says the lower median of its assessors' grades. Docs that Gold and every Bronze voice
    judged are counted. --show disagreements: gold_says, ordering, gold, bronze, docs, of (docs that
    Gold calls so); Gold says relevant and some voice does not, or Gold says not relevant and every
    voice does. grades: every combination of grades. tests: equal shares under every two orderings.
    serious: the docs to which a --rule applies. rejudged: what the second round says of them.

    A rule is conditions joined by `and`: gold, all or any (of the Bronze grades), one of < <= > >=
    == !=, and a grade, relevant or high. No file of an earlier round is ever overwritten.
    """
    parsed = [Rule.parse(text) for text in rules]
    if (show == "rejudged") != (second is not None):
        raise click.UsageError("--show rejudged and --rejudged JUDGMENTS go together")
    if round_file is not None and depth is None:
        raise click.UsageError("--write-round needs --depth, which the header of a pool file says")
    judgments, levels, read, campaign = read_source(files, scale, off_scale, topic_set)
    _check_outputs([str(p) for p in (*read, second) if p is not None], common.output, round_file)
    gold = gold or _gold_of(campaign)
    labels = gold_and_bronze(judgments, gold, bronze, errors=errors)
    if labels.unmatched:
        common.say(
            [f"docs of {gold} that not all of the others judged: {labels.unmatched}, left out"]
        )
    if orderings:
        labels = labels.of_orderings(orderings)
    if high is None:
        top = max(labels.gold.max(), labels.bronze.max()) if levels is None else levels.top
        high = max(float(top), relevant)
        common.say([f"highly relevant is taken to be the grade {grade_text(high)}"])
    listed = serious(labels, parsed, relevant=relevant, high=high)
    if round_file is not None and depth is not None:
        _write_round(listed, round_file, depth, common)
    if show == "disagreements":
        common.emit(_counts(labels, relevant, high))
    elif show == "grades":
        common.emit(_grades(labels))
    elif show == "tests":
        common.emit(_tests(labels, relevant))
    elif show == "serious":
        common.emit(_listed(listed))
    elif second is not None:
        new = read_judgments(second, scale=levels, off_scale=off_scale)
        common.emit(_rejudged(rejudged(listed, new), common))


def _gold_of(campaign: Campaign | None) -> str:
    """The group with the role gold."""
    groups = {} if campaign is None else campaign.groups
    gold = [name for name, group in groups.items() if group.role == "gold"]
    if len(gold) != 1:
        raise click.MissingParameter(param_hint="'--gold'", param_type="option")
    return gold[0]


def _check_outputs(read: list[str], output: object, round_file: str | None) -> None:
    """Refuse to write over what was judged."""
    inputs = {Path(path).resolve() for path in read}
    for path in (output, round_file):
        if path is not None and Path(str(path)).resolve() in inputs:
            raise UsageError(
                f"{path} holds judgments, which are never overwritten; name another file"
            )


def _write_round(listed: GoldBronze, path: str, depth: int, common: Common) -> None:
    ordering, docs = round_docs(listed)
    # The order is the recorded one, in which each topic had the seed of its own assignment.
    write_round(Pools(ordering, depth, None, docs), path)
    count = sum(map(len, docs.values()))
    common.say([f"docs to be judged again: {count}, in {path} (topics: {len(docs)})"])
    if ordering != listed.orderings[0]:
        common.say(
            [f"{listed.gold_name}'s judgments do not say the order: {path} is in docno order"]
        )


def _counts(labels: GoldBronze, relevant: float, high: float) -> Table:
    return Table.of(
        ("gold_says", "ordering", "gold", "bronze", "docs", "of"),
        [
            (
                row.gold_says, row.ordering, None if row.gold is None else grade_text(row.gold),
                row.bronze, row.docs, row.of,
            )
            for row in disagreement_counts(labels, relevant=relevant, high=high)
        ],
    )  # fmt: skip


def _grades(labels: GoldBronze) -> Table:
    return Table.of(
        ("ordering", labels.gold_name, *labels.voices, "docs"),
        [
            (ordering, grade_text(gold), *map(grade_text, bronze), docs)
            for ordering, gold, bronze, docs in cross_counts(labels)
        ],
    )


def _tests(labels: GoldBronze, relevant: float) -> Table:
    columns = (
        "gold_says", "ordering_a", "ordering_b", "docs_a", "of_a", "docs_b", "of_b", "share_a",
        "share_b", "difference", "low", "high", "p",
    )  # fmt: skip
    return Table.of(
        columns,
        [
            (
                row.gold_says, row.first, row.second, row.hits[0], row.totals[0], row.hits[1],
                row.totals[1], row.test.first, row.test.second, row.test.difference, row.test.low,
                row.test.high, row.test.p,
            )
            for row in orderings_compared(labels, relevant=relevant)
        ],
    )  # fmt: skip


def _listed(listed: GoldBronze) -> Table:
    return Table.of(
        ("topic", "doc", "position", "ordering", "assessor", listed.gold_name, *listed.voices),
        [
            (
                *listed.docs[row], _whole(float(listed.positions[row])), listed.orderings[row],
                listed.assessors[row], grade_text(listed.gold[row]),
                *map(grade_text, listed.bronze[row].tolist()),
            )
            for row in listed.in_original_order().tolist()
        ],
    )  # fmt: skip


def _rejudged(found: Rejudged, common: Common) -> Table:
    if found.waiting:
        common.say([f"docs of the list that nobody has judged again: {found.waiting}"])
    if found.strangers:
        common.say([f"judgments of docs that are not on the list, passed over: {found.strangers}"])
    return Table.of(
        ("assessor", "topic", "rejudged", "grade", "docs", "share"),
        [
            (
                row.assessor, row.topic, row.rejudged, grade_text(grade), docs,
                docs / row.rejudged if row.rejudged else float("nan"),
            )
            for row in found.rows
            for grade, docs in row.counts.items()
        ],
    )  # fmt: skip


def _whole(position: float) -> int | None:
    return None if math.isnan(position) else int(position)
