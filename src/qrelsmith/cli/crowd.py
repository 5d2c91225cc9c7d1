"""`qrelsmith app crowd`: HITs for workers of a crowd platform."""

from __future__ import annotations

from typing import Annotated, Literal

from qrelsmith.base.options import Option, Source
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import CampaignFolder
from qrelsmith.cli.options import Common, common_options
from qrelsmith.topk.crowd.platforms import PLATFORMS


@action(
    "app crowd open",
    example="qrelsmith app crowd open my-campaign pairs --on prolific --study-code C1A2B3",
)
@common_options()
def open_(
    common: Common,
    campaign: CampaignFolder,
    kind: Annotated[Literal["pairs", "docs", "answers"], Source(
        "Kind.", "", many=False, required=True)],
    platform: Annotated[str, Option(
        "Platform of the workers.", ("--on",), choices=PLATFORMS.names)],
    name: Annotated[str, Option("Name of the batch; default: the kind and a number.")] = "",
    pilot: Annotated[float | None, Option(
        "Share of the topics to use as a pilot, drawn at random.",
        metavar="SHARE", above=0, most=1)] = None,
    study_code: Annotated[str, Option("Completion code of the study on Prolific.")] = "",
    url: Annotated[str, Option("URL of the app.")] = "http://127.0.0.1:8000",
) -> None:  # fmt: skip
    """Create a batch of HITs from CAMPAIGN's open work, and print the data to publish.

    With `pairs`, the HITs contain the open pairs of the preference tasks (see `prefer`) and
    attention checks. With `docs`, the batch contains the open HITs of assignments.csv (see
    `assign`), and attention checks from challenge_docs.csv. With `answers`, the batch
    contains the open HITs of answers, and attention checks from challenge_aspects.csv. The training
    comes from training_pairs.csv or training_docs.csv; HITs of answers have no training.
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
    if not batch.training and kind != "answers":
        notes.append(f"there is no training_{kind}.csv, so workers start without training")
    common.say(notes)
    common.emit(to_publish(batch, url))
