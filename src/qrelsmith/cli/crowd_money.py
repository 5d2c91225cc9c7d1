"""`qrelsmith app crowd`: codes and payments."""

from __future__ import annotations

from typing import Annotated

from qrelsmith.base.errors import UsageError
from qrelsmith.base.options import Option, Source
from qrelsmith.base.tables import Table
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import CampaignFolder
from qrelsmith.cli.options import Common, common_options


@action("app crowd money", example="qrelsmith app crowd money my-campaign")
@common_options()
def money(common: Common, campaign: CampaignFolder) -> None:
    """Show the cost of each batch so far.

    Columns: batch, sittings (paid sessions), pay, not_approved (part of the pay), fees, currency.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.crowd.payments import money as spent
    from qrelsmith.web.models import Batch

    common.emit(spent(Batch.objects.order_by("created_at", "pk")))


@action(
    "app crowd approve",
    example="qrelsmith app crowd approve my-campaign --results Batch_123_results.csv",
)
@common_options()
def approve(
    common: Common,
    campaign: CampaignFolder,
    codes: Annotated[tuple[str, ...], Source("Codes.", "")] = (),
    results: Annotated[str | None, Option(
        "The platform's CSV of results or submissions.",
        file=True)] = None,
) -> None:  # fmt: skip
    """Approve the completion CODES of workers; each code is approved once.

    Columns: code (or the platform's task id), state, assessor, batch, pay. The state is `approved`,
    `used` (approved before), `unknown`, or `other worker` (the code belongs to a different worker
    than on the platform). Pay the approved amounts on the platform.
    """
    from qrelsmith.topk.crowd.platform_submissions import read_platform_submissions

    if bool(codes) is (results is not None):
        raise UsageError("expected CODES, or --results with the platform's file")
    submissions = [] if results is None else read_platform_submissions(results)
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.crowd.payments import approve_code, approve_submission

    approvals = [(code, approve_code(code)) for code in codes]
    approvals += [(each.code or each.reference, approve_submission(each)) for each in submissions]
    rows = [
        (
            code,
            approval.state,
            approval.sitting.worker.assessor.name if approval.sitting else "",
            approval.sitting.batch.name if approval.sitting else "",
            approval.sitting.pay if approval.sitting else None,
        )
        for code, approval in approvals
    ]
    approved = sum(approval.state == "approved" for _, approval in approvals)
    note_command("crowd approve", f"{approved} of {len(approvals)} codes")
    common.emit(Table.of(("code", "state", "assessor", "batch", "pay"), rows))


@action("app crowd payments", example="qrelsmith app crowd payments my-campaign -o payments.csv")
@common_options()
def payments(
    common: Common,
    campaign: CampaignFolder,
    batch: Annotated[str | None, Source("Batch.", "", many=False)] = None,
) -> None:  # fmt: skip
    """List payments with workers' platform ids; keep this list private.

    No other output shows workers' platform ids, and the use of this command is logged. Columns:
    platform, worker_id, reference (assignment or submission), study, assessor, batch, hit, result,
    pay, currency, approved_at.
    """
    from qrelsmith.io.table_writing import table_bytes

    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.crowd.overview import batch_named
    from qrelsmith.web.crowd.payments import PAYMENTS, payment_rows

    chosen = batch_named(batch) if batch else None
    rows = payment_rows(chosen)
    note_command("crowd payments", chosen.name if chosen else "all batches")
    columns = {name: [row[place] for row in rows] for place, name in enumerate(PAYMENTS)}
    if common.form in (None, "csv"):
        common.put(table_bytes(columns))
    else:
        common.emit(Table.of(PAYMENTS, rows))
