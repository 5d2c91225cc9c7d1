"""`qrelsmith app crowd`: batches, HITs in the batches, and the workers of the HITs."""

from __future__ import annotations

from typing import Annotated

from qrelsmith.base.options import Option, Source
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import Argument, CampaignFolder, Quiet
from qrelsmith.cli.options import Common, common_options


@action("app crowd publish", example="qrelsmith app crowd publish my-campaign pairs-1")
@common_options()
def publish(
    common: Common,
    campaign: CampaignFolder,
    batch: Argument,
    url: Annotated[str, Option("URL of the app.")] = "http://127.0.0.1:8000",
) -> None:  # fmt: skip
    """Show the data to copy to the platform: address, terms, worker requirements."""
    open_app(campaign, must_exist=True)
    from qrelsmith.web.crowd.overview import batch_named, to_publish

    common.emit(to_publish(batch_named(batch), url))


@action("app crowd batches", example="qrelsmith app crowd batches my-campaign")
@common_options()
def batches(common: Common, campaign: CampaignFolder) -> None:
    """List the batches with the number of HITs in each state.

    Columns: batch, kind, platform, group, is_open, open, taken, finished, discarded, abandoned.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.crowd.overview import batches_table

    common.emit(batches_table())


@action("app crowd hits", example="qrelsmith app crowd hits my-campaign pairs-1")
@common_options()
def hits(common: Common, campaign: CampaignFolder, batch: Argument) -> None:
    """List the HITs of a batch.

    Columns: hit, state, assessor, done, total, missed (attention checks), taken_at, finished_at.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.crowd.overview import batch_named, hits_table

    common.emit(hits_table(batch_named(batch)))


@action("app crowd workers", example="qrelsmith app crowd workers my-campaign")
@common_options()
def workers(
    common: Common,
    campaign: CampaignFolder,
    batch: Annotated[str | None, Source("Batch.", "", many=False)] = None,
) -> None:  # fmt: skip
    """List workers by pseudonym: training, HITs, exclusion, payment.

    Columns: assessor, training, hits (submitted), discarded (submitted HITs that were discarded),
    approved (sessions), excluded, reason, pay.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.crowd.overview import batch_named, workers_table
    from qrelsmith.web.models import Batch

    common.emit(workers_table([batch_named(batch)] if batch else Batch.objects.all()))


@action("app crowd release", example="qrelsmith app crowd release my-campaign pairs-1 --minutes 30")
def release(
    campaign: CampaignFolder,
    batch: Argument,
    minutes: Annotated[int | None, Option(
        "Timeout in minutes; default: the timeout in the terms.", least=0)] = None,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Release HITs whose timeout has passed, so that other workers can take them.

    The app also releases HITs after the timeout if a worker arrives and no other HIT is free.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.crowd.claims import release_overdue
    from qrelsmith.web.crowd.overview import batch_named

    found = release_overdue(batch_named(batch), minutes=minutes)
    note_command("crowd release", f"{batch}: {len(found)} HITs")
    Common(quiet=quiet).say([f"HITs released: {len(found)}"])


@action(
    "app crowd exclude", example="qrelsmith app crowd exclude my-campaign w0f3a --reason 'a script'"
)
def exclude(
    campaign: CampaignFolder,
    assessor: Argument,
    reason: Annotated[str, Option("The reason, which is stored with the worker.")],
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Exclude a crowd worker, ASSESSOR, from further HITs.

    The worker's HITs in open batches are discarded, and other workers can take them. The worker is
    still paid for the discarded HITs.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.base.errors import UsageError, quoted
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.crowd.finishing import exclude as shut_out
    from qrelsmith.web.models import CrowdWorker

    worker = CrowdWorker.objects.filter(assessor__name=assessor).first()
    if worker is None:
        raise UsageError(f"unknown crowd worker {quoted(assessor)}; see `app crowd workers`")
    found = shut_out(worker, reason[:200])
    note_command("crowd exclude", assessor)
    Common(quiet=quiet).say([f"HITs that are open again: {len(found)}"])


@action("app crowd close", example="qrelsmith app crowd close my-campaign pairs-1")
def close(
    campaign: CampaignFolder,
    batch: Argument,
    reopen: Annotated[bool, Option("Open the batch again.")] = False,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Close a batch: no further HITs are assigned, but HITs in progress can still be submitted."""
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.crowd.overview import batch_named
    from qrelsmith.web.models import Batch

    Batch.objects.filter(pk=batch_named(batch).pk).update(is_open=reopen)
    note_command("crowd reopen" if reopen else "crowd close", batch)
    Common(quiet=quiet).say([f"the batch is {'open' if reopen else 'closed'}"])
