"""`qrelsmith prompts`."""

from __future__ import annotations

from qrelsmith.base.tables import Table
from qrelsmith.cli.actions import action
from qrelsmith.cli.declared_options import Argument
from qrelsmith.cli.options import Common, common_options


@action("prompts list", short="List the built-in prompts.", example="qrelsmith prompts list")
@common_options()
def list_(common: Common) -> None:
    """List the built-in prompts.

    Columns: prompt, version, kind, reason (whether the model gives a reason), sha256.
    """
    from qrelsmith.models.prompts import library

    rows = [
        (each.name, each.version, each.kind, str(each.has_reason).lower(), each.sha256)
        for each in library()
    ]
    common.emit(Table.of(("prompt", "version", "kind", "reason", "sha256"), rows))


@action(
    "prompts show",
    short="Show a prompt as a template.",
    example="qrelsmith prompts show grade -o mine.toml",
)
@common_options()
def show(
    common: Common,
    prompt: Argument,
) -> None:  # fmt: skip
    """Print the file of a prompt as a template for your own prompt."""
    from qrelsmith.models.prompts import read_prompt

    common.put(read_prompt(prompt).source.encode("utf-8"))


@action(
    "prompts check", short="Check your own prompt.", example="qrelsmith prompts check mine.toml"
)
@common_options()
def check(
    common: Common,
    file: Argument,
) -> None:  # fmt: skip
    """Check a prompt file as `judge` does, and print its name, version and hash."""
    from qrelsmith.models.prompts import checked_prompt

    found = checked_prompt(file)
    common.emit(
        Table.of(
            ("prompt", "version", "kind", "sha256"),
            [(found.name, found.version, found.kind, found.sha256)],
        )
    )
