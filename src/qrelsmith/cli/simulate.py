"""`qrelsmith simulate`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import click

from qrelsmith.base.options import Option, Source
from qrelsmith.cli.actions import action
from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.planning import damage_plants  # noqa: F401 (registers the damages)
from qrelsmith.planning.damaged_groups import PLANTS
from qrelsmith.planning.simulation.designs import DESIGNS


@action(
    "simulate campaign",
    short="Simulate a whole campaign with the assessors' log.",
    example="qrelsmith simulate campaign www4 --seed 1 -o simulated",
    renamed={"--topics": "--topic-count"},
)
@common_options("seed")
def campaign(
    common: Common,
    design: Annotated[str, Source("Design.", "[DESIGN]", many=False)] = "small",
    topic_count: Annotated[int | None, Option("Number of topics; default: as in"
                                              " the design.", least=1)] = None,
    depth: Annotated[int | None, Option("Depth of the pools; default: as in"
                                        " the design.", least=1)] = None,
    damages: Annotated[tuple[str, ...], Option(
        "Simulate this data problem in a group's labels (default: the last group); repeatable.",
        ("--damage",), metavar="NAME[:SIZE][@GROUP]")] = (),
    print_design: Annotated[bool, Option(
        "Only print the design as TOML, for editing.")] = False,
) -> None:  # fmt: skip
    """Simulate a campaign, and write a campaign folder for the audit.

    DESIGN is the name of a built-in design or a TOML file (--print-design shows an example). The
    folder gets campaign.toml, topics, runs, pools, assignments, judgments and the true grades as
    qrels. The judgments include their log: the times at which each doc was shown and judged, and
    corrections as later revisions. Printed columns: group, assessors, topics, judgments,
    corrections, hours. The same seed always gives the same campaign.
    """
    from qrelsmith.planning.campaign_designs import campaign_design_text
    from qrelsmith.planning.simulate_campaign import changed_design, simulate_campaign
    from qrelsmith.planning.simulated_campaign import check_new

    if print_design:
        chosen = changed_design(design, topics=topic_count, depth=depth)
        common.put(campaign_design_text(chosen).encode("utf-8"))
        return
    if common.output is None:
        raise click.UsageError("no folder given; expected -o FOLDER")
    check_new(common.output)
    result = simulate_campaign(
        design, topic_count=topic_count, depth=depth, damages=damages, seed=common.seed
    )
    steps = 1 + result.design.systems.count
    with progress("writing", steps, quiet=common.quiet) as advance:
        result.write(common.output, advance=advance)
    common.say([f"the campaign is in {common.output}"])
    common.say([each.sentence() for each in result.planted])
    replace(common, output=None).emit(result.table())


_sizes = "; ".join(
    f"{entry.name}:{entry.about['size']:g} ({entry.about['unit']})" for entry in PLANTS.entries()
)
campaign.help = (
    f"{campaign.help}\n\n    Designs: {', '.join(DESIGNS.names())}."
    f"\n\n    Data problems with their default sizes: {_sizes}."
)
