"""`qrelsmith app import-labels`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated, Any

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.options import Option
from qrelsmith.base.tables import Table
from qrelsmith.cli.actions import action
from qrelsmith.cli.app import open_app
from qrelsmith.cli.declared_options import Argument, CampaignFolder
from qrelsmith.cli.options import Common, common_options
from qrelsmith.cli.progress import progress
from qrelsmith.io.text import read_bytes


@action(
    "app import-labels",
    example="qrelsmith app import-labels my-campaign gpt-x.qrels --assessor gpt-x"
    " --model gpt-x-2026-01 --prompt prompt.txt --parameter temperature=0",
)
@common_options()
def command(
    common: Common,
    campaign: CampaignFolder,
    file: Argument,
    assessor: Annotated[str, Option("Pseudonym of the model.")],
    model: Annotated[str, Option("The model's name and version.")],
    prompt: Annotated[str, Option("File with the whole prompt.", metavar="FILE", file=True)],
    parameters: Annotated[tuple[str, ...], Option(
        "Parameter of the model, such as temperature=0; repeatable.",
        ("--parameter",), metavar="NAME=VALUE")] = (),
    group: Annotated[str, Option("Group for a new assessor; the group must have the role 'llm'.")]
        = "",
    dry_run: Annotated[bool, Option("Check everything without recording it.")] = False,
) -> None:  # fmt: skip
    """Import a model's labels into the judging app.

    FILE contains a model assessor's labels for CAMPAIGN's app, as judgments or qrels. The model,
    prompt and parameters are recorded with every label. If a label differs from the current label,
    it becomes the next revision. Other assessors' labels are not changed. If any label cannot be
    recorded, no label is recorded.
    """
    open_app(campaign, must_exist=True)
    from qrelsmith.web.accounts.actions import note_command
    from qrelsmith.web.model_assessors.label_files import import_labels, parts_of, read_labels
    from qrelsmith.web.model_assessors.operations import JUDGMENTS
    from qrelsmith.web.model_assessors.settings import GivenSetting
    from qrelsmith.web.project import current_instance

    setting = GivenSetting(model, _prompt(prompt), _parameters(parameters))
    for fault in JUDGMENTS.part("setting").faults(asdict(setting)):
        raise UsageError(f"the {fault.place[0]} is {fault.found}; expected {fault.expected}")
    settings = current_instance().campaign
    judgments = read_labels(file, settings, assessor=assessor)
    with progress("labels", parts_of(judgments), quiet=common.quiet) as advance:
        counts = import_labels(
            judgments,
            setting,
            assessor=assessor,
            group=group,
            campaign=settings,
            path=file,
            is_dry=dry_run,
            advance=advance,
        )
    if not dry_run:
        note_command("import labels", assessor)
    rows = [(each.what, each.new, each.changed, each.same) for each in counts]
    common.emit(Table.of(("what", "new", "changed", "same"), rows))


def _prompt(path: str) -> str:
    from qrelsmith.io.table_reading import decoded_text

    text = decoded_text(read_bytes(path), path=path)
    if not text.strip():
        raise InputError("the file is empty; expected the prompt", path=path)
    return text


def _parameters(texts: tuple[str, ...]) -> dict[str, Any]:
    """Return parameters by name; values are JSON scalars if possible, otherwise text."""
    parameters: dict[str, Any] = {}
    for text in texts:
        name, is_there, value = text.partition("=")
        if not name or not is_there:
            raise UsageError(f"--parameter is {quoted(text)}; expected NAME=VALUE")
        try:
            scalar = json.loads(value)
        except ValueError:
            scalar = value
        parameters[name] = value if isinstance(scalar, (list, dict)) else scalar
    return parameters
