"""`qrelsmith agree`."""

from __future__ import annotations

from typing import Literal

import click

from qrelsmith.agreement import COEFFICIENTS
from qrelsmith.cli.options import Common, common_options, parse_scale, scale_options, split_names
from qrelsmith.data.judgments import read_judgments
from qrelsmith.label_agreement import (
    BREAKDOWNS,
    AgreementOptions,
    LabelAgreement,
    ScopedAgreement,
    Undefined,
)
from qrelsmith.tables import Table


@click.command(
    name="agree",
    epilog="Example: qrelsmith agree nist.qrels llm-1.qrels llm-2.qrels --coefficient alpha-ordinal"
    " --coefficient light-quadratic --by pair",
)
@click.argument("files", type=click.Path(), nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--coefficient", "coefficients", multiple=True, default=("alpha-ordinal",), show_default=True,
    help=f"A coefficient; repeat for more: {', '.join(COEFFICIENTS.names())}.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice(list(BREAKDOWNS)), help="Add a row for each topic, pair, ….",
)  # fmt: skip
@click.option(
    "--undefined", type=click.Choice(["nan", "one", "zero"]), default="nan", show_default=True,
    help="What stands for 0/0: every label equal, no disagreement expected.",
)  # fmt: skip
@click.option(
    "--errors", type=click.Choice(["missing", "nonrelevant"]), default="missing",
    show_default=True, help="What the code -2 (could not be displayed) is.",
)  # fmt: skip
@click.option(
    "-B", "--resamples", type=click.IntRange(min=0), default=1000, show_default=True,
    help="Bootstrap samples (of docs) behind an interval; 0: no intervals.",
)  # fmt: skip
@scale_options
@common_options
def command(
    common: Common,
    files: tuple[str, ...],
    coefficients: tuple[str, ...],
    by: str | None,
    undefined: Undefined,
    errors: Literal["missing", "nonrelevant"],
    resamples: int,
    scale: str | None,
    off_scale: Literal["error", "missing"],
) -> None:
    """Agreement between assessors: one judgments FILE, or qrels, one FILE per assessor.

    Columns: scope, coefficient, value, low, high, units, assessors; the first row of a coefficient
    has the scope `all`. low and high are a 95 % interval from a bootstrap over docs. By assessor,
    and between groups, the value is the mean of the coefficient over pairs of assessors.
    """
    judgments = read_judgments(*files, scale=parse_scale(scale), off_scale=off_scale)
    rows: list[ScopedAgreement] = []
    for coefficient in split_names(coefficients):
        options = AgreementOptions(
            coefficient=coefficient,
            scale=parse_scale(scale),
            undefined=undefined,
            errors=errors,
            resamples=resamples,
            seed=common.seed,
        )
        agreement = LabelAgreement(judgments, options)
        rows.append(agreement.overall())
        if by is not None:
            parts = sorted(
                BREAKDOWNS[by](agreement), key=lambda one: (one.scope != "mean", one.scope)
            )
            rows += parts
    columns = ("scope", "coefficient", "value", "low", "high", "units", "assessors")
    common.emit(
        Table.of(
            columns,
            [(o.scope, o.coefficient, o.value, o.low, o.high, o.units, o.assessors) for o in rows],
        )
    )
