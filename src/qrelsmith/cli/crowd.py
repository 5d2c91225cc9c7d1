"""`qrelsmith app crowd`: HITs for workers of a crowd platform."""

from __future__ import annotations

import click

from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.options import Common, common_options
from qrelsmith.topk.crowd.platforms import PLATFORMS


@action(
    "app crowd open",
    example="qrelsmith app crowd open my-campaign pairs --on prolific --study-code C1A2B3",
)
@click.argument("campaign", type=click.Path())
@click.argument("kind", type=click.Choice(["pairs", "docs"]))
@click.option(
    "--on", "platform", type=click.Choice(PLATFORMS.names()), required=True,
    help="Where the workers come from.",
)  # fmt: skip
@click.option("--name", default="", help="What the batch is called; default: the kind, numbered.")
@click.option(
    "--pilot", type=click.FloatRange(0, 1, min_open=True), metavar="SHARE",
    help="Only a random share of the topics, to begin with.",
)  # fmt: skip
@click.option("--study-code", default="", help="The completion code of the study on Prolific.")
@click.option(
    "--url", default="http://127.0.0.1:8000", show_default=True, help="The address of the app."
)
@common_options()
def open_(
    common: Common,
    campaign: str,
    kind: str,
    platform: str,
    name: str,
    pilot: float | None,
    study_code: str,
    url: str,
) -> None:
    """Create a batch of HITs from the open work of CAMPAIGN, and print what to publish.

    pairs: the open pairs of the contests (see prefer), in HITs with challenge pairs. docs: the open
    HITs of assignments.csv (see assign), with docs of challenge_docs.csv. Training is what
    training_pairs.csv or training_docs.csv hold.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.crowd.opening import WantedBatch, open_batch
    from qrelsmith.web.crowd.overview import to_publish
    from qrelsmith.web.project import current_instance

    wanted = WantedBatch(kind, platform, name=name, pilot=pilot, study_code=study_code)
    batch = open_batch(current_instance().campaign, wanted)
    note_command("crowd open", batch.name)
    notes = [f"the batch {batch.name} has {batch.hits.count()} HITs"]
    if not batch.training:
        notes.append(f"there is no training_{kind}.csv, so workers begin without training")
    common.say(notes)
    common.emit(to_publish(batch, url))
